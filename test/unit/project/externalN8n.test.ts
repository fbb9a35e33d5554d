import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';

import { copyProject } from '../../support/projectCopy';

const project = copyProject();
const folder = path.join(project, '.host');

afterAll(() => rmSync(project, { recursive: true }));

test('npm start for an n8n that runs already builds the package and says how to use it', async () => {
	const options = ['--external-n8n', 'http://127.0.0.1:5678', '--folder', folder];
	const child = spawn('tsx', ['scripts/demo/main.ts', ...options], {
		cwd: project,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const ended = new Promise((resolve) => child.once('exit', resolve));
	let printed = '';
	await new Promise<void>((resolve) => {
		child.stdout.on('data', (text) => {
			printed += String(text);
			if (printed.includes('Import from file')) resolve();
		});
		child.once('exit', () => resolve());
	});
	const nodes = path.join(folder, '.n8n/nodes');
	expect(existsSync(path.join(nodes, 'node_modules/n8n-nodes-parcel-shipping/dist'))).toBe(true);
	expect(printed).toContain(`-v ${nodes}:/home/node/.n8n/nodes`);
	const [, sandbox = ''] = /Sandbox +(\S+)/.exec(printed) ?? [];
	expect((await fetch(sandbox)).status).toBe(200);
	child.kill('SIGINT');
	await ended;
});
