import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { omit } from 'lodash';
import { SMTPServer } from 'smtp-server';

import { orderOf } from '../support/shop';
import { browserTest, useEditor } from './support/editor';
import { untilThereIs } from './support/executions';
import { inputNodes, oneItem, start } from './support/nodes';
import { startShop } from './support/shopApi';
import { saveScreencast, takePicture } from './support/pictures';

const editor = useEditor();

afterAll(() => saveScreencast('order-to-label.gif'));

async function addCreate(): Promise<void> {
	await editor.addParcelNode('Create shipment');
	await editor.chooseOption('orderData', 'WooCommerce Order');
}

async function printAfterCreating(): Promise<void> {
	await editor.chooseOption('labels', 'Print');
	await editor.chooseFromList('printerName', 'Laser by the gate');
}

const sample = path.resolve(__dirname, '../../workflows/samples/woocommerce-orders.json');
const [paidOrder, cashOrder] = JSON.parse(readFileSync(sample, 'utf8')) as [
	object,
	{ shipping: object },
];

/** A WooCommerce order with cash on delivery, to a pickup point that Packeta's plugin has noted. */
const pickupPoint = { id: 7, key: '_packetery_point_id', value: 'P-002' };
const shopOrder = {
	// First, so that the picture shows it.
	payment_method: 'cod',
	meta_data: [pickupPoint],
	...omit(cashOrder, 'meta_data'),
	id: 2043,
};

const input = {
	...{ recName: 'Petr Svoboda', recPhone: '+420608111222', branchId: 'P-002' },
	...{ cod: true, codPrice: 539.5 },
};

browserTest(
	'A user ships an order with cash on delivery to a pickup point and has its label printed with 12 actions and no expression, once',
	editor,
	async () => {
		const { page, setup } = editor;
		const workflow = await editor.openExecuted(start(), oneItem('Order', shopOrder));
		editor.isRecorded = true;
		await addCreate();
		await editor.chooseFromList('carrierService', 'Ant pickup point');
		await printAfterCreating();
		await editor.executeStep('printedOn');
		expect(editor.actions).toBe(12);
		// One field below the other, so that the picture shows all of them.
		await editor.output.getByText('Schema', { exact: true }).click();
		await takePicture(page, 'created', editor.form);

		// The same order again prints nothing.
		editor.isRecorded = false;
		await editor.executeStep(
			'1 label was not printed: The provider says that this label was printed before',
		);
		expect(setup.sandbox.database.shipments()).toMatchObject([{ serviceType: 'ANT-POINT', input }]);
		expect(setup.sandbox.database.printJobs()).toMatchObject([{ count: 1 }]);
		const [{ parameters } = {}] = await editor.savedNodes(workflow);
		expect(JSON.stringify(parameters)).not.toContain('{{');
	},
);

browserTest(
	'A user ships three orders with two carriers with 12 actions, without an expression',
	editor,
	async () => {
		const orders = ['Packeta', 'Home delivery', 'Packeta'].map((method_title, index) => ({
			...paidOrder,
			number: String(2001 + index),
			shipping_lines: [{ method_title }],
		}));
		await editor.openExecuted(start(), ...inputNodes(orders));
		await addCreate();
		await editor.chooseFromList('carrierService', 'Ant to the door');
		await editor.click(editor.page.getByRole('button', { name: 'Add Rule' }));
		await editor.fill('text', 'Packeta');
		await editor.chooseFromList('carrierService', 'Beaver parcel', 1);
		await takePicture(editor.page, 'rules', editor.form);
		await editor.executeStep('packageNumberCarrier');
		const carriers = editor.setup.sandbox.database.shipments().map((each) => each.carrierCode);
		expect(carriers.sort()).toEqual(['ANT', 'BEAVER', 'BEAVER']);
		expect(editor.actions).toBe(12);
	},
);

browserTest(
	'A user ships a corrected order with seven actions, because the message says how',
	editor,
	async () => {
		const { setup } = editor;
		const order = oneItem('Order', shopOrder);
		const create = setup.parcels('Create', {
			...{ resource: 'shipment', operation: 'create' },
			...{ orderData: 'wooCommerce', carrierService: 'ANT/ANT-POINT' },
		});
		await setup.run(order, create);
		// The street of an order to a pickup point is not compared.
		const shipping = { ...cashOrder.shipping, first_name: 'Pavel' };
		const corrected = oneItem('Order', { ...shopOrder, shipping });
		const workflow = await editor.openNodes(start(), corrected, create);
		await editor.openNode('Create');
		await editor.executeStep(
			"cancel the existing shipment with Shipment: Cancel, 'By Order Number'",
		);

		// In another workflow: here, the new node would follow the one that fails.
		await editor.openExecuted(start());
		await editor.addParcelNode('Cancel shipment');
		await editor.fill('orderNumber', '1043');
		await editor.executeStep('alreadyCanceled');
		await editor.act(editor.open(workflow));
		await editor.executeWorkflow();
		expect(editor.actions).toBe(7);
		const shipments = setup.sandbox.database.shipments();
		expect(shipments.map(({ canceled }) => canceled)).toEqual([true, false]);
		expect(shipments[1]?.input.recName).toBe('Pavel Svoboda');
	},
);

