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
	const places = [root, nodes, path.join(nodes, 'actions')].map((folder) =>
		path.join(folder, name),
	);
	// `dist/` is built, and `__schema__/` is in the folder of the node.
	expect(name === 'dist/' || places.some((place) => existsSync(place))).toBe(true);
});

test('the guide names paths', () => expect(paths.length).toBeGreaterThan(20));

describe.each([
	['order', 12],
	['event', 15],
])('The stops of an %s', (name, most) => {
	const [, list = ''] =
		new RegExp(`<!-- stops:${name} -->([\\s\\S]*?)<!-- end -->`).exec(text) ?? [];
	const stops = [...list.matchAll(/^\d+\. `([\w./]+)` `(\w+)`/gm)].map(
		([, file, code]): [string, string] => [file as string, code as string],
	);

	test(`are at most ${most}`, () => {
		expect(stops.length).toBeGreaterThan(5);
		expect(stops.length).toBeLessThanOrEqual(most);
		expect(list.match(/^\d+\./gm)).toHaveLength(stops.length);
	});

	test.each(stops)('%s has %s', (file, code) => {
		const source = readFileSync(path.join(nodes, file), 'utf8');
		expect(source).toMatch(
			new RegExp(`(function\\*?|async|private|const|^\\t)\\s+?\\*?${code}\\b[^;\\n]*[(=<]`, 'm'),
		);
	});
});
