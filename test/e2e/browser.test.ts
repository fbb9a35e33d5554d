import { readFileSync } from 'node:fs';

import { readLabelsPdf } from '../support/readLabelsPdf';
import { orderOf } from '../support/shop';
import { storeExample } from './support/e2eSetup';
import { browserTest, useEditor } from './support/editor';
import {
	PARCEL_SHIPPING,
	chain,
	inputNodes,
	mappedForm,
	node,
	oneItem,
	start,
} from './support/nodes';
import { takePicture } from './support/pictures';
import { startShop } from './support/shopApi';

const order = {
	number: 'WEB-2026-0042',
	total: 1200.5,
	name: 'Jana Nováková',
	street: 'Dlouhá 12',
	city: 'Praha',
	zip: '01001',
	country: 'CZ',
	phone: '+420777123456',
	email: 'jana@example.com',
};

/** The shipment field for each field of the order. */
const mapping = {
	number: 'packageNumberCustom',
	total: 'price',
	name: 'recName',
	street: 'recStreet',
	city: 'recCity',
	zip: 'recZip',
	country: 'recCountry',
	phone: 'recPhone',
	email: 'recEmail',
};

const mapped = Object.fromEntries(
	Object.entries(mapping).map(([from, field]) => [field, `={{ $json.${from} }}`]),
);

const editor = useEditor();

/** A node that creates a shipment from one order, with all fields mapped. */
const createMapped = (carrier: string, service: string) =>
	editor.setup.parcels('Create Shipment', mappedForm(carrier, service, mapped));

/** The service and the mapping as n8n has saved them. */
async function savedForm(workflow: Parameters<typeof editor.savedNode>[0]) {
	const { parameters } = await editor.savedNode(workflow);
	const { carrierService, shipment } = parameters as {
		carrierService: { value: string };
		shipment: { value: object };
	};
	return { service: carrierService.value, mapped: shipment.value };
}

browserTest('A user creates a shipment from an order and downloads its label', editor, async () => {
	const { page, setup } = editor;
	await editor.openAndExecute([start(), oneItem('Order', order)]);

	// The nodes panel finds the node and shows its description.
	await editor.find(page.getByTestId('canvas-handle-plus'), 'parcel');
	await page.getByText('Parcel Shipping', { exact: true }).first().waitFor();
	expect(await page.getByTestId('node-creator').innerText()).toContain('Create parcel shipments');
	await editor.chooseAction('Create shipment');

	// The user selects the credential, and the carrier with its service from one list.
	await editor.chooseCredential(setup.credential);
	await editor.choose('carrierService', 'world', 'Crane worldwide');
	const worldwide = 'Crane Air: Crane worldwide';
	expect(await editor.list('carrierService').inputValue()).toBe(worldwide);

	// Every field can be added, whichever service is chosen.
	const otherFields = await editor.openFieldList();
	expect(await otherFields.allInnerTexts()).toContain('Sender Name');
	await otherFields.filter({ hasText: 'Piece Count' }).click();
	await page.getByText('Piece Count', { exact: true }).waitFor();
	await editor.choose('carrierService', 'door', 'Ant to the door');

	// The user drags each field of the order to a field of the shipment.
	for (const [from, field] of Object.entries(mapping)) await editor.map(from, field);
	await page.getByText('Order Number', { exact: true }).first().scrollIntoViewIfNeeded();
	await takePicture(page, 'mapping', editor.form);

	// The output opens on the tab with the file.
	await editor.form.getByTestId('parameter-input-labels').click();
	await page.getByRole('option', { name: 'Attach as PDF' }).click();
	await editor.executeStep(/^label-ANT-.+\.pdf$/);
	const [shipment] = setup.sandbox.database.shipments();
	expect(shipment?.input).toMatchObject({ recZip: '01001', recName: 'Jana Nováková' });
	const download = page.waitForEvent('download');
	await editor.output.getByText('Download', { exact: true }).click();
	const [label] = readLabelsPdf(readFileSync(await (await download).path()));
	expect(label?.lines.join('\n')).toContain('Jana Nováková');
	expect(label?.barcodes).toEqual([shipment?.packageNumberCarrier]);
});

