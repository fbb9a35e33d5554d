import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import type { RunSettings } from '../support/engine';
import { fieldsOf } from '../support/outputs';
import { creationForm, orderItem, ordersOf, refusedOrder } from '../support/shop';
import { useShop } from '../support/useShop';

// What is sent again when n8n, or a person, runs the node again for the same items. The same holds
// for everything that may happen only once.

const shop = useShop();

interface Kind {
	endpoint: Fault['operation'];
	parameters: INodeParameters;
	/** Whether the service has records of it. */
	hasRecords: boolean;
	/** How often it took effect at the service. */
	count(): number;
}

const options = { maxRetryWait: 0 };
const shipment = {
	resource: 'shipment',
	carrierCode: 'ANT',
	shipmentIds: '={{ $json.id }}',
	options,
};
let seeded = 0;

const kinds: Record<string, Kind> = {
	'An order': {
		endpoint: 'createShipments',
		parameters: creationForm({ ...options, ifExists: 'create' }),
		hasRecords: true,
		count: () => shop.shipments().length,
	},
	'A cancellation': {
		endpoint: 'cancelShipments',
		parameters: {
			...shipment,
			operation: 'cancel',
			shipments: 'numbers',
			packageNumber: '={{ $json.packageNumberCarrier }}',
		},
		hasRecords: true,
		count: () => shop.shipments().filter(({ canceled }) => canceled).length,
	},
	'A hand-over': {
		endpoint: 'handOverShipments',
		parameters: { ...shipment, operation: 'handOver', shipments: 'ids' },
		hasRecords: true,
		count: () => shop.sandbox.database.handOvers().length,
	},
	'A print job': {
		endpoint: 'sendToPrinter',
		parameters: {
			...shipment,
			resource: 'label',
			operation: 'sendToPrinter',
			labels: 'hash',
			hash: '={{ $json.hash }}',
			shipmentIds: '={{ $json.id }}',
			printerName: 'Warehouse Zebra',
		},
		hasRecords: false,
		count: () => shop.sandbox.database.printJobs().length,
	},
};

describe.each(Object.entries(kinds))('%s whose response is lost', (_, kind) => {
	const { endpoint, parameters, hasRecords } = kind;
	const sent = () => shop.requests(endpoint).length;
	const lose = (when: 'before' | 'after', times = 1) =>
		shop.fault(endpoint, { kind: 'reset', when, times });
	const seed = async (): Promise<IDataObject> => {
		if (endpoint === 'createShipments') return orderItem(`A-${++seeded}`);
		if (endpoint !== 'sendToPrinter') return { ...shop.sandbox.seedShipments(1)[0] } as never;
		const { items } = await shop.create([orderItem(`A-${++seeded}`)]);
		return { hash: items[0]?.json.labelsHash };
	};
	const run = async (items: IDataObject[], more: Partial<RunSettings> = {}) =>
		shop.engine.run({ parameters, items, ...more });
	const UNKNOWN = /Could not confirm|may or may not/;

	test('is not sent again when n8n tries again', async () => {
		lose('before');
		const { error } = await run([await seed()], { tries: 3 });
		expect(error?.message).toMatch(UNKNOWN);
		expect(sent()).toBe(1);
	});

	test.each<
		[string, { times: number; isTool: boolean; isSame: boolean; tries: number; sent: number }]
	>([
		[
			'is sent again when a person retries and the records do not show it',
			{ times: 1, isTool: false, isSame: true, tries: 1, sent: 2 },
		],
		[
			'is not sent again by n8n if it was lost when a person retried',
			{ times: 2, isTool: false, isSame: true, tries: 3, sent: 2 },
		],
		[
			'is not sent again by a tool without an execution ID for the same input',
			{ times: 1, isTool: true, isSame: true, tries: 1, sent: 1 },
		],
		[
			'does not keep a tool without an execution ID from sending another one',
			{ times: 1, isTool: true, isSame: false, tries: 1, sent: 2 },
		],
	])('%s', async (__, { times, isTool, isSame, tries, sent: expected }) => {
		const items = [await seed()];
		lose('before', times);
		const failed = await run(items, { isTool });
		expect(failed.error?.message).toMatch(UNKNOWN);
		const again = await run(isSame ? items : [await seed()], { retryOf: failed, isTool, tries });
		expect([sent(), kind.count()]).toEqual([expected, expected - times]);
		expect(again.error === undefined).toBe(expected > times);
	});

	test('is read back when a person retries the execution, if it has records', async () => {
		const items = [await seed()];
		lose('after');
		// Otherwise it would be read back at once.
		const reads = ['findShipments', 'getShipment', 'getShipmentShort'] as const;
		for (const operation of hasRecords ? reads : []) {
			const skip = endpoint === 'cancelShipments' ? 0 : 1;
			shop.fault(operation, { kind: 'status', status: 400, skip, times: Infinity });
		}
		const failed = await run(items);
		shop.sandbox.clearFaults();
		expect(failed.error?.message).toMatch(UNKNOWN);
		const { items: output, error } = await run(items, { retryOf: failed });
		expect(error).toBeUndefined();
		if (hasRecords) expect([output[0]?.json.recovered, sent(), kind.count()]).toEqual([true, 1, 1]);
		else expect(sent()).toBe(2);
	});

	test('does not keep the next round of a loop from sending its own', async () => {
		lose('before');
		const { items } = await run([await seed()], { rounds: 2, onError: 'continueRegularOutput' });
		expect(items[0]?.json.error).toBeUndefined();
		expect([sent(), kind.count()]).toEqual([2, 1]);
	});
});

test('A print job that was lost is not sent again when a person retries, if the records say printed', async () => {
	const [shipment] = shop.sandbox.seedShipments(1);
	const parameters = kinds['A print job']?.parameters;
	const print = async (more: Partial<RunSettings> = {}) =>
		shop.engine.run({
			parameters: { ...parameters, labels: 'shipments' },
			items: [{ id: shipment?.id }],
			...more,
		});
	shop.fault('sendToPrinter', { kind: 'reset', when: 'after' });
	const failed = await print();
	const { error } = await print({ retryOf: failed });
	expect(error?.description).toContain('The service says that the labels were printed');
	expect(shop.requests('sendToPrinter')).toHaveLength(1);
	expect((await print()).error).toBeUndefined();
});

test('A person who corrects a refused order and retries gets the others as they were created', async () => {
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
