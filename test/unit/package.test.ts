import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.resolve(__dirname, '../..');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** Packs and unpacks the tarball that users get. */
function pack(): { folder: string; files: string[]; bytes: number } {
	const target = mkdtempSync(path.join(tmpdir(), 'tarball-'));
	execFileSync('npm', ['pack', '--silent', '--pack-destination', target], { cwd: root });
	const [tarball] = readdirSync(target) as [string];
	const bytes = statSync(path.join(target, tarball)).size;
	execFileSync('tar', ['-xzf', tarball], { cwd: target });
	const folder = path.join(target, 'package');
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
		statSync(path.join(folder, file)).isFile(),
	);
	return { folder, files, bytes };
}

const tarball = pack();
const code = tarball.files
	.filter((file) => file.endsWith('.js'))
	.map((file) => ({ file, text: readFileSync(path.join(tarball.folder, file), 'utf8') }));

describe('The published package', () => {
	test('has no dependencies, one peer dependency, and no install scripts', () => {
		expect(manifest.dependencies).toBeUndefined();
		expect(manifest.optionalDependencies).toBeUndefined();
		expect(manifest.overrides).toBeUndefined();
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
		const installScripts = ['preinstall', 'install', 'postinstall', 'prepare'];
		expect(installScripts.filter((name) => name in manifest.scripts)).toEqual([]);
	});

	test('contains only the code, the license and the README', () => {
		const others = tarball.files.filter((file) => !file.startsWith('dist/'));
		expect(others.sort()).toEqual(['LICENSE.md', 'README.md', 'package.json']);
		const unexpected = tarball.files.filter((file) => !/\.(js|json|svg|md)$/.test(file));
		expect(unexpected).toEqual([]);
		expect(tarball.files.filter((file) => /test|tsbuildinfo|\.map$/.test(file))).toEqual([]);
	});

	test('contains every node and credential that package.json lists', () => {
		const { nodes, credentials } = manifest.n8n;
		expect(tarball.files).toEqual(expect.arrayContaining([...nodes, ...credentials]));
	});

	test('is smaller than 115 kB', () => {
		expect(tarball.bytes).toBeLessThan(115_000);
	});

	test('has readable code', () => {
		expect(code).not.toEqual([]);
		for (const { text } of code) {
			const lines = text.split('\n');
			expect(lines.filter((line) => line.length > 500)).toEqual([]);
			expect(text.length / lines.length).toBeLessThan(60);
		}
	});

	test('requires only packages that n8n provides', () => {
		const required = code.flatMap(({ text }) =>
			[...text.matchAll(/require\("([^".][^"]*)"\)/g)].map(([, name]) => name),
		);
		expect([...new Set(required)].sort()).toEqual(['crypto', 'luxon', 'n8n-workflow']);
	});
});

describe("n8n's scan of community packages finds no problem", () => {
	/** Runs in its own process, because the scanner is an ES module. */
	function scan(folder: string, patterns: string): { passed: boolean; message?: string } {
		const scanner = pathToFileURL(
			path.join(root, 'node_modules/@n8n/scan-community-package/scanner/scanner.mjs'),
		);
		const code = `
			const { analyzePackage, SOURCE_FILE_PATTERNS } = await import('${scanner}');
			const result = await analyzePackage(${JSON.stringify(folder)}, ${patterns});
			process.stdout.write('\\n' + JSON.stringify(result));`;
		const output = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
			cwd: root,
			encoding: 'utf8',
			// jest sets NODE_ENV=test. With it, the lint rules treat every file as one of their own tests.
			env: { ...process.env, NODE_ENV: 'production' },
		});
		return JSON.parse(output.trim().split('\n').at(-1) as string);
	}

	test('in the tarball', () => {
		const result = scan(tarball.folder, `['**/*.js', 'package.json']`);
		expect(result).toMatchObject({ passed: true });
	});

	test('in the source', () => {
		const source = mkdtempSync(path.join(tmpdir(), 'source-'));
		execFileSync('cp', ['-r', 'nodes', 'credentials', 'icons', 'package.json', source], {
			cwd: root,
		});
		expect(scan(source, 'SOURCE_FILE_PATTERNS')).toMatchObject({ passed: true });
	});
});

describe('Publishing', () => {
	/** Runs what `npm publish` runs first. */
	const publish = (variables: NodeJS.ProcessEnv) =>
		spawnSync('npm', ['run', 'prepublishOnly', '--silent'], {
			cwd: root,
			encoding: 'utf8',
			env: { ...process.env, RELEASE_MODE: '', ...variables },
		});

	test('is refused on a computer, because the package would have no provenance', () => {
		const { status, stdout } = publish({});
		expect(status).not.toBe(0);
		expect(stdout).toContain('npm run release');
	});

	test('works in the workflow that runs "npm run release"', () => {
		const workflow = readFileSync(path.join(root, '.github/workflows/publish.yml'), 'utf8');
		expect(workflow).toContain('npm run release');
		expect(workflow).toContain('id-token: write');
		expect(manifest.scripts.release).toBe('n8n-node release');
		// What this command sets in a GitHub workflow.
		expect(publish({ RELEASE_MODE: 'true' }).status).toBe(0);
	});
});

describe('The owner', () => {
	const { author, repository } = manifest;
	const placeholders: Record<string, string> = {
		'Parcel Shipping Maintainers': author.name,
		'maintainers@parcel-shipping.example': author.email,
		'git+https://github.com/parcel-shipping/n8n-nodes-parcel-shipping.git': repository.url,
	};
	for (const [placeholder, value] of Object.entries(placeholders)) {
		if (value === placeholder) test.todo(`replaces "${placeholder}" in package.json`);
	}

	test('is the same in the license', () => {
		expect(readFileSync(path.join(root, 'LICENSE.md'), 'utf8')).toContain(author.name);
	});
});
