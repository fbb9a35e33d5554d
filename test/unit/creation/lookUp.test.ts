import { LookUp } from '../../../nodes/ParcelShipping/creation/lookUp';
import {
	type CreationClient,
	type IfExists,
	type LookUpSettings,
	searchStart,
} from '../../../nodes/ParcelShipping/creation/types';
import type { ListedShipment } from '../../../nodes/ParcelShipping/transport/contract';
import { ServiceError } from '../../../nodes/ParcelShipping/transport/errors';
import { createMemoryClient } from '../../support/creationClient';
import { orderWith, SETTINGS } from '../../support/orders';

const shipment = (id: number, reference: string, more: Partial<ListedShipment> = {}) =>
	({
		id,
		carrierCode: 'ANT',
		packageNumberCustom: reference,
		packageNumberCarrier: `N${id}`,
		packageNumberOrder: 1,
		canceled: false,
		...more,
	}) as ListedShipment;

describe.each(['rich', 'documented'] as const)('A look-up in a %s list', (lists) => {
	const shipments = [
		shipment(1, 'A'),
		shipment(2, 'A', { packageNumberOrder: 2 }),
		shipment(3, 'AA'),
		shipment(4, 'B'),
	];
	const find = async (references: string[], list = shipments) => {
		const { client, requests } = createMemoryClient(list, { lists, limit: 2 });
		const found = await new LookUp(client).find('ANT', references, '2026-11-01');
		return { ids: found.map(({ id }) => id).sort(), requests };
	};

	test('finds one reference with all its pieces, and nothing that only contains it', async () => {
		expect((await find(['A'])).ids).toEqual([1, 2]);
	});
	test('finds a shipment that has no carrier number yet', async () => {
		const list = [shipment(1, 'A', { packageNumberCarrier: null as never })];
		expect((await find(['A'], list)).ids).toEqual([1]);
	});
	test('finds several references', async () => {
		expect((await find(['A', 'B', 'X', 'Y', 'Z'])).ids).toEqual([1, 2, 4]);
	});
	test('ignores the shipments of another carrier', async () => {
		const list = [shipment(9, 'B', { carrierCode: 'BEAVER' }), ...shipments];
		expect((await find(['B'], list)).ids).toEqual([4]);
	});
	test('sends as few requests as possible', async () => {
		const many = Array.from({ length: 500 }, (_, index) => shipment(index + 10, `M-${index}x`));
		expect((await find(['A', 'B'])).requests.sort()).toEqual(
			lists === 'rich'
				? ['list']
				: ['details 1', 'details 3', 'details 4', 'list', 'search A', 'search B'],
		);
		const { requests } = await find(['M-1x', 'M-2x'], many);
		expect(requests.slice(0, 3)).toEqual(['list', 'search M-1x', 'search M-2x']);
	});
});

test('one record without a reference among many takes one request, and is found', async () => {
	const many = Array.from({ length: 149 }, (_, index) => shipment(index + 1, `M-${index}x`));
	const { client, requests } = createMemoryClient([...many, shipment(150, 'ODD')]);
	const references = ['ODD', ...Array.from({ length: 20 }, (_, index) => `X-${index}`)];
	const hiding = {
		...client,
		findShipments: async () => hide(await client.findShipments({}, 0, 100)),
		listShipments: async () => hide({ rows: await client.listShipments({}), total: 0 }).rows,
	};
	/** The list does not contain the reference of shipment 150; its detail does. */
	function hide({ rows, total }: { rows: ListedShipment[]; total: number }) {
		return {
			rows: rows.map((row) =>
				row.id === 150 ? ({ ...row, packageNumberCustom: undefined } as never) : row,
			),
			total,
		};
	}
	const found = await new LookUp(hiding).find('ANT', references, '2026-11-01');
	expect(found.map(({ id }) => id)).toEqual([150]);
	expect(requests.filter((request) => request.startsWith('details'))).toEqual(['details 150']);
});

test('a shipment whose reference is null in the list is not read in detail', async () => {
	const list = [shipment(1, 'A'), shipment(2, 'x', { packageNumberCustom: null as never })];
	const { client, requests } = createMemoryClient(list);
	await new LookUp(client).find('ANT', ['A', 'B'], '2026-11-01');
	expect(requests).toEqual(['list']);
});

