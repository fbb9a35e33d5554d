import path from 'node:path';

import { filesIn, read } from '../../support/projectFiles';

const nodes = 'nodes/ParcelShipping';

/** A map or set of the whole process. */
const KEPT = /^(export )?(const|let) \w+ = new (Map|Set|WeakMap|WeakSet)(<.*>)?\(\)/m;

/** The modules below a folder that contain the pattern, as paths from the folder of the nodes. */
const modulesWith = (pattern: RegExp, folder = '') =>
	filesIn(path.join(nodes, folder))
		.filter((file) => file.endsWith('.ts') && pattern.test(read(file)))
		.map((file) => path.relative(nodes, file).replace('.ts', ''));

test('every path in the import rules matches a file', () => {
	interface Rule {
		from: { path?: string | string[]; pathNot?: string | string[] };
		to: Rule['from'];
	}
	const { forbidden } = jest.requireActual<{ forbidden: Rule[] }>(
		'../../../.dependency-cruiser.cjs',
	);
	const paths = forbidden
		.flatMap(({ from, to }) => [from.path, from.pathNot, to.path, to.pathNot].flat())
		.filter((each) => each !== undefined);
	const files = ['nodes', 'credentials', 'sandbox', 'contract'].flatMap(filesIn);
	const isUseless = (each: string) => !files.some((file) => new RegExp(each).test(file));
	expect(paths).not.toEqual([]);
	// With alternatives in one expression, the test would miss one that matches nothing.
	expect(paths.filter((each) => each.includes('|') || isUseless(each))).toEqual([]);
});

test.each<[string, RegExp, string, string[]]>([
	[
		'call the HTTP helpers of n8n',
		/helpers\s*\.\s*(httpRequest|request)/,
		'',
		['transport/credential', 'transport/http'],
	],
	['get what can send unsafe requests', /as unknown as UnsafeCalls/, '', ['writes/sendOnce']],
	['repeat requests', /\bdecideRetry\(/, '', ['transport/http']],
	['create n8n errors', /new Node(Api|Operation)Error\(/, '', ['transport/errors']],
	['of transport/ keep anything beyond an execution', KEPT, 'transport', ['transport/memory']],
	['of tracking/ keep anything beyond an execution', KEPT, 'tracking', ['tracking/host']],
])('only these modules %s', (_, pattern, folder, modules) => {
	expect(modulesWith(pattern, folder)).toEqual(modules);
});
