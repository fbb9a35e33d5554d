import { execFileSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

// Every command that a page tells to run is run: by a test that is named here, or below.

const root = path.resolve(__dirname, '../..');
const read = (file: string) => readFileSync(path.resolve(root, file), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** The test that runs a command, and the words in it that do. */
const tested: Record<string, [file: string, words: string]> = {
	'npm start': ['test/e2e/start.test.ts', "NpmStart.run('start', ['--folder'"],
	'npm start -- --url <address>': ['test/e2e/startAccount.test.ts', "'--url', sandbox.url"],
	'npm start -- --help': ['test/e2e/start.test.ts', "NpmStart.run('start', ['--help'])"],
	'npm run dev': ['test/e2e/start.test.ts', "NpmStart.run('dev'"],
	'npm run sandbox': ['test/sandbox/main.test.ts', "runSandbox('--port'"],
	'npm run sandbox -- --help': ['test/sandbox/main.test.ts', "runSandbox('--help')"],
	'npm install --omit=peer n8n-nodes-parcel-shipping': [
		'test/e2e/installByHand.test.ts',
		'commandFor(tarball)',
	],
	'npm run bench': ['test/bench/quick.test.ts', 'scripts/bench.mjs'],
	'n8n start': ['test/queue/support/cluster.ts', 'startMain()'],
	'n8n worker --concurrency=10': ['test/queue/support/cluster.ts', "command: 'worker'"],
};

/** What suites give to jest. */
const suites: Record<string, string[]> = {
	'npm test': [],
	'npm run test:e2e': ['--config', 'jest.e2e.config.js'],
	'npm run test:queue': ['--config', 'jest.queue.config.js'],
	'npm run test:bench': ['--config', 'jest.bench.config.js'],
	'npm run test:faults': ['test/engine/creationFaults.test.ts'],
	'npm run test:histories': ['test/engine/triggerHistories'],
	'npm run test:kills': ['--config', 'jest.kills.config.js'],
	'npm run screenshots': ['--config', 'jest.e2e.config.js', 'test/e2e/browser'],
};

/** Steps of `npm test`; of formatting, whether it would change anything. */
const steps: Record<string, string> = {
	'npm run build': "'gulp', ['build'",
	'npm run typecheck': "'tsc', ['-p', '.']",
	'npm run lint': "'n8n-node', ['lint']",
	'npm run format': "'prettier', ['--check'",
};

/** Run below. */
const generate = 'npm run generate';

const pages = [
	'README.md',
	'CONTRIBUTING.md',
	'workflows/README.md',
	...readdirSync(path.join(root, 'docs'))
		.filter((file) => file.endsWith('.md'))
		.map((file) => `docs/${file}`),
];

/** The lines of shell blocks, and commands in the text. */
function commandsIn(page: string): string[] {
	const text = read(page);
	const lines = [...text.matchAll(/^```(?:sh|bash|console)\n([\s\S]*?)^```/gm)]
		.flatMap(([, block = '']) => block.split('\n'))
		.map((line) => line.replace(/(^|\s)#.*$/, '').trim());
	const inText = [...text.matchAll(/`((?:npm|npx|node|n8n|docker|bash) [^`]+)`/g)];
	return [...lines.filter(Boolean), ...inText.map(([, command = '']) => command)];
}

const told = new Set(pages.flatMap(commandsIn));
const proven = [...Object.keys(tested), ...Object.keys(suites), ...Object.keys(steps), generate];

/** The text of the script behind `npm run ...`, and of the file that it starts. */
function scriptOf(command: string): string {
	const script = scripts[command.replace(/^npm (run )?/, '')] ?? '';
	const [file] = /scripts\/[\w-]+\.mjs/.exec(script) ?? [];
	return file ? read(file) : script;
}

test('Every command in the pages is proven to work, and nothing else is listed here', () => {
	expect([...told].sort()).toEqual(proven.sort());
});

test('CONTRIBUTING.md lists every npm script', () => {
	const listed = new Set(commandsIn('CONTRIBUTING.md'));
	const names = Object.keys(scripts).map((name) =>
		['start', 'test'].includes(name) ? `npm ${name}` : `npm run ${name}`,
	);
	expect(names.filter((name) => !listed.has(name))).toEqual([]);
});

test.each(Object.entries(tested))('"%s" is run by a test', (_, [file, words]) => {
	expect(read(file)).toContain(words);
});

test.each(Object.entries(suites))('"%s" is a suite that finds tests', (command, args) => {
	for (const word of ["'jest'", ...args]) expect(scriptOf(command)).toContain(word.slice(1, -1));
	const options = { cwd: root, stdio: 'pipe', encoding: 'utf8' } as const;
	const found = execFileSync('jest', [...args, '--listTests'], options);
	expect(found).toMatch(/\.test\.ts$/m);
});

test.each(Object.entries(steps))('"%s" is a step of npm test', (command, step) => {
	expect(read('scripts/test.mjs')).toContain(step);
	const [, program = ''] = /^'([\w-]+)'/.exec(step) ?? [];
	expect(scriptOf(command)).toContain(program);
});

const copy = mkdtempSync(path.join(tmpdir(), 'parcel-copy-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('"npm run generate" changes nothing in a folder where all is up to date', () => {
	const foreign = ['node_modules', '.git', 'dist', '.host', '.bench', '.sandbox', 'coverage'];
	const isOwn = (file: string) =>
		!path
			.relative(root, file)
			.split(path.sep)
			.some((name) => foreign.includes(name));
	cpSync(root, copy, { recursive: true, filter: isOwn });
	symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
	execFileSync('sh', ['-c', generate], { cwd: copy, stdio: 'pipe' });

	const files = readdirSync(copy, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(copy, path.join(entry.parentPath, entry.name)));
	const changed = files.filter((file) => {
		const original = path.join(root, file);
		return !existsSync(original) || read(original) !== read(path.join(copy, file));
	});
	expect(changed).toEqual([]);
	expect(files.length).toBeGreaterThan(200);
}, 120_000);