browserTest(
	'A user cancels an order with five actions, hands the others over with four, and finds an old protocol with four',
	editor,
	async () => {
		const { setup } = editor;
		const orders = ['DAY-1', 'DAY-2', 'DAY-3'].map((reference) => orderOf('ANT', reference));
		await setup.run(...inputNodes(orders), setup.create());

		await editor.openExecuted(start(), oneItem('Order', { number: 'DAY-1' }));
		await editor.addParcelNode('Cancel shipment');
		await editor.drag('number', 'orderNumber');
		await editor.executeStep('alreadyCanceled');
		expect(editor.actions).toBe(5);

		await editor.openExecuted(start());
		await editor.addParcelNode('Hand over shipment');
		await editor.executeStep('protocol-ANT');
		expect(editor.actions).toBe(4);
		const shipments = setup.sandbox.database.shipments();
		expect(shipments.map(({ canceled }) => canceled)).toEqual([true, false, false]);
		expect(shipments.map((each) => each.handedOver)).toEqual([false, true, true]);

		// The protocol of an old one, with the node that hands over.
		await editor.closeNode();
		editor.actions = 0;
		await editor.openNode('Hand over shipment');
		await editor.chooseOption('resource', 'Hand-Over');
		await editor.executeStep('protocolUrl');
		expect(editor.actions).toBe(4);
	},
);

/** A mail server that keeps what it gets. */
async function startMailServer() {
	const mails: string[] = [];
	const server = new SMTPServer({
		...{ authOptional: true, disabledCommands: ['STARTTLS'] },
		onData: (stream, _session, callback) =>
			void text(stream).then((mail) => {
				mails.push(mail);
				callback();
			}),
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = server.server.address() as AddressInfo;
	return { mails, port, close: () => server.close() };
}

browserTest(
	'A user builds and publishes a workflow that ships WooCommerce orders, prints, writes back and mails about failures with at most 40 actions',
	editor,
	async () => {
		const { page, setup } = editor;
		const shop = await startShop(setup, 'wooCommerce');
		const mail = await startMailServer();
		try {
			await setup.n8n.createCredential({
				name: 'Mail of the shop',
				type: 'smtp',
				data: { host: '127.0.0.1', port: mail.port, secure: false },
			});
			await editor.openNodes();
			const first = page.getByTestId('node-creator-plus-button');
			await editor.addNode(first, 'WooCommerce', 'On order created');
			await editor.chooseCredential(shop.credential);
			await editor.closeNode();

			await addCreate();
			await editor.chooseFromList('carrierService', 'Ant to the door');
			await printAfterCreating();
			await editor.click(editor.form.getByText('Settings', { exact: true }));
			await editor.chooseOption('onError', 'Continue (using error output)');
			await editor.closeNode();

			await editor.addNode(editor.plus, 'WooCommerce', 'Update an order');
			await editor.chooseCredential(shop.credential);
			await editor.drag('shopOrderId', 'orderId');
			await page.keyboard.press('Escape');
			await editor.click(editor.form.getByTestId('collection-parameter-add').last());
			await editor.click(page.getByRole('option', { name: 'Customer Note', exact: true }));
			await editor.drag('trackingUrl', 'customerNote');
			await editor.closeNode();

			const failed = editor.node('Create shipment').getByTestId('canvas-handle-plus');
			await editor.addNode(failed, 'Send Email', 'Send an Email');
			await editor.fill('fromEmail', 'shop@example.com');
			await editor.fill('toEmail', 'staff@example.com');
			await editor.drag('message', 'subject');
			await editor.closeNode();
			await editor.click(page.getByRole('button', { name: 'Publish' }).first());
			await editor.click(page.getByRole('dialog').getByRole('button', { name: 'Publish' }));
			await page.getByText('Workflow published').first().waitFor();
			expect(editor.actions).toBeLessThanOrEqual(40);

			await shop.placeOrder(paidOrder);
			const [update] = await untilThereIs(() => shop.updates);
			const [shipment] = setup.sandbox.database.shipments();
			const note = expect.stringContaining(shipment?.packageNumberCarrier ?? 'a tracking link');
			expect(update).toEqual({ id: 1042, order: { customer_note: note } });
			expect(setup.sandbox.database.printJobs()).toMatchObject([{ count: 1 }]);

			await shop.placeOrder({ ...paidOrder, number: '1099', billing: {}, shipping: {} });
			const [received] = await untilThereIs(() => mail.mails);
			expect(received).toContain('Recipient');
			expect(shop.updates).toHaveLength(1);
		} finally {
			shop.close();
			mail.close();
		}
	},
);
