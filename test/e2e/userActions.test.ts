import type { Locator, Page } from 'playwright-core';

import { creationForm, orderItem, orderOf } from '../support/shop';
import { browserTest } from './support/browser';
import type { E2eSetup } from './support/e2eSetup';
import { type Editor, openEditor } from './support/editor';
import { recordFrame, saveScreencast } from './support/screencast';
import { chain, inputNodes, node, PARCEL_SHIPPING, start } from './support/nodes';

jest.setTimeout(240_000);

let setup: E2eSetup;
let page: Page;
let editor: Editor;
let close: () => Promise<void>;

/** What a user has done so far: each click, each typed text and each drag. */
let actions: number;

beforeAll(async () => {
	({ setup, page, editor, close } = await openEditor());
});

beforeEach(() => {
	setup.sandbox.reset();
	actions = 0;
});

afterAll(async () => {
	await saveScreencast();
	await close?.();
});

const click = async (target: Locator) => {
	actions++;
	await target.click();
	await recordFrame(page);
};

const type = async (target: Locator, text: string) => {
	actions++;
	await target.fill(text);
	await recordFrame(page);
};

const drag = async (from: string, to: string) => {
	actions++;
	await editor.map(from, to);
	await recordFrame(page);
};

/** Adds a node after the last one. */
async function addNode(action: string): Promise<void> {
	await click(page.getByTestId('canvas-handle-plus').last());
	await type(page.getByTestId('node-creator-search-bar'), 'parcel');
	await click(page.getByText('Parcel Shipping', { exact: true }).first());
	await click(page.getByText(action, { exact: true }));
	await editor.form.waitFor();
}

async function chooseFromList(field: string, name: string): Promise<void> {
	actions++;
	const entries = await editor.openList(field);
	await click(entries.filter({ hasText: name }));
	await entries.first().waitFor({ state: 'hidden' });
}

/** The credential of this test. A user with a single credential finds it chosen. */
const chooseCredential = async () => {
	const chosen = await page.getByTestId('node-credentials-select').innerText();
	if (!chosen.includes(setup.credential.name)) await editor.chooseCredential(setup.credential);
};

async function openExecuted(nodes: Parameters<typeof chain>[1]): Promise<void> {
	await editor.open(setup.suite.url, await setup.store(chain('Orders', nodes)));
	await page.getByTestId('execute-workflow-button').click();
	await page.getByText('Workflow executed successfully').waitFor();
}

const shopOrder = {
	number: '1043',
	total: '539.50',
	currency: 'CZK',
	pickup_point: 'P-002',
	first_name: 'Petr',
	last_name: 'Svoboda',
	address_1: 'Náměstí 3',
	city: 'Brno',
	postcode: '60200',
	country: 'CZ',
	phone: '+420608111222',
	email: 'petr.svoboda@example.com',
};

browserTest(
	'A user ships an order with cash on delivery to a pickup point with at most 25 actions and no error',
	() => page,
	async () => {
		const parameters = { mode: 'raw', jsonOutput: JSON.stringify(shopOrder), options: {} };
		const order = node({ type: 'n8n-nodes-base.set', name: 'Order', typeVersion: 3.4, parameters });
		await openExecuted([start(), order]);

		await addNode('Create a shipment');
		await chooseCredential();
		await chooseFromList('carrierCode', 'Ant Express');
		await chooseFromList('serviceType', 'Ant pickup point');
		await drag('number', 'packageNumberCustom');
		await drag('total', 'price');
		await drag('pickup_point', 'branchId');
		await click(page.getByTestId('parameter-input-cod').locator('.el-switch'));
		await drag('total', 'codPrice');
		await drag('currency', 'codCurrency');
		await drag('first_name', 'recFirstName');
		await drag('last_name', 'recLastName');
		await drag('address_1', 'recStreet');
		await drag('city', 'recCity');
		await drag('postcode', 'recZip');
		await drag('country', 'recCountry');
		await drag('phone', 'recPhone');
		await drag('email', 'recEmail');
		await click(page.getByTestId('node-execute-button'));
		await editor.output.getByText('packageNumberCarrier').first().waitFor();
		await recordFrame(page);

		expect(setup.sandbox.database.shipments()).toMatchObject([
			{
				serviceType: 'ANT-POINT',
				input: { recName: 'Petr Svoboda', branchId: 'P-002', cod: true, codPrice: 539.5 },
			},
		]);
		expect(actions).toBeLessThanOrEqual(25);
	},
);

