// `npm run examples` writes docs/examples.md, the input and the output of every operation, from a run of the
// nodes against the sandbox. `--check` compares it with a run instead, and `npm test` does so. The examples
// in other pages, after a comment such as `<!-- example:order -->`, are always compared.
import '../test/support/host';
import { PollHost } from '../test/support/pollHost';
import { sandboxCredential } from '../test/support/credentials';
import { startEngine } from '../test/support/engine';

import { deepStrictEqual } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { isMatch } from 'lodash';
import type { IDataObject, INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';
import * as prettier from 'prettier';

import { resources } from '../nodes/ParcelShipping/actions';
import { startSandbox } from '../sandbox';

const root = path.resolve(__dirname, '..');
const docs = path.join(root, 'docs');
const file = path.join(docs, 'examples.md');
const START_MS = Date.parse('2026-03-02T09:00:00Z');
const MINUTE_MS = 60_000;
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
		parameters: { shipments: 'ids', carrierCode, shipmentIds: '={{ $json.id }}' },
		ownOrder: 'WEB-2026-0044',
	},
	'handOver:getAll': {},
	'shipment:cancel': {
		parameters: { orderNumber: '={{ $json.packageNumberCustom }}' },
		ownOrder: 'WEB-2026-0043',
	},
	'printer:getAll': {},
	'pickupPoint:getAll': { parameters: { carrierCode, filters: { name: 'Brno' } } },
	'carrier:getAll': {},
	'carrier:getServices': { parameters: { carrierCode } },
	'label:create': { parameters: { shipments: 'ids', shipmentIds: '={{ $json.id }}' } },
	'label:sendToPrinter': {
		parameters: { orderNumber: '={{ $json.packageNumberCustom }}', printerName: 'Warehouse A4' },
	},
};

/** The sandbox, n8n, and a clock that only moves when an example says so. */
class Stage {
	nowMs = START_MS;

	static async start(): Promise<Stage> {
		const stage = new Stage();
		Date.now = () => stage.nowMs;
		stage.sandbox = await startSandbox({ clock: { now: () => new Date(stage.nowMs) } });
		stage.engine = await startEngine(sandboxCredential(stage.sandbox.url));
		return stage;
	}

	sandbox!: Awaited<ReturnType<typeof startSandbox>>;

	engine!: Awaited<ReturnType<typeof startEngine>>;

	reset(): void {
		this.sandbox.reset();
		this.nowMs = START_MS;
	}

	async publish(parameters: INodeParameters = {}): Promise<PollHost> {
		const host = new PollHost('default', this.engine.credential, loadTrigger);
		await host.publish({ simplify: true, ...parameters });
		return host;
	}

	async run(operation: string, { parameters = {} }: Example, input: IDataObject) {
		const [resource = '', name = ''] = operation.split(':');
		const ran = await this.engine.run({
			parameters: { resource, operation: name, ...parameters },
			items: [input],
		});
		if (ran.error) throw ran.error;
		return ran.items;
	}

	/** Hashes and correlation IDs are random. The port of the sandbox and the date in file names change. */
	withoutRandomParts(text: string): string {
		return text
			.replace(/labels-ANT-[-\d]+-[0-9a-f]{8}/g, 'labels-ANT-2026-03-02-1-5ba23c87')
			.replace(/protocol-ANT-[-\d]+-301/g, 'protocol-ANT-2026-03-02-301')
			.replaceAll(new URL(this.sandbox.url).origin, 'https://api.example.com')
			.replace(/\b[0-9a-f]{32}\b/g, '5ba23c875f8cd6b695e6a994edbf8d85')
			.replace(
				/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g,
				'f971b60f-879e-4921-bd39-94ddb7c3545f',
			);
	}
}

/** Without what the trigger of an earlier example remembers. */
function loadTrigger(): INodeType {
	const load = createRequire(__filename);
	const dist = path.join(root, 'dist');
	for (const name of Object.keys(load.cache)) if (name.startsWith(dist)) delete load.cache[name];
	const loaded = load(path.join(dist, 'nodes/ParcelShipping/ParcelShippingTrigger.node.js'));
	return new (loaded as { ParcelShippingTrigger: new () => INodeType }).ParcelShippingTrigger();
}

const asBlock = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

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
	return [which, asBlock(item.json), ...Object.entries(item.binary ?? {}).map(describeFile)];
}

/** The parameters that differ from their defaults, other than those that read the input. */
function describeInput(example: Example, created: IDataObject): string[] {
	const { parameters, input } = example;
	const read = JSON.stringify(parameters ?? {}).match(/(?<=\$json\.)\w+/g) ?? [];
	const fields = input ?? Object.fromEntries(read.map((field) => [field, created[field]]));
	return [
		...(parameters ? ['Parameters, as n8n stores them:', asBlock(parameters)] : []),
		...(Object.keys(fields).length > 0 ? ['Input:', asBlock(fields)] : []),
	];
}

