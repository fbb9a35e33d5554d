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
	// Together, as in a terminal.
	const shell = ['-c', 'exec npm "$@" 2>&1', 'npm', ...npm];
	const { stdout } = (sandbox = spawn('sh', shell, { cwd: root, detached: true }));
	let printed = '';
	for await (const text of stdout ?? []) {
		printed += String(text);
		if (/Press Ctrl\+C|pickup points/.test(printed)) break;
	}
	return printed;
}

const valueIn = (printed: string, pattern: RegExp) => pattern.exec(printed)?.[1] ?? '';

/** Sends a request to the address and with the header that the sandbox has printed. */
async function post(printed: string, endpoint: string, body: unknown): Promise<Response> {
	const [name = '', value = ''] = valueIn(printed, /Header +(.+)/).split(': ');
	return await fetch(valueIn(printed, /Base URL +(\S+)/) + endpoint, {
		method: 'POST',
		headers: { 'content-type': 'application/json', [name]: value },
		body: JSON.stringify(body),
	});
}

test.each([
	['interface', ['--without-extras'], '/Printer/Find', 404],
	['documented', [], '/Package/Create', 405],
])('npm run sandbox in the %s dialect with %j', async (dialect, more, endpoint, status) => {
	const options = ['--dialect', dialect, ...more];
	const printed = await runSandbox('--port', '0', ...options);
	expect((await post(printed, endpoint, {})).status).toBe(status);
	expect(await (await fetch(valueIn(printed, /Home page +(\S+)/))).text()).toContain(
		'<!doctype html>',
	);
});

test('npm run sandbox -- --help lists the options', async () => {
	expect(await runSandbox('--help')).toMatch(/--port <number>[\s\S]+--without-extras/);
});
