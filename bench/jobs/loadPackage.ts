import { execFileSync } from 'node:child_process';
import path from 'node:path';

import { figureGoal, type Job } from '../job';

const root = path.resolve(__dirname, '../..');
const KILOBYTE = 1024;

/** Uses neither sandbox nor warm-up, because a process loads the package only once. */
export const loadPackage: Job = {
	name: 'load',
	title: 'Load the package in n8n',
	size: 1,
	quickSize: 1,
	figures: ['wallMs', 'sizeKB'],
	goals: [
		figureGoal('Load the package: time (ms)', 'wallMs', 20),
		figureGoal('Size of the tarball (kB)', 'sizeKB', 60),
	],
	isOffline: true,
	isCold: true,
	variants: {
		// Measured in plain Node.js, because the TypeScript loader of this process slows down imports.
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
