import { execFileSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	unlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

// A test runs each command that the pages mention. These tables name that test.

const root = path.resolve(__dirname, '../..');
const read = (file: string) => readFileSync(path.resolve(root, file), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** The test that runs a command, and the code that runs it. */
const tested: Record<string, [file: string, code: string]> = {
	'npm start': ['test/e2e/start.test.ts', "NpmStart.run('start', ['--folder'"],
	'npm start -- --url <address>': ['test/e2e/startAccount.test.ts', "'--url', sandbox.url"],
	'npm start -- --dialect documented': ['test/e2e/start.test.ts', "'--dialect', 'documented'"],
	'npm start -- --help': ['test/e2e/start.test.ts', "NpmStart.run('start', ['--help'])"],
	'npm run dev': ['test/e2e/start.test.ts', "NpmStart.run('dev'"],
	'npm run sandbox': ['test/sandbox/main.test.ts', "runSandbox('--port'"],
	'npm run sandbox -- --help': ['test/sandbox/main.test.ts', "runSandbox('--help')"],
	'npm run sandbox -- --without-extras': ['test/sandbox/main.test.ts', "'--without-extras'"],
	'npm install --omit=peer n8n-nodes-parcel-shipping': [
		'test/e2e/installByHand.test.ts',
		'commandFor(tarball)',
	],
	'npm run release': ['test/unit/package.test.ts', 'scripts.release'],
	'npm run test:mutants': ['.github/workflows/mutants.yml', 'run: npm run test:mutants'],
	'npm run trace -- --write': ['scripts/trace.ts', 'values.write'],
	'npm run trace': ['test/unit/contributing.test.ts', "'tsx', ['scripts/trace.ts'"],
	'npm run bench': ['test/bench/quick.test.ts', 'scripts/bench.mjs'],
	'n8n start': ['test/queue/support/cluster.ts', 'startMain()'],
	'n8n worker --concurrency=10': ['test/queue/support/cluster.ts', "command: 'worker'"],
};

const { projects } = jest.requireActual<{ projects: { displayName: string }[] }>(
	'../../jest.config.js',
);

/** The arguments that `npm test` passes to jest. */
const ordinaryRuns = [
	['--selectProjects', 'main'],
	['--selectProjects', 'recorded'],
];

/** The arguments that the commands of the other suites pass to jest. */
const suiteCommands = suitesOf('scripts/suites.mjs').map(
	({ name, jest }): [command: string, name: string, jest: string[]] => [
		['examples', 'screencast', 'screenshots'].includes(name)
			? `npm run ${name}`
			: `npm run test:${name}`,
		name,
		jest,
	],
);

/** Steps of `npm test`. It only checks whether formatting would change anything. */
const steps: Record<string, string> = {
	'npm run build': "'gulp', ['build'",
	'npm run typecheck': "'tsc', ['-p', '.']",
	'npm run lint': "'n8n-node', ['lint']",
	'npm run format': "'prettier', ['--check'",
};

/** Run by the last test in this file. */
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

const mentioned = new Set(pages.flatMap(commandsIn));
const covered = [
	'npm test',
	generate,
	...Object.keys(tested),
	...Object.keys(steps),
	...suiteCommands.map(([command]) => command),
];

/** Reads the suites in another process, because jest does not load ES modules. */
function suitesOf(file: string): Array<{ name: string; jest: string[] }> {
	const code = `
		const { suites } = await import('./${file}');
		process.stdout.write(JSON.stringify(suites));`;
	const evaluate = ['--input-type=module', '--eval', code];
	const printed = execFileSync(process.execPath, evaluate, { cwd: root, encoding: 'utf8' });
	const suites = JSON.parse(printed) as Record<string, { jest: string[] }>;
	return Object.entries(suites).map(([name, { jest }]) => ({ name, jest }));
}

function testsFoundBy(jestArguments: string[]): string[] {
	const options = { cwd: root, stdio: 'pipe', encoding: 'utf8' } as const;
	const printed = execFileSync('jest', [...jestArguments, '--listTests'], options);
	return printed.split('\n').filter((line) => line.endsWith('.test.ts'));
}

/** The text of the script behind `npm run ...`, or of the file that it starts. */
function scriptOf(command: string): string {
	const script = scripts[command.replace(/^npm (run )?/, '')] ?? '';
	const [file] = /scripts\/[\w-]+\.mjs/.exec(script) ?? [];
	return file ? read(file) : script;
}

test('A test runs every command in the pages', () => {
	expect([...mentioned].sort()).toEqual(covered.sort());
});

test('CONTRIBUTING.md lists every npm script', () => {
	const listed = new Set(commandsIn('CONTRIBUTING.md'));
	const commands = Object.keys(scripts).filter((name) => name !== 'prepublishOnly');
	const names = commands.map((name) =>
		['start', 'test'].includes(name) ? `npm ${name}` : `npm run ${name}`,
	);
	expect(names.filter((name) => !listed.has(name))).toEqual([]);
});

test.each(Object.entries(tested))('A test runs "%s"', (_, [file, code]) => {
	expect(read(file)).toContain(code);
});

test.each(suiteCommands)('"%s" finds its tests', (command, name, jest) => {
	const script = command.replace(/^npm run /, '');
	expect(scripts[script]).toBe(`node scripts/runSuite.mjs ${name}`);
	expect(testsFoundBy(jest)).not.toEqual([]);
});

test.each(ordinaryRuns)('"npm test" finds tests with jest %s %s', (...jest) => {
	const [option, project] = jest;
	expect(read('scripts/test.mjs')).toContain(`'${option}', '${project}'`);
	expect(testsFoundBy(jest)).not.toEqual([]);
});

test('Each test file belongs to exactly one jest project', () => {
	const files = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.test.ts'))
		.map((file) => path.join(root, 'test', file));
	const found = projects.flatMap(({ displayName }) =>
		testsFoundBy(['--selectProjects', displayName]),
	);
	expect(found.sort()).toEqual(files.sort());
});

test.each(Object.entries(steps))('"npm test" includes "%s"', (command, step) => {
	expect(read('scripts/test.mjs')).toContain(step);
	const [, program = ''] = /^'([\w-]+)'/.exec(step) ?? [];
	expect(scriptOf(command)).toContain(program);
});

const copy = mkdtempSync(path.join(tmpdir(), 'parcel-copy-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('"npm run generate" changes nothing if every file is up to date', () => {
	const ignored = [
		'node_modules',
		'.git',
		'dist',
		'.host',
		'.bench',
		'.cache',
		'.sandbox',
		'coverage',
	];
	const isSource = (file: string) =>
		!path
			.relative(root, file)
			.split(path.sep)
			.some((name) => ignored.includes(name));
	cpSync(root, copy, { recursive: true, filter: isSource });
	symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
	execFileSync('sh', ['-c', generate], { cwd: copy, stdio: 'pipe' });
	// A recursive listing would follow the link.
	unlinkSync(path.join(copy, 'node_modules'));

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
