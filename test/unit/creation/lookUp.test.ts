import { confirmEarlier } from '../../../nodes/ParcelShipping/creation/confirmEarlier';
import {
	judgeExisting,
	toExistingShipment,
	withComparedFields,
} from '../../../nodes/ParcelShipping/creation/existing';
import { findExisting } from '../../../nodes/ParcelShipping/creation/lookUp';
import type { CreationRun, Shipment } from '../../../nodes/ParcelShipping/creation/types';
import type { CreationOptions } from '../../../nodes/ParcelShipping/orders/creationOptions';
import { type Order, referenceOf } from '../../../nodes/ParcelShipping/orders/order';
import { searchStart } from '../../../nodes/ParcelShipping/records';
import type { FoundShipment, PieceRecord } from '../../../nodes/ParcelShipping/transport/pieces';
import { createdRow, orderWith, pieceOf, shipmentWith } from '../../support/orders';

/** The detail of a shipment of order A, or what comes instead. */
type Detail = { id: number; canceled: boolean; packageNumberCustom?: string };
type Created = Detail | Detail[] | 'missing' | Error;

const options = { ifShipped: 'returnUnchanged' } as CreationOptions;

/** What becomes of orders A and B, if the service has these shipments or cannot be read. */
async function lookUp(
	found: FoundShipment[] | Error,
	ifShipped: CreationOptions['ifShipped'] = 'return',
	unread: Array<{ id: number; carrierCode: string }> = [],
	created?: Created,
): Promise<{ sent: string[]; others: string[] }> {
	const { toSend, outcomes } = await findShipments(found, ifShipped, unread, created);
	const others = outcomes.map(({ targets, outcome }) => {
		return `${targets.map(referenceOf).join()} ${outcome.state}`;
	});
	return { sent: toSend.map(referenceOf), others };
}

async function findShipments(
	found: FoundShipment[] | Error,
	ifShipped: CreationOptions['ifShipped'],
	unread: Array<{ id: number; carrierCode: string }>,
	created?: Created,
) {
	return await findExisting([orderWith('A'), orderWith('B')], {
		client: {
			mapParallel: async <Item>(items: Item[], work: (item: Item) => Promise<void>) =>
				Promise.all(items.map(work)),
			createdLately: (reference: string) =>
				reference === 'A' && created ? { carrierCode: 'ANT', id: 1 } : undefined,
			getShipment: async () => {
				if (created instanceof Error) throw created;
				return created === 'missing' ? [] : [created].flat();
			},
		},
		records: {
			find: async () => {
				if (found instanceof Error) throw found;
				return found;
			},
			withDetail: async (shipment: FoundShipment) => shipment,
			unread: new Map(unread.map((each) => [each.id, each])),
		},
		options: { ifShipped },
	} as unknown as CreationRun);
}

test('an order that has a living shipment is not sent, and the others are', async () => {
	expect(await lookUp([shipmentWith(pieceOf(1, 'A'))])).toEqual({
		sent: ['B'],
		others: ['A done'],
	});
	const canceled = shipmentWith({ ...pieceOf(1, 'A'), isCanceled: true });
	expect(await lookUp([canceled])).toEqual({ sent: ['A', 'B'], others: [] });
});

describe('a shipment that this process has created a moment ago, and that the list does not show', () => {
	const LIVING = { id: 1, canceled: false };
	const lookUpWith = async (ofA: Created, listed: FoundShipment[] = []) =>
		lookUp(listed, 'return', [], ofA);
	const shipmentOf = (id: number, isCanceled: boolean, ...more: number[]) =>
		shipmentWith(
			{ ...pieceOf(id, 'A'), isCanceled },
			...more.map((each) => ({ ...pieceOf(each, 'A'), isCanceled })),
		);

	test('keeps its order from being sent again, as long as it lives', async () => {
		expect((await lookUpWith(LIVING)).sent).toEqual(['B']);
		expect((await lookUpWith({ id: 1, canceled: true })).sent).toEqual(['A', 'B']);
		expect((await lookUpWith('missing')).sent).toEqual(['A', 'B']);
		// A sandbox that is reset uses the same IDs again.
		const ofOther = { ...LIVING, packageNumberCustom: 'X' };
		expect((await lookUpWith(ofOther)).sent).toEqual(['A', 'B']);
	});

	test('counts although the order has another one, which is canceled', async () => {
		expect((await lookUpWith(LIVING, [shipmentOf(9, true)])).sent).toEqual(['B']);
		// The list knows more than the detail.
		expect((await lookUpWith(LIVING, [shipmentOf(1, true)])).sent).toEqual(['A', 'B']);
	});

	test('is no duplicate of itself', async () => {
		const pieces = [{ ...LIVING, id: 2 }, LIVING];
		const { outcomes } = await findShipments([shipmentOf(2, false)], 'return', [], pieces);
		expect(outcomes).toMatchObject([{ outcome: { value: { pieces: [{ row: { id: 2 } }] } } }]);
		expect(outcomes[0]?.outcome).not.toHaveProperty('value.duplicates');
	});

	test('fails only its own order if its detail cannot be read', async () => {
		const down = new Error('down');
		expect(await lookUpWith(down)).toMatchObject({ sent: ['B'], others: ['A notDone'] });
		// Another one exists.
		expect(await lookUpWith(down, [shipmentOf(9, false)])).toMatchObject({
			sent: ['B'],
			others: ['A done'],
		});
	});
});

