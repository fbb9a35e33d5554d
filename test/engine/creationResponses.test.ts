import { omit } from 'lodash';

import { fieldsOf, valuesOf } from '../support/outputs';
import { orderOf, ordersOf } from '../support/shop';
import { useShop } from '../support/useShop';

describe('What a service says beside the rows, or instead of them,', () => {
	const shop = useShop();
	type Response = { result: object[] };

	test('as a shipment of an order that nobody has sent is named', async () => {
		shop.rewrite('createShipments', ({ result: [row], ...rest }: Response) => ({
			...rest,
			result: [row, { ...row, id: 77, packageNumberCustom: 'OTHER' }],
		}));
		const { items, errorItems } = await shop.create(ordersOf('A-1'));
		expect([valuesOf(items, 'id'), valuesOf(errorItems, 'error')]).toEqual([
			[1001],
			[expect.stringContaining('belong to no order of the request: ID 77')],
		]);
	});
});

describe('A row without the ID of its shipment', () => {
	const shop = useShop();
	const printing = { printerName: 'Warehouse Zebra' };
	const create = async () => {
		shop.rewrite(
			'createShipments',
			({ result: [first, second], ...rest }: { result: object[] }) => {
				return { ...rest, result: [first, omit(second, 'id', 'labelUrl')] };
			},
		);
		return await shop.create(ordersOf('A-1', 'A-2'), printing);
	};

	test('that the records do not show has an unknown outcome, which names its number', async () => {
		const nothing = (list: object) => ({ ...list, result: { data: [], total: 0 } });
		shop.rewrite('findShipments', nothing, { times: Infinity });
		const { items, errorItems } = await create();
		expect(valuesOf(items, 'packageNumberCarrier')).toEqual(['0012345000000000001001']);
		expect(fieldsOf(errorItems, 'error', 'message')).toEqual([
			[
				'Could not confirm whether ANT created the shipment of order "A-2". It may be 0012345000000000001002, without an ID',
				expect.stringContaining('Look for the shipment at the provider before you send it again.'),
			],
		]);
	});
});

describe('A service with only one of the two addresses for creation', () => {
	// The node remembers the address of each service.
	const shop = useShop({}, { isNew: true });
	const GENERAL = 'createShipments';
	const OF_CARRIER = 'createShipmentsOfCarrier';
	type Address = typeof GENERAL | typeof OF_CARRIER;
	const remove = (operation: Address, status = 404, body: unknown = '') =>
		shop.fault(operation, { kind: 'status', status, body, times: Infinity });
	const creations = () =>
		shop.sandbox.requests
			.filter(({ operationId }) => operationId?.startsWith(GENERAL))
			.map(({ path }) => path.replace('/api', ''));
	const run = async (items = ordersOf('A-1')) =>
		shop.create(items, {}, { limits: { maxRetryWait: 0, maxParallelRequests: 1 } });

	test('is used at that address from then on', async () => {
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

	test('and with neither of them, the error says so', async () => {
		remove(GENERAL, 405);
		remove(OF_CARRIER);
		const { errorItems } = await run(ordersOf('A-1', 'A-2'));
		const error = 'This provider does not offer: Create shipments (405)';
		expect(valuesOf(errorItems, 'error')).toEqual([error, error]);
		const advice = 'Not every provider has POST /Package/Create, and nothing was done.';
		for (const message of valuesOf(errorItems, 'message')) expect(message).toContain(advice);
		expect(creations()).toEqual(['/Package/Create', '/ANT/Create']);
	});
});
