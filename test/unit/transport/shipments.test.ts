import { ShipmentRecords } from '../../../nodes/ParcelShipping/transport/shipments';
import { clientOf, responseOf } from '../../support/respondingClient';

type Field =
	| { packageNumberOrder: number }
	| { isMaster: boolean }
	| { masterId: number }
	| { pieceCount: number }
	| { canceled: boolean };
type Listed = { id: number } & Partial<Record<string, unknown>>;

const piece = (id: number, ...fields: Field[]): Listed =>
	Object.assign({ id, carrierCode: 'ANT', packageNumberCustom: 'A' }, ...fields) as Listed;

/**
 * The shipments that are found for order A, such as ['1 2', '3'] for one of two pieces and one of one. `details` has the pieces of each main shipment that has a detail.
 */
async function grouped(list: Listed[], details: Listed[][] = []) {
	const { client, requests } = clientOf(({ path }) => {
		const [, id] = /\/ANT\/(\d+)/.exec(path) ?? [];
		if (id === undefined) {
			return responseOf(200, { result: { data: list, total: list.length }, correlationId: '' });
		}
		const result = details.find(([main]) => main?.id === Number(id));
		return result
			? responseOf(200, { result, correlationId: '' })
			: responseOf(404, { message: 'Not found', reference: id });
	});
	const records = new ShipmentRecords(client);
	const found = await records.find(new Set(['A']), '2026-11-01');
	const shipments = found.map(({ pieces }) => pieces.map(({ id }) => id).join(' '));
	const read = requests.flatMap(({ path }) => /\/ANT\/(\d+)/.exec(path)?.[1] ?? []);
	// A detail that is not at one path is requested at the other one as well.
	return { shipments, read: [...new Set(read)].sort() };
}

test('two shipments of one order, of two pieces each, are told apart by their main shipments', async () => {
	const list = [
		piece(1, { isMaster: true }),
		piece(2, { masterId: 1 }),
		piece(3, { isMaster: true }),
		piece(4, { masterId: 3 }),
	];
	expect(await grouped(list)).toEqual({ shipments: ['1 2', '3 4'], read: [] });
});

const NUMBERED = [
	piece(1, { packageNumberOrder: 1 }),
	piece(2, { packageNumberOrder: 2 }),
	piece(3, { packageNumberOrder: 1 }),
	piece(4, { packageNumberOrder: 2 }),
];
const PLAIN = [piece(1), piece(2)];

test.each<[string, Listed[], Listed[][], string[], string[]]>([
	['one main shipment and its piece', NUMBERED.slice(0, 2), [], ['1 2'], []],
	[
		'piece numbers only, and the details say the rest',
		NUMBERED,
		[NUMBERED.slice(0, 2), NUMBERED.slice(2)],
		['1 2', '3 4'],
		['1', '3'],
	],
	['piece numbers only, and no details: nothing is guessed', NUMBERED, [], [], ['1']],
	[
		'piece numbers only, and the second main shipment has no detail',
		NUMBERED,
		[NUMBERED.slice(0, 2)],
		[],
		['1', '3'],
	],
	['nothing, and the details say it', PLAIN, [PLAIN], ['1 2'], ['1']],
	[
		'nothing, and the details tell them apart',
		PLAIN,
		[[piece(1)], [piece(2)]],
		['1', '2'],
		['1', '2'],
	],
	['nothing, and no details', PLAIN, [], ['1 2'], ['1', '2']],
	[
		'main shipments only, and the detail of one of them has its other piece',
		[piece(1), piece(3)],
		[[piece(1), piece(2)], [piece(3)]],
		['1', '3'],
		['1', '3'],
	],
	['a main shipment only', [piece(1, { isMaster: true })], [], ['1'], []],
	[
		'a canceled piece of an active shipment',
		[piece(1, { isMaster: true }, { canceled: true }), piece(2, { masterId: 1 })],
		[],
		['1', '2'],
		[],
	],
])('a provider lists %s', async (_, list, details, shipments, read) => {
	expect(await grouped(list, details)).toEqual({ shipments, read });
});

