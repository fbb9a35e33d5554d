import { execFileSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');

/** What happens in one history, in a process of its own. */
function storyOf(kind: string, seed: number, env: Record<string, string>): string {
	const args = ['test/simulation/main.ts', '--story', '--kind', kind, '--seed', String(seed)];
	return execFileSync('tsx', args, {
		cwd: root,
		encoding: 'utf8',
		env: { ...process.env, ...env },
	});
}

test.each(['creation', 'changes', 'trigger'])(
	'a seed of %s tells the same story on another day, in another time zone and in another process',
	(kind) => {
		const otherDay = {
			TZ: 'Asia/Tokyo',
			NODE_OPTIONS: `--require ${__dirname}/../../support/otherDay.cjs`,
		};
		const story = storyOf(kind, 7, { TZ: 'Europe/Prague' });
		expect(story.split('\n').length).toBeGreaterThan(10);
		expect(storyOf(kind, 7, otherDay)).toBe(story);
	},
	60_000,
);
