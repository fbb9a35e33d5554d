import { ShipmentRecords } from '../../../nodes/ParcelShipping/transport/shipments';
import {
	clientOf,
	pageOf,
	recordsFor,
	responseOf,
	type Sent,
} from '../../support/respondingClient';

type Listed = { id: number } & Partial<Record<string, unknown>>;

const piece = (id: number, more: object = {}): Listed => ({
	...{ id, carrierCode: 'ANT', packageNumberCustom: 'A' },
	...more,
});

/** Looks for orders at a provider with these responses. */
function look(respond: (sent: Sent) => ReturnType<typeof responseOf>) {
	const { client, requests } = clientOf(respond);
	const records = new ShipmentRecords(client);
	return {
		failed: records.failed,
		find: async (...orders: string[]) => records.find(new Set(orders), '2026-11-01'),
		/** The IDs of the details that were requested, at one path or the other. */
		detailsRead: () => {
			const ids = requests.flatMap(({ path }) => /\/ANT\/(\d+)/.exec(path)?.[1] ?? []);
			return [...new Set(ids)].sort();
		},
		forgetRequests: () => (requests.length = 0),
	};
}

/** Looks for orders at a provider with this list and these details, by ID. */
const lookIn = (list: Listed[], details: Parameters<typeof recordsFor>[2] = {}) =>
	look((sent) => recordsFor(sent, list, details));

const NUMBERED = [1, 2, 1, 2].map((packageNumberOrder, at) =>
	piece(at + 1, { packageNumberOrder }),
);
const PLAIN = [piece(1), piece(2)];
const MAIN = { isMaster: true };
const TWO_OF_TWO = [
	...[piece(1, MAIN), piece(2, { masterId: 1 })],
	...[piece(3, MAIN), piece(4, { masterId: 3 })],
];
const CANCELED_MAIN = [piece(1, { ...MAIN, canceled: true }), piece(2, { masterId: 1 })];
const FIRST = { 1: NUMBERED.slice(0, 2) };
const BOTH = { ...FIRST, 3: NUMBERED.slice(2) };

/** The shipments that are found for order A, such as ['1 2', '3'] for one of two pieces and one of one. */
test.each<[string, Listed[], Record<number, Listed[]>, string[], string[]]>([
	['two main shipments and the piece of each', TWO_OF_TWO, {}, ['1 2', '3 4'], []],
	['one main shipment and its piece', NUMBERED.slice(0, 2), {}, ['1 2'], []],
	['piece numbers, and the details say the rest', NUMBERED, BOTH, ['1 2', '3 4'], ['1', '3']],
	['piece numbers, and no details: nothing is guessed', NUMBERED, {}, [], ['1']],
	['piece numbers, and no detail of the second main shipment', NUMBERED, FIRST, [], ['1', '3']],
	['nothing, and the details say it', PLAIN, { 1: PLAIN }, ['1 2'], ['1']],
	[
		'nothing, and the details tell them apart',
		PLAIN,
		{ 1: [piece(1)], 2: [piece(2)] },
		['1', '2'],
		['1', '2'],
	],
	['nothing, and no details', PLAIN, {}, ['1 2'], ['1', '2']],
	[
		'main shipments only, and the detail of one of them has its other piece',
		[piece(1), piece(3)],
		{ 1: PLAIN, 3: [piece(3)] },
		['1', '3'],
		['1', '3'],
	],
	['a main shipment only', [piece(1, MAIN)], {}, ['1'], []],
	['a canceled piece of an active shipment', CANCELED_MAIN, {}, ['1', '2'], []],
])('a provider lists %s', async (_, list, details, expected, read) => {
	const { find, detailsRead } = lookIn(list, details);
	const shipments = await find('A');
	expect(shipments.map(({ pieces }) => pieces.map(({ id }) => id).join(' '))).toEqual(expected);
	expect(detailsRead()).toEqual(read);
});

