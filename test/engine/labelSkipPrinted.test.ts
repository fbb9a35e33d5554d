import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import { SERVICE_KINDS, SERVICES } from '../support/services';

import { type Sandbox, startSandbox } from '../../sandbox';

const ZEBRA = 'Warehouse Zebra';
const print = {
	resource: 'label',
	operation: 'print',
	shipmentIds: '={{ $json.id }}',
	options: { skipPrinted: true },
};
const send = {
	...print,
	operation: 'sendToPrinter',
	labels: 'shipments',
	printerName: ZEBRA,
};

describe.each(SERVICE_KINDS)('With Skip Printed at the %s service', (kind) => {
	let sandbox: Sandbox;
	let engine: Engine;

	beforeAll(async () => {
		sandbox = await startSandbox(SERVICES[kind]);
		engine = await startEngine(sandboxCredential(sandbox.url));
	});
	afterEach(() => sandbox.reset());
	afterAll(() => sandbox.close());

	const seed = () =>
		[
			...sandbox.seedShipments(2, { serviceType: 'ANT-HOME' }),
			...sandbox.seedShipments(1, { serviceType: 'CRANE-EU' }),
		].map(({ id, carrierCode }) => ({ id, carrierCode }));
	const labelCounts = () => sandbox.database.printJobs().map(({ count }) => count);
	const asked = (operation: string) =>
		sandbox.requests.filter(({ operationId }) => operationId === operation).length;

	test('printed shipments are left out, and the output says so', async () => {
		const items = seed();
		await engine.run({ parameters: send, items: items.slice(0, 1) });
		const { items: output } = await engine.run({ parameters: send, items });
		expect(labelCounts()).toEqual([1, 1, 1]);
		expect(output.map(({ json }) => json)).toMatchObject([
			{ skipped: true, alreadyPrinted: [items[0]?.id] },
			{ carrierCode: 'ANT', labelsCount: 1, printed: true },
			{ carrierCode: 'CRANE', labelsCount: 1, printed: true },
		]);
		expect(output[0]?.pairedItem).toEqual([{ item: 0 }]);
	});

	test('nothing is printed if all shipments were printed', async () => {
		const items = seed();
		await engine.run({ parameters: send, items });
		const { items: output, error } = await engine.run({ parameters: send, items });
		expect(error).toBeUndefined();
		expect(output.map(({ json }) => json.skipped)).toEqual([true, true, true]);
		expect(asked('sendToPrinter')).toBe(2);
	});

	test('a shipment is printed if its record does not say whether it was printed before', async () => {
		const items = seed();
		const withoutPrinted = (response: { result: unknown }) => ({
			...response,
			result: [response.result].flat().map((record) => ({ ...(record as object), printed: null })),
		});
		for (const operation of ['getShipment', 'getShipmentShort'] as const) {
			sandbox.fault({ operation, kind: 'body', times: Infinity, rewrite: withoutPrinted });
		}
		const { items: output } = await engine.run({ parameters: send, items });
		expect(output.map(({ json }) => json.printed)).toEqual([true, true]);
		expect(labelCounts()).toEqual([2, 1]);
	});

	test('Create Label Files leaves them out, too', async () => {
		const items = seed();
		await engine.run({ parameters: send, items: items.slice(0, 2) });
		const { items: output } = await engine.run({ parameters: print, items });
		expect(output.map(({ json }) => json)).toMatchObject([
			{ skipped: true, alreadyPrinted: [items[0]?.id] },
			{ skipped: true, alreadyPrinted: [items[1]?.id] },
			{ carrierCode: 'CRANE', labelsCount: 1 },
		]);
		expect(output[2]?.binary?.data).toBeDefined();
	});

	test('additional pieces of a shipment are found in its record', async () => {
		const pieces = sandbox
			.seedShipments(1, { serviceType: 'ANT-HOME', pieceCount: 3 })
			.map(({ id, carrierCode }) => ({ id, carrierCode }));
		expect(pieces).toHaveLength(3);
		await engine.run({ parameters: send, items: pieces });
		const { items: output } = await engine.run({ parameters: send, items: pieces });
		expect(output.map(({ json }) => json.skipped)).toEqual([true, true, true]);
	});

	test('Retry On Fail prints what the first try could not print', async () => {
		sandbox.fault({ operation: 'sendToPrinter', kind: 'status', status: 400 });
		const { error } = await engine.run({ parameters: send, items: seed().slice(0, 2), tries: 2 });
		expect(error).toBeUndefined();
		expect(labelCounts()).toEqual([2]);
	});

	test('Retry On Fail saves the file that the first try could not download', async () => {
		sandbox.fault({ operation: 'labelFile', kind: 'html' });
		const { items } = await engine.run({ parameters: print, items: seed().slice(0, 2), tries: 2 });
		expect(items[0]?.binary?.data).toBeDefined();
	});

	test('an item without carrierCode is refused before anything is printed', async () => {
		const [first] = seed();
		for (const parameters of [print, send]) {
			const { error } = await engine.run({ parameters, items: [{ id: first?.id ?? 0 }] });
			expect(error?.message).toBe('Skip Printed needs the carrier of the shipments of item 0');
		}
		expect(asked('printLabels')).toBe(0);
	});

	test('nothing is printed if the records cannot be read', async () => {
		sandbox.fault({ operation: 'getShipment', kind: 'status', status: 403, times: 9 });
		sandbox.fault({ operation: 'getShipmentShort', kind: 'status', status: 403, times: 9 });
		const { errorItems } = await engine.run({
			parameters: send,
			items: seed(),
			onError: 'continueErrorOutput',
		});
		expect(errorItems).toHaveLength(3);
		expect(labelCounts()).toEqual([]);
	});
});
