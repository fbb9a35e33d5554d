import type { WorkflowNode } from '../../scripts/demo/rest';
import { useSetup } from '../e2e/support/e2eSetup';
import type { Execution } from '../e2e/support/executions';
import { inputNodes, PARCEL_SHIPPING } from '../e2e/support/nodes';
import { sandboxCredential } from '../support/credentials';
import { creationForm, orderItem } from '../support/shop';

const setup = useSetup();

/** A node of the package. Its name is its operation. */
const parcels = (
	resource: string,
	operation: string,
	parameters: WorkflowNode['parameters'] = {},
) => setup.parcels(operation, { resource, operation, ...parameters });

const references = (execution: Execution, output = 0) =>
	execution.jsonOf('Create', output).map(({ packageNumberCustom }) => packageNumberCustom);

test('the credential test accepts the right key and refuses a wrong one', async () => {
	const { id } = setup.credential;
	expect(await setup.n8n.testCredential(id)).toMatchObject({ status: 'OK' });
	const wrong = await setup.n8n.testCredential(id, { headerValue: 'wrong' });
	expect(wrong).toMatchObject({ status: 'Error' });
});

test('n8n applies the allowed domains of the credential from version 2.15 on', async () => {
	const { id, name, type } = setup.credential;
	const data = sandboxCredential(setup.sandbox.url);
	const limited = { ...data, allowedHttpRequestDomains: 'domains', allowedDomains: 'example.com' };
	await setup.n8n.updateCredential(id, { name, type, data: limited });
	const execution = await setup.run(parcels('carrier', 'getAll', { returnAll: true }));
	await setup.n8n.updateCredential(id, { name, type, data });

	const [, minor = 0] = (process.env.N8N_VERSION ?? '').split('.').map(Number);
	expect(execution.status).toBe(minor < 15 ? 'success' : 'error');
	expect(setup.sandbox.requests.length > 0).toBe(minor < 15);
});

test('*Continue (using error output)* sends refused orders out separately, with the order and details', async () => {
	const orders = [
		orderItem('GOOD'),
		orderItem('NO-PHONE', { recPhone: '777' }),
		orderItem('NO-POINT', { serviceType: 'ANT-POINT', branchId: 'NOWHERE' }),
	];
	const create = setup.create({ onError: 'continueErrorOutput' });
	const execution = await setup.run(...inputNodes(orders), create);
	expect(references(execution)).toEqual(['GOOD']);
	expect(references(execution, 1)).toEqual(['NO-PHONE', 'NO-POINT']);
	const details = { error: expect.any(String), message: expect.any(String) };
	expect(execution.jsonOf('Create', 1)).toMatchObject([
		{ ...details, error: expect.stringContaining('Recipient Phone') },
		{ ...details, details: { carrierErrors: expect.anything() } },
	]);
});

test('*Retry On Fail* ships each order once', async () => {
	setup.sandbox.fault({ operation: 'createShipments', kind: 'status', status: 400 });
	const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
	const create = setup.create(retry);
	const execution = await setup.run(...inputNodes([orderItem('A'), orderItem('B')]), create);
	expect(execution.status).toBe('success');
	expect(references(execution)).toEqual(['A', 'B']);
	expect(setup.sandbox.database.shipments()).toHaveLength(2);
});

const byId = { shipments: 'ids', shipmentIds: '={{ $json.id }}' };
const all = { carrierCode: 'ANT', shipments: 'all' };
const byHash = {
	...{ labels: 'hash', hash: "={{ $('Create').first().json.labelsHash }}" },
	printerName: 'Warehouse A4',
};

test.each<[resource: string, operation: string, parameters: WorkflowNode['parameters']]>([
	['shipment', 'get', byId],
	['shipment', 'getAll', {}],
	['shipment', 'track', { orderNumber: '={{ $json.packageNumberCustom }}' }],
	['batch', 'getAll', {}],
	['batch', 'get', { batchId: '={{ $json.batchId }}' }],
	['carrier', 'getAll', {}],
	['carrier', 'getServices', { carrierCode: 'ANT' }],
	['pickupPoint', 'getAll', { carrierCode: 'ANT' }],
	['printer', 'getAll', {}],
	['label', 'create', byId],
	['label', 'sendToPrinter', byHash],
	['shipment', 'cancel', { carrierCode: 'ANT', ...byId }],
	['shipment', 'handOver', all],
	['handOver', 'getAll', {}],
])('%s: %s returns items', async (resource, operation, parameters) => {
	const nodes = [...inputNodes([orderItem('A')]), setup.create()];
	if (resource === 'handOver') nodes.push(parcels('shipment', 'handOver', all));
	const execution = await setup.run(...nodes, parcels(resource, operation, parameters));
	expect(execution.error).toBeUndefined();
	expect(execution.itemsOf(operation).length).toBeGreaterThan(0);
});

const LIST = ['resource-locator-results', 'carrierService', 'searchCarrierServices'] as const;
const FIELDS = ['resource-mapper-fields', 'shipment', 'getShipmentFields'] as const;
const OPTIONS = ['options', 'filters.carrierCodes', 'getCarriers'] as const;

test.each([
	['the services', LIST, 'ANT/ANT-HOME', PARCEL_SHIPPING],
	['the fields of the shipment', FIELDS, 'recPhone', PARCEL_SHIPPING],
	['the carriers to watch', OPTIONS, 'ANT', `${PARCEL_SHIPPING}Trigger`],
])('the form shows %s', async (_, [kind, field, methodName], expected, name) => {
	const carrierService = { __rl: true, mode: 'list', value: 'ANT/ANT-HOME' };
	const shown = await setup.n8n.request('POST', `/dynamic-node-parameters/${kind}`, {
		path: `parameters.${field}`,
		nodeTypeAndVersion: { name, version: 1 },
		currentNodeParameters: { ...creationForm(), carrierService },
		methodName,
		credentials: setup.credentials,
	});
	expect(JSON.stringify(shown)).toContain(`"${expected}"`);
});