async function writePage(stage: Stage): Promise<string> {
	const host = await stage.publish();
	const make = async (number: string) => {
		const [item] = await stage.run('shipment:create', { parameters: create }, { ...order, number });
		if (!item) throw new Error(`${number} was not created`);
		return item;
	};
	const made = await make(order.number);
	const handedOver = await make('WEB-2026-0041');
	await stage.run('shipment:handOver', exampleOf['shipment:handOver'] ?? {}, handedOver.json);
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
			stage.nowMs += (example.hoursLater ?? 0) * HOUR_MS;
			const { json: created } = example.ownOrder ? await make(example.ownOrder) : made;
			const items = key === 'shipment:create' ? [made] : await stage.run(key, example, created);
			parts.push(`### ${name}: ${operation.name}`, ...describeInput(example, created));
			parts.push(...describeOutput(items, example.shown));
		}
	}
	stage.nowMs += MINUTE_MS;
	await host.tick();
	const event = host.events.at(-1) ?? {};
	parts.push('## Trigger', ...describeOutput([{ json: event }]));
	const page = stage.withoutRandomParts(`${parts.join('\n\n')}\n`);
	const options = await prettier.resolveConfig(file);
	return await prettier.format(page, { ...options, filepath: file });
}

/** The JSON in a page after the comment `<!-- example:title -->`. */
function exampleIn(page: string, title: string): IDataObject {
	const text = readFileSync(path.join(docs, `${page}.md`), 'utf8');
	const block = new RegExp(`<!-- example:${title} -->\\s+\`\`\`json\\n([\\s\\S]*?)\`\`\``);
	const [, found = ''] = block.exec(text) ?? [];
	return JSON.parse(found) as IDataObject;
}

/** Compares the examples in other pages with what the nodes return. */
async function checkOtherPages(stage: Stage): Promise<void> {
	const order = exampleIn('shipment', 'order');
	const createOrder = creationWith({ ...mapped, recEmail: '={{ $json.email }}' });
	const make = async () => stage.run('shipment:create', { parameters: createOrder }, order);
	const check = (page: string, title: string, item?: INodeExecutionData) => {
		const [actual, expected] = [item?.json, exampleIn(page, title)].map((value): unknown =>
			JSON.parse(stage.withoutRandomParts(JSON.stringify(value))),
		);
		deepStrictEqual(actual, expected, `docs/${page}.md, ${title}: not what the nodes return`);
	};

	const track = exampleOf['shipment:track']?.parameters;
	const all = { carrierCode: 'ANT', shipments: 'ids', shipmentIds: '1001' };
	const praha = { carrierCode: 'ANT', filters: { name: 'Praha' } };
	const toTrack = exampleIn('shipment', 'shipment to track');
	const toPrint = exampleIn('label', 'shipment to print');
	const tracked = { parameters: { ...track, output: 'shipments' }, input: toTrack, hoursLater: 9 };
	const canceled = { parameters: { orderNumber: String(order.number) } };
	const labels = { ...exampleOf['label:create'], input: toPrint, hoursLater: 1 / 60 };
	const examples: Array<[string, string, string, Example]> = [
		['shipment', 'tracked shipment', 'shipment:track', tracked],
		['hand-over', 'canceled shipment', 'shipment:cancel', canceled],
		['hand-over', 'hand over', 'shipment:handOver', { parameters: all }],
		['printer', 'printer', 'printer:getAll', {}],
		['pickup-point', 'pickup point', 'pickupPoint:getAll', { parameters: praha }],
		['label', 'printed labels', 'label:create', labels],
	];
	for (const [page, title, operation, example] of examples) {
		stage.reset();
		await make();
		stage.nowMs += (example.hoursLater ?? 0) * HOUR_MS;
		check(page, title, (await stage.run(operation, example, example.input ?? {}))[0]);
	}

	stage.reset();
	check('shipment', 'created shipment', (await make())[0]);
	const parameters = { resource: 'shipment', operation: 'create', ...createOrder };
	const items = [{ ...order, phone: '777 123', street: '' }];
	const failed = await stage.engine.run({ parameters, items, onError: 'continueRegularOutput' });
	const isAsShown = isMatch(failed.items[0]?.json ?? {}, exampleIn('shipment', 'failed order'));
	if (!isAsShown) throw new Error('docs/shipment.md, failed order: not what the nodes return');

	const events: Array<[string, INodeParameters, number]> = [
		['trigger event', {}, 9],
		['no movement', { events: ['noMovement'] }, 5 * 24],
	];
	for (const [title, form, hours] of events) {
		stage.reset();
		if (title === 'no movement') stage.sandbox.setTracking('ANT', { lateHours: 10_000 });
		const host = await stage.publish(form);
		await make();
		stage.nowMs += hours * HOUR_MS + MINUTE_MS;
		await host.tick();
		check('trigger', title, { json: host.events.at(-1) ?? {} });
	}
}

async function main(): Promise<void> {
	const stage = await Stage.start();
	const page = await writePage(stage);
	await checkOtherPages(stage);
	const isCheck = process.argv.includes('--check');
	if (!isCheck) writeFileSync(file, page);
	else if (readFileSync(file, 'utf8') !== page)
		throw new Error(
			'docs/examples.md is not what the nodes return. Write it with: npm run examples',
		);
	console.log(isCheck ? 'The examples are what the nodes return' : 'Wrote docs/examples.md');
}

main().then(
	// n8n keeps handles open.
	() => process.exit(),
	(error: unknown) => {
		console.error(error);
		process.exit(1);
	},
);
