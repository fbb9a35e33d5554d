import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
const nodes = 'nodes/ParcelShipping';

const CLOCK_OR_RANDOM =
	/Date\.now\(|new Date\(\)|DateTime\.(now|local|utc)\(\)|Math\.random\(|\bsleep\(/;
const ASYNC = /\basync\b|\bawait\b|\bPromise\b/;

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The files below `folder`, as paths from the root. A missing folder is an error. */
const filesIn = (folder: string): string[] =>
	readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
		.filter((file) => !file.includes('node_modules'))
		.sort();

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
	const { forbidden } = jest.requireActual<{ forbidden: Rule[] }>('../../.dependency-cruiser.cjs');
	const paths = forbidden
		.flatMap(({ from, to }) => [from.path, from.pathNot, to.path, to.pathNot].flat())
		.filter((each) => each !== undefined);
	const files = ['nodes', 'credentials', 'sandbox'].flatMap(filesIn);
	const isUseless = (each: string) => !files.some((file) => new RegExp(each).test(file));
	expect(paths).not.toEqual([]);
	// With alternatives in one expression, the test would miss one that matches nothing.
	expect(paths.filter((each) => each.includes('|') || isUseless(each))).toEqual([]);
});

test.each<[string, RegExp, string, string[]]>([
	[
		'calls the HTTP helpers of n8n',
		/helpers\s*\.\s*(httpRequest|request)/,
		'',
		['transport/sender'],
	],
	['repeats requests', /\bdecideRetry\(/, '', ['transport/retry', 'transport/sender']],
	['creates n8n errors', /new Node(Api|Operation)Error\(/, '', ['transport/errors']],
	[
		'of transport/ keeps anything beyond an execution',
		/^(export )?(const|let) \w+ = new (Map|Set|WeakMap)(<[^>]*>)?\(\)/m,
		'transport',
		['transport/serviceMemory'],
	],
])('only one module %s', (_, pattern, folder, modules) => {
	expect(modulesWith(pattern, folder)).toEqual(modules);
});

test('orders are read without the clock, and the rest uses it only around requests', () => {
	const folders = ['orders', 'creation', 'writes', 'tracking'];
	const found = folders.flatMap((folder) => modulesWith(CLOCK_OR_RANDOM, folder));
	const allowed = ['createShipments', 'duplicates', 'lookUp'].map((name) => `creation/${name}`);
	expect(found).toEqual([...allowed, 'writes/writeOnce', 'tracking/host']);
});

/** Modules with results that depend only on their arguments. */
const pureModules = `
	creation/match orders/countries orders/fields orders/form orders/kinds orders/order orders/validate
	tracking/compare tracking/dates tracking/events tracking/output tracking/periods tracking/select
	tracking/state transport/endpoints transport/response transport/retry transport/trackingRequests
`;

test.each(pureModules.trim().split(/\s+/))('%s neither waits nor uses the clock', (module) => {
	const isImpure = (file: string) => {
		const code = read(file).replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '');
		return CLOCK_OR_RANDOM.test(code) || ASYNC.test(code);
	};
	expect(reachableFrom(`${nodes}/${module}.ts`).filter(isImpure)).toEqual([]);
});

/** The file and all project files that it loads at run time, directly or indirectly. */
function reachableFrom(file: string, found: Set<string> = new Set()): string[] {
	if (found.has(file)) return [];
	found.add(file);
	const imports = /^(?:import|export) (?!type )[^;]*?from '(\.[^']+)'/gm;
	for (const [, imported = ''] of read(file).matchAll(imports)) {
		const target = path.join(path.dirname(file), imported);
		const candidates = [`${target}.ts`, path.join(target, 'index.ts')];
		const resolved = candidates.find((each) => existsSync(path.join(root, each)));
		if (!resolved) throw new Error(`${file} imports ${imported}, which is not a file`);
		reachableFrom(resolved, found);
	}
	return [...found];
}
