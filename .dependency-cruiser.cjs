// Write several paths as a list, not as alternatives in one expression:
// test/unit/project/importRules.test.ts checks that each of them still matches a file.
const nodes = '^nodes/ParcelShipping/';
const transport = `${nodes}transport/`;

/** From the top. A folder may import those below it. */
const folders = [
	'actions',
	'methods',
	'descriptions',
	'tracking',
	'creation',
	'changes',
	'labels',
	'writes',
	'orders',
	'transport',
];

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
			name: 'orders-send-nothing',
			comment:
				'orders/ turns values of the form into orders and problems. Its caller reads what carriers offer.',
			severity: 'error',
			from: { path: `${nodes}orders/` },
			to: {
				path: nodes,
				pathNot: [
					`${nodes}orders/`,
					`${nodes}itemParameter\\.ts$`,
					`${nodes}lists\\.ts$`,
					`${nodes}parameterValues\\.ts$`,
					`${nodes}records\\.ts$`,
					`${transport}errors\\.ts$`,
				],
				dependencyTypesNot: ['type-only'],
			},
		},
		{
			name: 'forms-without-creation',
			comment:
				'The options of Create are defined in orders/order.ts, for the form and for creation.',
			severity: 'error',
			from: { path: `${nodes}descriptions/` },
			to: { path: `${nodes}creation/` },
		},
		{
			name: 'base-knows-nothing',
			comment: 'lists.ts and records.ts are below every folder.',
			severity: 'error',
			from: { path: [`${nodes}lists\\.ts$`, `${nodes}records\\.ts$`] },
			to: { path: ['^nodes/', '^credentials/'] },
		},
		{
			name: 'http-belongs-to-the-client',
			comment: 'http.ts calls the HTTP helpers of n8n. Everything else sends through the client.',
			severity: 'error',
			from: { pathNot: [`${transport}client\\.ts$`, `${nodes}writes/`] },
			to: { path: `${transport}http\\.ts$`, dependencyTypesNot: ['type-only'] },
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
			name: 'contract-has-types-only',
			comment: 'The nodes and the sandbox share no code, and the package contains only nodes/.',
			severity: 'error',
			from: { path: ['^nodes/', '^sandbox/'] },
			to: { path: '^contract/', dependencyTypesNot: ['type-only'] },
		},
		{
			name: 'no-circles',
			comment: 'Not even of types.',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		...folders
			.map((folder, index) => ({
				name: `nothing-above-${folder}`,
				comment: `${folder}/ imports nothing of a folder above it, not even types.`,
				severity: 'error',
				from: { path: `${nodes}${folder}/` },
				to: { path: folders.slice(0, index).map((above) => `${nodes}${above}/`) },
			}))
			.slice(1),
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		tsPreCompilationDeps: 'specify',
		tsConfig: { fileName: 'tsconfig.json' },
	},
};
