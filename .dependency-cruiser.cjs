/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		{
			name: 'service-knows-no-forms',
			comment: 'service/ knows HTTP and the contract, never the forms or what is made of them.',
			severity: 'error',
			from: { path: '^nodes/ParcelShipping/transport/' },
			to: {
				path: '^nodes/ParcelShipping/',
				pathNot: '^nodes/ParcelShipping/transport/',
			},
		},
		{
			name: 'pure-stays-pure',
			comment:
				'creation/ and tracking/ reason about data; asking the service is the business of others.',
			severity: 'error',
			from: { path: '^nodes/ParcelShipping/(creation|tracking)/' },
			to: {
				path: '^nodes/ParcelShipping/transport/(connection|paging|catalogue|file)\\.ts$',
				dependencyTypesNot: ['type-only'],
			},
		},
		{
			name: 'operations-stand-alone',
			comment:
				'An operation imports fields/, service/ and its own capability, never another operation.',
			severity: 'error',
			from: { path: '^nodes/ParcelShipping/actions/([^/]+)/([^/]+)\\.ts$' },
			to: {
				path: '^nodes/ParcelShipping/actions/[^/]+/(create|get|getAll|getServices|print|sendToPrinter|track)\\.ts$',
			},
		},
		{
			name: 'sandbox-proves-the-node-wrong',
			comment: 'The sandbox is written from the contract; it must not share what it is to check.',
			severity: 'error',
			from: { path: '^sandbox/' },
			to: { path: '^(nodes|credentials)/' },
		},
		{
			name: 'no-circles',
			comment: 'Types may refer to each other; code that runs may not.',
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
