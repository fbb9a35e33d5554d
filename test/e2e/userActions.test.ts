import { readFileSync } from 'node:fs';
import path from 'node:path';
import { omit } from 'lodash';
import type { Locator } from 'playwright-core';

import { orderOf } from '../support/shop';
import { browserTest, useEditor } from './support/editor';
import { untilThereIs } from './support/executions';
import { inputNodes, oneItem, start } from './support/nodes';
import { startMailServer } from './support/mailServer';
import { startShop } from './support/shopApi';
import { recordFrame, saveScreencast, takePicture } from './support/pictures';

const editor = useEditor();

/** How many clicks, typed texts and drags the user has made. */
let actions: number;

/** Whether the moving picture of the README shows what the user does. */
let isRecorded: boolean;

beforeEach(() => {
	actions = 0;
	isRecorded = false;
});

afterAll(() => saveScreencast('order-to-label.gif'));

const act = async (action: Promise<void>) => {
	actions++;
	await action;
	if (isRecorded) await recordFrame(editor.page);
};

const click = (target: Locator) => act(target.click());
const drag = (from: string, to: string) => act(editor.map(from, to));
const field = (id: string) => editor.page.getByTestId(`parameter-input-${id}`);
/** Each rule has fields of its own. */
const fill = (id: string, text: string, rule = 0) =>
	act(field(id).nth(rule).getByRole('textbox').fill(text));
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

async function addParcelNode(action: string): Promise<void> {
	await addNode(freeEnd(), 'parcel', 'Parcel Shipping', action);
	// A user with a single credential finds it chosen.
	await editor.chooseCredential(editor.setup.credential);
}

const addCreate = () => addParcelNode('Create shipment');

const freeEnd = () => editor.page.getByTestId('canvas-handle-plus');

const closeNode = () => act(editor.closeNode());

async function printAfterCreating(): Promise<void> {
	await chooseOption('labels', 'Print');
	await chooseFromList('printerName', 'Laser by the gate');
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
const [paidOrder, cashOrder] = JSON.parse(readFileSync(sample, 'utf8')) as [
	object,
	{ shipping: object },
];

/** A WooCommerce order with cash on delivery, to a pickup point that Packeta's plugin has noted. */
const pickupPoint = { id: 7, key: '_packetery_point_id', value: 'P-002' };
const shopOrder = { meta_data: [pickupPoint], ...omit(cashOrder, 'meta_data'), id: 2043 };

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
	'A user ships an order with cash on delivery to a pickup point and has its label printed with 13 actions and no expression, once',
	editor,
	async () => {
		const { page, setup } = editor;
		isRecorded = true;
		const workflow = await editor.openAndExecute([start(), oneItem('Order', shopOrder)]);
		await addCreate();
		await chooseOption('orderData', 'WooCommerce Order');
		await chooseFromList('carrierService', 'Ant pickup point');
		await printAfterCreating();
		await execute('printedOn');
		expect(actions).toBe(13);
		await editor.showAllOutputFields();
		await takePicture(page, 'created', editor.form);

		// The same order again prints nothing.
		isRecorded = false;
		await execute('1 label was not printed: The provider says that this label was printed before');
		expect(setup.sandbox.database.shipments()).toMatchObject([shipped]);
		expect(setup.sandbox.database.printJobs()).toMatchObject([{ count: 1 }]);
		const { parameters } = await editor.savedNode(workflow);
		expect(JSON.stringify(parameters)).not.toContain('{{');
	},
);

browserTest(
	'A user ships three orders with two carriers with 13 actions, without an expression',
	editor,
	async () => {
		const orders = ['Packeta', 'Home delivery', 'Packeta'].map((method_title, index) => ({
			...paidOrder,
			number: String(2001 + index),
			shipping_lines: [{ method_title }],
		}));
		await editor.openAndExecute([start(), ...inputNodes(orders)]);
		await addCreate();
		await chooseOption('orderData', 'WooCommerce Order');
		await chooseFromList('carrierService', 'Ant to the door');
		await click(editor.page.getByRole('button', { name: 'Add Rule' }));
		await fill('text', 'Packeta');
		await chooseFromList('carrierService', 'Beaver parcel', 1);
		await takePicture(editor.page, 'rules', editor.form);
		await execute('packageNumberCarrier');
		const carriers = editor.setup.sandbox.database.shipments().map((each) => each.carrierCode);
		expect(carriers.sort()).toEqual(['ANT', 'BEAVER', 'BEAVER']);
		expect(actions).toBe(13);
	},
);

