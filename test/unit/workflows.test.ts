import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { loadPackage, PACKAGE } from '../support/host';

import {
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeTypeDescription,
	NodeHelpers,
} from 'n8n-workflow';

import { isMappedField } from '../../nodes/ParcelShipping/orders/fields';
import { readSeed } from '../../sandbox';
import { exampleFiles, mappingsIn, schemaOf } from '../../scripts/generateExamples';

const root = path.resolve(__dirname, '../..');
const folder = path.join(root, 'workflows');
const STICKY = 'n8n-nodes-base.stickyNote';

interface WorkflowFile {
	id: string;
	name: string;
	nodes: INode[];
	connections: Record<string, Record<string, Array<Array<{ node: string }>>>>;
	pinData?: Record<string, Array<{ json: unknown }>>;
}

const examples = readdirSync(folder).filter((file) => file.endsWith('.json'));
/** Other workflows that the pages offer. */
const others = ['docs/scaling/kept-orders.json'];
const files = [...examples.map((file) => `workflows/${file}`), ...others];
const read = (file: string) =>
	JSON.parse(readFileSync(path.join(root, file), 'utf8')) as WorkflowFile;

/** Returns the nodes of this package in a workflow. */
const ownNodes = ({ nodes }: WorkflowFile) =>
	nodes.filter(({ type }) => type.startsWith(`${PACKAGE}.`));
/** A tool has the form of its node. */
const baseType = ({ type }: INode) => type.replace(/Tool$/, '');
const toolFields = ['descriptionType', 'toolDescription'];

const texts = (value: unknown): string[] => {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
};

const textsBelow = (top: string): string[] =>
	readdirSync(top, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));

describe('The example workflows', () => {
	const workflows = files.map(read);

	test('are the fourteen in the README of the folder', () => {
		const readme = readFileSync(path.join(folder, 'README.md'), 'utf8');
		const listed = [...readme.matchAll(/\]\(([a-z-]+\.json)\)/g)].map(([, file]) => file);
		expect(listed.sort()).toEqual([...examples].sort());
		expect(examples).toHaveLength(14);
	});

	test('are all that the pages offer, and a test runs each of them', () => {
		const pages = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' });
		const json = pages.filter((file) => file.endsWith('.json')).map((file) => `docs/${file}`);
		expect(json.filter((file) => 'nodes' in read(file))).toEqual(others);
		const executing = ['e2e', 'queue'].flatMap((suite) =>
			textsBelow(path.join(root, 'test', suite)),
		);
		const isExecuted = (file: string) =>
			executing.some(
				(text) => text.includes(`storeExample(setup, '${read(file).id}'`) || text.includes(file),
			);
		expect(files.filter((file) => !isExecuted(file))).toEqual([]);
	});

	test('have mappings that show the fields that are sent, see npm run generate', () => {
		expect([...exampleFiles].sort()).toEqual([...files].sort());
		const mappings = workflows.flatMap((workflow) => mappingsIn(workflow as never));
		expect(mappings).toHaveLength(10);
		for (const mapping of mappings) expect(mapping.schema).toEqual(schemaOf(mapping));
	});

	test('have the codes of carriers and services in Settings only', () => {
		const codes = readSeed().carriers.flatMap(({ code, services }) => [
			code,
			...services.map((service) => service.code),
		]);
		const words = (node: INode) => texts(node.parameters).flatMap((text) => text.split(/[^\w-]+/));
		const withCodes = workflows
			.flatMap(({ nodes }) => nodes.filter(({ type }) => type !== STICKY))
			.filter((node) => words(node).some((word) => codes.includes(word)))
			.map(({ name }) => name);
		expect(new Set(withCodes)).toEqual(new Set(['Settings']));
	});

	test('contain pinned orders if they start with a shop', () => {
		const pinned = files.filter((_, index) => workflows[index]?.pinData);
		expect(pinned.map((file) => path.basename(file)).sort()).toEqual([
			'canceled-in-woocommerce.json',
			'evening-check.json',
			'orders-from-shopify.json',
			'orders-from-shoptet.json',
			'orders-from-woocommerce.json',
			'shipping-method-rules.json',
		]);
	});

	test('have unique IDs that are short enough for n8n to save the state of a trigger', () => {
		const ids = workflows.map(({ id }) => id);
		expect(new Set(ids).size).toBe(files.length);
		expect(ids.filter((id) => !/^[A-Za-z0-9]{1,21}$/.test(id))).toEqual([]);
	});

	test('have a unique ID for every node', () => {
		const ids = workflows.flatMap(({ nodes }) => nodes.map(({ id }) => id));
		expect(ids.filter((id) => !id)).toEqual([]);
		expect(new Set(ids).size).toBe(ids.length);
	});
});