test('a detail that cannot be read fails only the order of its shipment', async () => {
	const list = [...PLAIN, piece(3, { packageNumberCustom: 'B' })];
	const { find, failed } = lookIn(list, { 1: 403, 2: 403 });
	expect(await find('A', 'B')).toMatchObject([{ reference: 'B' }]);
	expect([...failed.keys()]).toEqual(['A']);
});

test('a detail does not hide what only the list says', async () => {
	const nameless = { packageNumberCustom: null, packageNumberCarrier: 'N1', printed: true };
	const { find } = lookIn([piece(1, nameless)], { 1: [{ id: 1, packageNumberCustom: 'A' }] });
	expect(await find('A')).toMatchObject([
		{ reference: 'A', pieces: [{ reference: 'A', number: 'N1', printed: true }] },
	]);
});

test.each([
	['if a detail has one', 'A', [1]],
	['unless the detail has none either', null, []],
])(
	'a list whose references are null counts as one without references %s',
	async (_, packageNumberCustom, ids) => {
		const list = [piece(1, { packageNumberCustom: null })];
		const { find, detailsRead, forgetRequests } = lookIn(list, {
			1: [{ id: 1, packageNumberCustom }],
		});
		expect((await find('A')).map(({ id }) => id)).toEqual(ids);
		forgetRequests();
		await find('A');
		// The detail of a shipment of another order is not read again.
		expect(detailsRead()).toHaveLength(ids.length);
	},
);

test('a shipment whose reference only its detail says is found although other records of the list have theirs', async () => {
	const others = Array.from({ length: 900 }, (_, index) => piece(1 + index));
	const wanted = { packageNumberCustom: 'R-777' };
	const { find } = look((sent) => {
		const { search } = JSON.parse(sent.body ?? '{}') as { search?: string };
		if (search === undefined && sent.path.includes('/Find'))
			return pageOf(others.slice(0, 100), 901);
		const list = search === 'R-777' ? [piece(777, { packageNumberCustom: null })] : [];
		return recordsFor(sent, list, { 777: [piece(777, wanted)] });
	});
	expect(await find('R-777', 'R-778')).toMatchObject([{ id: 777, reference: 'R-777' }]);
});

test('a shipment whose detail is not there yet is found as soon as it is, although the list has no references', async () => {
	const list = [1, 2].map((id) => ({ id, carrierCode: 'ANT', canceled: id === 2 }));
	const details: Record<number, Listed[]> = {};
	const { find, failed } = lookIn(list, details);
	await find('A');
	expect(String(failed.get('A'))).toContain('The provider lists shipment 1 of ANT');
	details[1] = [piece(1)];
	expect(await find('A')).toMatchObject([{ id: 1, reference: 'A' }]);
	expect(failed.size).toBe(0);
});

test('IDs that a list without references writes as text are numbers', async () => {
	const list = [{ id: '1', carrierCode: 'ANT', printed: true }];
	const { find } = look((sent) => recordsFor(sent, list, { 1: [piece(1)] }));
	expect(await find('A')).toMatchObject([{ id: 1, pieces: [{ id: 1, printed: true }] }]);
});

test.each([
	['as a number', 1001],
	['with spaces', ' 1001  '],
])('an order number that the list writes %s is found', async (_, packageNumberCustom) => {
	const { find } = lookIn([piece(1, { packageNumberCustom })]);
	expect(await find('1001')).toMatchObject([{ id: 1, reference: '1001' }]);
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
		let listed = first;
		const { client, requests } = clientOf(
			({ body = '' }) => {
				const { start, length } = JSON.parse(body) as { start: number; length: number };
				return pageOf(listed.slice(start, start + length), listed.length);
			},
			{ maxParallelRequests: 1 },
		);
		const records = new ShipmentRecords(client);
		const orderNumbers = new Set(created.map(String));
		await records.find(orderNumbers, '2026-11-01');
		listed = list;
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
