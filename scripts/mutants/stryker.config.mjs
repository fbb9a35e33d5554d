// Options: https://stryker-mutator.io/docs/stryker-js/configuration
import { readFileSync } from 'node:fs';

import { rangeOf } from './draw.mjs';

const {
	MUTANTS_FILES: files,
	MUTANTS_DRAWN: drawn,
	MUTANTS_FORCE: force,
	MUTANTS_REPORT: report,
} = process.env;

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	...(drawn
		? {
				mutate: JSON.parse(readFileSync(drawn, 'utf8')).map(rangeOf),
				plugins: ['@stryker-mutator/*', './scripts/mutants/onlyDrawn.mjs'],
				checkers: ['onlyDrawn'],
			}
		: {
				mutate: JSON.parse(files),
				incremental: true,
				incrementalFile: `${report}.incremental.json`,
				force: Boolean(force),
			}),
	testRunner: 'jest',
	jest: {
		configFile: 'scripts/mutants/jest.config.cjs',
		// Engine tests load the built package, which their imports do not show.
		enableFindRelatedTests: false,
	},
	// Puts the changes into the built package, all at once; the runner switches on one at a time.
	buildCommand: 'gulp build --silent',
	coverageAnalysis: 'perTest',
	// swc and rolldown do not check types.
	disableTypeChecks: false,
	concurrency: 1,
	// A process keeps part of what each run has loaded.
	maxTestRunnerReuse: 50,
	timeoutMS: 120_000,
	timeoutFactor: 1,
	dryRunTimeoutMinutes: 30,
	ignorePatterns: ['.*', 'dist'],
	tempDirName: `${report}.sandbox`,
	cleanTempDir: 'always',
	reporters: ['clear-text', 'html', 'json', 'progress-append-only'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	htmlReporter: { fileName: `${report}.html` },
	jsonReporter: { fileName: `${report}.json` },
	thresholds: { high: 100, low: 90, break: null },
};
