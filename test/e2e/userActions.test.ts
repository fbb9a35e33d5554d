import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';

import { overrideFields } from '../../nodes/ParcelShipping/methods/resourceMapping';
import { browserTest, useEditor } from './support/editor';
import { untilThereIs } from './support/executions';
import { mappedForm, oneItem, start } from './support/nodes';
import { MailServer } from './support/mailServer';
import { startShop } from './support/shopApi';
import { recordFrame, saveScreencast, takePicture } from './support/pictures';

const editor = useEditor();

/** How many clicks, typed texts and drags the user has made. */
let actions: number;

beforeEach(() => {
	actions = 0;
});

afterAll(() => saveScreencast('order-to-label.gif'));

const act = async (action: Promise<void>) => {
	actions++;
	await action;
	await recordFrame(editor.page);
};

const click = (target: Locator) => act(target.click());
const drag = (from: string, to: string) => act(editor.map(from, to));
const field = (id: string) => editor.page.getByTestId(`parameter-input-${id}`);
const fill = (id: string, text: string) => act(field(id).getByRole('textbox').fill(text));
const execute = (expected: string) => act(editor.executeStep(expected));

const chooseOption = async (id: string, name: string) => {
	await click(field(id));
	await click(editor.page.getByRole('option', { name }));
};

/** Adds a node with one of n8n's plus buttons. */
async function addNode(plus: Locator, search: string, name: string, action: string): Promise<void> {
	const { page } = editor;
	await click(plus.first());
	await act(page.getByTestId('node-creator-search-bar').fill(search));
	await click(page.getByText(name, { exact: true }).first());
	await click(page.getByText(action, { exact: true }));
	await editor.form.waitFor();
}

async function addCreate(): Promise<void> {
	await addNode(freeEnd(), 'parcel', 'Parcel Shipping', 'Create shipment');
	// A user with a single credential finds it chosen.
	await editor.chooseCredential(editor.setup.credential);
}

const freeEnd = () => editor.page.getByTestId('canvas-handle-plus');

const closeNode = () => act(editor.closeNode());

/** Adds a field that replaces what the order of the shop contains. */
async function addField(caption: string): Promise<void> {
	await act(editor.openFieldList().then(() => undefined));
	await click(editor.page.getByRole('menuitem', { name: caption }));
}

/** Chooses from a list. A rule has a list of its own. */
async function chooseFromList(id: string, name: string, rule = 0): Promise<void> {
	const list = editor.page.getByTestId(`resource-locator-${id}`).nth(rule);
	await click(list.getByTestId('rlc-input'));
	const entries = editor.page.getByTestId('rlc-item').locator('visible=true');
	await click(entries.filter({ hasText: name }));
	await entries.first().waitFor({ state: 'hidden' });
}

const sample = path.resolve(__dirname, '../../workflows/samples/woocommerce-orders.json');
const [paidOrder, cashOrder] = JSON.parse(readFileSync(sample, 'utf8')) as [object, object];

/** A WooCommerce order with cash on delivery, to a pickup point that a plugin has noted. */
const shopOrder = { ...cashOrder, meta_data: [{ id: 1, key: 'pickup_point', value: 'P-002' }] };
const pickupPoint = '={{ $json.meta_data[0].value }}';

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
	'A user ships a WooCommerce order with cash on delivery to a pickup point with at most 15 actions, no expression and no error',
	editor,
	async () => {
		const { sandbox } = editor.setup;
		const workflow = await editor.openAndExecute([start(), oneItem('Order', shopOrder)]);
		await addCreate();
		await chooseOption('orderData', 'WooCommerce Order');
		await chooseFromList('carrierService', 'Ant pickup point');
		await addField('Pickup Point');
		await click(editor.input.getByTestId('ndv-search'));
		await act(editor.input.getByTestId('ndv-search').fill('P-002'));
		await drag('value', 'branchId');
		await execute('packageNumberCarrier');
		expect(sandbox.database.shipments()).toMatchObject([shipped]);
		expect(actions).toBeLessThanOrEqual(15);

		const { parameters } = await editor.savedNode(workflow);
		const expressions = JSON.stringify(parameters).match(/=\{\{.*?\}\}/g) ?? [];
		expect(expressions).toEqual([pickupPoint]);
	},
);

