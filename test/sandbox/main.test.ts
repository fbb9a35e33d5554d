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
		if (/Press Ctrl\+C|--label-origin/.test(printed)) break;
	}
	return printed;
}

test('npm run sandbox prints a working address and credential', async () => {
	const printed = await runSandbox('--port', '0', '--shipments', '3');
	const found = (pattern: RegExp) => pattern.exec(printed)?.[1] ?? '';
	const [name = '', value = ''] = found(/Header +(.+)/).split(': ');
	const response = await fetch(`${found(/Base URL +(\S+)/)}/Package/Find`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', [name]: value },
		body: '{}',
	});
	expect(response.status).toBe(200);
	const page = await fetch(found(/Home page +(\S+)/));
	expect(await page.text()).toContain('<!doctype html>');
});

test('npm run sandbox -- --dialect documented answers in that dialect', async () => {
	const printed = await runSandbox('--port', '0', '--dialect', 'documented');
	expect(printed).toContain('with email demo@sandbox.example and password parcels and a language');
	const [, url = ''] = /Base URL +(\S+)/.exec(printed) ?? [];
	const { status, headers } = await fetch(`${url}/Carrier/Find`, { method: 'POST' });
	expect(status).toBe(401);
	expect(headers.get('x-correlation-id')).not.toBeNull();
});

test('npm run sandbox -- --without-extras does not offer what not every service has', async () => {
	const printed = await runSandbox('--port', '0', '--without-extras');
	const [, url = ''] = /Base URL +(\S+)/.exec(printed) ?? [];
	const { status } = await fetch(`${url}/Printer/Find`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'X-Api-Key': 'sandbox-key' },
		body: '{}',
	});
	expect(status).toBe(404);
});

test('npm run sandbox -- --help lists the options', async () => {
	expect(await runSandbox('--help')).toMatch(/--port <number>[\s\S]+--latency <milliseconds>/);
});
