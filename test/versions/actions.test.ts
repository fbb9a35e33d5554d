import { copyFileSync } from 'node:fs';
import path from 'node:path';

import type { WorkflowNode } from '../../scripts/demo/rest';
import { E2eSetup } from '../e2e/support/e2eSetup';
import { storeExample } from '../e2e/support/examples';
import type { Execution } from '../e2e/support/executions';
import { inputNodes, node, PARCEL_SHIPPING } from '../e2e/support/nodes';
import { sandboxCredential } from '../support/credentials';
import { creationForm, orderItem, orderOf } from '../support/shop';

let setup: E2eSetup;
beforeAll(async () => {
	setup = await E2eSetup.open();
});
beforeEach(() => setup.sandbox.reset());
afterAll(() => setup.close());

const ONLY_EXAMPLE_COM = { allowedHttpRequestDomains: 'domains', allowedDomains: 'example.com' };

const hasError: unknown = expect.objectContaining({ error: expect.any(String) });

/** A node of the package. Its name is its operation. */
const parcelShipping = (parameters: object, settings: Partial<WorkflowNode> = {}): WorkflowNode => {
	const { operation } = parameters as { operation: string };
	const { credentials } = setup;
	return node({
		type: PARCEL_SHIPPING,
		name: operation,
		parameters: { ...parameters },
		credentials,
		...settings,
	});
};

const create = (settings: Partial<WorkflowNode> = {}, options = {}) =>
	parcelShipping(creationForm(options), settings);

const references = (execution: Execution, output = 0) =>
	execution.jsonOf('create', output).map(({ packageNumberCustom }) => packageNumberCustom);

const countRequests = (operation: string) =>
	setup.sandbox.requests.filter(({ operationId }) => operationId === operation).length;

test('the credential test accepts the right key and refuses a wrong one', async () => {
	const { id } = setup.credential;
	expect(await setup.n8n.testCredential(id)).toMatchObject({ status: 'OK' });
	expect(await setup.n8n.testCredential(id, { headerValue: 'wrong' })).toMatchObject({
		status: 'Error',
	});
});

test('n8n applies the allowed domains of the credential from version 2.15 on', async () => {
	const { id, name, type } = setup.credential;
	const data = sandboxCredential(setup.sandbox.url);
	await setup.n8n.updateCredential(id, { name, type, data: { ...data, ...ONLY_EXAMPLE_COM } });
	const carriers = parcelShipping({ resource: 'carrier', operation: 'getAll', returnAll: true });
	const execution = await setup.run(carriers);
	await setup.n8n.updateCredential(id, { name, type, data });

	const [, minor = 0] = (process.env.N8N_VERSION ?? '').split('.').map(Number);
	expect(execution.status).toBe(minor < 15 ? 'success' : 'error');
	expect(setup.sandbox.requests.length > 0).toBe(minor < 15);
});

describe('Of three orders, one is refused by the node and one by the carrier', () => {
	const orders = [
		orderItem('GOOD'),
		orderItem('NO-PHONE', { recPhone: '777' }),
		orderItem('NO-POINT', { serviceType: 'ANT-POINT', branchId: 'NOWHERE' }),
	];
	const ship = async (onError: string) =>
		await setup.run(...inputNodes(orders), create({ onError }));

	test('*Stop Workflow* names the order and sends nothing', async () => {
		const execution = await ship('stopWorkflow');
		expect(execution.status).toBe('error');
		expect(execution.error?.message).toContain('Invalid Recipient Phone');
		expect(setup.sandbox.database.shipments()).toEqual([]);
	});

	test('*Continue* outputs all three, the refused ones with details', async () => {
		const execution = await ship('continueRegularOutput');
		expect(execution.status).toBe('success');
		const [good, ...refused] = execution.jsonOf('create');
		expect(good).toMatchObject({ packageNumberCustom: 'GOOD', carrierCode: 'ANT' });
		expect(refused.map((json) => Object.keys(json))).toEqual([
			['error', 'message', 'details'],
			['error', 'message', 'details'],
		]);
	});

	test('*Continue (using error output)* sends them out separately, with the order and details', async () => {
		const execution = await ship('continueErrorOutput');
		expect(execution.status).toBe('success');
		expect(references(execution)).toEqual(['GOOD']);
		expect(references(execution, 1)).toEqual(['NO-PHONE', 'NO-POINT']);
		expect(execution.jsonOf('create', 1)).toMatchObject([
			{ error: expect.stringContaining('Recipient Phone'), details: expect.anything() },
			{ error: expect.any(String), details: { carrierErrors: expect.anything() } },
		]);
	});
});