browserTest(
	'A user has the label of an order printed after creating with at most eight actions, once',
	editor,
	async () => {
		const { page, setup } = editor;
		const form = {
			...mappedForm('ANT', 'ANT-POINT', {}),
			orderData: 'wooCommerce',
			overrides: {
				mappingMode: 'defineBelow',
				value: { branchId: pickupPoint },
				schema: overrideFields(['branchId']),
			},
		};
		const create = setup.parcels('Create shipment', form);
		const nodes = [start(), oneItem('Order', shopOrder), create];
		await editor.openNodes(nodes, { Order: [{ json: shopOrder }] });

		await act(editor.openNode('Create shipment'));
		await click(editor.addOptionButton());
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
	'A user builds and publishes a workflow that ships WooCommerce orders, prints, writes back and mails about failures with at most 40 actions',
	editor,
	async () => {
		const { page, setup } = editor;
		const shop = await startShop(setup, 'wooCommerce', [1042]);
		const mail = new MailServer();
		try {
			await setup.n8n.createCredential({
				name: 'Mail of the shop',
				type: 'smtp',
				data: { host: '127.0.0.1', port: await mail.start(), secure: false },
			});
			await editor.openNodes([]);

			await addNode(
				page.getByTestId('node-creator-plus-button'),
				'woocommerce',
				'WooCommerce',
				'On order created',
			);
			await closeNode();

			await addCreate();
			await chooseOption('orderData', 'WooCommerce Order');
			await chooseFromList('carrierService', 'Ant to the door');
			await click(editor.addOptionButton());
			await click(page.getByRole('option', { name: 'Print After Creating', exact: true }));
			await chooseFromList('printerName', 'Laser by the gate');
			await click(editor.form.getByText('Settings', { exact: true }));
			await chooseOption('onError', 'Continue (using error output)');
			await closeNode();

			await addNode(freeEnd(), 'woocommerce', 'WooCommerce', 'Update an order');
			await drag('shopOrderId', 'orderId');
			await page.keyboard.press('Escape');
			await click(editor.form.getByTestId('collection-parameter-add').last());
			await click(page.getByRole('option', { name: 'Customer Note', exact: true }));
			await drag('trackingUrl', 'customerNote');
			await closeNode();

			const failed = editor.node('Create shipment').getByTestId('canvas-handle-plus');
			await addNode(failed, 'send email', 'Send Email', 'Send an Email');
			await fill('fromEmail', 'shop@example.com');
			await fill('toEmail', 'staff@example.com');
			await drag('message', 'subject');
			await closeNode();
			await click(page.getByRole('button', { name: 'Publish' }).first());
			await click(page.getByRole('dialog').getByRole('button', { name: 'Publish' }));
			await page.getByText('Workflow published').first().waitFor();
			expect(actions).toBeLessThanOrEqual(40);

			await shop.placeOrder(paidOrder);
			const [update] = await untilThereIs(async () =>
				shop.updates.length > 0 ? shop.updates : undefined,
			);
			const [shipment] = setup.sandbox.database.shipments();
			const note = expect.stringContaining(shipment?.packageNumberCarrier ?? 'a tracking link');
			expect(update).toEqual({ id: 1042, order: { customer_note: note } });
			expect(setup.sandbox.database.printJobs()).toMatchObject([{ count: 1 }]);

			await shop.placeOrder({ ...paidOrder, number: '1099', billing: {}, shipping: {} });
			const [received] = await untilThereIs(async () =>
				mail.mails.length > 0 ? mail.mails : undefined,
			);
			expect(received).toContain('Recipient');
			expect(shop.updates).toHaveLength(1);
		} finally {
			shop.close();
			mail.close();
		}
	},
);
