// The page docs/examples.md shows the input and the output of every operation. This run of the nodes
// against the sandbox is where they come from. `npm run examples` writes the page. The examples in the
// other pages are compared with a run as well.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { resources } from '../../nodes/ParcelShipping/actions';
import { sandboxCredential } from '../support/credentials';
import { type Engine, startEngine } from '../support/engine';
import { setStage } from '../support/triggerStage';

const docs = path.resolve(__dirname, '../../docs');
const file = path.join(docs, 'examples.md');
const stage = setStage({}, '2026-03-02T09:00:00Z');
const HOUR_MS = 3_600_000;

interface Example {
	parameters?: INodeParameters;
	input?: IDataObject;
	/** For an operation that changes the shipment: the number of an order of its own. */
	ownOrder?: string;
	/** The time between the creation of the shipment and this run. */
	hoursLater?: number;
	/** Which output items the page shows, if not the first one. */
	shown?: number;
}

const order = {
	number: 'WEB-2026-0042',
	total: 1200.5,
	name: 'Jana Nováková',
	street: 'Dlouhá 12',
	city: 'Praha',
	zip: '01001',
	country: 'CZ',
	phone: '+420777123456',
};

const mapped = {
	packageNumberCustom: '={{ $json.number }}',
	price: '={{ $json.total }}',
	recName: '={{ $json.name }}',
	recStreet: '={{ $json.street }}',
	recCity: '={{ $json.city }}',
	recZip: '={{ $json.zip }}',
	recCountry: '={{ $json.country }}',
	recPhone: '={{ $json.phone }}',
};
const creationWith = (value: IDataObject): INodeParameters => ({
	carrierService: 'ANT/ANT-HOME',
	shipment: { mappingMode: 'defineBelow', value, schema: [] } as INodeParameters,
});
const create = creationWith(mapped);

const carrierCode = '={{ $json.carrierCode }}';
const packageNumber = '={{ $json.packageNumberCarrier }}';

/** Each operation gets the shipment that *Create* returned, unless it has an input of its own. */
const exampleOf: Record<string, Example> = {
	'shipment:create': { parameters: create, input: order },
	'shipment:get': { parameters: { carrierCode, shipmentId: '={{ $json.id }}' } },
	'shipment:getAll': {
		parameters: { filters: { packageNumberCustom: '={{ $json.packageNumberCustom }}' } },
	},
	'shipment:track': {
		parameters: { carrierCode, packageNumber, output: 'events' },
		...{ hoursLater: 9, shown: 2 },
	},
	'batch:get': { parameters: { batchId: '={{ $json.batchId }}' } },
	'batch:getAll': { parameters: { filters: { carrierCodes: ['ANT'] } } },
	'shipment:handOver': {
		parameters: { carrierCode, shipmentIds: '={{ $json.id }}' },
		ownOrder: 'WEB-2026-0044',
	},
	'handOver:getAll': {},
	'shipment:cancel': { parameters: { carrierCode, packageNumber }, ownOrder: 'WEB-2026-0043' },
	'printer:getAll': {},
	'pickupPoint:getAll': { parameters: { carrierCode, filters: { name: 'Brno' } } },
	'carrier:getAll': {},
	'carrier:getServices': { parameters: { carrierCode } },
	'label:print': { parameters: { shipmentIds: '={{ $json.id }}' } },
	'label:sendToPrinter': {
		parameters: { hash: '={{ $json.labelsHash }}', printerName: 'Warehouse A4' },
	},
};

let engine: Engine;
beforeAll(async () => {
	engine = await startEngine(sandboxCredential(stage.sandbox.url));
});

