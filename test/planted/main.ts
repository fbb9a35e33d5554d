// `npm run test:planted`: puts one planted defect at a time into a copy of the code, and says which
// test notices it. `-- --only text` takes the defects with this text in their file or promise.
import { execFileSync, spawn } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { transpileModule } from 'typescript';

import { type Defect, type Kind, kinds } from './defect';
import { allDefects } from './defects';

const root = path.resolve(__dirname, '../..');

/** A defect counts as not noticed if so many histories of each kind break no promise. */
const HISTORIES = 5_000;

/** Tests that run commands, read files or load the built package instead of the code. */
const NOT_COUNTED = '/(docs|importRules|package|promises|workflows)[.]test[.]ts$';

/** A random test may or may not notice a defect. */
const WITHOUT_RANDOM_TESTS = path.join(root, 'scripts/mutants/setup.cjs');

/** Runs one of the project's tools, and returns what it prints. */
async function run(command: string, args: string[], cwd: string): Promise<string> {
	const bin = path.join(root, 'node_modules/.bin');
	const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` };
	return await new Promise((resolve, reject) => {
		const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
		let output = '';
		for (const stream of [child.stdout, child.stderr]) {
			stream.on('data', (data) => (output += String(data)));
		}
		child.on('error', reject).on('close', () => resolve(output));
	});
}

/** Copies what git knows, and new files. */
function makeCopy(): string {
	const copy = mkdtempSync(path.join(tmpdir(), 'planted-'));
	const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
	const files = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\0');
	for (const file of files.filter((each) => each !== '' && existsSync(path.join(root, each)))) {
		cpSync(path.join(root, file), path.join(copy, file));
	}
	symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
	return copy;
}

interface Outcome {
	/** The tests that fail, or the promise that a history breaks. */
	failed: string[];
	/** What could not be run, and so notices nothing. */
	notRun: string[];
}

interface JestFile {
	name: string;
	status: string;
	assertionResults: Array<{ status: string; fullName: string }>;
}

/** Runs the unit tests that import a file, or all of them. */
async function runUnitTests(copy: string, file?: string): Promise<Outcome> {
	const report = path.join(copy, 'jest.json');
	rmSync(report, { force: true });
	const args = [
		...['--selectProjects', 'main', '--testMatch', '<rootDir>/test/unit/**/*.test.ts'],
		...['--testPathIgnorePatterns', NOT_COUNTED, '--setupFilesAfterEnv', WITHOUT_RANDOM_TESTS],
		...['--runInBand', '--passWithNoTests', '--json', '--outputFile', report],
	];
	const related = file === undefined ? [] : ['--findRelatedTests', file];
	const output = await run('jest', [...args, ...related], copy);
	if (!existsSync(report)) return { failed: [], notRun: [`jest (${output.slice(-300)})`] };
	const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as { testResults: JestFile[] };
	const outcome: Outcome = { failed: [], notRun: [] };
	for (const { name, status, assertionResults } of testResults) {
		const tests = path.relative(path.join(copy, 'test'), name).replace('.test.ts', '');
		const failed = assertionResults.filter((each) => each.status === 'failed');
		outcome.failed.push(...failed.map(({ fullName }) => `${tests} › ${fullName}`));
		// A file that cannot be loaded has no failed test.
		if (status === 'failed' && failed.length === 0) outcome.notRun.push(tests);
	}
	return outcome;
}

/** Plays the kept histories and those of the seeds until one breaks a promise, and returns that one. */
async function simulate(kind: Kind, copy: string, from: number, histories: number) {
	const options = { kind, package: copy, seed: from, histories, processes: 1 };
	const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
	const output = await run('tsx', ['test/simulation/main.ts', ...args, '--no-shrink'], root);
	const [, seed, promise = ''] = /^Seed (\d+) \(\w+\): (.*)$/m.exec(output) ?? [];
	if (seed !== undefined) return { seed: Number(seed), promise };
	if (/^(\d+) of \1 /m.test(output)) return undefined;
	throw new Error(/.*error.*/i.exec(output)?.[0] ?? 'It printed no result');
}

/** Only a history that breaks no promise without the defect counts. */
async function runSimulation(kind: Kind, copy: string, unchanged: string): Promise<Outcome> {
	try {
		for (const folder of [copy, unchanged]) await run('gulp', ['build', '--silent'], folder);
		for (let from = 1; from <= HISTORIES; ) {
			const broken = await simulate(kind, copy, from, HISTORIES - from + 1);
			if (!broken) break;
			const { seed, promise } = broken;
			const failed = [`simulation ${kind} › ${promise} (after ${seed} histories)`];
			if (!(await simulate(kind, unchanged, seed, 1))) return { failed, notRun: [] };
			if (seed === 0) throw new Error('A kept history breaks a promise without a defect');
			from = seed + 1;
		}
		return { failed: [], notRun: [] };
	} catch (error) {
		return { failed: [], notRun: [`simulation ${kind} (${(error as Error).message})`] };
	}
}

/** The cheapest first, unless the defect names another one. */
function testsFor({ file, noticedBy }: Defect): Array<Kind | 'unit'> {
	const isOfTrigger = /tracking\/|Trigger/.test(file);
	const isOfBoth = /transport\/|credentials\//.test(file);
	const possible = kinds.filter((kind) => isOfBoth || (kind === 'trigger') === isOfTrigger);
	return [...new Set<Kind | 'unit'>([noticedBy ?? 'unit', 'unit', ...possible])];
}

/** What is wrong with the entry itself. */
function problemOf({ file, find, replace }: Defect): string | undefined {
	if (!existsSync(path.join(root, file))) return 'There is no such file';
	const code = readFileSync(path.join(root, file), 'utf8');
	const count = code.split(find).length - 1;
	if (count !== 1) return `The file contains this ${count} times: ${find}`;
	const changed = code.replace(find, () => replace);
	const { diagnostics = [] } = transpileModule(changed, { reportDiagnostics: true });
	return diagnostics.length > 0 ? `This cannot be compiled: ${replace}` : undefined;
}

const nameOf = ({ file, promise }: Defect) => `${file}: ${promise}`;

async function main(): Promise<void> {
	const options = { only: { type: 'string', default: '' }, list: { type: 'boolean' } } as const;
	const { only, list } = parseArgs({ options }).values;
	const chosen = allDefects.filter((defect) => nameOf(defect).includes(only));
	if (list) return console.log(chosen.map(nameOf).join('\n'));
	const invalid = chosen.filter((defect) => problemOf(defect) !== undefined);
	for (const each of invalid) console.error(`${nameOf(each)}\n  ${problemOf(each)}`);
	if (invalid.length > 0 || chosen.length === 0) throw new Error('Nothing was tested');

	const unchanged = makeCopy();
	const { failed: failing, notRun } = await runUnitTests(unchanged);
	for (const test of [...failing, ...notRun]) console.log(`Fails without a defect: ${test}`);

	/** What notices the defect that is in the copy. */
	const notice = async (defect: Defect, copy: string) => {
		const skipped: string[] = [];
		for (const test of testsFor(defect)) {
			const isUnit = test === 'unit';
			const running = isUnit
				? runUnitTests(copy, defect.file)
				: runSimulation(test, copy, unchanged);
			const outcome = await running;
			const [first, ...more] = outcome.failed.filter((each) => !failing.includes(each));
			if (first) return [true, more.length > 0 ? `${first} (and ${more.length} more)` : first];
			skipped.push(...outcome.notRun);
		}
		return [false, ['nothing', ...skipped].join('; not run: ')];
	};
	const waiting = [...chosen];
	let unnoticed = 0;
	const work = async (copy: string) => {
		for (let defect = waiting.shift(); defect; defect = waiting.shift()) {
			const { find, replace } = defect;
			const startedAt = Date.now();
			const file = path.join(copy, defect.file);
			const code = readFileSync(file, 'utf8');
			writeFileSync(
				file,
				code.replace(find, () => replace),
			);
			const [isNoticed, by] = await notice(defect, copy);
			writeFileSync(file, code);
			if (!isNoticed) unnoticed++;
			const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
			console.log(`${isNoticed ? '' : 'NOT '}NOTICED ${nameOf(defect)}\n  ${seconds} s, by ${by}`);
		}
	};
	const copies = [makeCopy(), makeCopy()];
	await Promise.all(copies.map(work));
	for (const copy of [unchanged, ...copies]) rmSync(copy, { recursive: true });
	console.log(`\n${chosen.length - unnoticed} of ${chosen.length} planted defects are noticed`);
	if (unnoticed > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