describe('An order', () => {
	const order = orderWith('A');
	const findExisting = async (shipments: ListedShipment[], ifExists: IfExists = 'reuse') =>
		new LookUp(createMemoryClient(shipments).client).findExisting([order], {
			...SETTINGS,
			ifExists,
		});

	test('is sent if nothing has its reference', async () => {
		const found = await findExisting([shipment(1, 'AA')]);
		expect(found).toEqual({ toSend: [order], canceledIds: [], results: [] });
	});
	test('is sent if only a canceled shipment has its reference, which is noted', async () => {
		const found = await findExisting([shipment(1, 'A', { canceled: true })]);
		expect(found).toEqual({ toSend: [order], canceledIds: [1], results: [] });
	});
	test('gets all pieces of the existing shipment, in their order', async () => {
		const shipments = [3, 1, 2].map((id) => shipment(id, 'A', { packageNumberOrder: id }));
		const { toSend, results } = await findExisting(shipments);
		expect(toSend).toEqual([]);
		expect(results).toMatchObject([
			{
				pieces: [1, 2, 3].map((id, pieceIndex) => ({
					row: { id, pieceIndex },
					alreadyExisted: true,
				})),
			},
		]);
	});
	test('fails with the ID of the existing shipment under Fail the Item', async () => {
		const { toSend, results } = await findExisting([shipment(5, 'A')], 'fail');
		expect(toSend).toEqual([]);
		expect(results).toMatchObject([
			{
				pieces: [],
				notCreated: {
					message: expect.stringContaining('ID 5'),
					details: { shipmentIds: [5] },
				},
			},
		]);
	});
	test('is not sent if another carrier already has a shipment with its reference', async () => {
		const { toSend, results } = await findExisting([shipment(5, 'A', { carrierCode: 'BEAVER' })]);
		expect(toSend).toEqual([]);
		expect(results).toMatchObject([
			{
				pieces: [],
				notCreated: { message: expect.stringContaining('Carrier BEAVER instead of ANT') },
			},
		]);
	});
	test('is sent with another carrier under Shipments of the Same Carrier', async () => {
		const { client } = createMemoryClient([shipment(5, 'A', { carrierCode: 'BEAVER' })]);
		const settings = { ...SETTINGS, lookUpScope: 'sameCarrier' as const };
		const { toSend } = await new LookUp(client).findExisting([order], settings);
		expect(toSend).toEqual([order]);
	});
	test('gets a shipment of a service that writes carrier codes in small letters', async () => {
		const { results } = await findExisting([shipment(5, 'A', { carrierCode: 'ant' })]);
		expect(results).toMatchObject([{ pieces: [{ row: { id: 5 } }] }]);
	});
	test('gets the existing shipment with the differences under Use the Existing One', async () => {
		const { client } = createMemoryClient([shipment(5, 'A', { carrierCode: 'BEAVER' })]);
		const settings = { ...SETTINGS, ifDiffers: 'reuse' as const };
		const { results } = await new LookUp(client).findExisting([order], settings);
		expect(results).toMatchObject([
			{
				pieces: [{ row: { id: 5, carrierCode: 'BEAVER' } }],
				differences: [{ field: 'carrierCode', ordered: 'ANT', existing: 'BEAVER' }],
			},
		]);
	});
	test('is not sent if the look-up fails', async () => {
		const { client } = createMemoryClient([]);
		const failing = { ...client, listShipments: async () => Promise.reject(new Error('down')) };
		const { toSend, results } = await new LookUp(failing).findExisting([order], SETTINGS);
		expect(toSend).toEqual([]);
		expect(results).toMatchObject([{ orders: [order], notCreated: { message: 'down' } }]);
	});
});