/** Hashes and correlation IDs are random. The port of the sandbox and the date in file names change. */
function withoutRandomParts(text: string): string {
	return text
		.replace(/labels-ANT-[-\d]+-[0-9a-f]{8}/g, 'labels-ANT-2026-03-02-1-5ba23c87')
		.replace(/protocol-ANT-[-\d]+-301/g, 'protocol-ANT-2026-03-02-301')
		.replaceAll(new URL(stage.sandbox.url).origin, 'https://api.example.com')
		.replace(/\b[0-9a-f]{32}\b/g, '5ba23c875f8cd6b695e6a994edbf8d85')
		.replace(
			/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g,
			'f971b60f-879e-4921-bd39-94ddb7c3545f',
		);
}

const json = (value: unknown) =>
	['```json', withoutRandomParts(JSON.stringify(value, null, 2)), '```'].join('\n');

async function run(operation: string, { parameters = {} }: Example, input: IDataObject) {
	const [resource = '', name = ''] = operation.split(':');
	const ran = await engine.run({
		parameters: { resource, operation: name, ...parameters },
		items: [input],
	});
	if (ran.error) throw ran.error;
	return ran.items;
}

const describeFile = ([field, { fileName, mimeType }]: [
	string,
	{ fileName?: string; mimeType: string },
]) => {
	const name = fileName?.replace(/\d{4}-\d\d-\d\d/, '2026-03-02');
	return `The binary field \`${field}\` contains the file \`${name}\` (${mimeType}).`;
};

function describeOutput(items: INodeExecutionData[], shown = 0): string[] {
	const item = items[shown];
	if (!item) throw new Error('The operation returned no items');
	const which = items.length === 1 ? 'Output:' : `Output, item ${shown + 1} of ${items.length}:`;
	return [which, json(item.json), ...Object.entries(item.binary ?? {}).map(describeFile)];
}

/** The parameters that differ from their defaults, other than those that read the input. */
function describeInput(example: Example, created: IDataObject): string[] {
	const { parameters, input } = example;
	const read = JSON.stringify(parameters ?? {}).match(/(?<=\$json\.)\w+/g) ?? [];
	const fields = input ?? Object.fromEntries(read.map((field) => [field, created[field]]));
	return [
		...(parameters ? ['Parameters, as n8n stores them:', json(parameters)] : []),
		...(Object.keys(fields).length > 0 ? ['Input:', json(fields)] : []),
	];
}

async function writePage(): Promise<string> {
	const host = await stage.newHost('default');
	await host.publish({ simplify: true });
	const make = async (number: string) => {
		const [item] = await run('shipment:create', { parameters: create }, { ...order, number });
		if (!item) throw new Error(`${number} was not created`);
		return item;
	};
	const made = await make(order.number);
	const handedOver = await make('WEB-2026-0041');
	await run('shipment:handOver', exampleOf['shipment:handOver'] ?? {}, handedOver.json);
	const parts = [
		'# Input and output of every operation',
		'The input and output of a real run against the sandbox. `npm run examples` writes this page, and `npm test` compares it with a new run.',
	];
	for (const { name, value, operations } of resources) {
		parts.push(`## ${name}`);
		for (const operation of operations) {
			const key = `${value}:${operation.value}`;
			const example = exampleOf[key];
			if (!example) throw new Error(`Add an example of ${key} to ${__filename}`);
			stage.clock.nowMs += (example.hoursLater ?? 0) * HOUR_MS;
			const { json: created } = example.ownOrder ? await make(example.ownOrder) : made;
			const items = key === 'shipment:create' ? [made] : await run(key, example, created);
			parts.push(`### ${name}: ${operation.name}`, ...describeInput(example, created));
			parts.push(...describeOutput(items, example.shown));
		}
	}
	await stage.poll(host);
	const event = host.events.at(-1) ?? {};
	parts.push('## Trigger', ...describeOutput([{ json: event }]));
	return formatted(`${parts.join('\n\n')}\n`);
}

/** In a process of its own, because jest does not support how prettier loads its parts. */
function formatted(markdown: string): string {
	const args = [require.resolve('prettier/bin/prettier.cjs'), '--stdin-filepath', file];
	return execFileSync(process.execPath, args, { input: markdown, encoding: 'utf8' });
}

