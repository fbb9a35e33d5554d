const config = require('./jest.config');

/** The suite in n8n's queue mode: it starts what it needs itself, and takes minutes. */
module.exports = {
	...config,
	roots: ['<rootDir>/test/queue'],
	testMatch: ['<rootDir>/test/queue/**/*.test.ts'],
	modulePathIgnorePatterns: [],
	// Far more than it takes; a test that hangs must end nevertheless, and take everything with it.
	testTimeout: 600_000,
	maxWorkers: 1,
	bail: true,
	forceExit: true,
};
