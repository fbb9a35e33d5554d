import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { mappedFields } from '../../nodes/ParcelShipping/orders/fields';

const root = path.resolve(__dirname, '../..');
const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'workflows/README.md']
	.concat(
		readdirSync(path.join(root, 'docs'))
			.filter((file) => file.endsWith('.md'))
			.map((file) => `docs/${file}`),
	)
	.map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));

test('the tables in the pages match the forms', () => {
	const check = spawnSync('tsx', ['scripts/generateDocs.ts', '--check'], {
		cwd: root,
		encoding: 'utf8',
	});
	expect(check.stderr).toBe('');
	expect(check.status).toBe(0);
});

const { homepage } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
	homepage: string;
};
const REPOSITORY = homepage.replace('https://github.com/', '');
const ON_GITHUB = new RegExp(`^https://github.com/${REPOSITORY}/(?:blob|tree)/main/`);
const IMAGES = `https://raw.githubusercontent.com/${REPOSITORY}/main/`;

const linksOf = (text: string) =>
	[...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link as string);
const picturesOf = (text: string) =>
	[...text.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, link]) => link as string);

/** Returns the path of the file that a link leads to, or undefined for other addresses. */
function fileOf(link: string, page: string): string | undefined {
	const name = link.replace(ON_GITHUB, '/').replace(IMAGES, '/');
	if (/^(https?:|#)/.test(name)) return undefined;
	return path.join(root, name.startsWith('/') ? '' : path.dirname(page), name);
}

/** Compares upper and lower case even on a file system that ignores it. */
const exists = (file: string) =>
	existsSync(path.dirname(file)) && readdirSync(path.dirname(file)).includes(path.basename(file));

const anchorsOf = (text: string) =>
	[...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
		(heading as string)
			.toLowerCase()
			.replace(/[^\w\s-]/g, '')
			.replace(/\s/g, '-'),
	);

test.each(pages)('every link to a file in $file works', ({ file, text }) => {
	const broken = linksOf(text).filter((link) => {
		const [target = ''] = (fileOf(link, file) ?? '').split('#');
		return target !== '' && !exists(target);
	});
	expect(broken).toEqual([]);
});

test.each(pages)('every link to a heading in $file works', ({ file, text }) => {
	const broken = linksOf(text).filter((link) => {
		const [target = '', anchor] = (fileOf(link, file) ?? link).split('#');
		if (anchor === undefined || target.startsWith('http')) return false;
		const linked = target === '' ? text : readFileSync(target, 'utf8');
		return !anchorsOf(linked).includes(anchor);
	});
	expect(broken).toEqual([]);
});

test.each(pages)(
	'every picture in $file exists in a light and a dark version',
	({ file, text }) => {
		const pictures = picturesOf(text);
		const missing = pictures.filter((link) => !exists(fileOf(link, file) ?? ''));
		expect(missing).toEqual([]);
		const dark = pictures.filter((link) => link.endsWith('.dark.png'));
		expect(dark.map((link) => link.replace('.dark.', '.light.')).sort()).toEqual(
			pictures.filter((link) => !dark.includes(link)).sort(),
		);
	},
);

describe('The README', () => {
	const { text } = pages[0] as { text: string };

	test('has only absolute links, because npm shows it without the other files', () => {
		const addresses = [...linksOf(text), ...picturesOf(text)];
		expect(addresses.filter((address) => !/^(https:|#)/.test(address))).toEqual([]);
		expect(picturesOf(text).filter((address) => !address.startsWith(IMAGES))).toEqual([]);
		expect(picturesOf(text).length).toBeGreaterThan(1);
	});

	test('links to each of its sections', () => {
		const sections = [...text.matchAll(/^## .+$/gm)].flatMap(([heading]) => anchorsOf(heading));
		const linked = linksOf(text).map((link) => link.slice(1));
		expect(sections).not.toEqual([]);
		expect(sections.filter((section) => !linked.includes(section))).toEqual([]);
	});

	test('lists the versions that the package requires and is tested with', () => {
		const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
		const { version, engines, devDependencies } = read('package.json');
		const { n8n } = read('host/package.json').dependencies;
		const older: Array<{ n8n: string }> = read('test/versions/versions.json');
		const testedVersions = [...older.map((version) => version.n8n), n8n].join(', ');
		const [, row = ''] = /## Compatibility\n\n\|.*\n\|.*\n(.*)/.exec(text) ?? [];
		const cells = row.split('|').map((cell) => cell.trim());
		const [, ownVersion, , testedN8n, minimumNode, testedNode] = cells;
		expect([ownVersion, testedN8n]).toEqual([version, testedVersions]);
		expect(`>=${minimumNode}`).toBe(engines.node);
		expect(devDependencies.node).toMatch(new RegExp(`^\\^?${testedNode}\\b`));
	});
});

test('every message that a page explains exists in the nodes', () => {
	const sources = ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.map((file) => readFileSync(path.join(root, folder, file), 'utf8')),
	);
	const aboutValues = Object.values(mappedFields).map(({ caption }) => `Invalid ${caption}`);
	const messages = [...sources, ...aboutValues].join('\n');
	const explained = pages.flatMap(({ text }) =>
		[...text.matchAll(/^\| Message +\|[^\n]*\n\|[- |]+\n((?:\|.*\n)+)/gm)]
			.flatMap(([, rows = '']) => rows.trim().split('\n'))
			.map((row) => row.split('|')[1]?.trim() ?? ''),
	);
	// … stands for any text. Only the text around it must exist in the code.
	const partsOf = (message: string) =>
		message.split(/[…"]| \(\d+\)/).map((part) => part.replace(/^\W+|\W+$/g, ''));
	const unknown = explained.filter((message) =>
		partsOf(message).some((part) => !messages.includes(part)),
	);
	expect(unknown).toEqual([]);
	expect(explained.length).toBeGreaterThan(10);
});
