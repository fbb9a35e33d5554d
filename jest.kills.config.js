const config = require('./jest.config');

/** Many kills of n8n, for as long as wanted. Starts what it needs itself: `npm run test:kills`. */
/** @type {import('jest').Config} */
module.exports = {
	...config,
	roots: ['<rootDir>/test/kills'],
	testMatch: ['<rootDir>/test/kills/**/*.test.ts'],
	modulePathIgnorePatterns: [],
	maxWorkers: 1,
	forceExit: true,
};
