import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { readExamples } from '../../scripts/demo/examples';
import { schemaOf } from '../../scripts/generateExamples';
import type { StoredWorkflow, WorkflowNode } from '../../scripts/demo/rest';
import { readLabelsPdf } from '../support/readLabelsPdf';
import { orderOf } from '../support/shop';
import { browserTest, useEditor } from './support/editor';
import { PARCEL_SHIPPING, chain, inputNodes, node, oneItem, start } from './support/nodes';
import { takePicture } from './support/pictures';
import { startShop } from './support/shopApi';

const order = {
	...{ number: 'WEB-2026-0042', total: 1200.5, name: 'Jana Nováková', street: 'Dlouhá 12' },
	...{ city: 'Žilina', zip: '01001', country: 'SK' },
	...{ phone: '+421905123456', email: 'jana@example.com' },
};

/** The shipment field for each field of the order. */
const mapping = {
	...{ number: 'packageNumberCustom', total: 'price', name: 'recName', street: 'recStreet' },
	...{ city: 'recCity', zip: 'recZip', country: 'recCountry', phone: 'recPhone' },
	email: 'recEmail',
};

const mapped = Object.fromEntries(
	Object.entries(mapping).map(([from, field]) => [field, `={{ $json.${from} }}`]),
);

const editor = useEditor();

const CREATE = { resource: 'shipment', operation: 'create' };

/** A node that creates a shipment from one order, with all fields mapped. */
function createMapped(): WorkflowNode {
	const service = { value: 'ANT/ANT-HOME', cachedResultName: 'Ant Express: Ant to the door' };
	const shipment = { mappingMode: 'defineBelow' as const, value: mapped };
	return editor.setup.parcels('Create shipment', {
		...CREATE,
		carrierService: { __rl: true, mode: 'list', ...service },
		shipment: { ...shipment, schema: schemaOf(shipment) },
	});
}

/** The service and the mapping in the parameters of a node. */
function formOf({ parameters }: Pick<WorkflowNode, 'parameters'>) {
	const { carrierService, shipment } = parameters as {
		carrierService?: { value: string };
		shipment?: { mappingMode: string; value: object };
	};
	const isMapped = shipment?.mappingMode === 'defineBelow';
	return { service: carrierService?.value, mapped: isMapped ? shipment.value : undefined };
}

const savedForms = async (workflow: StoredWorkflow) =>
	(await editor.savedNodes(workflow)).map(formOf);

browserTest(
	'A user drags the fields of an order to those of a shipment, and downloads the label',
	editor,
	async () => {
		const { page, setup } = editor;
		await editor.openExecuted(start(), oneItem('Order', order));
		await editor.addParcelNode('Create shipment');
		await editor.chooseFromList('carrierService', 'Ant to the door');
		for (const [from, field] of Object.entries(mapping)) await editor.drag(from, field);
		await page.getByText('Order Number', { exact: true }).first().scrollIntoViewIfNeeded();
		await takePicture(page, 'mapping', editor.form);

		// Every field can be added, whichever service is chosen.
		await page.getByTestId('add-fields-select').getByRole('button').click();
		const otherFields = page.getByRole('menu').getByRole('menuitem');
		await otherFields.filter({ hasText: 'Sender Name' }).waitFor();
		await otherFields.filter({ hasText: 'Piece Count' }).click();
		await page.getByText('Piece Count', { exact: true }).waitFor();

		// The output opens on the tab with the file.
		await editor.chooseOption('labels', 'Attach as PDF');
		await editor.executeStep(/^label-ANT-.+\.pdf$/);
		const [shipment] = setup.sandbox.database.shipments();
		expect(shipment?.input).toMatchObject({ recZip: '01001', recName: 'Jana Nováková' });
		const download = page.waitForEvent('download');
		await editor.output.getByText('Download', { exact: true }).click();
		const [label] = readLabelsPdf(readFileSync(await (await download).path()));
		const printed = ['Jana Nováková', shipment?.packageNumberCarrier];
		expect(label).toEqual(expect.arrayContaining(printed));
	},
);

browserTest('Choosing another service keeps every mapped field', editor, async () => {
	const item = oneItem('Order', { ...order, service: 'CRANE/CRANE-EU' });
	const workflow = await editor.openExecuted(start(), item, createMapped());
	await editor.openNode('Create shipment');
	expect(await editor.mappedFields()).toEqual(Object.values(mapping).sort());
	await editor.chooseFromList('carrierService', 'Ant cash on delivery');
	expect(await savedForms(workflow)).toEqual([{ service: 'ANT/ANT-COD', mapped }]);
	await editor.chooseFromList('carrierService', 'Crane worldwide');
	expect(await savedForms(workflow)).toEqual([{ service: 'CRANE/CRANE-WORLD', mapped }]);
	await editor.drag('service', 'carrierService');
	expect(await savedForms(workflow)).toEqual([{ service: '={{ $json.service }}', mapped }]);
});

browserTest(
	'The forms of the examples show what is sent, and opening them changes nothing',
	editor,
	async () => {
		const nodes = readExamples()
			.flatMap((example) => example.nodes)
			.filter((each) => each.type.startsWith(PARCEL_SHIPPING) && formOf(each).mapped)
			// In rows, so that all are visible at once.
			.map((each, at): WorkflowNode => {
				const position: [number, number] = [(at % 6) * 240, Math.floor(at / 6) * 200];
				return { ...each, position, id: randomUUID(), name: `Node ${at}` };
			});
		const workflow = await editor.setup.store({ name: 'Examples', nodes, connections: {} });
		await editor.open(workflow);
		for (const { name, parameters } of nodes) {
			await editor.openNode(name);
			const fields = Object.keys(formOf({ parameters }).mapped ?? {}).sort();
			expect([name, await editor.mappedFields()]).toEqual([name, fields]);
			await editor.closeNode();
		}
		expect(await savedForms(workflow)).toEqual(nodes.map(formOf));
	},
);