test('docs/examples.md shows the input and output of every operation as they are', async () => {
	const page = await writePage();
	if (process.env.EXAMPLES === 'write') writeFileSync(file, page);
	expect(readFileSync(file, 'utf8')).toBe(page);
});

/** The JSON in a page after the comment `<!-- example:title -->`. */
function exampleIn(page: string, title: string): IDataObject {
	const text = readFileSync(path.join(docs, `${page}.md`), 'utf8');
	const block = new RegExp(`<!-- example:${title} -->\\s+\`\`\`json\\n([\\s\\S]*?)\`\`\``);
	const [, found = ''] = block.exec(text) ?? [];
	return JSON.parse(found) as IDataObject;
}

describe('The example in another page is what the nodes return', () => {
	const comparable = (value: unknown): unknown =>
		JSON.parse(withoutRandomParts(JSON.stringify(value)));
	const shopOrder = exampleIn('shipment', 'order');
	const createOrder = creationWith({ ...mapped, recEmail: '={{ $json.email }}' });
	const make = async () => run('shipment:create', { parameters: createOrder }, shopOrder);

	const track = exampleOf['shipment:track']?.parameters;
	const all = { carrierCode: 'ANT', shipments: 'all', options: { lookbackDays: 10_000 } };
	const praha = { carrierCode: 'ANT', filters: { name: 'Praha' } };
	const toTrack = exampleIn('shipment', 'shipment to track');
	const toPrint = exampleIn('label', 'shipment to print');
	const tracked = { parameters: { ...track, output: 'shipments' }, input: toTrack, hoursLater: 9 };
	const canceled = { parameters: { ...track, carrierCode: 'ANT' }, input: toTrack };
	const labels = { ...exampleOf['label:print'], input: toPrint, hoursLater: 1 / 60 };
	const examples: Array<[string, string, string, Example]> = [
		['shipment', 'tracked shipment', 'shipment:track', tracked],
		['hand-over', 'canceled shipment', 'shipment:cancel', canceled],
		['hand-over', 'hand over', 'shipment:handOver', { parameters: all }],
		['printer', 'printer', 'printer:getAll', {}],
		['pickup-point', 'pickup point', 'pickupPoint:getAll', { parameters: praha }],
		['label', 'printed labels', 'label:print', labels],
	];

	test.each(examples)('%s: %s', async (page, title, operation, example) => {
		await make();
		stage.clock.nowMs += (example.hoursLater ?? 0) * HOUR_MS;
		const [item] = await run(operation, example, example.input ?? {});
		expect(comparable(item?.json)).toEqual(comparable(exampleIn(page, title)));
	});

	test('shipment: created shipment', async () => {
		const created = (await make()).map(({ json: shipment }) => shipment);
		const expected = [exampleIn('shipment', 'created shipment')];
		expect(comparable(created)).toEqual(comparable(expected));
	});

	test('shipment: failed order', async () => {
		const parameters = { resource: 'shipment', operation: 'create', ...createOrder };
		const items = [{ ...shopOrder, phone: '777 123', street: '' }];
		const failed = await engine.run({ parameters, items, onError: 'continueRegularOutput' });
		expect(failed.items[0]?.json).toMatchObject(exampleIn('shipment', 'failed order'));
	});

	test.each<[string, INodeParameters, number]>([
		['trigger event', {}, 9],
		['no movement', { events: ['noMovement'] }, 5 * 24],
	])('trigger: %s', async (title, parameters, hours) => {
		if (title === 'no movement') stage.sandbox.setTracking('ANT', { lateHours: 10_000 });
		const host = await stage.newHost('default');
		await host.publish({ simplify: true, ...parameters });
		await make();
		stage.clock.nowMs += hours * HOUR_MS;
		await stage.poll(host);
		expect(comparable(host.events.at(-1))).toEqual(comparable(exampleIn('trigger', title)));
	});
});
