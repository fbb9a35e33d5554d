import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

import type { StoredCredential } from '../../scripts/demo/rest';
import { sandboxCredential } from '../support/credentials';
import { readLabelsPdf } from '../support/readLabelsPdf';
import { browserTest } from './support/browser';
import type { E2eSetup } from './support/e2eSetup';
import { type Editor, openEditor } from './support/editor';
import { chain, node, PARCEL_SHIPPING, start } from './support/nodes';
import { takePicture } from './support/pictures';

jest.setTimeout(240_000);

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

const oneOrder = (fields: object) =>
	node({
		type: 'n8n-nodes-base.set',
		name: 'Order',
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: JSON.stringify(fields), options: {} },
	});

let setup: E2eSetup;
let credential: StoredCredential;
let page: Page;
let editor: Editor;
let close: () => Promise<void>;

const currentPage = () => page;

beforeAll(async () => {
	({ setup, page, editor, close } = await openEditor());
	credential = await setup.n8n.createCredential({
		name: 'Parcel service sandbox',
		type: 'parcelShippingApi',
		data: sandboxCredential(setup.sandbox.url),
	});
});

beforeEach(() => setup.sandbox.reset());

afterAll(async () => {
	await close?.();
});

browserTest(
	'A user creates a shipment from an order and downloads its label',
	currentPage,
	async () => {
		const workflow = await setup.store(chain('Orders to shipments', [start(), oneOrder(order)]));
		await editor.open(setup.suite.url, workflow);
		await page.getByTestId('execute-workflow-button').click();
		await page.getByText('Workflow executed successfully').waitFor();

		// The nodes panel finds the node and shows its description.
		await editor.find(page.getByTestId('canvas-handle-plus'), 'parcel');
		await page.getByText('Parcel Shipping', { exact: true }).first().waitFor();
		expect(await page.getByTestId('node-creator').innerText()).toContain('Create parcel shipments');
		await editor.chooseAction('Create a shipment');

		// The user selects the credential, the carrier and the service from lists.
		await editor.chooseCredential(credential);
		const carriers = await editor.openList('carrierCode');
		expect(await carriers.allInnerTexts()).toEqual([
			'Ant Express',
			'Beaver Post',
			'Crane Air',
			'Dodo Couriers',
			'Snail Freight',
			'Owl Night (not activated)',
		]);
		await takePicture(page, 'carriers', editor.form);
		await editor.pick(carriers, 'crane', 'Crane Air');
		const services = await editor.openList('serviceType');
		expect(await services.allInnerTexts()).toEqual(['Crane Europe', 'Crane worldwide']);
		await editor.pick(services, 'world', 'Crane worldwide');
		expect(await editor.selectedName('serviceType')).toBe('Crane worldwide');

		// Every field can be added, whichever service is chosen.
		const otherFields = await editor.openFieldList();
		expect(await otherFields.allInnerTexts()).toContain('Sender Name');
		await otherFields.filter({ hasText: 'Piece Count' }).click();
		await page.getByText('Piece Count', { exact: true }).waitFor();
		await editor.choose('carrierCode', 'ant', 'Ant Express');
		await editor.choose('serviceType', 'door', 'Ant to the door');

		// The user drags each field of the order to a field of the shipment.
		for (const [from, field] of Object.entries(mapping)) await editor.map(from, field);
		await page.getByText('Custom Shipment Number', { exact: true }).scrollIntoViewIfNeeded();
		await takePicture(page, 'mapping', editor.form);

		// The option is on as soon as it is added.
		await editor.addOption('Download Labels');
		await editor.executeStep();

		// The output opens on the tab with the file.
		await editor.output.getByText(/^label-ANT-.+\.pdf$/).waitFor();
		const [shipment] = setup.sandbox.database.shipments();
		expect(shipment?.input).toMatchObject({ recZip: '01001', recName: 'Jana Nováková' });
		await takePicture(page, 'label', editor.form);
		const download = page.waitForEvent('download');
		await editor.output.getByText('Download', { exact: true }).click();
		const [label] = readLabelsPdf(readFileSync(await (await download).path()));
		expect(label?.lines.join('\n')).toContain('Jana Nováková');
		expect(label?.barcodes).toEqual([shipment?.packageNumberCarrier]);

		await editor.output.getByText('Table', { exact: true }).click();
		await editor.output
			.getByText(shipment?.packageNumberCarrier as string, { exact: true })
			.waitFor();
		await takePicture(page, 'created', editor.form);
	},
);

browserTest(
	'An error lists a wrong phone number and all other problems of the order',
	currentPage,
	async () => {
		const wrong = { ...order, phone: '777 123 456', country: 'Czech Rep.', email: '' };
		const workflow = await storeMapped({ ...wrong, street: '' }, 'ANT', 'ANT-HOME');
		await editor.open(setup.suite.url, workflow);
		await editor.openNode('Create Shipment');
		await editor.executeStep();
		await editor.output.getByText('Invalid Recipient Phone: "777 123 456"').first().waitFor();
		const text = await editor.output.innerText();
		expect(text).toContain('Recipient Street is missing');
		expect(text).toContain('Invalid Recipient Country Code: "Czech Rep."');
		expect(text).toContain('Recipient Phone: expected a plus sign');
		expect(text).toContain('Recipient Street: expected street and house number');
		expect(setup.sandbox.database.shipments()).toEqual([]);
		await takePicture(page, 'wrong-values', editor.form);
	},
);

browserTest(
	'The error of a refused shipment contains the message of the carrier',
	currentPage,
	async () => {
		const workflow = await storeMapped(
			{ ...order, number: 'WEB-2026-0044', phone: '' },
			'CRANE',
			'CRANE-EU',
		);
		await editor.open(setup.suite.url, workflow);
		await editor.openNode('Create Shipment');
		await editor.executeStep();
		await editor.output.getByText('recPhone is missing').first().waitFor();
		expect(await editor.output.innerText()).toContain('CRANE did not accept this shipment');
		await takePicture(page, 'refused', editor.form);
	},
);

browserTest('Fetch Test Event shows an event as the trigger emits it', currentPage, async () => {
	setup.sandbox.seedShipments(1, { recName: 'Petr Svoboda', packageNumberCustom: 'WEB-2026-0051' });
	setup.sandbox.advance(24);
	await editor.open(setup.suite.url, await setup.store(chain('Tracking', [])));
	await editor.find(page.getByTestId('node-creator-plus-button'), 'parcel');
	await editor.chooseAction('On any tracking event');
	await editor.chooseCredential(credential);
	await page.getByRole('button', { name: 'Fetch Test Event' }).first().click();
	await editor.output.getByText('eventId').first().waitFor();
	await takePicture(page, 'test-event', editor.form);
});

/** Stores a workflow that creates a shipment from one order, with all fields mapped. */
async function storeMapped(fields: object, carrierCode: string, serviceType: string) {
	const mapped = Object.entries(mapping).map(([from, field]) => [field, `={{ $json.${from} }}`]);
	const create = node({
		type: PARCEL_SHIPPING,
		name: 'Create Shipment',
		credentials: { parcelShippingApi: credential },
		parameters: {
			resource: 'shipment',
			operation: 'create',
			carrierCode: { __rl: true, mode: 'code', value: carrierCode },
			serviceType: { __rl: true, mode: 'code', value: serviceType },
			shipment: { mappingMode: 'defineBelow', value: Object.fromEntries(mapped) as object },
			options: {},
		},
	});
	return await setup.n8n.createWorkflow(
		chain('Orders to shipments', [start(), oneOrder(fields), create]),
	);
}
