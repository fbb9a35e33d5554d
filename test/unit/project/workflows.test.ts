import path from 'node:path';

import { type INode, NodeHelpers } from 'n8n-workflow';

import { isMappedField } from '../../../nodes/ParcelShipping/orders/fields';
import { readSeed } from '../../../sandbox';
import { exampleFiles } from '../../../scripts/generateExamples';
import { loadPackage, PACKAGE } from '../../support/host';
import { filesIn, read as readText } from '../../support/projectFiles';

interface WorkflowFile {
	id: string;
	nodes: INode[];
	pinData?: Record<string, Array<{ json: unknown }>>;
}

const read = (file: string) => JSON.parse(readText(file)) as WorkflowFile;

/** The nodes of this package in a workflow. */
const ownNodes = ({ nodes }: WorkflowFile) =>
	nodes.filter(({ type }) => type.startsWith(`${PACKAGE}.`));

const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';

type Note = { content: string; width: number; height: number; color?: number };

const noteOf = ({ parameters }: INode) => parameters as unknown as Note;
const wordsIn = ({ content }: Note) => content.split(/\s+/).length;

/** Width and height on the canvas. */
const sizeOf = (node: INode): [number, number] =>
	isNote(node) ? [noteOf(node).width, noteOf(node).height] : [96, 96];

/** Whether two notes or two nodes cover each other. A note may contain nodes. */
const overlap = (a: INode, b: INode) =>
	isNote(a) === isNote(b) &&
	([0, 1] as const).every(
		(axis) =>
			a.position[axis] < b.position[axis] + sizeOf(b)[axis] &&
			b.position[axis] < a.position[axis] + sizeOf(a)[axis],
	);

describe('The example workflows', () => {
	const workflows = exampleFiles.map(read);

	test('are those in the README of the folder and in the docs, see npm run generate', () => {
		const listed = [...readText('workflows/README.md').matchAll(/\]\(([a-z-]+\.json)\)/g)];
		const inDocs = filesIn('docs').filter(
			(file) => file.endsWith('.json') && 'nodes' in read(file),
		);
		const offered = [...listed.map(([, file]) => `workflows/${file}`), ...inDocs];
		expect(offered.sort()).toEqual([...exampleFiles].sort());
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
		const [about, ...others] = nodes.filter(isNote) as [INode, ...INode[]];
		const { content, color } = noteOf(about);
		expect(content).toMatch(/^## .*### How it works\n.*### Setup\n/s);
		// Yellow is the default.
		expect(color).toBeUndefined();
		const words = wordsIn(noteOf(about));
		expect([words >= 100, words <= 300]).toEqual([true, true]);
		const [left, top] = about.position;
		expect(nodes.filter(({ position: [x, y] }) => x < left || y < top)).toEqual([]);
		const isShortAndWhite = (note: Note) => note.color === 7 && wordsIn(note) <= 50;
		expect(others.filter((note) => !isShortAndWhite(noteOf(note)))).toEqual([]);

		const overlaps = nodes.flatMap((node, index) =>
			nodes.slice(index + 1).filter((other) => overlap(node, other)),
		);
		expect(overlaps).toEqual([]);
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
		const text = JSON.stringify([nodes, pinData]);
		for (const secret of [header.value, bearer.token, query.value, signIn.username]) {
			expect(text).not.toContain(secret);
		}
		expect(text).not.toMatch(/"(\w*(password|secret|token|apiKey|authorization))":/i);
		const addresses = text.match(/[\w.+-]+@[\w.-]+/g) ?? [];
		expect(addresses.filter((address) => !/@example\.com\.?$/.test(address))).toEqual([]);
	});

	test('writes no link into an email that opens only with the secret of the provider', () => {
		const texts = nodes.filter(({ type }) => /\.(set|emailSend)$/.test(type));
		expect(JSON.stringify(texts)).not.toMatch(/(label|labels|orders|protocol)Url/);
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
			const [type = '', tool = ''] = node.type.split(/(?=Tool$)/);
			const { description: ofNode } = nodeTypes.getByNameAndVersion(type);
			const description = { ...ofNode, name: `${ofNode.name}${tool}` };
			const { properties } = description;
			const issues = NodeHelpers.getNodeParametersIssues(properties, node, description);
			expect(issues?.parameters ?? {}).toEqual({});
			// n8n saves values that the form does not show, but they have no effect.
			const { parameters } = node;
			const ofN8n = ['pollTimes', 'descriptionType', 'toolDescription'];
			const own = Object.entries(parameters).filter(([name]) => !ofN8n.includes(name));
			const given = [properties, parameters, true, false, node, description] as const;
			const shown = NodeHelpers.getNodeParameters(...given);
			expect(shown).toMatchObject(Object.fromEntries(own));
			for (const mapping of [parameters.shipment, parameters.overrides]) {
				const { value } = (mapping ?? {}) as { value?: object | null };
				expect(Object.keys(value ?? {}).filter((field) => !isMappedField(field))).toEqual([]);
			}
		},
	);
});