describe('A look-up', () => {
	/** The list, and the filters with which it is read or searched. */
	function watch(list: ListedShipment[], lists: 'rich' | 'documented' = 'rich') {
		const { client } = createMemoryClient(list, { lists });
		const filters: unknown[] = [];
		const watched: CreationClient = {
			...client,
			findShipments: async (filter, ...more) => {
				filters.push(filter);
				return await client.findShipments(filter, ...more);
			},
			listShipments: async (filter, ...more) => {
				filters.push(filter);
				return await client.listShipments(filter, ...more);
			},
		};
		return { client: watched, filters };
	}
	const many = Array.from({ length: 500 }, (_, index) => shipment(index + 10, `M-${index}x`));
	const idsOf = (records: Array<{ id: number }>) => records.map(({ id }) => id);

	test('returns a shipment once, also if the searches for two orders find it', async () => {
		const { client } = watch([...many, shipment(1, 'A'), shipment(2, 'AA')]);
		const found = await new LookUp(client).find('ANT', ['A', 'AA'], '2026-11-01');
		expect(idsOf(found)).toEqual([1, 2]);
	});

	test('searches among all pieces, from the given day, of one carrier or of all', async () => {
		const { client, filters } = watch([shipment(1, 'A')]);
		const lookUp = new LookUp(client);
		await lookUp.find('ANT', ['A'], '2026-11-01');
		await lookUp.find(undefined, ['A'], '2026-11-01');
		await lookUp.findRecent('ANT', ['A'], [1]);
		const filter = { createdFrom: '2026-11-01', onlyMaster: false, search: 'A' };
		expect(filters).toEqual([
			{ ...filter, carrierCodes: ['ANT'] },
			filter,
			{ ...filter, carrierCodes: ['ANT'], createdFrom: searchStart(Date.now(), 0) },
		]);
	});

	test('reads the details of main shipments only if the list has no references', async () => {
		const { client, filters } = watch([shipment(1, 'A'), shipment(2, 'B')], 'documented');
		expect(idsOf(await new LookUp(client).find('ANT', ['A'], '2026-11-01'))).toEqual([1]);
		expect(filters).toMatchObject([{ onlyMaster: false }, { onlyMaster: true, search: 'A' }]);
	});

	test('ignores shipments without a reference, and those whose record is gone', async () => {
		const odd = ['', null, 7].map((reference, id) =>
			shipment(id + 1, 'x', { packageNumberCustom: reference as never }),
		);
		const { client } = watch(odd);
		expect(await new LookUp(client).find('ANT', ['', 'null', '7'], '2026-11-01')).toEqual([]);
		const documented = watch([shipment(1, 'A')], 'documented').client;
		const failing = (status: number) => ({
			...documented,
			getShipment: async () => Promise.reject(new ServiceError(factsOf(status))),
		});
		expect(await new LookUp(failing(404)).find('ANT', ['A'], '2026-11-01')).toEqual([]);
		const refused = new LookUp(failing(403)).find('ANT', ['A'], '2026-11-01');
		await expect(refused).rejects.toThrow('status 403');
	});

	test('keeps orders from being sent only where it failed', async () => {
		const { client } = watch([]);
		const halfDown: CreationClient = {
			...client,
			listShipments: async (filter, ...more) => {
				if (filter.carrierCodes?.[0] === 'BEAVER') throw new Error('down');
				return await client.listShipments(filter, ...more);
			},
		};
		const orders = ['ANT', 'BEAVER'].map((carrierCode) => orderWith(carrierCode, { carrierCode }));
		const settings = { ...SETTINGS, lookUpScope: 'sameCarrier' as const };
		const { toSend, results } = await new LookUp(halfDown).findExisting(orders, settings);
		expect(toSend).toEqual([orders[0]]);
		expect(results.map((result) => result.orders)).toEqual([[orders[1]]]);
		const all = await new LookUp(halfDown).findExisting(orders, SETTINGS);
		expect(all.toSend).toEqual(orders);
	});

	test('starts Look-Back Days before today, and is left out if existing shipments do not matter', async () => {
		const { client, filters } = watch([]);
		const [order] = [orderWith('A')];
		await new LookUp(client).findExisting([order], { ...SETTINGS, lookbackDays: 7 });
		expect(filters).toMatchObject([{ createdFrom: searchStart(Date.now(), 7) }]);
		const found = await new LookUp(client).findExisting([order], {
			...SETTINGS,
			ifExists: 'create',
		});
		expect(found).toEqual({ toSend: [order], canceledIds: [], results: [] });
		expect(filters).toHaveLength(1);
	});

	test('notes only the canceled shipments with the reference of an order that is sent', async () => {
		const list = [
			shipment(1, 'A', { canceled: true }),
			shipment(2, 'B', { canceled: true }),
			shipment(3, 'B'),
			shipment(4, 'C', { canceled: undefined as never }),
		];
		const orders = ['A', 'B', 'C'].map((reference) => orderWith(reference));
		const found = await new LookUp(watch(list).client).findExisting(orders, SETTINGS);
		expect(found).toMatchObject({ toSend: [orders[0]], canceledIds: [1] });
		expect(
			idsOf(found.results.flatMap(({ pieces }) => pieces.map(({ row }) => row as never))),
		).toEqual([3, 4]);
	});

	test('does not read the details of the same shipment twice', async () => {
		const { client, requests } = createMemoryClient([shipment(1, 'A')], { lists: 'documented' });
		const lookUp = new LookUp(client);
		await lookUp.find('ANT', ['A'], '2026-11-01');
		await lookUp.find('ANT', ['A'], '2026-11-01');
		expect(requests.filter((request) => request === 'details 1')).toHaveLength(1);
	});
});

