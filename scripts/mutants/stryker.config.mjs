// Options: https://stryker-mutator.io/docs/stryker-js/configuration
import { existsSync } from 'node:fs';
import path from 'node:path';

const { MUTATE: target, MINIMUM: minimum } = process.env;
const source = path.posix.join('nodes/ParcelShipping', target);
const reports = `.cache/mutants/${target.replaceAll('/', '-')}`;

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: [existsSync(`${source}.ts`) ? `${source}.ts` : `${source}/**/!(*.generated).ts`],
	testRunner: 'jest',
	jest: {
		configFile: 'scripts/mutants/jest.config.cjs',
		// Engine tests load the built package, which their imports do not show.
		enableFindRelatedTests: false,
	},
	// Puts the changes into the built package, all at once; the runner switches on one at a time.
	buildCommand: 'gulp build --silent',
	coverageAnalysis: 'perTest',
	// What runs while a file is loaded is covered by every test.
	ignoreStatic: minimum === undefined,
	// swc and rolldown do not check types.
	disableTypeChecks: false,
	concurrency: 1,
	// A process keeps part of what each run has loaded.
	maxTestRunnerReuse: 50,
	timeoutMS: 60_000,
	timeoutFactor: 4,
	dryRunTimeoutMinutes: 20,
	ignorePatterns: ['.*', 'dist', 'docs/images', 'host'],
	tempDirName: `${reports}.sandbox`,
	cleanTempDir: 'always',
	incremental: true,
	incrementalFile: `${reports}.json`,
	reporters: ['clear-text', 'html', 'progress-append-only'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	htmlReporter: { fileName: `${reports}.html` },
	thresholds: { high: 100, low: 90, break: minimum === undefined ? null : Number(minimum) },
};
