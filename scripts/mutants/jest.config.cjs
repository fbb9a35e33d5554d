const [main] = require('../../jest.config.js').projects;

/**
 * Random runs, which may or may not notice a change, and tests that measure, or that run commands and
 * read files instead of the code.
 */
const NOT_COUNTED = [
	'/(benchmark|examplesPage|labelFileMemory|triggerSize)[.]test[.]ts$',
	'/(compose|docs|importRules|package)[.]test[.]ts$',
];

/** @type {import('jest').Config} */
module.exports = {
	rootDir: '../..',
	testEnvironment: require.resolve('./environment.cjs'),
	transform: main.transform,
	testMatch: ['<rootDir>/test/{unit,engine}/**/*.test.ts'],
	testPathIgnorePatterns: NOT_COUNTED,
	testTimeout: 30_000,
	setupFilesAfterEnv: ['<rootDir>/scripts/mutants/setup.cjs'],
	runner: '<rootDir>/scripts/mutants/runner.cjs',
	cacheDirectory: '<rootDir>/.cache/jest',
};