describe('A look-up after creating', () => {
	/** A list of a thousand others, newest first, which ignores the carrier. */
	function startList() {
		const list = Array.from({ length: 1_000 }, (_, index) => shipment(index + 1, `M-${index}x`));
		const requests: unknown[] = [];
		const { client } = createMemoryClient([]);
		const paged: CreationClient = {
			...client,
			findShipments: async ({ search }, start, length) => {
				requests.push(search ?? start);
				const rows = list.filter(({ packageNumberCustom }) =>
					(packageNumberCustom ?? '').includes(search ?? ''),
				);
				return { rows: rows.reverse().slice(start, start + length), total: rows.length };
			},
			listShipments: async (filter) => (await paged.findShipments(filter, 0, 2_000)).rows,
		};
		const lookUp = new LookUp(paged);
		const add = (...added: ListedShipment[]) => void list.push(...added);
		const findRecent = async (references: string[], createdIds: number[]) => {
			requests.length = 0;
			const found = await lookUp.findRecent('ANT', references, createdIds);
			return { ids: found.map(({ id }) => id).sort(), requests: [...requests] };
		};
		return { lookUp, add, findRecent };
	}
	const before = async ({ lookUp }: { lookUp: LookUp }) =>
		lookUp.find('ANT', ['A', 'B'], '2026-11-01');
	const own = [shipment(1_002, 'A'), shipment(1_003, 'B')];

	test('reads the newest page of the list, and ignores other carriers', async () => {
		const list = startList();
		await before(list);
		list.add(shipment(1_001, 'A'), ...own, shipment(1_004, 'B', { carrierCode: 'BEAVER' }));
		const found = await list.findRecent(['A', 'B'], [1_002, 1_003]);
		expect(found).toEqual({ ids: [1_001, 1_002, 1_003], requests: [0] });
	});
	test('searches for a single order', async () => {
		const list = startList();
		await before(list);
		list.add(shipment(1_001, 'A'), ...own);
		const found = await list.findRecent(['A'], [1_002]);
		expect(found).toEqual({ ids: [1_001, 1_002], requests: ['A'] });
	});
	test('searches if the newest page is not enough, or if nothing was read before', async () => {
		const list = startList();
		list.add(...own);
		const unread = await list.findRecent(['A', 'B'], [1_002, 1_003]);
		expect(unread).toEqual({ ids: [1_002, 1_003], requests: [0, 'A', 'B'] });
		// The list does not contain the second one.
		const missing = await list.findRecent(['A', 'B'], [1_002, 1_004]);
		expect(missing).toEqual({ ids: [1_002, 1_003], requests: [0, 0, 'A', 'B'] });
	});
	test('searches if a new record does not say its reference', async () => {
		const list = startList();
		await before(list);
		list.add(...own, shipment(1_004, 'C', { packageNumberCustom: undefined as never }));
		const found = await list.findRecent(['A', 'B'], [1_002, 1_003]);
		expect(found.requests).toEqual([0, 0, 'A', 'B']);
	});
	test('reads back to the first look-up, not to a later one', async () => {
		const list = startList();
		await before(list);
		const others = Array.from({ length: 120 }, (_, index) => shipment(1_101 + index, 'x'));
		list.add(shipment(1_100, 'A'), ...others);
		await before(list);
		list.add(shipment(1_300, 'A'), shipment(1_301, 'B'));
		const found = await list.findRecent(['A', 'B'], [1_300, 1_301]);
		expect(found.ids).toEqual([1_100, 1_300, 1_301]);
	});
});

describe('A look-up that begins before the order is checked', () => {
	const lookAhead = async (references: string[], settings: Partial<LookUpSettings> = {}) => {
		const { client, requests } = createMemoryClient([shipment(1, 'A')]);
		const lookUp = new LookUp(client);
		await lookUp.lookAhead(references, { ...SETTINGS, ...settings });
		return { lookUp, requests };
	};

	test('is not repeated', async () => {
		const { lookUp, requests } = await lookAhead(['A']);
		expect(requests).toEqual(['search A']);
		const { results } = await lookUp.findExisting([orderWith('A')], SETTINGS);
		expect(results).toMatchObject([{ pieces: [{ row: { id: 1 } }] }]);
		expect(requests).toEqual(['search A']);
	});

	test.each<[string, string[], Partial<LookUpSettings>]>([
		['no order', [], {}],
		['several orders', ['A', 'B'], {}],
		['Create Another One', ['A'], { ifExists: 'create' }],
		['Shipments of the Same Carrier', ['A'], { lookUpScope: 'sameCarrier' }],
	])('is left out with %s', async (_, references, settings) => {
		expect((await lookAhead(references, settings)).requests).toEqual([]);
	});
});

const factsOf = (status: number) => ({
	message: `status ${status}`,
	description: '',
	endpoint: '',
	mayHaveActed: false,
	isTransient: false,
	status,
});
