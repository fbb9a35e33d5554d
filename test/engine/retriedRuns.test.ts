import type { RunSettings } from '../support/engine';
import { fieldsOf } from '../support/outputs';
import { orderItem, ordersOf, refusedOrder } from '../support/shop';
import { useShop } from '../support/useShop';

// What a person gets who retries an execution. What is sent again is in the simulation.

const shop = useShop();

test('a print job with a lost response is not sent again in a retry by a person, if the records say printed', async () => {
	const [{ id } = { id: 0 }] = shop.sandbox.seedShipments(1);
	const parameters = {
		...{ resource: 'label', operation: 'sendToPrinter', labels: 'shipments' },
		...{ shipmentIds: id, printerName: 'Warehouse Zebra', options: { maxRetryWait: 0 } },
	};
	const printShipment = async (more: Partial<RunSettings> = {}) =>
		shop.engine.run({ parameters, ...more });
	shop.fault('sendToPrinter', { kind: 'reset', when: 'after' });
	const { error } = await printShipment({ retryOf: await printShipment() });
	expect(error?.message).toContain(
		'may or may not have been printed on "Label printer by the gate',
	);
	expect(error?.description).toContain('Check the printer first');
	expect(error?.description).toContain('The service says that the labels were printed');
	expect(shop.requests('sendToPrinter')).toHaveLength(1);
	expect((await printShipment()).error).toBeUndefined();
});

test('a person who corrects a refused order and retries gets the others as they were created', async () => {
	const stop = { onError: 'stopWorkflow' } as const;
	const failed = await shop.create([orderItem('A-1'), refusedOrder('A-2')], {}, stop);
	expect(failed.error?.description).toContain('A-1 (ID 1001');
	const { items } = await shop.create(ordersOf('A-1', 'A-2'), {}, { ...stop, retryOf: failed });
	expect(fieldsOf(items, 'id', 'alreadyExisted')).toEqual([
		[1001, false],
		[1002, false],
	]);
	expect(shop.shipments()).toHaveLength(2);
});