test('a detail that cannot be read fails only the order of its shipment', async () => {
	const list = [...PLAIN, { ...piece(3), packageNumberCustom: 'B' }];
	const { client } = clientOf(({ path }) =>
		path.includes('/ANT/')
			? responseOf(403, { message: 'Not allowed' })
			: responseOf(200, { result: { data: list, total: 3 }, correlationId: '' }),
	);
	const records = new ShipmentRecords(client);
	const found = await records.find(new Set(['A', 'B']), '2026-11-01');
	expect(found.map(({ reference }) => reference)).toEqual(['B']);
	expect([...records.failed.keys()]).toEqual(['A']);
});

test('a detail does not hide what only the list says', async () => {
	const nameless = { packageNumberCustom: null };
	const list = [{ ...piece(1), ...nameless, packageNumberCarrier: 'N1', printed: true }];
	const { client } = clientOf(({ path }) =>
		path.includes('/ANT/')
			? responseOf(200, { result: [{ id: 1, packageNumberCustom: 'A' }], correlationId: '' })
			: responseOf(200, { result: { data: list, total: 1 }, correlationId: '' }),
	);
	const found = await new ShipmentRecords(client).find(new Set(['A']), '2026-11-01');
	expect(found).toMatchObject([
		{ reference: 'A', pieces: [{ reference: 'A', number: 'N1', printed: true }] },
	]);
});

test.each([
	['if a detail has one', 'A', [1]],
	['unless the detail has none either', null, []],
])(
	'a list whose references are null counts as one without references %s',
	async (_, inDetail, ids) => {
		const { client, requests } = clientOf(({ path }) => {
			if (/\/ANT\/1/.test(path)) {
				return responseOf(200, { result: [{ id: 1, packageNumberCustom: inDetail }] });
			}
			const data = [{ id: 1, carrierCode: 'ANT', packageNumberCustom: null }];
			return responseOf(200, { result: { data, total: 1 }, correlationId: '' });
		});
		const records = new ShipmentRecords(client);
		const find = async () => records.find(new Set(['A']), '2026-11-01');
		expect((await find()).map(({ id }) => id)).toEqual(ids);
		const { length } = requests;
		await find();
		// The detail of a shipment of another order is not read again.
		const read = requests.slice(length).filter(({ path }) => path.includes('/ANT/'));
		expect(read).toHaveLength(ids.length);
	},
);

test('a shipment whose reference only its detail says is found although other records of the list have theirs', async () => {
	const { client } = clientOf(({ path, body }) => {
		if (path.includes('/ANT/777'))
			return responseOf(200, { result: [piece(777, { packageNumberCustom: 'R-777' } as never)] });
		const { search } = JSON.parse(body ?? '{}') as { search?: string };
		const listed = { id: 777, carrierCode: 'ANT', packageNumberCustom: null };
		const others = Array.from({ length: 900 }, (_, index) => piece(1 + index));
		const data = search === 'R-777' ? [listed] : search ? [] : others.slice(0, 100);
		return responseOf(200, { result: { data, total: search ? data.length : 901 } });
	});
	const found = await new ShipmentRecords(client).find(new Set(['R-777', 'R-778']), '2026-11-01');
	expect(found.map(({ id, reference }) => [id, reference])).toEqual([[777, 'R-777']]);
});

test('a shipment whose detail is not there yet is found as soon as it is, although the list has no references', async () => {
	let isThere = false;
	const { client } = clientOf(({ path }) => {
		if (!/\/ANT\/\d/.test(path)) {
			const data = [1, 2].map((id) => ({ id, carrierCode: 'ANT', canceled: id === 2 }));
			return responseOf(200, { result: { data, total: 2 }, correlationId: '' });
		}
		return isThere && /\/ANT\/1/.test(path)
			? responseOf(200, { result: [piece(1)], correlationId: '' })
			: responseOf(404, { message: 'Not found', reference: '1' });
	});
	const records = new ShipmentRecords(client);
	const find = async () => records.find(new Set(['A']), '2026-11-01');
	await find();
	expect(String(records.failed.get('A'))).toContain('The provider lists shipment 1 of ANT');
	isThere = true;
	expect(await find()).toMatchObject([{ id: 1, reference: 'A' }]);
	expect(records.failed.size).toBe(0);
});

