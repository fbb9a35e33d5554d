import type { Fault } from '../../sandbox';
import { sandboxCredential } from '../support/credentials';
import { startEngine } from '../support/engine';
import { jsonOf, linksOf, valuesOf } from '../support/outputs';
import { creationForm, orderItem, orderOf, refusedOrder } from '../support/shop';
import { useShop } from '../support/useShop';

// Each order is sent once. The simulation plays faults, retries and workers in all combinations; here are
// real connections, and the words.

const shop = useShop();
const creations = () => shop.requests('createShipments');
const failCreation = (fault: Omit<Fault, 'operation'>) => shop.fault('createShipments', fault);

test.each<[string, Omit<Fault, 'operation'>]>([
	['a reset', { kind: 'reset' }],
	['a body cut off with its connection', { kind: 'halfBody', cut: true }],
])('a creation with a lost response (%s) is read back and not sent again', async (_, fault) => {
	failCreation({ ...fault, when: 'after' });
	const orders = [orderItem('A-1', { pieceCount: 2 }), orderItem('A-2')];
	// Long enough to notice a second request.
	const { items } = await shop.create(orders, {}, { limits: { maxRetryWait: 2.5 } });
	expect(creations()).toHaveLength(1);
	expect(linksOf(items)).toEqual([0, 0, 1]);
	const recovered = { recovered: true, alreadyExisted: false, batchId: null, labelsHash: null };
	expect(jsonOf(items)).toMatchObject([
		{ ...recovered, id: 1001, packageNumberCustom: 'A-1', pieceIndex: 0 },
		{ ...recovered, id: 1002, packageNumberCustom: 'A-1', pieceIndex: 1 },
		{ ...recovered, id: 1003, packageNumberCarrier: '0012345000000000001003' },
	]);
});

test('a retry by n8n does not send an order again if its number contains the current time', async () => {
	const { carrierCode, serviceType, ...fields } = orderItem('');
	const names = [...Object.keys(fields), 'branchId'];
	const value = {
		...Object.fromEntries(names.map((name) => [name, `={{ $json.${name} }}`])),
		packageNumberCustom: '={{ $json.packageNumberCustom + $now.toMillis() }}',
	};
	const shipment = { mappingMode: 'defineBelow', value };
	const parameters = { ...creationForm(), shipment } as never;
	const orders = [refusedOrder('A-1'), orderItem('A-2')];
	const { items } = await shop.create(orders, {}, { parameters, tries: 3 });
	expect(shop.shipments()).toHaveLength(1);
	expect(valuesOf(items, 'id')).toEqual([1001]);
});

test('an order of two items is not sent again if a person gives each item its own number', async () => {
	const stop = { onError: 'stopWorkflow' } as const;
	const orders = [orderItem('A-1'), orderItem('A-1'), refusedOrder('A-2')];
	const failed = await shop.create(orders, {}, stop);
	const corrected = orders.map((order, index) => {
		return { ...order, packageNumberCustom: `${String(order.packageNumberCustom)}-${index}` };
	});
	await shop.create(corrected, {}, { ...stop, retryOf: failed });
	expect(shop.sentReferences()).toEqual(['A-1', 'A-2', 'A-2-2']);
});

test('a session that expires between two requests causes one sign-in and no extra shipment', async () => {
	const signedIn = await startEngine(sandboxCredential(shop.sandbox.url, 'signIn'));
	failCreation({ kind: 'status', status: 401, skip: 1 });
	const { items } = await signedIn.run({
		...{ parameters: creationForm(), limits: { maxParallelRequests: 1 } },
		items: [orderItem('A-1'), orderOf('CRANE', 'A-2')],
	});
	expect(valuesOf(items, 'id')).toEqual([1001, 1002]);
	expect(shop.sandbox.signIns).toBe(2);
	expect(shop.sentReferences()).toEqual(['A-1', 'A-2', 'A-2']);
});
