import { spawnSync } from 'node:child_process';
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

test('The figures and the main stations in the guide are those of a run in n8n', () => {
	const options = { cwd: root, encoding: 'utf8' } as const;
	const { stderr } = spawnSync('tsx', ['scripts/trace.ts', '--check'], options);
	expect(stderr).toBe('');
});
