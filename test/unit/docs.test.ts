import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { creationFields } from '../../nodes/ParcelShipping/creation/creationFields';

const root = path.resolve(__dirname, '../..');
const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'workflows/README.md']
	.concat(
		readdirSync(path.join(root, 'docs'))
			.filter((file) => file.endsWith('.md'))
			.map((file) => `docs/${file}`),
	)
	.map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));

test('the tables in the pages say what the forms say', () => {
	const check = spawnSync('tsx', ['scripts/generate-docs.ts', '--check'], {
		cwd: root,
		encoding: 'utf8',
	});
	expect(check.stderr).toBe('');
	expect(check.status).toBe(0);
});

test.each(pages)('every link to a file in $file leads to one', ({ file, text }) => {
	const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link as string);
	const local = links.filter((link) => !/^(https?:|#)/.test(link));
	const broken = local.filter((link) => {
		const [target] = link.split('#') as [string];
		const parent = path.resolve(root, path.dirname(file), path.dirname(target));
		const name = path.basename(target);
		return !readdirSync(parent, { withFileTypes: true }).some((entry) => entry.name === name);
	});
	expect(broken).toEqual([]);
});

test.each(pages)('every picture in $file is there, in light and in dark', ({ file, text }) => {
	const pictures = [...text.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(
		([, link]) => link as string,
	);
	const there = (link: string) => existsSync(path.join(root, path.dirname(file), link));
	expect(pictures.filter((link) => !there(link))).toEqual([]);
	const dark = pictures.filter((link) => link.endsWith('.dark.png'));
	expect(dark.map((link) => link.replace('.dark.', '.light.')).sort()).toEqual(
		pictures.filter((link) => !dark.includes(link)).sort(),
	);
});

test('every link inside the README leads to a heading', () => {
	const { text } = pages[0] as { text: string };
	const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
		(heading as string)
			.toLowerCase()
			.replace(/[^\w\s-]/g, '')
			.replace(/\s/g, '-'),
	);
	const anchors = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
	expect(anchors.filter((anchor) => !headings.includes(anchor as string))).toEqual([]);
	expect(anchors.length).toBeGreaterThan(3);
});

test('every message that a page explains is one that the nodes give', () => {
	const sources = ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.map((file) => readFileSync(path.join(root, folder, file), 'utf8')),
	);
	const aboutValues = Object.values(creationFields).map(({ label }) => `${label} is`);
	const given = [...sources, ...aboutValues].join('\n');
	const explained = pages.flatMap(({ text }) =>
		[...text.matchAll(/^\| The message says[^\n]*\n\|[- |]+\n((?:\|.*\n)+)/gm)]
			.flatMap(([, rows = '']) => rows.trim().split('\n'))
			.map((row) => row.split('|')[1]?.trim() ?? ''),
	);
	// Between the gaps stands what is always said.
	const wordsOf = (message: string) =>
		message.split(/[…"]| \(\d+\)/).map((words) => words.replace(/^\W+|\W+$/g, ''));
	const strange = explained.filter((message) =>
		wordsOf(message).some((words) => !given.includes(words)),
	);
	expect(strange).toEqual([]);
	expect(explained.length).toBeGreaterThan(10);
});