test('the form says what becomes of an order that has a shipment', async () => {
	const found = [shipmentWith(pieceOf(1, 'A'))];
	expect(await lookUp(found, 'fail')).toEqual({ sent: ['B'], others: ['A notDone'] });
});

test('an order is not sent if nothing says of which order a listed shipment is', async () => {
	const unread = [{ id: 7, carrierCode: 'ANT' }];
	expect(await lookUp([shipmentWith(pieceOf(1, 'A'))], 'return', unread)).toEqual({
		sent: [],
		others: ['A done', 'B notDone'],
	});
});

test('if the service cannot be read, nothing is sent', async () => {
	expect(await lookUp(new Error('down'))).toEqual({ sent: [], others: ['A notDone', 'B notDone'] });
});

test.each([
	[1, []],
	[2, [1]],
])(
	'the detail of a shipment is read if it may have more pieces than the list shows: of %i',
	async (pieceCount, expected) => {
		const read: number[] = [];
		const withDetail = async (shipment: FoundShipment) => {
			read.push(shipment.id);
			return shipment;
		};
		const records = { withDetail } as unknown as CreationRun['records'];
		const order = orderWith('A', { pieceCount });
		// Everything that is compared is in the list.
		Object.assign(order.body, { price: 5 });
		const record = { codPrice: null, price: 5, serviceType: 'ANT-HOME' };
		await withComparedFields(order, shipmentWith(pieceOf(1, 'A', record)), records);
		expect(read).toEqual(expected);
	},
);

/** Whether it is advised to cancel the shipment, if its order differs. */
function isToCancel(record: PieceRecord['record']): boolean {
	const order = orderWith('A');
	Object.assign(order.body, { cod: true, codPrice: 5, codCurrency: 'CZK' });
	const shipment = shipmentWith(pieceOf(1, 'A', { codPrice: null, ...record }));
	const { outcome } = judgeExisting(order, toExistingShipment(order, [shipment]), options);
	const [error] = outcome.state === 'notDone' ? outcome.errors : [];
	const { description } = error as { description: string };
	const isSaid = description.includes('The carrier already has it, so it cannot be canceled.');
	expect(description).toMatch(isSaid ? /a new number, such as "A-2"/ : /cancel the existing/);
	return !isSaid;
}

test.each<[string, PieceRecord['record'], boolean]>([
	['is delivered', { delivered: true }, false],
	['cannot be canceled', { canCancel: false }, false],
	['is on its way, and its record says nothing else', { inTransit: true }, false],
	['was handed over', { submittedCarrier: true }, false],
	[
		'is known to the carrier, and can be canceled',
		{ submittedCarrier: true, canCancel: true },
		true,
	],
	['was not handed over', { submittedCarrier: false }, true],
	['has a record that does not say it', {}, true],
])('nobody is told to cancel what the carrier has: a shipment that %s', (_, record, expected) => {
	expect(isToCancel(record)).toBe(expected);
});

test('the second shipment of an order is named although the order differs from the first one', () => {
	const order = orderWith('A');
	Object.assign(order.body, { cod: true, codPrice: 5, codCurrency: 'CZK' });
	const [first, second] = [1, 2].map((id) => shipmentWith(pieceOf(id, 'A', { codPrice: null })));
	if (!first || !second) throw new Error('No shipments');
	const { outcome } = judgeExisting(order, toExistingShipment(order, [first, second]), options);
	const message = expect.stringContaining(
		'. The order has another shipment (ID 2 at ANT). Cancel the one that you do not need',
	);
	expect(outcome).toMatchObject({ state: 'notDone', errors: [{ message }] });
	const existing = toExistingShipment(order, [first, second]);
	const failing = judgeExisting(order, existing, { ...options, ifShipped: 'fail' });
	expect(failing.outcome).toMatchObject({ state: 'notDone', errors: [{ message }] });
});

