import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';

import { figureOf, type Job } from '../job';

const root = path.resolve(__dirname, '../..');
const KILOBYTE = 1024;

/** Uses neither sandbox nor warm-up, because a process loads the package only once. */
export const loadPackage: Job = {
	name: 'load',
	title: () => 'Load the package in n8n',
	size: 1,
	quickSize: 1,
	figures: ['wallMs', 'sizeKB'],
	goals: [
		{ description: 'Load the package: time (ms)', value: figureOf('wallMs'), atMost: 20 },
		{ description: 'Size of the tarball (kB)', value: figureOf('sizeKB'), atMost: 60 },
	],
	expectedResults: () => 1,
	seeding: () => ({ shipments: 0 }),
	isOffline: true,
	isCold: true,
	variants: {
		// Measured in plain Node.js, because the TypeScript loader of this process slows down imports.
		node: async () => async () => {
			const script = path.join(__dirname, 'timeLoading.cjs');
			const { stdout, stderr, status } = spawnSync(process.execPath, [script], {
				encoding: 'utf8',
			});
			if (status !== 0) throw new Error(stderr);
			return { results: 1, wallMs: Number(stdout), sizeKB: tarballBytes() / KILOBYTE };
		},
	},
};

function tarballBytes(): number {
	const packing = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'];
	const [packed] = JSON.parse(
		execFileSync('npm', packing, {
			cwd: root,
			encoding: 'utf8',
			shell: process.platform === 'win32',
		}),
	) as Array<{ size: number }>;
	return packed?.size ?? NaN;
}
