import type { Page } from 'playwright-core';

import type { StoredWorkflow, WorkflowNode } from '../../scripts/demo/rest';
import { browserTest } from './support/browser';
import type { E2eSetup } from './support/e2eSetup';
import { type Editor, openEditor } from './support/editor';
import { chain, node, PARCEL_SHIPPING, start } from './support/nodes';

jest.setTimeout(240_000);

const order = {
	carrier: 'CRANE',
	service: 'CRANE-EU',
	number: 'WEB-2026-0042',
	total: 1200.5,
	name: 'Jana Nováková',
	street: 'Dlouhá 12',
	city: 'Praha',
	zip: '01001',
	country: 'CZ',
	phone: '+420777123456',
};

const mapping: Record<string, keyof typeof order> = {
	packageNumberCustom: 'number',
	price: 'total',
	recName: 'name',
	recStreet: 'street',
	recCity: 'city',
	recZip: 'zip',
	recCountry: 'country',
	recPhone: 'phone',
};

const mapped = Object.fromEntries(
	Object.entries(mapping).map(([field, from]) => [field, `={{ $json.${from} }}`]),
);

const orderNode = () =>
	node({
		type: 'n8n-nodes-base.set',
		name: 'Order',
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: JSON.stringify(order), options: {} },
	});

let setup: E2eSetup;
let page: Page;
let editor: Editor;
let close: () => Promise<void>;

beforeAll(async () => {
	({ setup, page, editor, close } = await openEditor());
});

beforeEach(() => setup.sandbox.reset());

afterAll(async () => {
	await close?.();
});

/** Executes the order, and then opens a new *Create* node after it. */
async function openNewNode(): Promise<StoredWorkflow> {
	const workflow = await setup.store(chain('Orders to shipments', [start(), orderNode()]));
	await editor.open(setup.suite.url, workflow);
	await page.getByTestId('execute-workflow-button').click();
	await page.getByText('Workflow executed successfully').waitFor();
	await editor.find(page.getByTestId('canvas-handle-plus'), 'parcel');
	await editor.chooseAction('Create a shipment');
	await editor.chooseCredential(setup.credential);
	return workflow;
}

/** The *Create* node in the workflow as n8n has saved it. */
async function savedNode(workflow: StoredWorkflow): Promise<WorkflowNode> {
	await editor.save();
	const { nodes } = await setup.n8n.getWorkflow(workflow.id);
	const saved = nodes.find(({ type }) => type === PARCEL_SHIPPING);
	if (!saved) throw new Error('The node was not saved');
	return saved;
}

const savedMapping = async (workflow: StoredWorkflow) => {
	const { shipment } = (await savedNode(workflow)).parameters as { shipment: { value: object } };
	return shipment.value;
};

const savedService = async (workflow: StoredWorkflow) => {
	const { serviceType } = (await savedNode(workflow)).parameters as { serviceType: object };
	return serviceType;
};

browserTest(
	'Choosing another carrier or service keeps every mapped field',
	() => page,
	async () => {
		const workflow = await openNewNode();
		await editor.choose('carrierCode', 'ant', 'Ant Express');
		await editor.choose('serviceType', 'door', 'Ant to the door');
		for (const [field, from] of Object.entries(mapping)) await editor.map(from, field);
		expect(await savedMapping(workflow)).toMatchObject(mapped);

		await editor.choose('serviceType', 'cash', 'Ant cash on delivery');
		expect(await savedMapping(workflow)).toMatchObject(mapped);
		await editor.choose('carrierCode', 'crane', 'Crane Air');
		expect(await savedMapping(workflow)).toMatchObject(mapped);
		await editor.choose('serviceType', 'world', 'Crane worldwide');
		expect(await savedMapping(workflow)).toMatchObject(mapped);

		// An expression in place of the carrier leaves the service as it was chosen.
		await editor.map('carrier', 'carrierCode');
		expect(await savedMapping(workflow)).toMatchObject(mapped);
		expect(await savedService(workflow)).toMatchObject({ value: 'CRANE-WORLD' });
		await editor.map('service', 'serviceType');
		expect(await savedMapping(workflow)).toMatchObject(mapped);
		expect(await savedService(workflow)).toMatchObject({ value: '={{ $json.service }}' });
	},
);
