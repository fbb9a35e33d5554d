import type { Page } from 'playwright-core';

import { creationForm, orderOf } from '../support/shop';
import { browserTest } from './support/browser';
import type { E2eSetup } from './support/e2eSetup';
import { type Editor, openEditor } from './support/editor';
import { chain, inputNodes, node, PARCEL_SHIPPING, start } from './support/nodes';
import { takePicture } from './support/pictures';

jest.setTimeout(240_000);

let setup: E2eSetup;
let page: Page;
let editor: Editor;
let close: () => Promise<void>;

beforeAll(async () => {
	({ setup, page, editor, close } = await openEditor());
});
beforeEach(() => setup.sandbox.reset());
afterAll(() => close?.());

/** An order as WooCommerce has it. */
const shopOrder = {
	number: '1043',
	total: '539.50',
	currency: 'CZK',
	payment_method: 'cod',
	pickup_point: 'P-002',
	first_name: 'Petr',
	last_name: 'Svoboda',
	address_1: 'Náměstí 3',
	city: 'Brno',
	postcode: '60200',
	country: 'CZ',
	phone: '608 111 222',
	email: 'petr.svoboda@example.com',
};

const mapping: Array<[keyof typeof shopOrder, string]> = [
	['number', 'packageNumberCustom'],
	['total', 'price'],
	['pickup_point', 'branchId'],
	['payment_method', 'cod'],
	['total', 'codPrice'],
	['currency', 'codCurrency'],
	['first_name', 'recFirstName'],
	['last_name', 'recLastName'],
	['address_1', 'recStreet'],
	['city', 'recCity'],
	['postcode', 'recZip'],
	['country', 'recCountry'],
	['phone', 'recPhone'],
	['email', 'recEmail'],
];

browserTest(
	'A user drags an order of WooCommerce to a cash-on-delivery shipment to a pickup point, and its label is printed once',
	() => page,
	async () => {
		const parameters = { mode: 'raw', jsonOutput: JSON.stringify(shopOrder), options: {} };
		const order = node({ type: 'n8n-nodes-base.set', name: 'Order', typeVersion: 3.4, parameters });
		const workflow = await setup.store(chain('Orders', [start(), order]));
		await editor.open(setup.suite.url, workflow);
		await page.getByTestId('execute-workflow-button').click();
		await page.getByText('Workflow executed successfully').waitFor();

		await editor.find(page.getByTestId('canvas-handle-plus').last(), 'parcel');
		await editor.chooseAction('Create a shipment');
		await editor.chooseCredential(setup.credential);
		await editor.choose('carrierCode', 'ant', 'Ant Express');
		await editor.choose('serviceType', 'pickup', 'Ant pickup point');
		for (const [from, to] of mapping) await editor.map(from, to);
		await editor.addOption('Phone Prefix');
		await page.getByTestId('parameter-input-phonePrefix').click();
		await page.getByRole('option', { name: 'From Country' }).click();
		await editor.addOption('Print After Creating');
		await editor.choose('printerName', 'laser', 'Laser by the gate');
		await takePicture(page, 'print-after-creating', editor.form);
		await editor.executeStep();
		await editor.output.getByText('printedOn').first().waitFor();

		// The same order again prints nothing.
		await editor.executeStep();
		await editor.output.getByText('labelNotPrinted').first().waitFor();
		expect(setup.sandbox.database.shipments()).toMatchObject([
			{
				serviceType: 'ANT-POINT',
				input: {
					recName: 'Petr Svoboda',
					recPhone: '+420608111222',
					branchId: 'P-002',
					cod: true,
					codPrice: 539.5,
				},
			},
		]);
		expect(setup.sandbox.database.printJobs()).toMatchObject([{ count: 1 }]);

		await editor.save();
		const { nodes } = await setup.n8n.getWorkflow(workflow.id);
		const { parameters: saved } = nodes.find(({ type }) => type === PARCEL_SHIPPING) ?? {};
		const expressions = JSON.stringify(saved).match(/=\{\{.*?\}\}/g) ?? [];
		expect(expressions.length).toBeGreaterThanOrEqual(mapping.length);
		expect(expressions.filter((text) => !/^=\{\{ \$json\.\w+ \}\}$/.test(text))).toEqual([]);
	},
);

browserTest(
	'A message to the customer takes recipient and tracking link from the event itself',
	() => page,
	async () => {
		const { sandbox, credentials } = setup;
		sandbox.seedShipments(1, { hoursAgo: 20, packageNumberCustom: 'WEB-2026-0042' });
		const trigger = node({ type: `${PARCEL_SHIPPING}Trigger`, name: 'Events', credentials });
		const email = node({
			type: 'n8n-nodes-base.emailSend',
			name: 'Send Email',
			typeVersion: 2.1,
			parameters: {
				fromEmail: 'shop@example.com',
				toEmail: '={{ $json.shipment.recipientEmail }}',
				subject: '=Your order {{ $json.shipment.packageNumberCustom }}',
				html: '=<a href="{{ $json.shipment.trackingUrl }}">Track your parcel</a>',
				options: {},
			},
		});
		await editor.open(setup.suite.url, await setup.store(chain('Messages', [trigger, email])));
		await editor.openNode('Events');
		await page.getByRole('button', { name: 'Fetch Test Event' }).first().click();
		await editor.output.getByText('recipientEmail').first().waitFor();
		await editor.closeNode();
		await editor.openNode('Send Email');
		const [shipment] = sandbox.database.shipments();
		await editor.form.getByText(String(shipment?.input.recEmail)).first().waitFor();
		await editor.form.getByText('Your order WEB-2026-0042').first().waitFor();
		await takePicture(page, 'customer-message', editor.form);
	},
);

const parcels = (name: string, parameters: Record<string, unknown>) =>
	node({ type: PARCEL_SHIPPING, name, parameters, credentials: setup.credentials });

browserTest(
	'A user cancels a shipment, and hands the others over to the carrier with their protocol',
	() => page,
	async () => {
		const orders = ['DAY-1', 'DAY-2', 'DAY-3'].map((reference) => orderOf('ANT', reference));
		await setup.run(...inputNodes(orders), parcels('Create', creationForm()));
		const carrierCode = { __rl: true, mode: 'code', value: 'ANT' };
		const executeAlone = async (name: string, parameters: object, expected: string) => {
			const step = parcels(name, { resource: 'shipment', carrierCode, ...parameters });
			const workflow = await setup.store(chain(name, [start(), step]));
			await editor.open(setup.suite.url, workflow);
			await editor.openNode(name);
			await editor.executeStep();
			await editor.output.getByText(expected).first().waitFor();
		};
		const [first] = setup.sandbox.database.shipments();
		const packageNumber = first?.packageNumberCarrier;
		await executeAlone('Cancel', { operation: 'cancel', packageNumber }, 'alreadyCanceled');
		await takePicture(page, 'cancel', editor.form);
		await executeAlone('Hand Over', { operation: 'handOver', shipments: 'all' }, 'protocol-ANT');
		await takePicture(page, 'hand-over', editor.form);
		const shipments = setup.sandbox.database.shipments();
		expect(shipments.map(({ canceled }) => canceled)).toEqual([true, false, false]);
		expect(shipments.map((each) => each.handedOver)).toEqual([false, true, true]);
	},
);
