import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
let sandbox: ChildProcess | undefined;

afterEach(() => {
	if (sandbox?.exitCode === null) process.kill(-(sandbox.pid as number));
});

/** Runs `npm run sandbox` and returns its output up to the last line. */
async function runSandbox(...args: string[]): Promise<string> {
	const npm = ['run', 'sandbox', '--', ...args];
	const { stdout } = (sandbox = spawn('npm', npm, { cwd: root, detached: true }));
	let printed = '';
	for await (const text of stdout ?? []) {
		printed += String(text);
		if (/Press Ctrl\+C|pickup points/.test(printed)) break;
	}
	return printed;
}

test.each([
	['--dialect=interface --without-extras', '/Printer/Find', 404],
	['--dialect=documented', '/Package/Create', 405],
])('npm run sandbox with %s', async (options, endpoint, status) => {
	const printed = await runSandbox('--port', '0', ...options.split(' '));
	const valueOf = (pattern: RegExp) => pattern.exec(printed)?.[1] ?? '';
	const [name = '', value = ''] = valueOf(/Header +(.+)/).split(': ');
	const headers = { 'content-type': 'application/json', [name]: value };
	const address = valueOf(/Base URL +(\S+)/) + endpoint;
	expect((await fetch(address, { method: 'POST', headers, body: '{}' })).status).toBe(status);
	const home = await fetch(valueOf(/Home page +(\S+)/));
	expect(await home.text()).toContain('<!doctype html>');
});
