import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { fieldsOf, linksOf, valuesOf } from '../support/outputs';
import { orderItem, orderOf, ordersOf, refusedOrder } from '../support/shop';
import { useShop } from '../support/useShop';

interface ResponseRow {
	id: number;
	packageNumberCustom: string | null;
}
type Rows = ResponseRow[];

const nameless = (row: ResponseRow | undefined) =>
	({ ...row, packageNumberCustom: null }) as ResponseRow;
const SHORT = { maxRetryWait: 100 };

describe('The rows of a response', () => {
	const shop = useShop();
	const ORDERS = [
		orderItem('A-0', { pieceCount: 2 }),
		orderItem('A-1'),
		refusedOrder('A-2'),
		orderItem('A-3'),
	];
	const rewriteRows = (rewrite: (rows: Rows) => Rows) =>
		shop.rewrite('createShipments', ({ result, ...rest }: { result: Rows }) => ({
			...rest,
			result: rewrite(result),
		}));
	const run = async (items: IDataObject[] = ORDERS) => shop.create(items, SHORT);
	const makeRecordsUnreadable = () =>
		shop.fault('findShipments', { kind: 'html', skip: 1, times: Infinity });

	test('may be missing if an order number is refused, and the item says what is allowed', async () => {
		const items = ordersOf('A-1', '#1001');
		shop.fault('createShipments', {
			kind: 'status',
			status: 400,
			body: { result: null, errors: [{ message: 'package.packagenumbercustom.invalid' }] },
		});
		const { errorItems } = await shop.create(items);
		expect(fieldsOf(errorItems, 'error', 'message')).toEqual([
			['The service said: package.packagenumbercustom.invalid', expect.any(String)],
			[
				'Invalid Order Number: "#1001" (package.packagenumbercustom.invalid)',
				expect.stringContaining('at most 30 characters: letters, digits, -, / and _.'),
			],
		]);
	});

	test.each<[string, (rows: Rows) => Rows]>([
		['reversed', (rows) => [...rows].reverse()],
		['without references and reversed', (rows) => rows.map(nameless).reverse()],
		[
			'with the refused one nameless, in front',
			(rows) => [nameless(rows[3]), ...rows.filter((_, index) => index !== 3)],
		],
		['with a piece missing', (rows) => rows.slice(1)],
		['with the created ones missing', (rows) => rows.slice(3, 4)],
		['with one of them twice', (rows) => [...rows, ...rows.slice(0, 2)]],
	])('are matched to their own orders: %s', async (_, rewrite) => {
		rewriteRows(rewrite);
		const { items, errorItems } = await run();
		const referenceById = new Map(
			shop.shipments().map(({ id, packageNumberCustom }) => [id, packageNumberCustom]),
		);
		expect(linksOf(items)).toEqual([0, 0, 1, 3]);
		const ids = valuesOf(items, 'id') as number[];
		expect(new Set(ids).size).toBe(4);
		expect(ids.map((id) => referenceById.get(id))).toEqual(['A-0', 'A-0', 'A-1', 'A-3']);
		expect(fieldsOf(items, 'batchId', 'unmatched')).toEqual(Array(4).fill([71, undefined]));
		expect(new Set(linksOf(errorItems))).toEqual(new Set([2]));
	});

	test('that lack a reference are linked to all orders that they may belong to', async () => {
		rewriteRows((rows) => rows.map(nameless));
		makeRecordsUnreadable();
		const { items, errorItems } = await run(ordersOf('A-0', 'A-1'));
		const links = [{ item: 0 }, { item: 1 }];
		expect(items.map(({ json, pairedItem }) => [json.id, json.unmatched, pairedItem])).toEqual([
			[1001, true, links],
			[1002, true, links],
		]);
		expect(errorItems).toEqual([]);
	});

	test('are output once after a retry, whether they are matched or not', async () => {
		const foreign = { id: 77, packageNumberCustom: 'FOREIGN', statusCode: 200 };
		shop.fault('createShipments', { kind: 'status', status: 400 });
		rewriteRows((rows) => [...rows, foreign]);
		const options = { ...SHORT, batchSize: 2, maxConcurrency: 1 };
		const orders = ordersOf('A-0', 'A-1', 'A-2', 'A-3');
		const { items, errorItems } = await shop.create(orders, options, { tries: 2 });
		expect(errorItems).toEqual([]);
		expect(valuesOf(items, 'id').sort()).toEqual([1001, 1002, 1003, 1004, 77]);
	});
});

