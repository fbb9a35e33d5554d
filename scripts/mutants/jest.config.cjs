const [main] = require('../../jest.config.js').projects;

// By the folder that is mutated: the tests that can notice a change there.
const UNIT = {
	changes: 'messages',
	creation: '{messages,creation/*}',
	labels: 'shipmentNumbers',
	orders: 'orders/*',
	tracking: '{messages,tracking*}',
	writes: '{writes,creation}/*',
	transport: '{concurrency,credential,date,messages,paging,response,retry,service*}',
};
const ENGINE = {
	changes: 'shipment{Cancel,HandOver}',
	creation: '{creation*,dialects,readOrders}',
	labels: '{label*,creationPrint}',
	orders: '{creationRules,readOrders}',
	writes: '{creation*,label*,shipment{Cancel,HandOver}}',
	tracking: 'trigger*',
	transport: '{client,lists,serviceErrors}',
};

/** Random runs, which may or may not notice a change, and tests that measure or that check the docs. */
const NOT_COUNTED = [
	'/(creationDuplicates|creationFaults|changesFaults|triggerHistories)[.]test[.]ts$',
	'/(examplesPage|labelFileMemory|triggerSize)[.]test[.]ts$',
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
