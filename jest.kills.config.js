const config = require('./jest.config');

/** Many kills of n8n, for as long as wanted. Starts what it needs itself: `npm run test:kills`. */
/** @type {import('jest').Config} */
module.exports = {
	...config,
	roots: ['<rootDir>/test/e2e'],
	testMatch: ['<rootDir>/test/e2e/triggerKills.long.ts'],
	modulePathIgnorePatterns: [],
	maxWorkers: 1,
	forceExit: true,
};
