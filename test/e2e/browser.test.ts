import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';

import type { StoredCredential } from '../../scripts/demo/rest';
import { sandboxCredential } from '../support/credentials';
import { readLabelsPdf } from '../support/readLabelsPdf';
import { Bench } from './support/bench';
import { openBrowser, openSignedIn, story } from './support/browser';
import { Editor } from './support/editor';
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

/** What stands where in the shipment. */
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

let bench: Bench;
let credential: StoredCredential;
let browser: Browser;
let page: Page;
let editor: Editor;

const onScreen = () => page;

beforeAll(async () => {
	browser = await openBrowser();
	bench = await Bench.open();
	credential = await bench.n8n.createCredential({
		name: 'Parcel service sandbox',
		type: 'parcelShippingApi',
		data: sandboxCredential(bench.sandbox.url),
	});
	page = await openSignedIn(browser, bench.suite);
	editor = new Editor(page);
});

beforeEach(() => bench.sandbox.reset());

afterAll(async () => {
	await browser?.close();
	await bench?.close();
});

story('An order becomes a label: find the node, choose, map, execute, look', onScreen, async () => {
	const workflow = await bench.store(chain('Orders to shipments', [start(), oneOrder(order)]));
	await editor.open(bench.suite.url, workflow);
	await page.getByTestId('execute-workflow-button').click();
	await page.getByText('Workflow executed successfully').waitFor();

	// The nodes panel finds it, and says what it is for.
	await editor.find(page.getByTestId('canvas-handle-plus'), 'parcel');
	await page.getByText('Parcel Shipping', { exact: true }).first().waitFor();
	expect(await page.getByTestId('node-creator').innerText()).toContain('Create parcel shipments');
	await editor.chooseAction('Create shipments');

	// Credential, carrier and service are chosen from lists.
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
	expect(await editor.shown('serviceType')).toBe('Crane worldwide');

	// The form follows the service: a sender only where it accepts one.
	const ofWorldwide = await editor.offeredFields();
	expect(await ofWorldwide.allInnerTexts()).toContain('Cash on Delivery');
	expect(await ofWorldwide.allInnerTexts()).not.toContain('Sender Name');
	await ofWorldwide.filter({ hasText: 'Piece Count' }).click();
	await editor.choose('serviceType', 'europe', 'Crane Europe');
	const ofEurope = await editor.offeredFields();
	expect(await ofEurope.allInnerTexts()).toContain('Sender Name');
	await ofEurope.filter({ hasText: 'Sender Name' }).click();
	await page.getByText('Sender Name', { exact: true }).waitFor();
	await editor.choose('carrierCode', 'ant', 'Ant Express');
	await editor.choose('serviceType', 'door', 'Ant to the door');
	await page.getByText('Sender Name', { exact: true }).waitFor({ state: 'hidden' });

	// The order's fields are dragged to those of the shipment.
	for (const [from, field] of Object.entries(mapping)) await editor.map(from, field);
	await page.getByText('Custom Shipment Number', { exact: true }).scrollIntoViewIfNeeded();
	await takePicture(page, 'mapping', editor.form);

	await editor.addOption('Download Labels');
	await editor.switchOn('downloadLabels');
	await editor.executeStep();

	// n8n shows the file first.
	await editor.output.getByText(/^label-ANT-.+\.pdf$/).waitFor();
	const [shipment] = bench.sandbox.database.shipments();
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
});

story('A wrong phone number is told with everything else that is wrong', onScreen, async () => {
	const wrong = { ...order, phone: '777 123 456', country: 'Czechia', email: '' };
	const workflow = await storeMapped({ ...wrong, street: '' }, 'ANT', 'ANT-HOME');
	await editor.open(bench.suite.url, workflow);
	await editor.openNode('Create Shipment');
	await editor.executeStep();
	await editor.output.getByText('Invalid Recipient Phone: "777 123 456"').first().waitFor();
	const told = await editor.output.innerText();
	expect(told).toContain('Recipient Street is missing');
	expect(told).toContain('Invalid Recipient Country Code: "Czechia"');
	expect(told).toContain('Recipient Phone: expected a plus sign');
	expect(told).toContain('Recipient Street: expected street and house number');
	expect(bench.sandbox.database.shipments()).toEqual([]);
	await takePicture(page, 'wrong-values', editor.form);
});

story('A shipment that the carrier refuses is told in its own words', onScreen, async () => {
	const workflow = await storeMapped(
		{ ...order, number: 'WEB-2026-0044', phone: '' },
		'CRANE',
		'CRANE-EU',
	);
	await editor.open(bench.suite.url, workflow);
	await editor.openNode('Create Shipment');
	await editor.executeStep();
	await editor.output.getByText('recPhone is missing').first().waitFor();
	expect(await editor.output.innerText()).toContain('CRANE did not accept this shipment');
	await takePicture(page, 'refused', editor.form);
});

story('Fetch Test Event shows what the trigger will give', onScreen, async () => {
	bench.sandbox.seedShipments(1, { recName: 'Petr Svoboda', packageNumberCustom: 'WEB-2026-0051' });
	bench.sandbox.advance(24);
	await editor.open(bench.suite.url, await bench.store(chain('Tracking', [])));
	await editor.find(page.getByTestId('node-creator-plus-button'), 'parcel');
	await editor.chooseAction('On any tracking event');
	await editor.chooseCredential(credential);
	await page.getByRole('button', { name: 'Fetch Test Event' }).first().click();
	await editor.output.getByText('eventId').first().waitFor();
	await takePicture(page, 'test-event', editor.form);
});

/** A workflow that creates a shipment of one order, mapped already. */
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
	return await bench.n8n.createWorkflow(
		chain('Orders to shipments', [start(), oneOrder(fields), create]),
	);
}
