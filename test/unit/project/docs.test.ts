import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

import { mappedFields } from '../../../nodes/ParcelShipping/orders/fields';
import { filesIn, read, root } from '../../support/projectFiles';

const readJson = (file: string) => JSON.parse(read(file));

const docs = readdirSync(path.join(root, 'docs')).filter((file) => file.endsWith('.md'));
const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'workflows/README.md']
	.concat(docs.map((file) => `docs/${file}`))
	.map((file) => ({ file, text: read(file) }));
const { homepage, version, engines, devDependencies } = readJson('package.json');

const REPOSITORY = homepage.replace('https://github.com/', '');
const ON_GITHUB = new RegExp(`^https://github.com/${REPOSITORY}/(?:blob|tree)/main/`);
const IMAGES = `https://raw.githubusercontent.com/${REPOSITORY}/main/`;

const found = (text: string, pattern: RegExp) =>
	[...text.matchAll(pattern)].map(([, part = '']) => part);
const wordsIn = (file: string) => found(read(file), /(\w+)/g);
const linksOf = (text: string) => found(text, /\]\(([^)\s]+)\)/g);
const picturesOf = (text: string) => [
	...found(text, /(?:src|srcset)="([^"]+)"/g),
	...found(text, /!\[[^\]]*\]\(([^)\s]+)\)/g),
];
const anchorsOf = (text: string) =>
	found(text, /^#+ (.+)$/gm).map((heading) =>
		heading
			.toLowerCase()
			.replace(/[^\w\s-]/g, '')
			.replace(/\s/g, '-'),
	);

/** The path of the file that a link leads to, or undefined for other addresses. */
function fileOf(link: string, page: string): string | undefined {
	const name = link.replace(ON_GITHUB, '/').replace(IMAGES, '/');
	if (/^(https?:|#)/.test(name)) return undefined;
	return path.join(root, name.startsWith('/') ? '' : path.dirname(page), name);
}

/** Compares upper and lower case even on a file system that ignores it. */
const exists = (file: string) =>
	existsSync(path.dirname(file)) && readdirSync(path.dirname(file)).includes(path.basename(file));

describe.each(pages)('$file', ({ file, text }) => {
	test('has only links to files and headings that exist', () => {
		const broken = linksOf(text).filter((link) => {
			const [target = '', anchor] = (fileOf(link, file) ?? link).split('#');
			if (/^https?:/.test(target)) return false;
			if (target !== '' && !exists(target)) return true;
			const linked = target === '' ? text : anchor ? readFileSync(target, 'utf8') : '';
			return anchor !== undefined && !anchorsOf(linked).includes(anchor);
		});
		expect(broken).toEqual([]);
	});

	test('has only pictures that exist in a light and a dark version', () => {
		const pictures = picturesOf(text);
		expect(pictures.filter((link) => !exists(fileOf(link, file) ?? ''))).toEqual([]);
		const dark = pictures.filter((link) => link.endsWith('.dark.png'));
		const light = pictures.filter((link) => link.endsWith('.light.png'));
		expect(dark.map((link) => link.replace('.dark.', '.light.')).sort()).toEqual(light.sort());
	});
});

describe('The README', () => {
	const text = read('README.md');

	test('is one page', () => {
		expect(text.split('\n').length - 1).toBeLessThanOrEqual(120);
		expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10_000);
	});

	test('has only absolute links, because npm shows it without the other files', () => {
		const addresses = [...linksOf(text), ...picturesOf(text)];
		expect(addresses.filter((address) => !/^(https:|#)/.test(address))).toEqual([]);
		expect(picturesOf(text).filter((address) => !address.startsWith(IMAGES))).toEqual([]);
		expect(picturesOf(text)).not.toEqual([]);
	});

	test('lists the versions that the package requires and is tested with', () => {
		const { n8n } = readJson('host/package.json').dependencies;
		const older: Array<{ n8n: string }> = readJson('test/versions/versions.json');
		const tested = [...older.map((each) => each.n8n), n8n].join(', ');
		const [row = ''] = found(text, /## Compatibility\n\n\|.*\n\|.*\n(.*)/g);
		const [, ownVersion, , testedN8n, minimumNode, testedNode] = row.split(/ *\| */);
		expect([ownVersion, testedN8n]).toEqual([version, tested]);
		expect(`>=${minimumNode}`).toBe(engines.node);
		expect(devDependencies.node).toMatch(new RegExp(`^\\^?${testedNode}\\b`));
	});
});

test('every message that a page explains exists in the nodes', () => {
	const sources = ['nodes', 'credentials']
		.flatMap(filesIn)
		.filter((file) => file.endsWith('.ts'))
		.map(read);
	const aboutValues = Object.values(mappedFields).map(({ caption }) => `Invalid ${caption}`);
	const messages = [...sources, ...aboutValues].join('\n');
	const explained = pages
		.flatMap(({ text }) => found(text, /^\| Message +\|[^\n]*\n\|[- |]+\n((?:\|.*\n)+)/gm))
		.flatMap((rows) => rows.trim().split('\n'))
		.map((row) => row.split('|')[1]?.trim() ?? '');
	// … stands for any text. Only the text around it must exist in the code.
	const partsOf = (message: string) =>
		message.split(/[…"]| \(\d+\)/).map((part) => part.replace(/^\W+|\W+$/g, ''));
	const isUnknown = (message: string) => partsOf(message).some((part) => !messages.includes(part));
	expect(explained).not.toEqual([]);
	expect(explained.filter(isUnknown)).toEqual([]);
});

describe('The guide for contributors', () => {
	const text = read('CONTRIBUTING.md') + read('docs/architecture.md');

	test('names only paths that exist', () => {
		const names = found(text, /`([\w.@-]+(?:\/[\w.@-]+)*\/?)`/g).filter(
			(name) => name.includes('/') || /\.(ts|mjs|cjs|json|yaml|md)$/.test(name),
		);
		const folders = ['', 'nodes/ParcelShipping', 'nodes/ParcelShipping/actions'];
		const isMissing = (name: string) =>
			!folders.some((folder) => existsSync(path.join(root, folder, name)));
		expect(names).not.toEqual([]);
		expect(names.filter((name) => name !== 'dist/' && isMissing(name))).toEqual([]);
	});

	test('names only functions that exist', () => {
		const code = ['nodes', 'sandbox', 'scripts', 'test'].flatMap(filesIn);
		const words = new Set(code.filter((file) => file.endsWith('.ts')).flatMap(wordsIn));
		const names = found(text, /`(\w+)`/g).filter((name) => /[a-z][A-Z]/.test(name));
		expect(names).not.toEqual([]);
		expect(names.filter((name) => !words.has(name))).toEqual([]);
	});
});

test('the Docker files start the tested n8n with the package as by hand, all processes alike', () => {
	const { services } = parse(read('docs/scaling/compose.yaml'), { merge: true });
	const { build, environment } = services.main;
	const { n8n } = readJson('host/package.json').dependencies;
	const [install] = found(read('docs/install.md'), /(npm install [^`]*n8n-nodes-parcel-shipping)/g);
	expect(build.dockerfile_inline).toContain(`FROM n8nio/n8n:${n8n}\n`);
	expect(build.dockerfile_inline).toContain(`cd /home/node/.n8n/nodes && ${install}\n`);
	expect(services.worker).toMatchObject({ build, environment });
});
