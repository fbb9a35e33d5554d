import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

import { creationForm, orderItem, orderOf } from '../support/shop';
import { E2eSetup } from './support/e2eSetup';
import { textsOfPdfs } from './support/labelsOnDisk';
import { inputNodes, node, PARCEL_SHIPPING } from './support/nodes';

// Recipes in the README without an identical example workflow. The test names contain their numbers.

let setup: E2eSetup;
let folder: string;

beforeEach(async () => {
	setup = await E2eSetup.open();
	folder = path.join(setup.suite.files, 'recipes');
	mkdirSync(folder);
});

afterEach(async () => {
	rmSync(folder, { recursive: true });
	await setup.close();
});

const parcels = (name: string, parameters: Record<string, unknown>) =>
	node({ type: PARCEL_SHIPPING, name, parameters, credentials: setup.credentials });

const save = (fileName: string) =>
	node({
		type: 'n8n-nodes-base.readWriteFile',
		name: 'Save',
		parameters: { operation: 'write', fileName: `=recipes/${fileName}`, options: {} },
	});

const recipients = ['Jana Nováková', 'Žofie Šťastná', 'François Lefèvre', 'Jürgen Groß'];
const orders = recipients.map((recName, index) =>
	orderOf(index < 3 ? 'ANT' : 'CRANE', `RECIPE-${index}`, { recName }),
);

const printShipments = () =>
	parcels('Print', {
		resource: 'label',
		operation: 'sendToPrinter',
		labels: 'shipments',
		shipmentIds: '={{ $json.id }}',
		printerName: 'Warehouse A4',
		options: {},
	});

test('Recipe 2: the labels of new and existing shipments are printed once, one job per carrier', async () => {
	const [first, ...others] = orders;
	await setup.run(...inputNodes([first as object]), parcels('Create', creationForm()));
	const execution = await setup.run(
		...inputNodes([first as object, ...others]),
		parcels('Create', creationForm()),
		printShipments(),
	);
	expect(execution.error).toBeUndefined();
	const created = execution.jsonOf('Create').map(({ alreadyExisted }) => alreadyExisted);
	expect(created).toEqual([true, false, false, false]);
	expect(execution.jsonOf('Print')).toMatchObject([
		{ carrierCode: 'ANT', labelsCount: 3, printed: true },
		{ carrierCode: 'CRANE', labelsCount: 1, printed: true },
	]);
	expect(setup.sandbox.database.printJobs()).toMatchObject([
		{ content: 'labels', count: 3, printerName: 'Warehouse A4' },
		{ content: 'labels', count: 1, printerName: 'Warehouse A4' },
	]);
});

test('The shipments of two batches that go straight to the printer are printed once', async () => {
	const execution = await setup.run(
		...inputNodes(orders),
		parcels('Create', creationForm()),
		parcels('Print', {
			resource: 'label',
			operation: 'sendToPrinter',
			hash: '={{ $json.labelsHash }}',
			printerName: 'Warehouse A4',
			options: {},
		}),
	);
	expect(execution.error).toBeUndefined();
	const shared = execution.jsonOf('Print').map(({ printedWithItem }) => printedWithItem);
	expect(shared).toEqual([undefined, 0, 0, undefined]);
	expect(setup.sandbox.database.printJobs()).toMatchObject([
		{ count: 3, printerName: 'Warehouse A4' },
		{ count: 1, printerName: 'Warehouse A4' },
	]);
});

test('Recipe 3: the labels of all items are saved in one file per carrier, with every recipient', async () => {
	const execution = await setup.run(
		...inputNodes(orders),
		parcels('Create', creationForm()),
		parcels('Labels', {
			resource: 'label',
			operation: 'print',
			shipmentIds: '={{ $json.id }}',
			options: {},
		}),
		save('{{ $json.carrierCode }}.pdf'),
	);
	expect(execution.error).toBeUndefined();
	const texts = textsOfPdfs(folder);
	expect(Object.keys(texts)).toEqual(['ANT.pdf', 'CRANE.pdf']);
	for (const name of recipients.slice(0, 3)) expect(texts['ANT.pdf']).toContain(name);
	expect(texts['CRANE.pdf']).toContain('Jürgen Groß');
});

test('With Download Labels, the label of each piece is saved as a separate file', async () => {
	const pieces = [orderItem('PIECE-1', { recName: 'Jana Nováková', pieceCount: 2 }), orders[3]];
	const execution = await setup.run(
		...inputNodes(pieces as object[]),
		parcels('Create', creationForm({ downloadLabels: true })),
		save('{{ $binary.data.fileName }}'),
	);
	expect(execution.error).toBeUndefined();
	const texts = Object.values(textsOfPdfs(folder));
	expect(texts).toHaveLength(3);
	expect(texts.filter((text) => text.includes('Jana Nováková'))).toHaveLength(2);
	for (const { packageNumberCarrier } of setup.sandbox.database.shipments()) {
		expect(texts.filter((text) => text.includes(packageNumberCarrier))).toHaveLength(1);
	}
});

test('Recipe 5: an order that was already shipped is found, and no other one', async () => {
	setup.sandbox.seedShipments(2, { each: (index) => ({ packageNumberCustom: `WEB-${index}` }) });
	const find = (order: string) =>
		setup.run(
			...inputNodes([{ order }]),
			parcels('Find', {
				resource: 'shipment',
				operation: 'getAll',
				filters: { packageNumberCustom: '={{ $json.order }}' },
			}),
		);
	const [shipped, unknown] = [await find('WEB-1'), await find('WEB-')];
	const [, second] = setup.sandbox.database.shipments();
	expect(shipped.jsonOf('Find')).toMatchObject([
		{ id: second?.id, packageNumberCarrier: second?.packageNumberCarrier },
	]);
	expect([unknown.status, unknown.jsonOf('Find')]).toEqual(['success', []]);
});