describe('If the service responds with an error beside the rows, or instead of them,', () => {
	const shop = useShop();
	/** Changes the correct response after the service has carried out the request. */
	const respond = (status: number, change: (rows: Rows) => unknown) => {
		const rewrite = ({ result }: { result: Rows }) => change(result);
		shop.rewrite('createShipments', rewrite, { status });
	};
	const run = async (...references: string[]) =>
		shop.create(ordersOf(...references), { maxRetryWait: 50 });
	const errors = [{ errorCode: 7, message: 'The account is locked', reference: '16948' }];
	const SAID = 'The service said: The account is locked (16948)';

	test.each<[string, number, (rows: Rows) => unknown, readBack: boolean[]]>([
		...[400, 404, 422, 500].map((status): [string, number, (rows: Rows) => unknown, boolean[]] => [
			`${status} and their rows`,
			status,
			(result) => ({ result, errors }),
			[false, false],
		]),
		['400 and one of their rows', 400, (rows) => ({ result: rows.slice(1) }), [true, false]],
		[
			'400 and unreadable rows',
			400,
			(rows) => ({ result: rows.map(({ id }) => id) }),
			[true, true],
		],
		['200 and an empty list', 200, () => ({ result: [], errors }), [true, true]],
		['200 and no result', 200, () => ({ result: null, errors }), [true, true]],
	])('created shipments are in the output: %s', async (_, status, change, readBack) => {
		respond(status, change);
		const { items, errorItems } = await run('A-1', 'A-2');
		expect(errorItems).toEqual([]);
		expect(valuesOf(items, 'packageNumberCustom')).toEqual(['A-1', 'A-2']);
		expect(valuesOf(items, 'recovered')).toEqual(readBack);
	});

	test.each<[string, number, unknown, string, string]>([
		['400 is a refusal', 400, { result: null, errors }, SAID, 'Correct the values'],
		['400 with a list is a refusal', 400, { result: [], errors }, SAID, 'Correct the values'],
		['200 is unclear', 200, { result: null, errors }, 'Could not confirm', `${SAID}. Searched`],
		['200 with a list is unclear', 200, { result: [], errors }, 'Could not confirm', `${SAID}.`],
		['500 is unclear', 500, { errors }, 'Could not confirm', `(500). ${SAID}. Searched`],
	])('and nothing was created, %s', async (_, status, body, error, advice) => {
		shop.fault('createShipments', { kind: 'status', status, body });
		const { items, errorItems, hints } = await run('A-1');
		expect(items).toEqual([]);
		expect(errorItems[0]?.json.error).toContain(error);
		expect(errorItems[0]?.json.message).toContain(advice);
		expect(hints.filter((hint) => hint.includes(SAID))).toEqual([]);
	});

	test.each([
		['what it says beside a result is a hint', errors, [`Create shipments: ${SAID}`]],
		['an empty list of errors is no hint', [], []],
	])('%s', async (_, beside, expected) => {
		respond(200, (result) => ({ result, errors: beside }));
		const { items, hints } = await run('A-1');
		expect(items).toHaveLength(1);
		expect(hints).toEqual(expected);
	});
});

describe('A service with only one of the two addresses for creation', () => {
	// The node remembers the address of each service.
	const shop = useShop({}, { isNew: true });
	const GENERAL = 'createShipments';
	const OF_CARRIER = 'createShipmentsOfCarrier';
	type Address = typeof GENERAL | typeof OF_CARRIER;

	const respond = (operation: Address, status: number, body: unknown) =>
		shop.fault(operation, { kind: 'status', status, body, times: Infinity });
	const remove = (operation: Address, status = 404) => respond(operation, status, '');
	const creations = () =>
		shop.sandbox.requests
			.filter(({ operationId }) => operationId === GENERAL || operationId === OF_CARRIER)
			.map(({ path }) => path.replace('/api', ''));
	const run = async (items = ordersOf('A-1'), options = {}) =>
		shop.create(items, { maxRetryWait: 50, ...options });

	test.each<[number, string, unknown]>([
		[404, 'no body', ''],
		[404, 'the name of the address', { message: 'Cannot POST /api/Package/Create' }],
	])('creates at the one of the carrier after %i with %s', async (status, _, body) => {
		respond(GENERAL, status, body);
		const { items } = await run();
		expect(valuesOf(items, 'id')).toEqual([1001]);
		expect(creations()).toEqual(['/Package/Create', '/ANT/Create']);
	});

	test('is used at that address from then on, until it disappears', async () => {
		remove(GENERAL);
		await run(ordersOf('A-1', 'A-2'), { batchSize: 1, maxConcurrency: 1 });
		const preview = await run(ordersOf('A-9'), { dryRun: true });
		expect(preview.items[0]?.json.endpoint).toBe('POST /ANT/Create');
		await run([orderOf('BEAVER', 'B-1')]);
		shop.sandbox.clearFaults();
		remove(OF_CARRIER);
		await run(ordersOf('A-3'));
		await run(ordersOf('A-4'));
		expect(creations()).toEqual([
			...['/Package/Create', '/ANT/Create', '/ANT/Create', '/BEAVER/Create'],
			...['/ANT/Create', '/Package/Create', '/Package/Create'],
		]);
		expect(shop.references()).toEqual(['A-1', 'A-2', 'B-1', 'A-3', 'A-4']);
	});

	test.each<[string, Omit<Fault, 'operation'>]>([
		['404 that names a record', { kind: 'status', status: 404, body: { message: 'No order 7' } }],
		['500', { kind: 'status', status: 500, when: 'after' }],
		['no response', { kind: 'noResponse', when: 'after' }],
		['a lost connection', { kind: 'reset', when: 'after' }],
	])('is not assumed after %s', async (_, fault) => {
		shop.fault(GENERAL, fault);
		await run(undefined, { timeout: 200 });
		expect(creations()).toEqual(['/Package/Create']);
	});

	test.each([
		['always', ['/ANT/Create'], 'has no POST /ANT/Create (404)'],
		['never', ['/Package/Create'], 'has no POST /Package/Create (405)'],
		[
			'auto',
			['/Package/Create', '/ANT/Create'],
			'has neither POST /Package/Create nor POST /ANT/Create (405)',
		],
	])('and Carrier Endpoint is %s: the error names what is missing', async (...given) => {
		const [carrierEndpoint, sent, error] = given;
		remove(GENERAL, 405);
		remove(OF_CARRIER);
		const options = { batchSize: 1, maxConcurrency: 1, carrierEndpoint };
		const { errorItems } = await run(ordersOf('A-1', 'A-2'), options);
		expect(valuesOf(errorItems, 'error')).toEqual(Array(2).fill(`The service ${error}`));
		expect(creations()).toEqual(sent);
	});

	test('returns what the address that exists says about the carrier', async () => {
		remove(GENERAL);
		respond(OF_CARRIER, 404, { message: 'There is no carrier "ANT"' });
		const { errorItems } = await run();
		expect(errorItems[0]?.json.error).toBe('The service said: There is no carrier "ANT"');
	});
});
