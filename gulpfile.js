const { rm } = require('node:fs/promises');

const { dest, parallel, series, src } = require('gulp');

const clean = () => rm('dist', { recursive: true, force: true });

/**
 * Writes one file per node and credential, and one with their shared code. n8n reads all of them at
 * every start, and loading four files takes a third of the time of 140.
 */
const bundle = async () => {
	const { rolldown } = await import('rolldown');
	const { nodes, credentials } = require('./package.json').n8n;
	const entries = [...nodes, ...credentials].map((file) => file.replace(/^dist\/(.*)\.js$/, '$1'));
	const code = await rolldown({
		input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
		// n8n provides every package.
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
		// Not minified, so that a reviewer can read what npm has, and a stack trace leads to a line.
		minify: false,
		// The source has them. They would make the package a sixth larger.
		comments: { annotation: false, jsdoc: false, legal: false },
	});
};

/** Icons, codex files and output schemas, which the bundler does not copy. */
const copyStaticFiles = () =>
	src(['icons/*.svg', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'], {
		base: '.',
		encoding: false,
	}).pipe(dest('dist'));

exports.build = series(clean, parallel(bundle, copyStaticFiles));
exports.default = exports.build;