test('IDs that a list without references writes as text are numbers', async () => {
	const { client } = clientOf(({ path }) => {
		if (/\/ANT\/1/.test(path)) return responseOf(200, { result: [piece(1)], correlationId: '' });
		const data = [{ id: '1', carrierCode: 'ANT', printed: true }];
		return responseOf(200, { result: { data, total: 1 }, correlationId: '' });
	});
	const found = await new ShipmentRecords(client).find(new Set(['A']), '2026-11-01');
	expect(found).toMatchObject([{ id: 1, pieces: [{ id: 1, printed: true }] }]);
});

test.each([
	['as a number', 1001],
	['with spaces', ' 1001  '],
])('an order number that the list writes %s is found', async (_, packageNumberCustom) => {
	const list = [{ id: 1, carrierCode: 'ANT', packageNumberCustom }];
	const { client } = clientOf(() => {
		return responseOf(200, { result: { data: list, total: 1 }, correlationId: '' });
	});
	const found = await new ShipmentRecords(client).find(new Set(['1001']), '2026-11-01');
	expect(found).toMatchObject([{ id: 1, reference: '1001' }]);
});

describe('the look after a creation', () => {
	const ofOrder = (order: number) => ({ isMaster: true, packageNumberCustom: `${order}` });
	const recordsOf = (orders: number[]) => orders.map((order) => piece(order, ofOrder(order)));
	const numbersTo = (first: number, last: number) =>
		Array.from({ length: first - last + 1 }, (_, at) => first - at);
	const before = numbersTo(500, 1);
	const created = numbersTo(850, 701);
	// Another process has created order 701 as well, before it created 150 others.
	const ofAnotherProcess = [...numbersTo(700, 551), 550];

	async function lookAfter(list: Listed[], first = recordsOf(before)) {
		const lists = [first, list];
		const { client, requests } = clientOf(
			({ body }) => {
				const { start, length } = JSON.parse(body ?? '') as { start: number; length: number };
				const { length: total } = lists[0] ?? [];
				const data = lists[0]?.slice(start, start + length);
				return responseOf(200, { result: { data, total }, correlationId: '' });
			},
			{ maxParallelRequests: 1 },
		);
		const records = new ShipmentRecords(client);
		const orderNumbers = new Set(created.map(String));
		await records.find(orderNumbers, '2026-11-01');
		lists.shift();
		requests.length = 0;
		const found = await records.find(orderNumbers, '2026-11-01', created);
		const duplicates = found.flatMap(({ id, reference }) => (reference === '701' ? [id] : []));
		return { duplicates: duplicates.sort(), pages: requests.length };
	}

	const list = recordsOf([...created, ...ofAnotherProcess, ...before]).map((record) =>
		record.id === 550 ? piece(550, ofOrder(701)) : record,
	);

	test('ends with a page that was there before, and finds what another process has created', async () => {
		expect(await lookAfter(list)).toEqual({ duplicates: [550, 701], pages: 5 });
	});

	test('reads on until all that was created is there', async () => {
		const pages = Math.ceil(list.length / 100);
		expect(await lookAfter(list.toReversed())).toEqual({ duplicates: [550, 701], pages });
		const [first, ...others] = list;
		expect(first && (await lookAfter([...others, first]))).toMatchObject({ pages });
	});

	test('reads everything in a retry, in which the first look had what was created', async () => {
		expect(await lookAfter(list, list)).toMatchObject({ duplicates: [550, 701] });
	});
});
