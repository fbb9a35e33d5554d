import type { Fault } from '../../sandbox';
import { sandboxCredential } from '../support/credentials';
import { startEngine } from '../support/engine';
import { fieldsOf, jsonOf, linksOf, valuesOf } from '../support/outputs';
import { creationForm, orderItem, orderOf, ordersOf } from '../support/shop';
import { useShop } from '../support/useShop';

// What a provider responds to a creation. The simulation plays faults, retries and workers in all combinations; here are
// real connections, and the words.

const shop = useShop();

test.each<[string, Omit<Fault, 'operation'>]>([
	['a reset', { kind: 'reset' }],
	['a body cut off with its connection', { kind: 'halfBody', cut: true }],
])('a creation with a lost response (%s) is read back and not sent again', async (_, fault) => {
	shop.fault('createShipments', { ...fault, when: 'after' });
	const orders = [orderItem('A-1', { pieceCount: 2 }), orderItem('A-2')];
	// Long enough to notice a second request.
	const { items } = await shop.create(orders, {}, { limits: { maxRetryWait: 2.5 } });
	expect(shop.requests('createShipments')).toHaveLength(1);
	expect(linksOf(items)).toEqual([0, 0, 1]);
	const recovered = { recovered: true, alreadyExisted: false, batchId: null, labelsHash: null };
	expect(jsonOf(items)).toMatchObject([
		{ ...recovered, id: 1001, packageNumberCustom: 'A-1', pieceIndex: 0 },
		{ ...recovered, id: 1002, packageNumberCustom: 'A-1', pieceIndex: 1 },
		{ ...recovered, id: 1003, packageNumberCarrier: '0012345000000000001003' },
	]);
});

test('a session that expires between two requests causes one sign-in and no extra shipment', async () => {
	const signedIn = await startEngine(sandboxCredential(shop.sandbox.url, 'signIn'));
	shop.fault('createShipments', { kind: 'status', status: 401, skip: 1 });
	const { items } = await signedIn.run({
		...{ parameters: creationForm(), limits: { maxParallelRequests: 1 } },
		items: [orderItem('A-1'), orderOf('CRANE', 'A-2')],
	});
	expect(valuesOf(items, 'id')).toEqual([1001, 1002]);
	expect(shop.sandbox.signIns).toBe(2);
	const sent = shop
		.requests('createShipments')
		.flatMap(({ body }) => body as Array<{ packageNumberCustom: string }>);
	expect(sent.map((order) => order.packageNumberCustom)).toEqual(['A-1', 'A-2', 'A-2']);
});

test('a shipment of an order that nobody has sent is named', async () => {
	shop.rewrite('createShipments', ({ result: [row], ...rest }: { result: object[] }) => ({
		...rest,
		result: [row, { ...row, id: 77, packageNumberCustom: 'OTHER' }],
	}));
	const { items, errorItems } = await shop.create(ordersOf('A-1'));
	expect([valuesOf(items, 'id'), valuesOf(errorItems, 'error')]).toEqual([
		[1001],
		[expect.stringContaining('belong to no order of the request: ID 77')],
	]);
});

describe.each(['row', 'request'] as const)(
	'An order that is refused because it exists (%s)',
	(refusesDuplicates) => {
		const own = useShop({ refusesDuplicates });

		test('fails if it exists, or if it was changed, as the form says', async () => {
			// Older than the look-up reads.
			const [order, other] = ordersOf('OLD', 'NEW');
			own.sandbox.seedShipments(1, { ...order, hoursAgo: 60 * 24 });
			const errorOf = async (recName: string, ifShipped: string) => {
				const { errorItems } = await own.create([{ ...order, recName }, other ?? {}], {
					ifShipped,
				});
				return valuesOf(errorItems, 'error')[0];
			};
			const exists = 'A shipment of order "OLD" already exists at ANT (ID 1001)';
			expect(await errorOf('Eva', 'returnUnchanged')).toContain(
				`${exists} but differs. Recipient Name: `,
			);
			expect(await errorOf(String(order?.recName), 'fail')).toBe(exists);
		});
	},
);

describe('A provider', () => {
	const GENERAL = 'createShipments';
	const OF_CARRIER = 'createShipmentsOfCarrier';
	const remove = (operation: typeof GENERAL | typeof OF_CARRIER, status: number, body: unknown) =>
		shop.fault(operation, { kind: 'status', status, body, times: Infinity });
	const creations = () =>
		shop.sandbox.requests
			.filter(({ operationId }) => operationId?.startsWith(GENERAL))
			.map(({ path }) => path.replace('/api', ''));
	const run = async (items = ordersOf('A-1')) =>
		shop.create(items, {}, { limits: { maxRetryWait: 0, maxParallelRequests: 1 } });

	test('with only one of the two addresses for creation is used at that address from then on', async () => {
		remove(GENERAL, 404, { message: 'Cannot POST /api/Package/Create' });
		await run(ordersOf('A-1', 'A-2'));
		await run([orderOf('BEAVER', 'B-1')]);
		await run(ordersOf('A-3'));
		expect(creations()).toEqual([
			...['/Package/Create', '/ANT/Create', '/BEAVER/Create'],
			'/ANT/Create',
		]);
		expect(shop.references()).toEqual(['A-1', 'A-2', 'B-1', 'A-3']);
	});

	test('with neither of them is an error that says so', async () => {
		remove(GENERAL, 405, '');
		remove(OF_CARRIER, 404, '');
		const { errorItems } = await run();
		expect(fieldsOf(errorItems, 'error', 'message')).toEqual([
			[
				'This provider does not offer: Create shipments (405)',
				expect.stringContaining(
					'Not every provider has POST /Package/Create, and nothing was done.',
				),
			],
		]);
	});

	test('is asked again after ten minutes what its carriers offer', async () => {
		const now = Date.now();
		const clock = jest.spyOn(Date, 'now');
		const counts: number[] = [];
		for (const minutes of [0, 9, 11]) {
			clock.mockReturnValue(now + minutes * 60_000);
			await shop.create(ordersOf('A-1'), { dryRun: true });
			counts.push(shop.requests('findCarriers').length + shop.requests('findServices').length);
		}
		clock.mockRestore();
		expect(counts).toEqual([2, 2, 4]);
	});
});
