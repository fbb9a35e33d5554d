/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/{unit,sandbox,engine,contract}/**/*.test.ts'],
	transform: {
		'\\.ts$': [
			'@swc/jest',
			{ jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'commonjs' } },
		],
	},
	// Has a run of its own after the others: jest.recorded.config.js.
	testPathIgnorePatterns: ['/node_modules/', '/test/contract/recorded\\.test\\.ts$'],
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/host/'],
	testTimeout: 30_000,
	maxWorkers: 2,
};