browserTest('An error lists all problems of an order', editor, async () => {
	const wrong = { ...order, phone: '777 12x 456', country: 'Czech Rep.', email: '', street: '' };
	await editor.openNodes(start(), oneItem('Order', wrong), createMapped());
	await editor.openNode('Create shipment');
	await editor.executeStep('Invalid Recipient Phone: "777 12x 456"');
	const problems = await editor.output.innerText();
	expect(problems).toContain('Recipient Street is missing');
	expect(problems).toContain('Invalid Recipient Country: "Czech Rep."');
	expect(problems).toContain('Recipient Phone: expected one phone number with its calling code');
	expect(problems).toContain('Recipient Street: expected a value');
	await takePicture(editor.page, 'wrong-values', editor.form);
});

browserTest(
	'Fetch Test Event shows an event, and a message to the customer takes recipient and link from it',
	editor,
	async () => {
		const { page, setup } = editor;
		const shipment = { recName: 'Petr Svoboda', packageNumberCustom: 'WEB-2026-0051' };
		const [seeded] = setup.sandbox.seedShipments(1, { ...shipment, hoursAgo: 60 });
		await editor.openNodes();
		const first = page.getByTestId('node-creator-plus-button');
		await editor.addNode(first, 'Parcel Shipping', 'On any tracking event');
		await editor.chooseCredential(setup.credential);
		await page.getByText('If empty, the time zone of your account').waitFor();
		await editor.fetchTestEvent();
		await takePicture(page, 'test-event', editor.form);

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
		const form = { events: ['readyForPickup', 'delivered'], oncePerOrder: true };
		const trigger = setup.parcels('Events', form, { type: `${PARCEL_SHIPPING}Trigger` });
		await editor.openNodes(trigger, email);
		await editor.openNode('Events');
		await editor.fetchTestEvent();
		await editor.closeNode();
		await editor.openNode('Send Email');
		await editor.form.getByText(String(seeded?.input.recEmail)).first().waitFor();
		await editor.form.getByText('Your order WEB-2026-0051').first().waitFor();
		await takePicture(page, 'customer-message', editor.form);
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
		const ofTool = { type: `${PARCEL_SHIPPING}Tool`, position: [200, 320] };
		const tool = setup.parcels('Create a Shipment', CREATE, ofTool);
		const { connections, nodes } = chain('Assistant', [chat, agent]);
		connections[tool.name] = { ai_tool: [[{ node: 'AI Agent', type: 'ai_tool', index: 0 }]] };
		const draft = { name: 'Assistant', nodes: [...nodes, tool], connections };
		await editor.open(await setup.store(draft));
		await page.getByTestId('edge').last().hover({ force: true });
		await page.getByTestId('add-connection-button').click();
		await page.getByText('Human review', { exact: true }).waitFor();
		await takePicture(page, 'human-review');
	},
);

/** Opens the published form of an example. */
async function openForm({ nodes }: StoredWorkflow, orderNumber: string): Promise<void> {
	const { webhookId } = nodes.find(({ name }) => name.startsWith('Scan')) as WorkflowNode;
	await editor.page.goto(`${editor.setup.suite.url}/form/${String(webhookId)}`);
	await editor.page.getByLabel('Order Number').fill(orderNumber);
	await editor.page.keyboard.press('Enter');
}

const expectText = async (text: string) => editor.page.getByText(text).first().waitFor();

browserTest(
	'A packer scans an order into the form of the packing table: its label is printed once, and the page says what happened',
	editor,
	async () => {
		const { setup } = editor;
		const packed = orderOf('ANT', 'WEB-2026-0042', { recName: 'Jana Nováková' });
		await setup.run(...inputNodes([packed]), setup.create());
		const workflow = await setup.storeExample('packingTable');
		await setup.publish(workflow);
		await openForm(workflow, 'WEB-2026-0042');
		await expectText('The label is printed');
		await openForm(workflow, 'WEB-2026-0042');
		await expectText('This label was printed before');
		await openForm(workflow, 'WEB-2026-0043');
		await expectText('Nothing was printed');
		expect(setup.sandbox.database.printJobs()).toMatchObject([{ count: 1 }]);
	},
);

browserTest(
	'A packer scans the items of an order: its label is printed only if they are all there',
	editor,
	async () => {
		const { setup, page } = editor;
		const shop = await startShop(setup, 'wooCommerce');
		setup.sandbox.seedShipments(1, { packageNumberCustom: '1042' });
		const workflow = await setup.storeExample('packingTableCheck', (each) =>
			shop.select(each.name === 'Find Order' ? { ...each, disabled: true } : each),
		);
		await setup.publish(workflow);
		const scan = async (items: string, expected: string) => {
			await openForm(workflow, '1042');
			await page.getByLabel('Items').fill(items);
			await page.getByRole('button', { name: 'Print the label' }).click();
			await expectText(expected);
		};
		await scan('SKU-1', 'Nothing was printed: the items differ');
		expect(setup.sandbox.database.printJobs()).toEqual([]);
		await scan('SKU-1\nSKU-1', 'The label is printed');
		expect(setup.sandbox.database.printJobs()).toMatchObject([{ count: 1 }]);
		shop.close();
	},
);
