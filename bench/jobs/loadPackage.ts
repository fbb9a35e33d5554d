import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';

import { figureOf, type Job } from '../job';

const root = path.resolve(__dirname, '../..');
const KILOBYTE = 1024;

/** Takes no sandbox and no warm-up: what is loaded is loaded once. */
export const loadPackage: Job = {
	name: 'load',
	title: () => 'Load the package in n8n; size of the tarball',
	size: 1,
	quickSize: 1,
	figures: ['wallMs', 'sizeKB'],
	goals: [
		{ says: 'The package loads within 20 ms', value: figureOf('wallMs'), atMost: 20 },
		{ says: 'The tarball takes at most 60 kB', value: figureOf('sizeKB'), atMost: 60 },
	],
	expected: () => 1,
	seeding: () => ({ shipments: 0 }),
	ways: {
		// In a plain Node, because what lets this program run TypeScript slows every loading down.
		node: async () => async () => {
			const plain = path.join(__dirname, 'timeLoading.cjs');
			const { stdout, stderr, status } = spawnSync(process.execPath, [plain], { encoding: 'utf8' });
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
