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

const compile = () => run('tsc', '-p', 'tsconfig.build.json');

/** What the compiler leaves behind: icons, codex files, output schemas. */
const copyStaticFiles = () =>
	src(['icons/*.svg', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'], {
		base: '.',
		encoding: false,
	}).pipe(dest('dist'));

const docs = () => run('node', 'scripts/generate-docs.mjs');

exports.generate = generate;
exports.docs = docs;
exports.build = series(clean, parallel(compile, copyStaticFiles));
exports.default = exports.build;