test('*Retry On Fail* ships each order once', async () => {
	setup.sandbox.fault({ operation: 'createShipments', kind: 'status', status: 400 });
	const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
	const node = create(retry, { maxRetryWait: 100 });
	const execution = await setup.run(...inputNodes([orderItem('A'), orderItem('B')]), node);
	expect(execution.status).toBe('success');
	// The service refused the first request as a whole.
	expect(countRequests('createShipments')).toBe(2);
	expect(references(execution)).toEqual(['A', 'B']);
});

test('each carrier gets one batch, and the batches can be listed', async () => {
	const orders = ['ANT', 'BEAVER', 'ANT'].map((carrier, index) => orderOf(carrier, `B-${index}`));
	const getBatches = parcelShipping({ resource: 'batch', operation: 'getAll', returnAll: true });
	const execution = await setup.run(...inputNodes(orders), create({}, { output: 'batches' }), {
		...getBatches,
		executeOnce: true,
	});
	expect(execution.error).toBeUndefined();
	expect(execution.jsonOf('create').map(({ carrierCode }) => carrierCode)).toEqual([
		'ANT',
		'BEAVER',
	]);
	expect(execution.itemsOf('getAll')).toHaveLength(2);
});

const shipment = { carrierCode: 'ANT', shipmentId: '={{ $json.id }}' };
const others: Array<[resource: string, operation: string, parameters: object]> = [
	['shipment', 'get', shipment],
	['shipment', 'getAll', {}],
	['shipment', 'track', { carrierCode: 'ANT', packageNumber: '={{ $json.packageNumberCarrier }}' }],
	['batch', 'get', { batchId: '={{ $json.batchId }}' }],
	['carrier', 'getAll', {}],
	['carrier', 'getServices', { carrierCode: 'ANT' }],
	['pickupPoint', 'getAll', { carrierCode: 'ANT' }],
	['printer', 'getAll', {}],
	['shipment', 'cancel', { carrierCode: 'ANT', shipments: 'ids', shipmentIds: '={{ $json.id }}' }],
	['shipment', 'handOver', { carrierCode: 'ANT', shipments: 'all' }],
];

test.each(others)('%s: %s returns items', async (resource, operation, parameters) => {
	const next = parcelShipping({ resource, operation, ...parameters });
	const execution = await setup.run(...inputNodes([orderItem('A')]), create(), next);
	expect(execution.error).toBeUndefined();
	expect(execution.itemsOf(operation).length).toBeGreaterThan(0);
});

test('labels become a PDF file and a print job', async () => {
	const print = parcelShipping({
		resource: 'label',
		operation: 'print',
		shipmentIds: '={{ $json.id }}',
	});
	const send = parcelShipping({
		resource: 'label',
		operation: 'sendToPrinter',
		labels: 'hash',
		hash: "={{ $('create').first().json.labelsHash }}",
		printerName: 'Warehouse A4',
	});
	const orders = inputNodes([orderItem('A'), orderItem('B')]);
	const execution = await setup.run(...orders, create(), print, send);
	expect(execution.error).toBeUndefined();
	const [file, ...others] = execution.itemsOf('print');
	expect(others).toEqual([]);
	expect(file?.binary?.data).toMatchObject({ mimeType: 'application/pdf' });
	const binaryId = encodeURIComponent(file?.binary?.data?.id ?? '');
	const stored = await fetch(`${setup.suite.url}/rest/binary-data?id=${binaryId}&action=download`, {
		headers: setup.suite.headers,
	});
	expect((await stored.text()).slice(0, 5)).toBe('%PDF-');
	expect(setup.sandbox.database.printJobs()).toHaveLength(1);
});

test('the nightly example sends its two refused orders to the error output', async () => {
	const samples = path.resolve(__dirname, '../../workflows/samples');
	copyFileSync(path.join(samples, 'orders.csv'), path.join(setup.suite.files, 'orders.csv'));
	const workflow = await storeExample(setup, 'nightlyBatches');
	const execution = await setup.execute(workflow, 'Run Manually');
	expect(execution.error).toBeUndefined();
	const { name = '' } =
		workflow.nodes.find(
			({ type, parameters }) => type === PARCEL_SHIPPING && parameters.operation === 'create',
		) ?? {};
	expect(execution.jsonOf(name).filter(({ error }) => error !== undefined)).toEqual([]);
	expect(execution.jsonOf(name, 1)).toEqual(Array(2).fill(hasError));
});