browserTest(
	'A user has the labels of new shipments printed with at most eight actions',
	() => page,
	async () => {
		const orders = ['PRINT-1', 'PRINT-2'].map((reference) => orderOf('ANT', reference));
		const create = node({
			type: PARCEL_SHIPPING,
			name: 'Create',
			parameters: creationForm(),
			credentials: setup.credentials,
		});
		const nodes = [start(), ...inputNodes([...orders, orderOf('CRANE', 'PRINT-3')]), create];
		await editor.open(setup.suite.url, await setup.store(chain('Orders', nodes)));

		actions++;
		await editor.openNode('Create');
		await click(page.getByTestId('collection-parameter-add'));
		await click(page.getByRole('option', { name: 'Print After Creating', exact: true }));
		await chooseFromList('printerName', 'Laser by the gate');
		await click(page.getByTestId('node-execute-button'));
		await editor.output.getByText('printedOn').first().waitFor();
		expect(setup.sandbox.database.printJobs().map(({ count }) => count)).toEqual([2, 1]);
		expect(actions).toBeLessThanOrEqual(8);
	},
);

browserTest(
	'A user prints created and existing shipments with at most nine actions',
	() => page,
	async () => {
		const orders = [
			orderOf('ANT', 'PRINT-1'),
			orderOf('ANT', 'PRINT-2'),
			orderOf('CRANE', 'PRINT-3'),
		];
		const create = node({
			type: PARCEL_SHIPPING,
			name: 'Create',
			parameters: creationForm(),
			credentials: setup.credentials,
		});
		await setup.run(...inputNodes(orders.slice(0, 1)), create);
		await openExecuted([start(), ...inputNodes(orders), create]);

		await addNode('Send a label to a printer');
		await chooseCredential();
		await click(page.getByTestId('parameter-input-labels'));
		await click(page.getByRole('option', { name: 'Of Shipments' }));
		await click(page.getByTestId('resource-locator-printerName').getByTestId('rlc-input'));
		await click(page.getByTestId('rlc-item').filter({ hasText: 'Laser by the gate' }));
		await click(page.getByTestId('node-execute-button'));
		await editor.output.getByText('Ant Express').first().waitFor();
		await recordFrame(page);
		expect(setup.sandbox.database.printJobs().map(({ count }) => count)).toEqual([2, 1]);
		expect(actions).toBeLessThanOrEqual(9);
	},
);

browserTest(
	'A user ships with two carriers by shipping method with at most 20 actions and no expression',
	() => page,
	async () => {
		const methods = ['Kurýr do ruky', 'Zahraničí letecky'];
		const orders = methods.map((method, index) =>
			orderItem(`${1050 + index}`, { carrierCode: undefined, serviceType: undefined, method }),
		);
		await openExecuted([start(), ...inputNodes(orders)]);

		await addNode('Create a shipment');
		await chooseCredential();
		await click(page.getByTestId('parameter-input-carrierFrom'));
		await click(page.getByRole('option', { name: 'By Shipping Method' }));
		await drag('method', 'shippingMethod');
		await fillRule(0, 'kuryr', 'Ant to the door');
		await click(page.getByTestId('fixed-collection-add'));
		await fillRule(1, 'zahranici', 'Crane Europe');
		await click(page.getByTestId('mapping-mode-select').locator('visible=true'));
		await click(page.getByRole('option', { name: 'Map Automatically' }));
		await click(page.getByTestId('node-execute-button'));
		await editor.output.getByText('packageNumberCarrier').first().waitFor();

		const shipments = setup.sandbox.database.shipments();
		expect(shipments.map(({ serviceType }) => serviceType).sort()).toEqual([
			'ANT-HOME',
			'CRANE-EU',
		]);
		expect(actions).toBeLessThanOrEqual(20);
	},
);

/** Fills in a rule that the form shows: its text, and its service from the list. */
async function fillRule(index: number, text: string, service: string): Promise<void> {
	const ofRule = (field: string) => page.getByTestId(field).nth(index);
	await type(ofRule('parameter-input-text').getByRole('textbox'), text);
	await click(ofRule('resource-locator-carrierService').getByTestId('rlc-input'));
	const entries = page.getByTestId('rlc-item').locator('visible=true');
	await click(entries.filter({ hasText: service }));
	await entries.first().waitFor({ state: 'hidden' });
}
