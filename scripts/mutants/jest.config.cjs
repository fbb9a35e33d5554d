const [main] = require('../../jest.config.js').projects;

// By the folder that is mutated: the tests that can notice a change there.
const UNIT = {
	changes: '{messages,planHandOver}',
	creation: '{messages,creation/*}',
	labels: 'printing',
	orders: 'orders/*',
	tracking: '{messages,tracking*}',
	writes: '{writes,creation}/*',
	transport: '{baseUrl,concurrency,credential,date,messages,paging,response,retry,serviceMessage}',
};
const ENGINE = {
	changes: '{retriedRuns,shipmentChanges}',
	creation: '{creation*,dialects,readOrders,retriedRuns}',
	labels: '{label*,creationPrint}',
	orders: '{creationOptions,readOrders}',
	writes: '{creation*,label*,retriedRuns,shipmentChanges}',
	tracking: 'trigger*',
	transport: '{client,credential,lists,serviceErrors}',
};

/** Random runs, which may or may not notice a change, and tests that measure or that check the docs. */
const NOT_COUNTED = [
	'/(creationDuplicates|creationFaults|changesFaults|triggerHistories)[.]test[.]ts$',
	'/(benchmark|docsExamples|examplesPage|labelFileMemory|triggerSize)[.]test[.]ts$',
];

const { MUTATE: target, MINIMUM: minimum } = process.env;
const [folder] = target.split('/');
const unit = `<rootDir>/test/unit/${UNIT[folder] ?? 'messages'}.test.ts`;
const engine = `<rootDir>/test/engine/${ENGINE[folder] ?? '*'}.test.ts`;

/** @type {import('jest').Config} */
module.exports = {
	rootDir: '../..',
	testEnvironment: main.testEnvironment,
	transform: main.transform,
	// Unit tests must be enough for the files with a minimum: they notice a change within a second.
	testMatch: minimum ? [unit] : [unit, engine],
	testPathIgnorePatterns: NOT_COUNTED,
	testTimeout: 30_000,
	setupFilesAfterEnv: ['<rootDir>/scripts/mutants/setup.cjs'],
	runner: '<rootDir>/scripts/mutants/runner.cjs',
	cacheDirectory: '<rootDir>/.cache/jest',
};
