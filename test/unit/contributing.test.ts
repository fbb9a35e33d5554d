import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
const nodes = path.join(root, 'nodes/ParcelShipping');
const text = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');

/** Names in code font that look like a path of the repository. */
const paths = [...text.matchAll(/`([\w.@-]+(?:\/[\w.@-]+)*\/?)`/g)]
	.map(([, name]) => name as string)
	.filter((name) => name.includes('/') || /\.(ts|mjs|cjs|json|yaml|md)$/.test(name));

test.each([...new Set(paths)])('the path %s exists', (name) => {
	const candidates = [root, nodes, path.join(nodes, 'actions')].map((folder) =>
		path.join(folder, name),
	);
	// `dist/` is built, and `__schema__/` is in the folder of the node.
	expect(name === 'dist/' || candidates.some((candidate) => existsSync(candidate))).toBe(true);
});

test('the guide contains paths', () => expect(paths.length).toBeGreaterThan(20));

describe.each([
	['order', 12],
	['event', 15],
])('The code path of an %s', (name, maximum) => {
	const [, list = ''] =
		new RegExp(`<!-- stops:${name} -->([\\s\\S]*?)<!-- end -->`).exec(text) ?? [];
	const stops = [...list.matchAll(/^\d+\. `([\w./]+)` `(\w+)`/gm)].map(
		([, file, code]): [string, string] => [file as string, code as string],
	);

	test(`has at most ${maximum} functions`, () => {
		expect(stops.length).toBeGreaterThan(5);
		expect(stops.length).toBeLessThanOrEqual(maximum);
		expect(list.match(/^\d+\./gm)).toHaveLength(stops.length);
	});

	test.each(stops)('leads through %s, which has %s', (file, code) => {
		const source = readFileSync(path.join(nodes, file), 'utf8');
		expect(source).toMatch(
			new RegExp(`(function\\*?|async|private|const|^\\t)\\s+?\\*?${code}\\b[^;\\n]*[(=<]`, 'm'),
		);
	});
});