browserTest(
	'A user ships a corrected order with eight actions, because the message says how',
	editor,
	async () => {
		const { setup, page } = editor;
		const order = oneItem('Order', shopOrder);
		const create = setup.parcels('Create', {
			...{ resource: 'shipment', operation: 'create' },
			...{ orderData: 'wooCommerce', carrierService: 'ANT/ANT-POINT' },
		});
		await setup.run(order, create);
		// The street of an order to a pickup point is not compared.
		const shipping = { ...cashOrder.shipping, first_name: 'Pavel' };
		const corrected = { ...shopOrder, shipping };
		const workflow = await editor.openNodes([start(), oneItem('Order', corrected), create]);
		await editor.openNode('Create');
		await editor.executeStep(
			"cancel the existing shipment with Shipment: Cancel, 'By Order Number'",
		);

		// In another workflow: here, the new node would follow the one that fails.
		await editor.openAndExecute([start()]);
		await addParcelNode('Cancel shipment');
		await fill('orderNumber', '1043');
		await execute('alreadyCanceled');
		await act(editor.open(workflow));
		await click(page.getByTestId('execute-workflow-button'));
		await page.getByText('Workflow executed successfully').waitFor();
		expect(actions).toBe(8);
		const shipments = setup.sandbox.database.shipments();
		expect(shipments.map(({ canceled }) => canceled)).toEqual([true, false]);
		expect(shipments[1]?.input.recName).toBe('Pavel Svoboda');
	},
);

browserTest(
	'A user cancels an order with six actions, hands the others over with five, and finds an old protocol with four',
	editor,
	async () => {
		const { setup } = editor;
		const orders = ['DAY-1', 'DAY-2', 'DAY-3'].map((reference) => orderOf('ANT', reference));
		await setup.run(...inputNodes(orders), setup.create());

		await editor.openAndExecute([start(), oneItem('Order', { number: 'DAY-1' })]);
		await addParcelNode('Cancel shipment');
		await drag('number', 'orderNumber');
		await execute('alreadyCanceled');
		expect(actions).toBe(6);
		await editor.showAllOutputFields();

		actions = 0;
		await editor.openAndExecute([start()]);
		await addParcelNode('Hand over shipment');
		await execute('protocol-ANT');
		expect(actions).toBe(5);
		const shipments = setup.sandbox.database.shipments();
		expect(shipments.map(({ canceled }) => canceled)).toEqual([true, false, false]);
		expect(shipments.map((each) => each.handedOver)).toEqual([false, true, true]);

		// The protocol of an old one, with the node that hands over.
		await editor.closeNode();
		actions = 0;
		await act(editor.openNode('Hand over shipment'));
		await chooseOption('resource', 'Hand-Over');
		await execute('protocolUrl');
		expect(actions).toBe(4);
	},
);

browserTest(
	'A user builds and publishes a workflow that ships WooCommerce orders, prints, writes back and mails about failures with at most 40 actions',
	editor,
	async () => {
		const { page, setup } = editor;
		const shop = await startShop(setup, 'wooCommerce', [1042]);
		const mail = await startMailServer();
		try {
			await setup.n8n.createCredential({
				name: 'Mail of the shop',
				type: 'smtp',
				data: { host: '127.0.0.1', port: mail.port, secure: false },
			});
			await editor.openNodes([]);

			await addNode(
				page.getByTestId('node-creator-plus-button'),
				'woocommerce',
				'WooCommerce',
				'On order created',
			);
			await editor.chooseCredential(shop.credential);
			await closeNode();

			await addCreate();
			await chooseOption('orderData', 'WooCommerce Order');
			await chooseFromList('carrierService', 'Ant to the door');
			await printAfterCreating();
			await click(editor.form.getByText('Settings', { exact: true }));
			await chooseOption('onError', 'Continue (using error output)');
			await closeNode();

			await addNode(freeEnd(), 'woocommerce', 'WooCommerce', 'Update an order');
			await editor.chooseCredential(shop.credential);
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
