import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

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
import { exampleFiles } from '../../scripts/generateExamples';
import { loadPackage, PACKAGE } from '../support/host';

const root = path.resolve(__dirname, '../..');
const STICKY = 'n8n-nodes-base.stickyNote';

interface WorkflowFile {
	id: string;
	nodes: INode[];
	connections: Record<string, Record<string, Array<Array<{ node: string }>>>>;
	pinData?: Record<string, Array<{ json: unknown }>>;
}

const readText = (file: string) => readFileSync(path.join(root, file), 'utf8');
const read = (file: string) => JSON.parse(readText(file)) as WorkflowFile;

/** The nodes of this package in a workflow. */
const ownNodes = ({ nodes }: WorkflowFile) =>
	nodes.filter(({ type }) => type.startsWith(`${PACKAGE}.`));
const withoutNotes = ({ nodes }: WorkflowFile) => nodes.filter(({ type }) => type !== STICKY);
/** A tool has the form of its node. */
const baseType = ({ type }: INode) => type.replace(/Tool$/, '');

const texts = (value: unknown): string[] => {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
};

describe('The example workflows', () => {
	const workflows = exampleFiles.map(read);

	test('are those in the README of the folder and in the docs, see npm run generate', () => {
		const listed = [...readText('workflows/README.md').matchAll(/\]\(([a-z-]+\.json)\)/g)];
		const inDocs = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.json'))
			.map((file) => `docs/${file}`)
			.filter((file) => 'nodes' in read(file));
		const offered = [...listed.map(([, file]) => `workflows/${file}`), ...inDocs];
		expect(offered.sort()).toEqual([...exampleFiles].sort());
	});

	test('have the codes of carriers and services in Settings only', () => {
		const codes = readSeed().carriers.flatMap(({ code, services }) => [
			code,
			...services.map((service) => service.code),
		]);
		const words = (node: INode) => texts(node.parameters).flatMap((text) => text.split(/[^\w-]+/));
		const withCodes = workflows
			.flatMap(withoutNotes)
			.filter((node) => words(node).some((word) => codes.includes(word)));
		expect(new Set(withCodes.map(({ name }) => name))).toEqual(new Set(['Settings']));
	});

	test('have unique IDs that are short enough for n8n to save the state of a trigger', () => {
		const ids = workflows.map(({ id }) => id);
		expect(ids.filter((id) => !/^[A-Za-z0-9]{1,21}$/.test(id))).toEqual([]);
		const all = [...ids, ...workflows.flatMap(({ nodes }) => nodes.map((node) => node.id))];
		expect(all.filter((id, at) => !id || all.indexOf(id) !== at)).toEqual([]);
	});
});

describe.each(exampleFiles)('%s', (file) => {
	const workflow = read(file);
	const { nodes, connections, pinData = {} } = workflow;

	test('connects every node, and names only nodes that exist', () => {
		const names = nodes.map(({ name }) => name);
		const targets = Object.values(connections)
			.flatMap((outputs) => Object.values(outputs).flat(2))
			.map(({ node }) => node);
		const connected = new Set([...Object.keys(connections), ...targets]);
		const inExpressions = texts(nodes.map(({ parameters }) => parameters))
			.flatMap((text) => [...text.matchAll(/\$\('([^']+)'\)/g)])
			.map(([, name = '']) => name);
		const named = [...connected, ...inExpressions];
		expect(named.filter((name) => !names.includes(name))).toEqual([]);
		expect(withoutNotes(workflow).filter(({ name }) => !connected.has(name))).toEqual([]);
	});

	test('has notes that explain what it does, how to use it, and each step', () => {
		const notes = nodes
			.filter(({ type }) => type === STICKY)
			.map(({ parameters }) => String(parameters.content));
		expect(notes.length).toBeGreaterThan(2);
		expect(notes.filter((note) => note.length < 20)).toEqual([]);
		expect(notes[0]).toMatch(/^## .+(For your own shop|To use it)/s);
	});

	test('contains no secrets, and only email addresses of example.com', () => {
		const credentials = nodes.flatMap((node) => Object.entries(node.credentials ?? {}));
		const expected = { id: null, name: 'Parcel Shipping sandbox' };
		expect(credentials).toEqual(ownNodes(workflow).map(() => ['parcelShippingApi', expected]));
		const { header, bearer, query, signIn } = readSeed().credentials;
		const secrets = [header.value, bearer.token, query.value, signIn.username];
		const text = JSON.stringify(workflow);
		expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
		expect(text).not.toMatch(/"(\w*(password|secret|token|apiKey|authorization))":/i);
		const addresses =
			texts([nodes, pinData])
				.join('\n')
				.match(/[\w.+-]+@[\w.-]+/g) ?? [];
		expect(addresses.filter((address) => !/@example\.com\.?$/.test(address))).toEqual([]);
	});

	test('pins only the sample orders', () => {
		const pinned = nodes.filter(({ name }) => name in pinData);
		expect(pinned.map(({ name }) => name).sort()).toEqual(Object.keys(pinData).sort());
		for (const { name, type } of pinned) {
			expect(type).toMatch(/Trigger$|\.(wooCommerce|webhook|httpRequest)$/);
			const shop = path.basename(file).replace(/^orders-from-|\.json$/g, '');
			const kind = type.endsWith('.webhook') ? 'calls' : 'orders';
			const sample = JSON.parse(readText(`workflows/samples/${shop}-${kind}.json`));
			expect(pinData[name]?.map(({ json }) => json)).toEqual(sample);
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

/** Values that the form does not show or offer. n8n saves them, but they have no effect. */
function invalidValues(node: INode, description: INodeTypeDescription): string[] {
	const shown = description.properties.filter((property) =>
		NodeHelpers.displayParameterPath(node.parameters, property, '', node, description),
	);
	const ofTool = node.type === baseType(node) ? [] : ['descriptionType', 'toolDescription'];
	const ofN8n = [...ofTool, ...(description.polling ? ['pollTimes'] : [])];
	return Object.entries(node.parameters)
		.filter(([name]) => !ofN8n.includes(name))
		.flatMap(([name, value]) => invalidValuesIn(shown, name, value));
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
	const offered = (options as INodePropertyOptions[]).map((option) => option.value);
	const isChoice = /^(options|multiOptions)$/.test(type) && offered.length > 0;
	return (isChoice ? ([value].flat() as string[]) : [])
		.filter((choice) => !offered.includes(choice) && !choice.startsWith('='))
		.map((choice) => `${name}: ${choice}`);
}
