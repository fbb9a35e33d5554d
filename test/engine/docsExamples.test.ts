import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { sandboxCredential } from '../support/credentials';
import { type Engine, startEngine } from '../support/engine';
import { setStage } from '../support/triggerStage';

// The examples in docs/ are inputs and outputs of a real run. This is that run.

const stage = setStage({}, '2026-03-02T09:00:00Z');
const HOUR_MS = 3_600_000;

const page = (name: string) =>
	readFileSync(path.resolve(__dirname, `../../docs/${name}.md`), 'utf8');
const pages = {
	shipment: page('shipment'),
	handOver: page('hand-over'),
	label: page('label'),
	pickupPoint: page('pickup-point'),
	printer: page('printer'),
	trigger: page('trigger'),
};

/** The JSON after the comment `<!-- example:title -->`. */
function example(name: keyof typeof pages, title: string): IDataObject {
	const block = new RegExp(`<!-- example:${title} -->\\s+\`\`\`json\\n([\\s\\S]*?)\`\`\``);
	const [, json = ''] = block.exec(pages[name]) ?? [];
	return JSON.parse(json) as IDataObject;
}

/** Hashes and correlation IDs are random, and the port of the sandbox changes. */
function withoutRandomParts(value: unknown): unknown {
	const text = JSON.stringify(value)
		.replaceAll(new URL(stage.sandbox.url).origin, 'https://api.example.com')
		.replace(/\b[0-9a-f]{32}\b/g, '<hash>')
		.replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<id>');
	return JSON.parse(text);
}

const order = example('shipment', 'order');
const fieldOf: Record<string, string> = {
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
const create: INodeParameters = {
	resource: 'shipment',
	operation: 'create',
	carrierCode: 'ANT',
	serviceType: 'ANT-HOME',
	shipment: {
		mappingMode: 'defineBelow',
		value: Object.fromEntries(
			Object.entries(fieldOf).map(([from, to]) => [to, `={{ $json.${from} }}`]),
		),
		schema: [],
	},
};

let engine: Engine;
const runNode = async (parameters: INodeParameters, item: IDataObject) => {
	const { items } = await engine.run({ parameters, items: [item] });
	return items.map(({ json }) => withoutRandomParts(json));
};

beforeAll(async () => {
	engine = await startEngine(sandboxCredential(stage.sandbox.url));
});

test('Create returns the shipment that docs/shipment.md shows', async () => {
	const created = await runNode(create, order);
	expect(created).toEqual([withoutRandomParts(example('shipment', 'created shipment'))]);
});

test('An order that is refused looks as docs/shipment.md shows it', async () => {
	const wrong = { ...order, phone: '777 123 456', street: '' };
	const { errorItems } = await engine.run({
		parameters: create,
		items: [wrong],
		onError: 'continueErrorOutput',
	});
	expect(errorItems.map(({ json }) => json)).toEqual([
		{ ...wrong, ...example('shipment', 'failed order') },
	]);
});

test('Track returns the events that docs/shipment.md shows', async () => {
	await runNode(create, order);
	stage.clock.nowMs += 9 * HOUR_MS;
	const track = {
		resource: 'shipment',
		operation: 'track',
		carrierCode: '={{ $json.carrierCode }}',
		packageNumber: '={{ $json.packageNumberCarrier }}',
	};
	const tracked = await runNode(track, example('shipment', 'shipment to track'));
	expect(tracked).toEqual([example('shipment', 'tracked shipment')]);
});

test('Cancel returns what docs/hand-over.md shows', async () => {
	await runNode(create, order);
	const cancel = {
		resource: 'shipment',
		operation: 'cancel',
		carrierCode: 'ANT',
		packageNumber: '={{ $json.packageNumberCarrier }}',
	};
	const canceled = await runNode(cancel, example('shipment', 'shipment to track'));
	expect(canceled).toEqual([withoutRandomParts(example('handOver', 'canceled shipment'))]);
});

test('Hand Over returns what docs/hand-over.md shows', async () => {
	await runNode(create, order);
	const handOver = {
		resource: 'shipment',
		operation: 'handOver',
		carrierCode: 'ANT',
		shipments: 'all',
		options: { lookbackDays: 10_000 },
	};
	const handedOver = await runNode(handOver, {});
	expect(handedOver).toEqual([withoutRandomParts(example('handOver', 'hand over'))]);
});

test('The lists of printers and pickup points are as their pages show them', async () => {
	const printers = await runNode({ resource: 'printer', operation: 'getAll' }, {});
	expect(printers[0]).toEqual(example('printer', 'printer'));
	const pickupPoints = await runNode(
		{
			resource: 'pickupPoint',
			operation: 'getAll',
			carrierCode: 'ANT',
			filters: { name: 'Praha' },
		},
		{},
	);
	expect(pickupPoints).toEqual([example('pickupPoint', 'pickup point')]);
});

test('Print returns the labels that docs/label.md shows', async () => {
	await runNode(create, order);
	stage.clock.nowMs += 60_000;
	const print = { resource: 'label', operation: 'print', shipmentIds: '={{ $json.id }}' };
	const printed = await runNode(print, example('label', 'shipment to print'));
	expect(printed).toEqual([withoutRandomParts(example('label', 'printed labels'))]);
});

test('The trigger emits the event that docs/trigger.md shows', async () => {
	const host = await stage.newHost('default');
	await host.publish({});
	await runNode(create, order);
	stage.clock.nowMs += 9 * HOUR_MS;
	await stage.poll(host);
	expect(withoutRandomParts(host.events.at(-1))).toEqual(
		withoutRandomParts(example('trigger', 'trigger event')),
	);
});

test('The trigger emits the standstill that docs/trigger.md shows', async () => {
	stage.sandbox.setTracking('ANT', { lateHours: 10_000 });
	const host = await stage.newHost('default');
	await host.publish({ events: ['noMovement'] });
	await runNode(create, order);
	stage.clock.nowMs += 5 * 24 * HOUR_MS;
	await stage.poll(host);
	const { shipment } = example('trigger', 'trigger event');
	expect(host.events.map(withoutRandomParts)).toEqual([
		withoutRandomParts({ ...example('trigger', 'no movement'), shipment }),
	]);
});
