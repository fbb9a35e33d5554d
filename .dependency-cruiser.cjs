// Write several paths as a list, not as alternatives in one expression:
// test/unit/importRules.test.ts checks that each of them still matches a file.
const nodes = '^nodes/ParcelShipping/';
const transport = `${nodes}transport/`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		{
			name: 'transport-knows-no-forms',
			comment: 'transport/ knows HTTP and the contract, and nothing of the code that uses it.',
			severity: 'error',
			from: { path: transport },
			to: { path: nodes, pathNot: [transport, `${nodes}lists\\.ts$`, `${nodes}records\\.ts$`] },
		},
		{
			name: 'only-the-client-sends',
			comment:
				'session.ts calls the HTTP helpers of n8n. The client adds checks, retries and limits.',
			severity: 'error',
			from: { pathNot: `${transport}client\\.ts$` },
			to: { path: `${transport}session\\.ts$`, dependencyTypesNot: ['type-only'] },
		},
		{
			name: 'client-is-passed-in',
			comment: 'creation/ and tracking/ get the client as an argument and never load it.',
			severity: 'error',
			from: { path: [`${nodes}creation/`, `${nodes}tracking/`] },
			to: {
				path: [`${transport}client\\.ts$`, `${transport}download\\.ts$`],
				dependencyTypesNot: ['type-only'],
			},
		},
		{
			name: 'operations-stand-alone',
			comment: 'Only the registry imports operations, so no operation depends on another.',
			severity: 'error',
			from: { pathNot: `${nodes}actions/index\\.ts$` },
			to: { path: `${nodes}actions/.+\\.operation\\.ts$` },
		},
		{
			name: 'sandbox-shares-nothing',
			comment: 'The sandbox is written from the contract, so that it can prove the nodes wrong.',
			severity: 'error',
			from: { path: '^sandbox/' },
			to: { path: ['^nodes/', '^credentials/'] },
		},
		{
			name: 'no-circles',
			comment: 'Types may refer to each other. Code that runs may not.',
			severity: 'error',
			from: {},
			to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		tsPreCompilationDeps: 'specify',
		tsConfig: { fileName: 'tsconfig.json' },
	},
};