describe.each(files)('%s', (file) => {
	const workflow = read(file);
	const { nodes, connections, pinData = {} } = workflow;
	const names = new Set(nodes.map(({ name }) => name));

	test('connects every node, and only nodes that exist', () => {
		const targets = Object.values(connections).flatMap((outputs) =>
			Object.values(outputs).flatMap((branches) => branches.flat().map(({ node }) => node)),
		);
		const connected = new Set([...Object.keys(connections), ...targets]);
		expect([...connected].filter((name) => !names.has(name))).toEqual([]);
		const unconnected = nodes.filter(({ name, type }) => type !== STICKY && !connected.has(name));
		expect(unconnected.map(({ name }) => name)).toEqual([]);
	});

	test('refers in expressions only to nodes that exist', () => {
		const referenced = texts(nodes.map(({ parameters }) => parameters)).flatMap((text) =>
			[...text.matchAll(/\$\('([^']+)'\)/g)].map(([, name]) => name as string),
		);
		expect(referenced.filter((name) => !names.has(name))).toEqual([]);
	});

	test('has notes that explain what it does, how to use it, and each step', () => {
		const notes = nodes.filter(({ type }) => type === STICKY).map(({ parameters }) => parameters);
		expect(notes.length).toBeGreaterThan(2);
		expect(notes.filter(({ content }) => String(content).length < 20)).toEqual([]);
		const [first] = notes.map(({ content }) => String(content));
		expect(first).toMatch(/^## .+/);
		expect(first).toMatch(/For your own shop|To use it/);
	});

	test('has no overlapping nodes', () => {
		const placed = nodes.filter(({ type }) => type !== STICKY);
		const overlapping = placed.flatMap((node, index) =>
			placed.slice(index + 1).flatMap((other) => {
				const [dx, dy] = [0, 1].map((axis) =>
					Math.abs((node.position[axis] as number) - (other.position[axis] as number)),
				) as [number, number];
				return dx < 150 && dy < 150 ? [`${node.name} and ${other.name}`] : [];
			}),
		);
		expect(overlapping).toEqual([]);
	});

	test('refers to the credential by its name and contains no secret', () => {
		const credentials = nodes.flatMap((node) => Object.entries(node.credentials ?? {}));
		const expected = { id: null, name: 'Parcel Shipping sandbox' };
		expect(credentials).toEqual(ownNodes(workflow).map(() => ['parcelShippingApi', expected]));
		const { header, bearer, query, signIn } = readSeed().credentials;
		const secrets = [header.value, bearer.token, query.value, signIn.username];
		const leaks = texts(workflow).filter((text) => secrets.some((secret) => text.includes(secret)));
		expect(leaks).toEqual([]);
		expect(JSON.stringify(nodes)).not.toMatch(
			/"(\w*(password|secret|token|apiKey|authorization))":/i,
		);
	});

	test('contains only email addresses of example.com', () => {
		const addresses = texts([nodes, pinData]).flatMap(
			(text) => text.match(/[\w.+-]+@[\w.-]+/g) ?? [],
		);
		expect(addresses.filter((address) => !/@example\.com\.?$/.test(address))).toEqual([]);
	});

	test('pins only the sample orders', () => {
		const pinned = nodes.filter(({ name }) => name in pinData);
		expect(pinned).toHaveLength(Object.keys(pinData).length);
		for (const { name, type } of pinned) {
			expect(type).toMatch(/Trigger$|\.(wooCommerce|webhook|httpRequest)$/);
			const shop = path.basename(file).replace(/^orders-from-|\.json$/g, '');
			const kind = type.endsWith('.webhook') ? 'calls' : 'orders';
			const sample = readFileSync(path.join(folder, 'samples', `${shop}-${kind}.json`), 'utf8');
			expect(pinData[name]?.map(({ json }) => json)).toEqual(JSON.parse(sample));
		}
	});

	test.each(ownNodes(workflow).map((node) => [node.name, node]))(
		'%s has only values that the form allows',
		async (_name, node) => {
			const { nodeTypes } = await loadPackage();
			const { description } = nodeTypes.getByNameAndVersion(baseType(node));
			const issues = NodeHelpers.getNodeParametersIssues(description.properties, node, description);
			expect(issues?.parameters ?? {}).toEqual({});
			expect(invalidValues(node, description)).toEqual([]);
		},
	);
});

/** Returns values that the form does not show or offer. n8n saves them, but they have no effect. */
function invalidValues(node: INode, description: INodeTypeDescription): string[] {
	const shown = description.properties.filter((property) =>
		NodeHelpers.displayParameterPath(node.parameters, property, '', node, description),
	);
	return Object.entries(node.parameters).flatMap(([name, value]) => {
		if (toolFields.includes(name) && node.type !== baseType(node)) return [];
		if (name === 'pollTimes' && description.polling) return [];
		return invalidValuesIn(shown, name, value);
	});
}

function invalidValuesIn(properties: INodeProperties[], name: string, value: unknown): string[] {
	const property = properties.find((candidate) => candidate.name === name);
	if (!property) return [name];
	const { type, options = [] } = property;
	if (type === 'collection') {
		return Object.entries(value as INodeParameters).flatMap(([part, given]) =>
			invalidValuesIn(options as INodeProperties[], part, given).map((text) => `${name}.${text}`),
		);
	}
	if (type === 'resourceMapper') {
		const { value: fields } = value as { value: object | null };
		return Object.keys(fields ?? {}).filter((field) => !isMappedField(field));
	}
	const offered = new Set((options as INodePropertyOptions[]).map((option) => option.value));
	const isChoice = /^(options|multiOptions)$/.test(type) && offered.size > 0;
	const chosen = isChoice ? ([value].flat() as string[]) : [];
	return chosen
		.filter((choice) => !offered.has(choice) && !choice.startsWith('='))
		.map((choice) => `${name}: ${choice}`);
}
