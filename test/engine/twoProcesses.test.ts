// Two n8n processes create the same order at the same moment. Here, one is the node, and the other one creates its
// shipment between the look-up and the request of the node. The simulation plays all other moments.
import type { Fault } from '../../sandbox';
import { jsonOf } from '../support/outputs';
import { ordersOf } from '../support/shop';
import { useShop } from '../support/useShop';

const PRINTED = { printerName: 'Warehouse Zebra' };

/** What the other process does while the service receives the request of this one. */
const duringCreation = (work: () => void): Fault => ({
	operation: 'createShipments',
	kind: 'latency',
	ms: 0,
	onlyIf: () => {
		work();
		return true;
	},
});

describe('A service that can cancel shipments', () => {
	const shop = useShop();
	const createByOther = () =>
		shop.sandbox.seedShipments(1, { packageNumberCustom: 'A-1', serviceType: 'ANT-HOME' });

	test('the run that comes second cancels its own shipment and returns the first one', async () => {
		shop.sandbox.fault(duringCreation(createByOther));
		const { items, hints } = await shop.create(ordersOf('A-1'), { ...PRINTED, ifDiffers: 'reuse' });
		const canceledDuplicate = expect.objectContaining({ id: 1002 });
		expect(jsonOf(items)).toMatchObject([{ id: 1001, alreadyExisted: true, canceledDuplicate }]);
		expect(hints).toContainEqual(expect.stringMatching(/^Another run shipped 1 order/));
		expect(shop.livingIds()).toEqual([1001]);
		// The other process prints it.
		expect(shop.sandbox.database.printJobs()).toEqual([]);
	});

	test('the run that comes first keeps its shipment and leaves the other one to its run', async () => {
		shop.rewrite('createShipments', (response: object) => {
			createByOther();
			return response;
		});
		const { items } = await shop.create(ordersOf('A-1'), PRINTED);
		expect(jsonOf(items)).toMatchObject([{ id: 1001, alreadyExisted: false }]);
		expect(shop.requests('cancelShipments')).toEqual([]);
		const printed = shop.sandbox.database.printJobs().flatMap(({ shipmentIds }) => shipmentIds);
		expect(printed).toEqual([1001]);
	});
});

describe('A service that cannot cancel shipments', () => {
	const shop = useShop({ withoutExtras: true });
	const createByOther = () =>
		shop.sandbox.seedShipments(1, { packageNumberCustom: 'A-1', serviceType: 'ANT-HOME' });

	test('the run that comes second calls its shipment the duplicate, and does not print it', async () => {
		shop.sandbox.fault(duringCreation(createByOther));
		const { items } = await shop.create(ordersOf('A-1'), PRINTED);
		const labelNotPrinted = expect.stringMatching(
			/^Another run created a shipment of this order first/,
		);
		const duplicateOf = expect.objectContaining({ id: 1001, reason: expect.any(String) });
		expect(jsonOf(items)).toMatchObject([{ id: 1002, duplicateOf, labelNotPrinted }]);
		expect(shop.livingIds()).toEqual([1001, 1002]);
	});

	test('after a lost response, the run that came first does not call its shipment the duplicate', async () => {
		const isLost = { kind: 'reset', when: 'after' } as const;
		shop.fault('createShipments', isLost);
		// Before the records are read.
		shop.sandbox.fault({
			operation: 'findShipments',
			kind: 'latency',
			ms: 0,
			skip: 1,
			onlyIf: () => {
				if (shop.shipments().length === 1) createByOther();
				return true;
			},
		});
		const { items, hints } = await shop.create(ordersOf('A-1'));
		const [item] = jsonOf(items);
		expect(item).toMatchObject({ id: 1001, duplicates: [{ id: 1002 }] });
		expect(item).not.toHaveProperty('duplicateOf');
		expect(hints).toContainEqual(expect.stringContaining('A-1 (also ID 1002; not canceled:'));
	});
});
