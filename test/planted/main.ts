// `npm run test:planted`: puts one planted defect at a time into a copy of the code, and says which
// test notices it. `-- --only text` takes the defects with this text in their file or promise.
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { copyProject } from '../support/projectCopy';
import { root } from '../support/projectFiles';
import { type Defect, plant, problemOf } from './defect';
import { allDefects } from './defects';
import { withUnknownNames } from './unknownNames';

/** A defect counts as not noticed if so many histories of each kind break no promise. */
const HISTORIES = 5_000;

/** They take less time than the engine tests, and notice most defects that no unit test notices. */
const FEW_HISTORIES = 300;

/** Runs one of the project's tools, and returns what it prints. */
async function run(command: string, args: string[], cwd: string): Promise<string> {
	const PATH = `${path.join(root, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`;
	return await new Promise((resolve) => {
		const options = { cwd, env: { ...process.env, PATH }, maxBuffer: Infinity };
		execFile(command, args, options, (_failure, printed, problems) => resolve(printed + problems));
	});
}

interface Report {
	testResults: Array<{
		name: string;
		assertionResults: Array<{ status: string; fullName: string }>;
	}>;
}

/** The unit tests that fail, of those that import a file or of all. */
async function failingUnitTests(copy: string, file?: string): Promise<string[]> {
	return await failingTests(copy, 'unit/**/*', [
		// They run commands, read files or load the built package instead of the code.
		...['--testPathIgnorePatterns', '/unit/project/'],
		...['--setupFilesAfterEnv', path.join(__dirname, 'withoutRandomTests.cjs')],
		...(file === undefined ? [] : ['--findRelatedTests', file]),
	]);
}

async function failingTests(copy: string, files: string, args: string[] = []): Promise<string[]> {
	const report = path.join(copy, 'jest.json');
	const which = ['--selectProjects', 'main', '--testMatch', `<rootDir>/test/${files}.test.ts`];
	const how = ['--runInBand', '--forceExit', '--passWithNoTests', '--json', '--outputFile', report];
	rmSync(report, { force: true });
	const output = await run('jest', [...which, ...how, ...args], copy);
	if (output.includes('No tests found')) return [];
	const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
	return testResults.flatMap(({ name, assertionResults }) =>
		assertionResults
			.filter(({ status }) => status === 'failed')
			.map(({ fullName }) => `${path.relative(path.join(copy, 'test'), name)} › ${fullName}`),
	);
}

/** Plays the kept histories and those of the seeds until one breaks a promise, and returns that one. */
async function simulate(kind: string, copy: string, from: number, histories: number) {
	const options = { kind, package: copy, seed: from, histories, processes: 1 };
	const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
	const output = await run('tsx', ['test/simulation/main.ts', ...args, '--no-shrink'], root);
	const [, seed, promise = ''] = /^Seed (\d+) \(\w+\) breaks: (.*)$/m.exec(output) ?? [];
	if (seed !== undefined) return { seed: Number(seed), promise };
	if (/^(\d+) of \1 /m.test(output)) return undefined;
	throw new Error(/.*error.*/i.exec(output)?.[0] ?? 'It printed no result');
}

/** The promise that a history breaks. It counts only if the history keeps it without the defect. */
async function brokenPromise(
	kind: string,
	copy: string,
	unchanged: string,
	first: number,
	last: number,
) {
	for (let from = first; from <= last; ) {
		const broken = await simulate(kind, copy, from, last - from + 1);
		if (!broken) return undefined;
		const { seed, promise } = broken;
		if (!(await simulate(kind, unchanged, seed, 1))) {
			return `simulation ${kind} › ${promise} (after ${seed} histories)`;
		}
		if (seed === 0) throw new Error('A kept history breaks a promise without a defect');
		from = seed + 1;
	}
	return undefined;
}

/** What the simulation plays of a file, the likeliest first. */
function kindsOf(file: string) {
	if (/transport\/|credentials\//.test(file)) return ['creation', 'changes', 'trigger'];
	if (/tracking\/|Trigger/.test(file)) return ['trigger'];
	return file.includes('/changes/') ? ['changes', 'creation'] : ['creation', 'changes'];
}

const nameOf = ({ file, promise }: Defect) => `${file}: ${promise}`;

async function main(): Promise<void> {
	const { only = '' } = parseArgs({ options: { only: { type: 'string' } } }).values;
	const chosen = allDefects.filter((defect) => nameOf(defect).includes(only));
	if (chosen.length === 0) throw new Error(`No planted defect has "${only}" in its name`);
	const misfits = chosen.flatMap((defect) => problemOf(defect) ?? []);
	const problems = misfits.length > 0 ? misfits : withUnknownNames(chosen);
	if (problems.length > 0) throw new Error(['Nothing was tested', ...problems].join('\n'));

	const unchanged = copyProject();
	const failing = await failingUnitTests(unchanged);
	for (const test of failing) console.log(`Fails without a defect: ${test}`);

	/** What notices the defect that is in the copy: unit tests, which take least time, the simulation, or engine tests. */
	const noticedBy = async ({ file, engine }: Defect, copy: string) => {
		const failed = await failingUnitTests(copy, file);
		const test = failed.find((each) => !failing.includes(each));
		if (test) return test;
		for (const folder of [copy, unchanged]) await run('gulp', ['build', '--silent'], folder);
		const bySimulation = async (first: number, last: number) => {
			for (const kind of engine ? [] : kindsOf(file)) {
				const promise = await brokenPromise(kind, copy, unchanged, first, last);
				if (promise) return promise;
			}
			return undefined;
		};
		return (
			(await bySimulation(1, FEW_HISTORIES)) ??
			(await failingTests(copy, `engine/${engine ?? '*'}`))[0] ??
			(await bySimulation(FEW_HISTORIES + 1, HISTORIES))
		);
	};
	const waiting = [...chosen];
	let noticed = 0;
	const work = async (copy: string) => {
		for (let defect = waiting.shift(); defect; defect = waiting.shift()) {
			const file = path.join(copy, defect.file);
			const code = readFileSync(file, 'utf8');
			writeFileSync(file, plant(code, defect));
			const by = await noticedBy(defect, copy).catch(console.error);
			writeFileSync(file, code);
			if (by) noticed++;
			console.log(`${by ? '' : 'NOT '}NOTICED ${nameOf(defect)}\n  by ${by ?? 'nothing'}`);
		}
	};
	const copies = [copyProject(), copyProject()];
	await Promise.all(copies.map(work));
	for (const copy of [unchanged, ...copies]) rmSync(copy, { recursive: true });
	console.log(`\n${noticed} of ${chosen.length} planted defects are noticed`);
	if (noticed < chosen.length) process.exitCode = 1;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
