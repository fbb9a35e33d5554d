const ordinary = require('./jest.config');

/** @type {import('jest').Config} */
module.exports = {
	...ordinary,
	testMatch: ['<rootDir>/test/contract/recorded.test.ts'],
	testPathIgnorePatterns: ['/node_modules/'],
	// openapi-backend requires a package that exists as an ES module only.
	transform: {
		...ordinary.transform,
		'@apidevtools/.+\\.js$': ['@swc/jest', { module: { type: 'commonjs' } }],
	},
	transformIgnorePatterns: ['/node_modules/(?!@apidevtools/)'],
};
