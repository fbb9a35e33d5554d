// Compares each example in the docs, after a comment such as `<!-- example:printer -->`, with what the nodes return when
// they run against the sandbox. The order and the shipments that the examples name are their input.
import '../test/support/host';
import { PollHost } from '../test/support/pollHost';
import { newAccount } from '../test/support/credentials';
import { startEngine } from '../test/support/engine';

import { deepStrictEqual } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import { startSandbox } from '../sandbox';

const root = path.resolve(__dirname, '..');
const START_MS = Date.parse('2026-03-02T09:00:00Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const INPUTS = ['order', 'shipment to track', 'shipment to print'];

/** The JSON of each example, by its title. */
const examples = new Map(
	readdirSync(path.join(root, 'docs'))
		.filter((file) => file.endsWith('.md'))
		.map((file) => readFileSync(path.join(root, 'docs', file), 'utf8'))
		.flatMap((page) => [...page.matchAll(/<!-- example:([\w ]+) -->\s+```json\n([\s\S]*?)```/g)])
		.map(([, title = '', json = '']) => [title, JSON.parse(json) as IDataObject]),
);
const exampleOf = (title: string) => {
	const found = examples.get(title);
	if (!found) throw new Error(`The docs need an example with <!-- example:${title} -->`);
	return found;
};

const creation: INodeParameters = {
	resource: 'shipment',
	operation: 'create',
	carrierService: 'ANT/ANT-HOME',
	shipment: {
		mappingMode: 'defineBelow',
		value: {
			packageNumberCustom: '={{ $json.number }}',
			price: '={{ $json.total }}',
			recName: '={{ $json.name }}',
			recStreet: '={{ $json.street }}',
			recCity: '={{ $json.city }}',
			recZip: '={{ $json.zip }}',
			recCountry: '={{ $json.country }}',
			recPhone: '={{ $json.phone }}',
			recEmail: '={{ $json.email }}',
		},
		schema: [],
	},
};

let nowMs = START_MS;

/** Without what the trigger of an earlier example remembers. */
function loadTrigger(): INodeType {
	const load = createRequire(__filename);
	const dist = path.join(root, 'dist');
	for (const name of Object.keys(load.cache)) if (name.startsWith(dist)) delete load.cache[name];
	const loaded = load(path.join(dist, 'nodes/ParcelShipping/ParcelShippingTrigger.node.js'));
	return new (loaded as { ParcelShippingTrigger: new () => INodeType }).ParcelShippingTrigger();
}

async function checkAll(): Promise<void> {
	// Time only moves when an example says so.
	Date.now = () => nowMs;
	const sandbox = await startSandbox({ clock: { now: () => new Date(nowMs) } });
	let engine = await startEngine(newAccount(sandbox.url));
	const order = exampleOf('order');

	const run = async (parameters: INodeParameters, input: IDataObject = {}) => {
		const ran = await engine.run({ parameters, items: [input] });
		if (ran.error) throw ran.error;
		return ran.items[0]?.json;
	};
	const runLater =
		(parameters: INodeParameters, input?: IDataObject, laterMs = 0) =>
		async () => {
			await run(creation, order);
			nowMs += laterMs;
			return await run(parameters, input);
		};
	const poll = (form: INodeParameters, hours: number) => async () => {
		const host = new PollHost('default', engine.credential, loadTrigger);
		await host.publish({ simplify: true, ...form });
		await run(creation, order);
		nowMs += hours * HOUR_MS + MINUTE_MS;
		await host.tick();
		return host.events.at(-1);
	};
	const shipment = { resource: 'shipment', carrierCode: 'ANT' };
	const track = { operation: 'track', orderNumber: '={{ $json.packageNumberCustom }}' };
	const cancel = { resource: 'shipment', operation: 'cancel', orderNumber: String(order.number) };
	const handOver = { operation: 'handOver', shipments: 'ids', shipmentIds: '1001' };
	const point = { resource: 'pickupPoint', operation: 'getAll', carrierCode: 'ANT' };
	const ids = { shipments: 'ids', shipmentIds: '={{ $json.id }}' };
	const print = { resource: 'label', operation: 'create', ...ids };
	const outputs: Record<string, () => Promise<IDataObject | undefined>> = {
		'created shipment': async () => await run(creation, order),
		'tracked shipment': runLater(
			{ ...shipment, ...track },
			exampleOf('shipment to track'),
			9 * HOUR_MS,
		),
		'canceled shipment': runLater(cancel),
		'hand over': runLater({ ...shipment, ...handOver }),
		printer: runLater({ resource: 'printer', operation: 'getAll' }),
		'pickup point': runLater({ ...point, filters: { name: 'Praha' } }),
		'printed labels': runLater(print, exampleOf('shipment to print'), MINUTE_MS),
		'trigger event': poll({}, 9),
	};

	/** Hashes and the port of the sandbox are random, and file names have the date. */
	const withoutRandomParts = (value: unknown): unknown =>
		JSON.parse(
			JSON.stringify(value)
				.replace(/labels-ANT-[-\d]+-[0-9a-f]{8}/g, 'labels-ANT')
				.replace(/protocol-ANT-[-\d]+-301/g, 'protocol-ANT')
				.replaceAll(new URL(sandbox.url).origin, 'https://api.example.com')
				.replace(/\b[0-9a-f]{32}\b/g, 'hash')
				.replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'id'),
		);
	for (const [title, expected] of examples) {
		if (INPUTS.includes(title)) continue;
		sandbox.reset();
		engine = await startEngine(newAccount(sandbox.url));
		nowMs = START_MS;
		const actual = await outputs[title]?.();
		deepStrictEqual(
			withoutRandomParts(actual ?? null),
			withoutRandomParts(expected),
			`The example "${title}" in the docs is not what the nodes return`,
		);
	}
}

checkAll().then(
	() => {
		console.log(`${examples.size} examples are what the nodes return`);
		// n8n keeps handles open.
		process.exit();
	},
	(error: unknown) => {
		console.error(error);
		process.exit(1);
	},
);
