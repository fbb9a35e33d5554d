import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { read, root } from '../../support/projectFiles';

const manifest = JSON.parse(read('package.json'));

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

describe('The published package', () => {
	const { folder, files, bytes } = pack();

	test('has no dependencies, one peer dependency, and no install scripts', () => {
		const { dependencies, optionalDependencies, overrides, peerDependencies, scripts } = manifest;
		expect({ ...dependencies, ...optionalDependencies, ...overrides }).toEqual({});
		expect(peerDependencies).toEqual({ 'n8n-workflow': '*' });
		const installScripts = ['preinstall', 'install', 'postinstall', 'prepare'];
		expect(installScripts.filter((name) => name in scripts)).toEqual([]);
	});

	test('contains its nodes, its credential, the license and the README, and no tests', () => {
		const { nodes, credentials } = manifest.n8n;
		expect(files).toEqual(expect.arrayContaining([...nodes, ...credentials]));
		const others = files.filter((file) => !/^dist\/.+\.(js|json|svg)$/.test(file));
		expect(others.sort()).toEqual(['LICENSE.md', 'README.md', 'package.json']);
		expect(files.filter((file) => /test|tsbuildinfo/.test(file))).toEqual([]);
	});

	test('is smaller than 160 kB', () => expect(bytes).toBeLessThan(160_000));

	test("passes n8n's scan of community packages, and so does its source", () => {
		const source = mkdtempSync(path.join(tmpdir(), 'source-'));
		const copied = ['nodes', 'credentials', 'icons', 'package.json'];
		execFileSync('cp', ['-r', ...copied, source], { cwd: root });
		expect(scan(folder, source)).toMatchObject([{ passed: true }, { passed: true }]);
	});
});

/** Runs in its own process, because the scanner is an ES module. */
function scan(published: string, source: string): Array<{ passed: boolean; message?: string }> {
	const scanner = 'node_modules/@n8n/scan-community-package/scanner/scanner.mjs';
	const code = `
		const { analyzePackage, SOURCE_FILE_PATTERNS } =
			await import('${pathToFileURL(path.join(root, scanner))}');
		const results = [
			await analyzePackage(${JSON.stringify(published)}, ['**/*.js', 'package.json']),
			await analyzePackage(${JSON.stringify(source)}, SOURCE_FILE_PATTERNS),
		];
		process.stdout.write('\\n' + JSON.stringify(results));`;
	const output = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
		cwd: root,
		encoding: 'utf8',
		// jest sets NODE_ENV=test. With it, the lint rules treat every file as one of their own tests.
		env: { ...process.env, NODE_ENV: 'production' },
	});
	return JSON.parse(output.trim().split('\n').at(-1) as string);
}
