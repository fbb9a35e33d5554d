const config = require('./jest.config');

/** The suite in the real n8n: one n8n for all files, one file after the other. */
module.exports = {
	...config,
	roots: ['<rootDir>/test/e2e'],
	testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
	modulePathIgnorePatterns: [],
	globalSetup: '<rootDir>/test/e2e/support/startSuite.ts',
	globalTeardown: '<rootDir>/test/e2e/support/stopSuite.ts',
	testTimeout: 60_000,
	maxWorkers: 1,
	// A test that fails may leave a server open; the suite ends nevertheless.
	forceExit: true,
};
