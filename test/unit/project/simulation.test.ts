import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { root } from '../../support/projectFiles';

/** What happens in a history of each kind, in a process of its own. */
async function tellStories(env: Record<string, string>): Promise<string> {
	const args = ['test/simulation/main.ts', '--story', '--ordinary', '--seed', '8'];
	const options = { cwd: root, env: { ...process.env, ...env } };
	return (await promisify(execFile)('tsx', args, options)).stdout;
}

test('a seed tells the same story on another day, in another time zone and in another process', async () => {
	const otherDay = {
		TZ: 'Asia/Tokyo',
		NODE_OPTIONS: `--require ${__dirname}/../../support/otherDay.cjs`,
	};
	const [stories, later] = [
		await tellStories({ TZ: 'Europe/Prague' }),
		await tellStories(otherDay),
	];
	expect(stories.split('\n').length).toBeGreaterThan(30);
	for (const part of ['run 1:', 'from outside', 'starts an execution']) {
		expect(stories).toContain(part);
	}
	expect(later).toBe(stories);
});