browserTest('Choosing another service keeps every mapped field', editor, async () => {
	const json = { ...order, service: 'CRANE/CRANE-EU' };
	const nodes = [start(), oneItem('Order', json), createMapped('ANT', 'ANT-HOME')];
	const workflow = await editor.openNodes(nodes, { Order: [{ json }] });
	await editor.openNode('Create Shipment');
	expect((await editor.mappedFields()).sort()).toEqual(Object.values(mapping).sort());
	await editor.choose('carrierService', 'cash', 'Ant cash on delivery');
	expect(await savedForm(workflow)).toEqual({ service: 'ANT/ANT-COD', mapped });
	await editor.choose('carrierService', 'world', 'Crane worldwide');
	expect(await savedForm(workflow)).toEqual({ service: 'CRANE/CRANE-WORLD', mapped });
	await editor.map('service', 'carrierService');
	expect(await savedForm(workflow)).toEqual({ service: '={{ $json.service }}', mapped });
});

browserTest(
	'An error lists all problems of an order; that of a refused order has the words of the carrier',
	editor,
	async () => {
		const wrong = { ...order, phone: '777 12x 456', country: 'Czech Rep.', email: '', street: '' };
		await editor.openNodes([start(), oneItem('Order', wrong), createMapped('ANT', 'ANT-HOME')]);
		await editor.openNode('Create Shipment');
		await editor.executeStep('Invalid Recipient Phone: "777 12x 456"');
		const problems = await editor.output.innerText();
		expect(problems).toContain('Recipient Street is missing');
		expect(problems).toContain('Invalid Recipient Country: "Czech Rep."');
		expect(problems).toContain(
			'Recipient Phone: expected one phone number with its country prefix',
		);
		expect(problems).toContain('Recipient Street: expected a value');
		await takePicture(editor.page, 'wrong-values', editor.form);

		const refused = { ...order, number: 'WEB-2026-0044', phone: '' };
		await editor.openNodes([start(), oneItem('Order', refused), createMapped('CRANE', 'CRANE-EU')]);
		await editor.openNode('Create Shipment');
		await editor.executeStep('Recipient Phone is missing');
		expect(await editor.output.innerText()).toContain('CRANE did not accept this shipment');
		expect(editor.setup.sandbox.database.shipments()).toEqual([]);
	},
);

browserTest(
	'Fetch Test Event shows an event as the trigger emits it, and the form says which timezone it uses',
	editor,
	async () => {
		const { page, setup } = editor;
		setup.sandbox.seedShipments(1, {
			recName: 'Petr Svoboda',
			packageNumberCustom: 'WEB-2026-0051',
		});
		setup.sandbox.advance(24);
		await editor.openNodes([]);
		await editor.find(page.getByTestId('node-creator-plus-button'), 'parcel');
		await editor.chooseAction('On any tracking event');
		await editor.chooseCredential(setup.credential);
		await page.getByText('If empty, the time zone of your account').waitFor();
		await editor.fetchTestEvent('eventId');
		await takePicture(page, 'test-event', editor.form);
	},
);

browserTest(
	'A message to the customer takes recipient and tracking link from the event itself',
	editor,
	async () => {
		const { sandbox } = editor.setup;
		sandbox.seedShipments(1, { hoursAgo: 20, packageNumberCustom: 'WEB-2026-0042' });
		const email = node({
			type: 'n8n-nodes-base.emailSend',
			name: 'Send Email',
			typeVersion: 2.1,
			parameters: {
				fromEmail: 'shop@example.com',
				toEmail: '={{ $json.recipientEmail }}',
				subject: '=Your order {{ $json.packageNumberCustom }}',
				html: '=<a href="{{ $json.trackingUrl }}">Track your parcel</a>',
				options: {},
			},
		});
		await editor.openNodes([editor.setup.trigger('Events'), email]);
		await editor.openNode('Events');
		await editor.fetchTestEvent('recipientEmail');
		await editor.closeNode();
		await editor.openNode('Send Email');
		const [shipment] = sandbox.database.shipments();
		await editor.form.getByText(String(shipment?.input.recEmail)).first().waitFor();
		await editor.form.getByText('Your order WEB-2026-0042').first().waitFor();
		await takePicture(editor.page, 'customer-message', editor.form);
	},
);