describe('what was created before a person retries', () => {
	const A = orderWith('A');
	const paid = { codPrice: 100, codCurrency: 'CZK' };

	/** What comes of shipment 2 of order A, which the person may have corrected, if the service has these. */
	async function confirm(
		found: FoundShipment[] | Error,
		{
			via = 'response',
			of = A,
			current = of,
			ifShipped = 'return',
			...more
		}: Partial<Shipment> & {
			via?: Shipment['pieces'][number]['via'];
			of?: Order;
			current?: Order;
			ifShipped?: string;
		} = {},
	) {
		const value: Shipment = { pieces: [{ row: createdRow(2, 'A'), batch: null, via }], ...more };
		const [confirmed] = await confirmEarlier(
			[{ targets: [of], outcome: { state: 'done', value } }],
			[current],
			{
				client: {
					mapParallel: async <Item>(items: Item[], work: (item: Item) => Promise<void>) =>
						Promise.all(items.map(work)),
				},
				records: {
					find: async (_: unknown, since: string) => {
						if (found instanceof Error) throw found;
						expect(since).toBe(searchStart(Date.now(), 30));
						return found;
					},
					withDetail: async (shipment: FoundShipment) => shipment,
				},
				options: { ifShipped },
			} as unknown as CreationRun,
		);
		return confirmed?.outcome;
	}
	const living = (...ids: number[]) => ids.map((id) => shipmentWith(pieceOf(id, 'A')));
	const canceled = shipmentWith({ ...pieceOf(2, 'A'), isCanceled: true });

	test.each<[string, FoundShipment[] | Error, object]>([
		['is not listed', [], { state: 'done' }],
		[
			'lives beside others',
			living(3, 2, 1),
			{ value: { duplicates: { named: [{ id: 1 }, { id: 3 }] } } },
		],
		['was canceled', [canceled], { state: 'notDone' }],
		[
			'was canceled, and another one was created',
			[canceled, ...living(4)],
			{ state: 'notDone', errors: [{ message: expect.stringContaining('ID 4 at ANT') }] },
		],
		['cannot be read', new Error('No list'), { value: { duplicates: { notRead: 'No list' } } }],
	])('a shipment that %s', async (_, found, expected) => {
		expect(await confirm(found)).toMatchObject(expected);
	});

	test('fails if another process had created it, and somebody has canceled it since', async () => {
		expect(await confirm([canceled], { via: 'otherProcess' })).toMatchObject({ state: 'notDone' });
	});

	test('is compared if the person has corrected the order since', async () => {
		const found = [shipmentWith(pieceOf(2, 'A', paid))];
		expect(await confirm(found)).not.toHaveProperty('value.differences');
		const current = orderWith('A');
		Object.assign(current.body, { recStreet: 'Other' });
		expect(await confirm(found, { current })).toMatchObject({
			value: { differences: [{ field: 'cod', ordered: null, existing: '100.00 CZK' }] },
		});
		expect(await confirm(found, { current, ifShipped: 'returnUnchanged' })).toMatchObject({
			state: 'notDone',
			errors: [{ description: expect.stringContaining('This execution has created nothing') }],
		});
		Object.assign(current.body, { cod: true, ...paid });
		expect(await confirm(found, { current, ifShipped: 'returnUnchanged' })).toMatchObject({
			value: { differences: undefined },
		});
	});

	test('is compared if it was read back, and its output only names the differences', async () => {
		const found = [shipmentWith(pieceOf(2, 'A', paid))];
		expect(await confirm(found, { via: 'records', ifShipped: 'returnUnchanged' })).toMatchObject({
			value: { differences: [{ field: 'cod' }] },
		});
	});

	test('has no difference of before if the person has corrected the order, and the list cannot be read', async () => {
		const current = orderWith('A');
		Object.assign(current.body, { recStreet: 'Other' });
		const differences = [{ field: 'cod' }] as unknown as Shipment['differences'];
		const given = { via: 'records', differences, ifShipped: 'returnUnchanged' } as const;
		expect(await confirm(new Error('No list'), { ...given, current })).toMatchObject({
			state: 'done',
			value: { differences: undefined },
		});
		expect(await confirm(new Error('No list'), given)).toMatchObject({ value: { differences } });
	});

	test('has the piece that the list shows only now', async () => {
		const found = [shipmentWith(pieceOf(2, 'A'), pieceOf(3, 'A'))];
		expect(await confirm(found, { of: orderWith('A', { pieceCount: 2 }) })).toMatchObject({
			value: { pieces: [{ row: { id: 2 } }, { row: { id: 3 } }] },
		});
	});

	test('what an earlier try has canceled stays known', async () => {
		const before = { id: 3, carrierCode: 'ANT', packageNumberCarrier: 'A3' };
		const duplicates = { named: [], canceled: before, notCanceled: 'Too late', notRead: 'Down' };
		expect(await confirm(living(2), { duplicates })).toHaveProperty('value.duplicates', {
			named: [],
			canceled: before,
		});
	});
});
