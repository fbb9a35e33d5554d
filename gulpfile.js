const { spawn } = require('node:child_process');
const { rm } = require('node:fs/promises');

const { dest, parallel, series, src } = require('gulp');

/** Runs a program of node_modules/.bin, which npm has put first in PATH. */
const run = (command, ...args) =>
	new Promise((resolve, reject) => {
		spawn(command, args, { stdio: 'inherit' })
			.on('error', reject)
			.on('exit', (code) =>
				code === 0
					? resolve()
					: reject(new Error(`${command} ${args.join(' ')} ended with ${code}`)),
			);
	});

const clean = () => rm('dist', { recursive: true, force: true });

const generate = () => run('node', 'scripts/generate-contract.mjs');

/**
 * One file for each node and credential, and one for what they share: n8n reads all of it at every
 * start, and four files take a third of the time of a hundred and forty.
 */
const bundle = async () => {
	const { rolldown } = await import('rolldown');
	const { nodes, credentials } = require('./package.json').n8n;
	const entries = [...nodes, ...credentials].map((file) => file.replace(/^dist\/(.*)\.js$/, '$1'));
	const code = await rolldown({
		input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
		// What n8n brings.
		external: /^[^./]/,
		platform: 'node',
		tsconfig: 'tsconfig.json',
	});
	await code.write({
		dir: 'dist',
		format: 'cjs',
		entryFileNames: '[name].js',
		chunkFileNames: 'nodes/ParcelShipping/[name].js',
		codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] },
		// Smaller, and names stay, so that a stack trace can be followed.
		minify: { codegen: { removeWhitespace: true }, compress: false, mangle: false },
		comments: { annotation: false, jsdoc: false, legal: false },
	});
};

/** What the bundler leaves behind: icons, codex files, output schemas. */
const copyStaticFiles = () =>
	src(['icons/*.svg', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'], {
		base: '.',
		encoding: false,
	}).pipe(dest('dist'));

const docs = () => run('tsx', 'scripts/generate-docs.ts');

exports.generate = generate;
exports.docs = docs;
exports.build = series(clean, parallel(bundle, copyStaticFiles));
exports.default = exports.build;