browserTest(
	'A person can review what an AI agent wants to ship, before the tool runs',
	editor,
	async () => {
		const { setup, page } = editor;
		const langchain = '@n8n/n8n-nodes-langchain';
		const chat = node({ type: `${langchain}.chatTrigger`, name: 'Chat', typeVersion: 1.3 });
		const agent = node({ type: `${langchain}.agent`, name: 'AI Agent', typeVersion: 3 });
		const create = setup.parcels(
			'Create a Shipment',
			{ resource: 'shipment', operation: 'create' },
			{ type: `${PARCEL_SHIPPING}Tool` },
		);
		const tool = { ...create, position: [200, 320] as [number, number] };
		const ofTool = { ai_tool: [[{ node: 'AI Agent', type: 'ai_tool', index: 0 }]] };
		const draft = chain('Assistant', [chat, agent]);
		const connections = { ...draft.connections, [tool.name]: ofTool };
		await editor.open(await setup.store({ ...draft, nodes: [...draft.nodes, tool], connections }));
		await page.getByTestId('edge').last().hover({ force: true });
		await page.getByTestId('add-connection-button').click();
		await page.getByText('Human review', { exact: true }).waitFor();
		await takePicture(page, 'human-review');
	},
);

browserTest(
	'A packer scans an order into the form of the packing table: its label is printed once, and the page says what happened',
	editor,
	async () => {
		const { setup, page } = editor;
		const packed = orderOf('ANT', 'WEB-2026-0042', { recName: 'Jana Nováková' });
		await setup.run(...inputNodes([packed]), setup.create());
		const workflow = await storeExample(setup, 'packingTable');
		await setup.n8n.publish(workflow);
		const form = workflow.nodes.find(({ name }) => name === 'Scan') as { webhookId?: string };
		const scan = async (number: string, expected: string) => {
			await page.goto(`${setup.suite.url}/form/${form.webhookId}`);
			await page.getByLabel('Order Number').fill(number);
			await page.keyboard.press('Enter');
			await page.getByText(expected).first().waitFor();
		};
		await scan('WEB-2026-0042', 'The label is printed');
		await scan('WEB-2026-0042', 'This label was printed before');
		await scan('WEB-2026-0043', 'Nothing was printed');
		expect(setup.sandbox.database.printJobs()).toMatchObject([{ count: 1 }]);
		await setup.unpublish(workflow);
	},
);

browserTest(
	'A packer scans the items of an order: its label is printed only if they are all there',
	editor,
	async () => {
		const { setup, page } = editor;
		const shop = await startShop(setup, 'wooCommerce', [1042]);
		setup.sandbox.seedShipments(1, { packageNumberCustom: '1042' });
		const workflow = await storeExample(setup, 'packingTableCheck', (each) =>
			shop.select(each.name === 'Find Order' ? { ...each, disabled: true } : each),
		);
		await setup.n8n.publish(workflow);
		const form = workflow.nodes.find(({ name }) => name === 'Scan Order') as { webhookId?: string };
		const scan = async (items: string[], expected: string) => {
			await page.goto(`${setup.suite.url}/form/${form.webhookId}`);
			await page.getByLabel('Order Number').fill('1042');
			await page.keyboard.press('Enter');
			await page.getByLabel('Items').fill(items.join('\n'));
			await page.getByRole('button', { name: 'Print the label' }).click();
			await page.getByText(expected).first().waitFor();
		};
		await scan(['SKU-1'], 'Nothing was printed: the items differ');
		expect(setup.sandbox.database.printJobs()).toEqual([]);
		await scan(['SKU-1', 'SKU-1'], 'The label is printed');
		expect(setup.sandbox.database.printJobs()).toMatchObject([{ count: 1 }]);
		await setup.unpublish(workflow);
		shop.close();
	},
);
