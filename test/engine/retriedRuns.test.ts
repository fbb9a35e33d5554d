import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { sandboxCredential } from '../support/credentials';
import { type Engine, type RunSettings, startEngine } from '../support/engine';
import { creationForm, orderItem } from '../support/shop';

import { type Fault, type Sandbox, startSandbox } from '../../sandbox';

// What is sent again when n8n, or a person, runs the node again for the same items. The same holds
// for everything that may happen only once.

let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
	sandbox = await startSandbox();
	engine = await startEngine(sandboxCredential(sandbox.url));
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

interface Kind {
	endpoint: Fault['operation'];
	parameters: INodeParameters;
	seed(): IDataObject;
	/** How often it took effect at the service. */
	count(): number;
}

const shipment = { resource: 'shipment', carrierCode: 'ANT', options: { maxRetryWait: 0 } };
const seedOne = () => ({ ...sandbox.seedShipments(1)[0] }) as unknown as IDataObject;
let seeded = 0;

const kinds: Record<string, Kind> = {
	'An order': {
		endpoint: 'createShipments',
		parameters: creationForm({ maxRetryWait: 0, ifExists: 'create' }),
		seed: () => orderItem(`A-${++seeded}`),
		count: () => sandbox.database.shipments().length,
	},
	'A cancellation': {
		endpoint: 'cancelShipments',
		parameters: {
			...shipment,
			operation: 'cancel',
			shipments: 'numbers',
			packageNumber: '={{ $json.packageNumberCarrier }}',
		},
		seed: seedOne,
		count: () => sandbox.database.shipments().filter(({ canceled }) => canceled).length,
	},
	'A hand-over': {
		endpoint: 'handOverShipments',
		parameters: {
			...shipment,
			operation: 'handOver',
			shipments: 'ids',
			shipmentIds: '={{ $json.id }}',
		},
		seed: seedOne,
		count: () => sandbox.database.handOvers().length,
	},
	'A print job': {
		endpoint: 'sendToPrinter',
		parameters: {
			resource: 'label',
			operation: 'sendToPrinter',
			labels: 'shipments',
			shipmentIds: '={{ $json.id }}',
			printerName: 'Warehouse Zebra',
			options: { maxRetryWait: 0 },
		},
		seed: seedOne,
		count: () => sandbox.database.printJobs().length,
	},
};

describe.each(Object.entries(kinds))('%s whose response is lost', (_, kind) => {
	const { endpoint, parameters } = kind;
	const sent = () => sandbox.requests.filter(({ operationId }) => operationId === endpoint).length;
	const lose = (when: 'before' | 'after', times = 1) =>
		sandbox.fault({ operation: endpoint, kind: 'reset', when, times });
	const run = async (items: IDataObject[], more: Partial<RunSettings> = {}) =>
		engine.run({ parameters, items, ...more });

	test('is not sent again when n8n tries again', async () => {
		const items = [kind.seed()];
		lose('before');
		const { error } = await run(items, { tries: 3 });
		expect(error?.message).toMatch(/Could not confirm|may or may not/);
		expect(sent()).toBe(1);
	});

	test('is sent again when a person retries the execution and the records do not show it', async () => {
		const items = [kind.seed()];
		lose('before');
		const failed = await run(items);
		expect(failed.error).toBeDefined();
		const { error } = await run(items, { retryOf: failed });
		expect(error).toBeUndefined();
		expect([sent(), kind.count()]).toEqual([2, 1]);
	});

	test('is not sent again by n8n if it was lost when a person retried the execution', async () => {
		const items = [kind.seed()];
		lose('before', 2);
		const failed = await run(items);
		const { error } = await run(items, { retryOf: failed, tries: 3 });
		expect(error).toBeDefined();
		expect(sent()).toBe(2);
	});

	test('is read back when a person retries the execution, if it has records', async () => {
		const items = [kind.seed()];
		const reads = ['findShipments', 'getShipment', 'getShipmentShort'] as const;
		lose('after');
		// Otherwise it would be read back at once.
		for (const operation of endpoint === 'sendToPrinter' ? [] : reads) {
			const skip = endpoint === 'cancelShipments' ? 0 : 1;
			sandbox.fault({ operation, kind: 'status', status: 400, skip, times: Infinity });
		}
		const failed = await run(items);
		sandbox.clearFaults();
		expect(failed.error?.message).toMatch(/Could not confirm|may or may not/);
		const { items: output, error } = await run(items, { retryOf: failed });
		expect(error).toBeUndefined();
		if (endpoint === 'sendToPrinter') expect(sent()).toBe(2);
		else expect([output[0]?.json.recovered, sent(), kind.count()]).toEqual([true, 1, 1]);
	});

	test('is not sent again by a tool without an execution ID, if the input is the same', async () => {
		const items = [kind.seed()];
		lose('before');
		const failed = await run(items, { isTool: true });
		const { error } = await run(items, { retryOf: failed, isTool: true });
		expect(error).toBeDefined();
		expect(sent()).toBe(1);
	});

	test('does not keep a tool without an execution ID from sending another one', async () => {
		const items = [kind.seed()];
		lose('before');
		const failed = await run(items, { isTool: true });
		const { error } = await run([kind.seed()], { retryOf: failed, isTool: true });
		expect(error).toBeUndefined();
		expect([sent(), kind.count()]).toEqual([2, 1]);
	});

	test('does not keep the next round of a loop from sending its own', async () => {
		lose('before');
		const { items } = await run([kind.seed()], { rounds: 2, onError: 'continueRegularOutput' });
		expect(items[0]?.json.error).toBeUndefined();
		expect([sent(), kind.count()]).toEqual([2, 1]);
	});
});

test('A person who corrects a refused order and retries gets the others as they were created', async () => {
	const bad = { serviceType: 'ANT-POINT', branchId: 'NOWHERE' };
	const items = [orderItem('A-1'), orderItem('A-2', bad)];
	const failed = await engine.run({ parameters: creationForm(), items });
	expect(failed.error?.description).toContain('A-1 (ID 1001');
	const corrected = [orderItem('A-1'), orderItem('A-2')];
	const retry = { parameters: creationForm(), items: corrected, retryOf: failed };
	const { items: output } = await engine.run(retry);
	expect(output.map(({ json }) => [json.id, json.alreadyExisted])).toEqual([
		[1001, false],
		[1002, false],
	]);
	expect(sandbox.database.shipments()).toHaveLength(2);
});
