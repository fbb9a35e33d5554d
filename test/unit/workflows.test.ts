import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { type INode, NodeHelpers } from 'n8n-workflow';

import { isMappedField } from '../../nodes/ParcelShipping/orders/fields';
import { SHOPS } from '../../nodes/ParcelShipping/orders/shops';
import { readSeed } from '../../sandbox';
import { exampleFiles } from '../../scripts/generateExamples';
import { loadPackage, PACKAGE } from '../support/host';

const root = path.resolve(__dirname, '../..');

interface Mapping {
	value?: object | null;
}

interface WorkflowFile {
	id: string;
	nodes: INode[];
	pinData?: Record<string, Array<{ json: unknown }>>;
}

const readText = (file: string) => readFileSync(path.join(root, file), 'utf8');
const read = (file: string) => JSON.parse(readText(file)) as WorkflowFile;

/** The nodes of this package in a workflow. */
const ownNodes = ({ nodes }: WorkflowFile) =>
	nodes.filter(({ type }) => type.startsWith(`${PACKAGE}.`));

const texts = (value: unknown): string[] => {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
};

const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';

interface Note {
	content: string;
	width: number;
	height: number;
	color?: number;
}

const noteOf = ({ parameters }: INode) => parameters as unknown as Note;
const wordsIn = ({ content }: Note) => content.split(/\s+/).length;

interface Box {
	name: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
}

/** What a note or a node covers on the canvas. The name of a node is wider than the node. */
function boxOf(node: INode): Box {
	const [left, top] = node.position;
	const { name } = node;
	if (!isNote(node)) return { name, left: left - 48, top, right: left + 144, bottom: top + 168 };
	const { width, height } = noteOf(node);
	return { name, left, top, right: left + width, bottom: top + height };
}

const overlap = (a: Box, b: Box) =>
	a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const contains = (outer: Box, inner: Box) =>
	outer.left <= inner.left &&
	inner.right <= outer.right &&
	outer.top <= inner.top &&
	inner.bottom <= outer.bottom;

/** About where the text of a note ends, measured in the editor. */
function endOfText(node: INode): number {
	const { content, width } = noteOf(node);
	const heights = content.split('\n').map((line) => {
		if (line === '') return 12;
		const [lineHeight, characterWidth] = line.startsWith('## ') ? [28, 11] : [18, 7];
		return lineHeight * Math.ceil((line.length * characterWidth) / (width - 32));
	});
	return node.position[1] + 16 + heights.reduce((sum, height) => sum + height, 0);
}

/** Without what is selected from a list. */
const entered = (value: unknown): unknown =>
	JSON.parse(JSON.stringify(value, (_, each) => (each?.mode === 'list' ? undefined : each)));

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

	test('have carriers and services that are selected from a list', () => {
		const codes = readSeed().carriers.flatMap(({ code, services }) => [
			code,
			...services.map((service) => service.code),
		]);
		const words = ({ parameters }: INode) =>
			texts(entered(parameters)).flatMap((text) => text.split(/[^\w-]+/));
		const withCodes = workflows
			.flatMap(({ nodes }) => nodes.filter((node) => !isNote(node)))
			.filter((node) => words(node).some((word) => codes.includes(word)));
		expect(withCodes.map(({ name }) => name)).toEqual([]);
	});

	test('map nothing that the format of the shop reads', () => {
		const mapped = workflows.flatMap(ownNodes).flatMap(({ name, parameters }) => {
			const { orderData, overrides } = parameters as { orderData?: string; overrides?: Mapping };
			const { fields } = SHOPS[orderData ?? ''] ?? {};
			return Object.keys(overrides?.value ?? {})
				.filter((field) => field in (fields ?? {}))
				.map((field) => `${name}: ${field}`);
		});
		expect(mapped).toEqual([]);
		expect(
			workflows.flatMap(({ nodes }) => nodes).filter(({ type }) => /\.code$/.test(type)),
		).toEqual([]);
	});

	test('have unique IDs that are short enough for n8n to save the state of a trigger', () => {
		const ids = workflows.map(({ id }) => id);
		expect(ids.filter((id) => !/^[A-Za-z0-9]{1,21}$/.test(id))).toEqual([]);
		const all = [...ids, ...workflows.flatMap(({ nodes }) => nodes.map((node) => node.id))];
		expect(all.filter((id, at) => !id || all.indexOf(id) !== at)).toEqual([]);
	});
});

// n8n's rules for templates.
test.each(exampleFiles.filter((file) => file.startsWith('workflows/')))(
	'%s opens with a yellow note, and nothing overlaps',
	(file) => {
		const { nodes } = read(file);
		const notes = nodes.filter(isNote);
		const [about, ...others] = notes as [INode, ...INode[]];
		expect(noteOf(about)).toEqual({
			content: expect.stringMatching(/^## .*### How it works\n.*### Setup\n/s),
			width: expect.any(Number),
			height: expect.any(Number),
		});
		expect(wordsIn(noteOf(about))).toBeGreaterThanOrEqual(100);
		expect(wordsIn(noteOf(about))).toBeLessThanOrEqual(300);
		expect(
			nodes.filter(({ position: [x, y] }) => x < about.position[0] || y < about.position[1]),
		).toEqual([]);
		expect(others.filter((note) => noteOf(note).color !== 7 || wordsIn(noteOf(note)) > 50)).toEqual(
			[],
		);

		const boxes = nodes.map(boxOf);
		const ends = new Map(notes.map((note) => [note.name, endOfText(note)]));
		const belongs = (inner: Box, note: Box) =>
			ends.has(note.name) && contains(note, inner) && inner.top >= (ends.get(note.name) ?? 0);
		const overlaps = boxes.flatMap((a, index) =>
			boxes
				.slice(index + 1)
				.filter((b) => overlap(a, b) && !belongs(b, a))
				.map((b) => `${a.name}, ${b.name}`),
		);
		expect(overlaps).toEqual([]);
		const tooLong = notes.map(boxOf).filter(({ name, bottom }) => (ends.get(name) ?? 0) > bottom);
		expect(tooLong).toEqual([]);
	},
);

describe.each(exampleFiles)('%s', (file) => {
	const workflow = read(file);
	const { nodes, pinData = {} } = workflow;

	test('names no credential, so that n8n selects the only one of the user on import', () => {
		expect(nodes.filter(({ credentials }) => credentials).map(({ name }) => name)).toEqual([]);
	});

	test('contains no secrets, and only email addresses of example.com', () => {
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
		'%s has only values that the form shows and allows',
		async (_name, node) => {
			const { nodeTypes } = await loadPackage();
			// A tool has the form of its node.
			const type = node.type.replace(/Tool$/, '');
			const { description } = nodeTypes.getByNameAndVersion(type);
			const { properties } = description;
			const issues = NodeHelpers.getNodeParametersIssues(properties, node, description);
			expect(issues?.parameters ?? {}).toEqual({});
			// n8n saves values that the form does not show, but they have no effect.
			const { parameters } = node;
			const ofN8n = ['pollTimes', 'descriptionType', 'toolDescription'];
			const own = Object.entries(parameters).filter(([name]) => !ofN8n.includes(name));
			const shown = NodeHelpers.getNodeParameters(
				properties,
				parameters,
				true,
				false,
				node,
				description,
			);
			expect(shown).toMatchObject(Object.fromEntries(own));
			for (const mapping of [parameters.shipment, parameters.overrides]) {
				const { value } = (mapping ?? {}) as Mapping;
				expect(Object.keys(value ?? {}).filter((field) => !isMappedField(field))).toEqual([]);
			}
		},
	);
});
