import { E2eSetup } from '../e2e/support/e2eSetup';
import { PARCEL_SHIPPING } from '../e2e/support/nodes';
import { creationForm } from '../support/shop';

let setup: E2eSetup;
beforeAll(async () => {
	setup = await E2eSetup.open();
});
afterAll(() => setup.close());

/** Requests what a field of the form shows, like the editor. */
async function load<Data>(kind: string, field: string, methodName: string, type = PARCEL_SHIPPING) {
	const carrier = { __rl: true, mode: 'list', value: 'ANT' };
	const service = { __rl: true, mode: 'list', value: 'ANT-HOME' };
	return await setup.n8n.request<Data>('POST', `/dynamic-node-parameters/${kind}`, {
		path: `parameters.${field}`,
		nodeTypeAndVersion: { name: type, version: 1 },
		currentNodeParameters: { ...creationForm(), carrierCode: carrier, serviceType: service },
		methodName,
		credentials: setup.credentials,
	});
}

interface Results {
	results: Array<{ name: string; value: string | number }>;
}

test('the list of carriers shows the carriers of the account', async () => {
	const { results } = await load<Results>(
		'resource-locator-results',
		'carrierCode',
		'searchCarriers',
	);
	expect(results.map(({ value }) => value)).toContain('ANT');
});

test('the list of services shows the services of the chosen carrier', async () => {
	const { results } = await load<Results>(
		'resource-locator-results',
		'serviceType',
		'searchServices',
	);
	expect(results.map(({ value }) => value)).toContain('ANT-HOME');
	expect(results.map(({ value }) => value)).not.toContain('BEAVER-PARCEL');
});

test('the mapper shows the fields of a shipment', async () => {
	const { fields } = await load<{ fields: Array<{ id: string }> }>(
		'resource-mapper-fields',
		'shipment',
		'getShipmentFields',
	);
	expect(fields.map(({ id }) => id)).toEqual(
		expect.arrayContaining(['recName', 'recPhone', 'packageNumberCustom']),
	);
});

test.each([
	['the action node', PARCEL_SHIPPING],
	['the trigger', `${PARCEL_SHIPPING}Trigger`],
])('the carrier filter of %s shows the carriers', async (_, type) => {
	const options = await load<Results['results']>(
		'options',
		'filters.carrierCodes',
		'getCarriers',
		type,
	);
	expect(options.map(({ value }) => value)).toContain('ANT');
});

test('the nodes panel has both nodes', async () => {
	const { url, headers } = setup.suite;
	const response = await fetch(`${url}/types/nodes.json`, { headers });
	const types = (await response.json()) as Array<{ name: string }>;
	expect(types.map(({ name }) => name)).toEqual(
		expect.arrayContaining([PARCEL_SHIPPING, `${PARCEL_SHIPPING}Trigger`]),
	);
});
