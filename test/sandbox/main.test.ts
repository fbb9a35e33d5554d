import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { omit } from 'lodash';

import { orderOf } from '../support/shop';

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
		if (/Press Ctrl\+C|--label-origin/.test(printed)) break;
	}
	return printed;
}

test.each([
	['interface', ['--without-extras'], '/Printer/Find', 404],
	['documented', [], '/Package/Create', 405],
])('npm run sandbox in the %s dialect with %j', async (dialect, more, endpoint, status) => {
	const options = ['--shipments', '3', '--dialect', dialect, ...more];
	const printed = await runSandbox('--port', '0', ...options);
	const found = (pattern: RegExp) => pattern.exec(printed)?.[1] ?? '';
	const [name = '', value = ''] = found(/Header +(.+)/).split(': ');
	const headers = { 'content-type': 'application/json', ...(name && { [name]: value }) };
	const url = found(/Base URL +(\S+)/) + endpoint;
	expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(status);
	expect(await (await fetch(found(/Home page +(\S+)/))).text()).toContain('<!doctype html>');
});

test.each([
	['--refuse-duplicates', 'yes', 'row or request'],
	['--list-records', 'all', 'documented'],
])('npm run sandbox says what %s can be', async (option, value, choices) => {
	const message = `${option} must be ${choices}, not "${value}"`;
	expect(await runSandbox('--port', '0', option, value)).toContain(message);
});

test('npm run sandbox -- --refuse-duplicates row refuses an order number that exists', async () => {
	const printed = await runSandbox('--port', '0', '--refuse-duplicates', 'row');
	const found = (pattern: RegExp) => pattern.exec(printed)?.[1] ?? '';
	const [name = '', value = ''] = found(/Header +(.+)/).split(': ');
	const create = async () => {
		const response = await fetch(`${found(/Base URL +(\S+)/)}/Package/Create`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', [name]: value },
			body: JSON.stringify([omit(orderOf('ANT', 'A-1'), 'carrierCode')]),
		});
		const { result } = (await response.json()) as { result: Array<{ statusCode: number }> };
		return result.map(({ statusCode }) => statusCode);
	};
	expect([await create(), await create()]).toEqual([[200], [400]]);
});

test('npm run sandbox -- --help lists the options', async () => {
	expect(await runSandbox('--help')).toMatch(/--port <number>[\s\S]+--latency <milliseconds>/);
});
