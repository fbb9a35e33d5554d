const swc = ['@swc/jest', { module: { type: 'commonjs' } }];
const swcForTypeScript = [
	'@swc/jest',
	{ jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'commonjs' } },
];

const project = (name, testMatch, options) => ({
	displayName: name,
	testEnvironment: 'node',
	testMatch: [`<rootDir>/test/${testMatch}`],
	transform: { '\\.ts$': swcForTypeScript },
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/host/', '<rootDir>/.cache/'],
	...options,
});

/** Loads packages of the real n8n in host/, or n8n itself. */
const withHost = { modulePathIgnorePatterns: [] };

/**
 * `npm test` runs the projects `main` and `recorded`. The others need more than npm packages:
 * scripts/suites.mjs lists what each of them needs, and its command.
 *
 * @type {import('jest').Config}
 */
module.exports = {
	projects: [
		project('main', '{unit,sandbox,engine,contract}/**/*.test.ts', {
			testPathIgnorePatterns: ['/node_modules/', '/test/contract/recorded\\.test\\.ts$'],
		}),
		// Reads the requests that the tests of `main` have sent, so it runs after them.
		project('recorded', 'contract/recorded.test.ts', {
			// openapi-backend requires a package that exists as an ES module only.
			transform: { '\\.ts$': swcForTypeScript, '@apidevtools/.+\\.js$': swc },
			transformIgnorePatterns: ['/node_modules/(?!@apidevtools/)'],
		}),
		// One n8n for all files.
		project('e2e', 'e2e/**/*.test.ts', {
			...withHost,
			roots: ['<rootDir>/test/e2e'],
			globalSetup: '<rootDir>/test/e2e/support/startSuite.ts',
			globalTeardown: '<rootDir>/test/e2e/support/stopSuite.ts',
		}),
		project('queue', 'queue/**/*.test.ts', { ...withHost, roots: ['<rootDir>/test/queue'] }),
		project('kills', 'kills/**/*.test.ts', { ...withHost, roots: ['<rootDir>/test/kills'] }),
		project('versions', 'versions/**/*.test.ts', {
			...withHost,
			roots: ['<rootDir>/test/versions'],
			globalSetup: '<rootDir>/test/e2e/support/startSuite.ts',
			globalTeardown: '<rootDir>/test/e2e/support/stopSuite.ts',
		}),
	],
	// jest ignores this option inside a project; tests that take longer call jest.setTimeout.
	// Long, because other processes may slow down the machine.
	testTimeout: 120_000,
	maxWorkers: 2,
};
