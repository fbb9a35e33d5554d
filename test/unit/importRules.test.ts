import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
const nodes = 'nodes/ParcelShipping';

/** Modules with results that depend only on their arguments. */
const pureModules = [
	'creation/match',
	'creation/types',
	'orders/countries',
	'orders/fields',
	'orders/form',
	'orders/kinds',
	'orders/order',
	'orders/validate',
	'lists',
	'records',
	'tracking/compare',
	'tracking/dates',
	'tracking/events',
	'tracking/select',
	'tracking/state',
	'transport/endpoints',
	'transport/response',
	'transport/retry',
];

const CLOCK_OR_RANDOM =
	/Date\.now\(|new Date\(\)|DateTime\.(now|local|utc)\(\)|Math\.random\(|\bsleep\(/;

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The files below `folder`, as paths from the root. A missing folder is an error. */
function filesIn(folder: string): string[] {
	return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
		.filter((file) => !file.includes('node_modules'))
		.sort();
}

function filesWith(pattern: RegExp, folder: string): string[] {
	return filesIn(folder).filter((file) => file.endsWith('.ts') && pattern.test(read(file)));
}

describe('The import rules', () => {
	interface Rule {
		name: string;
		from: Record<string, unknown>;
		to: Record<string, unknown>;
	}
	const { forbidden } = jest.requireActual<{ forbidden: Rule[] }>('../../.dependency-cruiser.cjs');
	const paths = forbidden.flatMap(({ name, from, to }) =>
		[from.path, from.pathNot, to.path, to.pathNot]
			.flat()
			.filter((each) => each !== undefined)
			.map((each): [string, string] => [name, String(each)]),
	);
	const files = ['nodes', 'credentials', 'sandbox'].flatMap(filesIn);

	test.each(paths)('%s: %s matches a file', (_, expression) => {
		// With alternatives in one expression, the test would miss one that matches nothing.
		expect(expression).not.toContain('|');
		expect(files.filter((file) => new RegExp(expression).test(file))).not.toEqual([]);
	});

	test('contain paths', () => expect(paths.length).toBeGreaterThan(8));
});

test('Only one module calls the HTTP helpers of n8n', () => {
	expect(filesWith(/helpers\s*\.\s*(httpRequest|request)/, 'nodes')).toEqual([
		`${nodes}/transport/sender.ts`,
	]);
});

test('Only one module repeats requests', () => {
	expect(filesWith(/\bdecideRetry\(/, 'nodes')).toEqual([
		`${nodes}/transport/retry.ts`,
		`${nodes}/transport/sender.ts`,
	]);
});

test('Only one module of transport/ keeps anything beyond an execution', () => {
	const found = filesWith(
		/^(export )?(const|let) \w+ = new (Map|Set|WeakMap)(<[^>]*>)?\(\)/m,
		`${nodes}/transport`,
	);
	expect(found).toEqual([`${nodes}/transport/serviceMemory.ts`]);
});

test('Only one module creates n8n errors', () => {
	expect(filesWith(/new Node(Api|Operation)Error\(/, 'nodes')).toEqual([
		`${nodes}/transport/errors.ts`,
	]);
});

test('orders/ uses neither random numbers nor the clock', () => {
	expect(filesWith(CLOCK_OR_RANDOM, `${nodes}/orders`)).toEqual([]);
});

test('creation/, writes/ and tracking/ use no random numbers, and the clock only around requests', () => {
	const found = ['creation', 'writes', 'tracking'].flatMap((folder) =>
		filesWith(CLOCK_OR_RANDOM, `${nodes}/${folder}`),
	);
	expect(found).toEqual(
		[
			'creation/createShipments',
			'creation/duplicates',
			'creation/lookUp',
			'writes/writeOnce',
			'tracking/host',
		].map((module) => `${nodes}/${module}.ts`),
	);
});

test.each(pureModules)('%s is pure: no waiting, no clock, no random numbers', (module) => {
	const impure = reachableFrom(`${nodes}/${module}.ts`).filter((file) =>
		[CLOCK_OR_RANDOM, /\basync\b|\bawait\b|\bPromise\b/].some((pattern) =>
			pattern.test(withoutComments(read(file))),
		),
	);
	expect(impure).toEqual([]);
});

test('The folder of a resource contains only operations', () => {
	const inResources = filesIn(`${nodes}/actions`).filter(
		(file) => path.dirname(file) !== `${nodes}/actions`,
	);
	expect(inResources.filter((file) => !file.endsWith('.operation.ts'))).toEqual([]);
	expect(inResources).not.toEqual([]);
});

test('Files with code have names in camel case', () => {
	const code = ['nodes', 'credentials', 'sandbox', 'scripts', 'bench', 'test']
		.flatMap(filesIn)
		.filter((file) => /\.[cm]?[jt]s$/.test(file));
	expect(code.filter((file) => /[-_]/.test(path.basename(file)))).toEqual([]);
});

/** Returns the file and all project files that it loads at run time, directly or indirectly. */
function reachableFrom(file: string, found: Set<string> = new Set()): string[] {
	if (found.has(file)) return [];
	found.add(file);
	for (const [, imported = ''] of read(file).matchAll(
		/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)'/gm,
	)) {
		const target = path.join(path.dirname(file), imported);
		const candidates = [`${target}.ts`, path.join(target, 'index.ts')];
		const resolved = candidates.find((each) => existsSync(path.join(root, each)));
		if (!resolved) throw new Error(`${file} imports ${imported}, which is not a file`);
		reachableFrom(resolved, found);
	}
	return [...found];
}

function withoutComments(code: string): string {
	return code.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '');
}
