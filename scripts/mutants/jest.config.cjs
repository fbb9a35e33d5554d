const [main] = require('../../jest.config.js').projects;

/** By the folder that is mutated: the tests that can notice a change there. Others need all engine tests. */
const TESTS = {
	changes: ['engine/shipment{Cancel,HandOver}'],
	creation: ['unit/{messages,creation/*}', 'engine/{creation*,dialects,readOrders}'],
	labels: ['unit/printing', 'engine/{label*,creationPrint}'],
	tracking: ['unit/{messages,tracking*}', 'engine/trigger*'],
	transport: [
		'unit/{baseUrl,concurrency,date,messages,paging,response,retry,serviceMessage}',
		'engine/{client,credential,lists,serviceErrors}',
	],
};

/** Random runs, which may notice a change or not, and tests that measure memory or size. */
const NOT_COUNTED =
	'/(creationDoubles|creationFaults|triggerHistories|labelFileMemory|triggerSize)[.]test[.]ts$';

const [folder] = process.env.MUTATE.split('/');

/** @type {import('jest').Config} */
module.exports = {
	rootDir: '../..',
	testEnvironment: main.testEnvironment,
	transform: main.transform,
	testMatch: (TESTS[folder] ?? ['engine/*']).map((pattern) => `<rootDir>/test/${pattern}.test.ts`),
	testPathIgnorePatterns: [NOT_COUNTED],
	testTimeout: 30_000,
	setupFilesAfterEnv: ['<rootDir>/scripts/mutants/skipRandomTests.cjs'],
	runner: '<rootDir>/scripts/mutants/runner.cjs',
	cacheDirectory: '<rootDir>/.cache/jest',
};
