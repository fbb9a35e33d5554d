import type { Locator } from 'playwright-core';

import { orderItem, orderOf } from '../support/shop';
import { browserTest, useEditor } from './support/editor';
import { inputNodes, mappedForm, oneItem, start } from './support/nodes';
import { recordFrame, saveScreencast, takePicture } from './support/pictures';

const editor = useEditor();

/** How many clicks, typed texts and drags the user has made. */
let actions: number;

beforeEach(() => {
	actions = 0;
});

afterAll(saveScreencast);

const act = async (action: Promise<void>) => {
	actions++;
	await action;
	await recordFrame(editor.page);
};

const click = (target: Locator) => act(target.click());
const drag = (from: string, to: string) => act(editor.map(from, to));
const field = (id: string) => editor.page.getByTestId(`parameter-input-${id}`);
const execute = (expected: string) => act(editor.executeStep(expected));

const chooseOption = async (id: string, name: string) => {
	await click(field(id));
	await click(editor.page.getByRole('option', { name }));
};

async function addNode(action: string): Promise<void> {
	const { page } = editor;
	await click(page.getByTestId('canvas-handle-plus').last());
	await act(page.getByTestId('node-creator-search-bar').fill('parcel'));
	await click(page.getByText('Parcel Shipping', { exact: true }).first());
	await click(page.getByText(action, { exact: true }));
	await editor.form.waitFor();
	// A user with a single credential finds it chosen.
	await editor.chooseCredential(editor.setup.credential);
}

/** Chooses from a list. A rule has a list of its own. */
async function chooseFromList(id: string, name: string, rule = 0): Promise<void> {
	const list = editor.page.getByTestId(`resource-locator-${id}`).nth(rule);
	await click(list.getByTestId('rlc-input'));
	const entries = editor.page.getByTestId('rlc-item').locator('visible=true');
	await click(entries.filter({ hasText: name }));
	await entries.first().waitFor({ state: 'hidden' });
}

/** An order as a shop has it. */
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

/** The fields of the order, and the fields of the shipment they belong to. */
const recipient = {
	first_name: 'recFirstName',
	last_name: 'recLastName',
	address_1: 'recStreet',
	city: 'recCity',
	postcode: 'recZip',
	country: 'recCountry',
	phone: 'recPhone',
	email: 'recEmail',
};
const parcel = { number: 'packageNumberCustom', total: 'price', pickup_point: 'branchId' };
const cash = { total: 'codPrice', currency: 'codCurrency' };
const dragAll = async (fields: object) => {
	for (const [from, to] of Object.entries(fields)) await drag(from, to as string);
};

const shipped = {
	serviceType: 'ANT-POINT',
	input: {
		recName: 'Petr Svoboda',
		recPhone: '+420608111222',
		branchId: 'P-002',
		cod: true,
		codPrice: 539.5,
	},
};

browserTest(
	'A user ships an order with cash on delivery to a pickup point with at most 23 actions, no expression and no error',
	editor,
	async () => {
		const { sandbox } = editor.setup;
		const workflow = await editor.openAndExecute([start(), oneItem('Order', shopOrder)]);
		await addNode('Create a shipment');
		await chooseFromList('carrierService', 'Ant pickup point');
		await dragAll(parcel);
		await click(field('cod').locator('.el-switch'));
		await dragAll(cash);
		await dragAll(recipient);
		await execute('packageNumberCarrier');
		expect(sandbox.database.shipments()).toMatchObject([shipped]);
		expect(actions).toBeLessThanOrEqual(23);

		const { parameters } = await editor.savedNode(workflow);
		const expressions = JSON.stringify(parameters).match(/=\{\{.*?\}\}/g) ?? [];
		expect(expressions.length).toBeGreaterThanOrEqual(13);
		expect(expressions.filter((text) => !/^=\{\{ \$json\.\w+ \}\}$/.test(text))).toEqual([]);
	},
);

browserTest(
	'A user has the label of an order printed after creating with at most eight actions, once',
	editor,
	async () => {
		const { page, setup } = editor;
		const drags = Object.entries({ ...parcel, ...recipient, currency: cash.currency });
		const value = {
			...Object.fromEntries(drags.map(([from, to]) => [to, `={{ $json.${from} }}`])),
			cod: '={{ $json.payment_method }}',
			codPrice: '={{ $json.total }}',
		};
		const form = mappedForm('ANT', 'ANT-POINT', value);
		const create = setup.parcels('Create a shipment', form);
		const order = { ...shopOrder, payment_method: 'cod', phone: '608 111 222' };
		const nodes = [start(), oneItem('Order', order), create];
		await editor.openNodes(nodes, { Order: [{ json: order }] });

		await act(editor.openNode('Create a shipment'));
		await click(page.getByTestId('collection-parameter-add'));
		await click(page.getByRole('option', { name: 'Print After Creating', exact: true }));
		await chooseFromList('printerName', 'Laser by the gate');
		await takePicture(page, 'print-after-creating', editor.form);
		await execute('printedOn');
		expect(actions).toBeLessThanOrEqual(8);

		// The same order again prints nothing.
		await execute('1 label was printed before');
		expect(setup.sandbox.database.shipments()).toMatchObject([shipped]);
		expect(setup.sandbox.database.printJobs()).toMatchObject([{ count: 1 }]);
	},
);

browserTest(
	'A user prints created and existing shipments with at most nine actions',
	editor,
	async () => {
		const { setup } = editor;
		const orders = ['ANT', 'ANT', 'CRANE'].map((carrier, index) =>
			orderOf(carrier, `PRINT-${index}`),
		);
		await setup.run(...inputNodes(orders.slice(0, 1)), setup.create());
		await editor.openAndExecute([start(), ...inputNodes(orders), setup.create()]);

		await addNode('Send a label to a printer');
		await chooseOption('labels', 'Of Shipments');
		await chooseFromList('printerName', 'Laser by the gate');
		await execute('Ant Express');
		expect(setup.sandbox.database.printJobs().map(({ count }) => count)).toEqual([2, 1]);
		expect(actions).toBeLessThanOrEqual(9);
	},
);

browserTest(
	'A user ships with two carriers by shipping method with at most 20 actions and no expression',
	editor,
	async () => {
		const { page, setup } = editor;
		const methods = ['Kurýr do ruky', 'Zahraničí letecky'];
		const orders = methods.map((method, index) =>
			orderItem(`${1050 + index}`, { carrierCode: undefined, serviceType: undefined, method }),
		);
		await editor.openAndExecute([start(), ...inputNodes(orders)]);

		await addNode('Create a shipment');
		await chooseOption('carrierFrom', 'By Shipping Method');
		await drag('method', 'shippingMethod');
		await fillRule(0, 'kuryr', 'Ant to the door');
		await click(page.getByTestId('fixed-collection-add'));
		await fillRule(1, 'zahranici', 'Crane Europe');
		await click(page.getByTestId('mapping-mode-select').locator('visible=true'));
		await click(page.getByRole('option', { name: 'Map Automatically' }));
		await execute('packageNumberCarrier');

		const services = setup.sandbox.database.shipments().map(({ serviceType }) => serviceType);
		expect(services.sort()).toEqual(['ANT-HOME', 'CRANE-EU']);
		expect(actions).toBeLessThanOrEqual(20);
	},
);

/** Fills in a rule that the form shows: its text, and its service from the list. */
async function fillRule(index: number, text: string, service: string): Promise<void> {
	await act(field('text').nth(index).getByRole('textbox').fill(text));
	await chooseFromList('carrierService', service, index);
}
