import { execFileSync } from 'node:child_process';
import path from 'node:path';

import type { Job } from '../job';

const root = path.resolve(__dirname, '../..');
const KILOBYTE = 1024;

export const loadPackage: Job = {
	name: 'load',
	title: 'Load the package in n8n',
	size: 1,
	quickSize: 1,
	figures: ['wallMs', 'sizeKB'],
	goals: [
		{ description: 'Load the package: time (ms)', figure: 'wallMs', atMost: 20 },
		{ description: 'Size of the tarball (kB)', figure: 'sizeKB', atMost: 60 },
	],
	variants: {
		// Measured in a new process, which loads the package once, and in plain Node.js, because the
		// TypeScript loader of this process slows down imports.
		node: async () => async () => {
			const wallMs = Number(run(process.execPath, [path.join(__dirname, 'timeLoading.cjs')]));
			return { results: 1, wallMs, sizeKB: tarballBytes() / KILOBYTE };
		},
	},
};

function tarballBytes(): number {
	const packing = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'];
	const [packed] = JSON.parse(run('npm', packing)) as Array<{ size: number }>;
	return packed?.size ?? NaN;
}

function run(command: string, args: string[]): string {
	const shell = command === 'npm' && process.platform === 'win32';
	return execFileSync(command, args, { cwd: root, encoding: 'utf8', shell });
}
