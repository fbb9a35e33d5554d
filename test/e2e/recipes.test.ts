import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

import { creationForm, orderItem, orderOf } from '../support/shop';
import { Bench } from './support/bench';
import { textsOfPdfs } from './support/labelsOnDisk';
import { give, node, PARCEL_SHIPPING } from './support/nodes';

// Recipes of the README that no example workflow follows to the letter; its numbers are in the names.

let bench: Bench;
let folder: string;

beforeEach(async () => {
	bench = await Bench.open();
	folder = path.join(bench.suite.files, 'recipes');
	mkdirSync(folder);
});

afterEach(async () => {
	rmSync(folder, { recursive: true });
	await bench.close();
});

const parcels = (name: string, parameters: Record<string, unknown>) =>
	node({ type: PARCEL_SHIPPING, name, parameters, credentials: bench.credentials });

const save = (fileName: string) =>
	node({
		type: 'n8n-nodes-base.readWriteFile',
		name: 'Save',
		parameters: { operation: 'write', fileName: `=recipes/${fileName}`, options: {} },
	});

const people = ['Jana Nováková', 'Žofie Šťastná', 'François Lefèvre', 'Jürgen Groß'];
const orders = people.map((recName, index) =>
	orderOf(index < 3 ? 'ANT' : 'CRANE', `RECIPE-${index}`, { recName }),
);

test('Recipe 2: with one item per batch, labelsHash prints the labels of each batch once', async () => {
	const execution = await bench.run(
		...give(orders),
		parcels('Create', creationForm({ output: 'batches' })),
		parcels('Print', {
			resource: 'label',
			operation: 'sendToPrinter',
			hash: '={{ $json.labelsHash }}',
			printerName: 'Warehouse A4',
			options: {},
		}),
	);
	expect(execution.error).toBeUndefined();
	expect(execution.jsonOf('Print').map(({ printed }) => printed)).toEqual([true, true]);
	expect(bench.sandbox.database.printJobs()).toMatchObject([
		{ content: 'labels', count: 3, printerName: 'Warehouse A4' },
		{ content: 'labels', count: 1, printerName: 'Warehouse A4' },
	]);
});

test('Recipe 3: the labels of all items are saved in one file per carrier, with every recipient', async () => {
	const execution = await bench.run(
		...give(orders),
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
	for (const name of people.slice(0, 3)) expect(texts['ANT.pdf']).toContain(name);
	expect(texts['CRANE.pdf']).toContain('Jürgen Groß');
});

test('With Download Labels, the label of each piece is saved under a name of its own', async () => {
	const pieces = [orderItem('PIECE-1', { recName: 'Jana Nováková', pieceCount: 2 }), orders[3]];
	const execution = await bench.run(
		...give(pieces as object[]),
		parcels('Create', creationForm({ downloadLabels: true })),
		save('{{ $binary.data.fileName }}'),
	);
	expect(execution.error).toBeUndefined();
	const texts = Object.values(textsOfPdfs(folder));
	expect(texts).toHaveLength(3);
	expect(texts.filter((text) => text.includes('Jana Nováková'))).toHaveLength(2);
	for (const { packageNumberCarrier } of bench.sandbox.database.shipments()) {
		expect(texts.filter((text) => text.includes(packageNumberCarrier))).toHaveLength(1);
	}
});

test('Recipe 5: Search tells whether an order is shipped already', async () => {
	bench.sandbox.seedShipments(2, { each: (index) => ({ packageNumberCustom: `WEB-${index}` }) });
	const find = (order: string) =>
		bench.run(
			...give([{ order }]),
			parcels('Find', {
				resource: 'shipment',
				operation: 'getAll',
				filters: { search: '={{ $json.order }}' },
			}),
		);
	const [shipped, unknown] = [await find('WEB-1'), await find('WEB-7')];
	const [, second] = bench.sandbox.database.shipments();
	expect(shipped.jsonOf('Find')).toMatchObject([
		{ id: second?.id, packageNumberCarrier: second?.packageNumberCarrier },
	]);
	expect([unknown.status, unknown.jsonOf('Find')]).toEqual(['success', []]);
});
