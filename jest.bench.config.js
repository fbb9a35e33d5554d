const ordinary = require('./jest.config');

/** Takes a minute and needs the real n8n in host/, so it is no part of `npm test`. */
/** @type {import('jest').Config} */
module.exports = {
	...ordinary,
	testMatch: ['<rootDir>/test/bench/**/*.test.ts'],
	testTimeout: 300_000,
};
