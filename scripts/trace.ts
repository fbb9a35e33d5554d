// `npm run trace`, or `-- --list order`: which functions of nodes/ run while n8n's engine processes one order or one new event
// against the sandbox, measured by V8. Counted are functions with a name whose code has at least four
// lines as swc writes it (V8 also names the initial values of a class's fields), in a second order, or in
// a poll after the first.
import { creationForm, orderItem } from '../test/support/shop';
import { PACKAGE } from '../test/support/host';
import { PollHost } from '../test/support/pollHost';
import { sandboxCredential } from '../test/support/credentials';
import { startEngine } from '../test/support/engine';

import { transformFileSync } from '@swc/core';
import type { INodeType } from 'n8n-workflow';
import * as fs from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { startSandbox } from '../sandbox';

const root = path.resolve(__dirname, '..');

/** The functions with a name that ran, in the order of the files. */
type Trace = Array<{ file: string; name: string; lines: number }>;
type Measure = (work: () => Promise<void>) => Promise<Trace>;

const ways: Readonly<
	Record<string, [caption: string, trace: (measure: Measure, folder: string) => Promise<Trace>]>
> = {
	order: ['An order', async (...stage) => await traceOrder(false, ...stage)],
	lost: ['An order whose response is lost', async (...stage) => await traceOrder(true, ...stage)],
	event: ['A new tracking event', traceEvent],
};

async function traceOrder(isLost: boolean, measure: Measure, folder: string): Promise<Trace> {
	const sandbox = await startSandbox();
	const engine = await startEngine(sandboxCredential(sandbox.url), {}, folder);
	const create = async (reference: string) => {
		const items = [orderItem(reference)];
		const ran = await engine.run({ parameters: creationForm(), items });
		if (ran.error) throw ran.error;
		if (ran.items.length !== 1) throw new Error(`n8n got ${ran.items.length} items`);
	};
	await create('FIRST');
	if (isLost) sandbox.fault({ operation: 'createShipments', kind: 'reset', when: 'after' });
	const trace = await measure(async () => await create('SECOND'));
	await sandbox.close();
	return trace;
}

async function traceEvent(measure: Measure, folder: string): Promise<Trace> {
	const { now } = Date;
	let nowMs = now();
	Date.now = () => nowMs;
	const sandbox = await startSandbox({ clock: { now: () => new Date(nowMs) } });
	const { credential, nodeTypes } = await startEngine(sandboxCredential(sandbox.url), {}, folder);
	const trigger = nodeTypes.getByName(`${PACKAGE}.parcelShippingTrigger`) as INodeType;
	const host = new PollHost('default', credential, () => trigger);
	const [shipment] = sandbox.seedShipments(1, { hoursAgo: 18.7 });
	await host.publish({});
	sandbox.addEvent(shipment?.packageNumberCarrier ?? '', { code: '701' });
	nowMs += 60_000;
	const trace = await measure(async () => {
		await host.tick();
		const [failure] = host.failures;
		if (failure) throw failure;
		if (host.events.length !== 1) throw new Error(`n8n got ${host.events.length} events`);
	});
	await sandbox.close();
	Date.now = now;
	return trace;
}

/** Writes the package without bundling it, so that V8 reports the functions of each source file. */
function transpile(folder: string): void {
	const dist = path.join(folder, 'dist');
	fs.cpSync(path.join(root, 'package.json'), path.join(folder, 'package.json'));
	for (const name of ['nodes', 'credentials', 'icons'])
		fs.cpSync(path.join(root, name), path.join(dist, name), { recursive: true });
	for (const name of fs.readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
		if (!name.endsWith('.ts')) continue;
		const { code } = transformFileSync(path.join(dist, name), {
			jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
			module: { type: 'commonjs' },
		});
		fs.writeFileSync(path.join(dist, name.replace(/ts$/, 'js')), code);
	}
}

async function startMeasuring(folder: string): Promise<Measure> {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	const nodes = path.join(folder, 'dist/nodes/ParcelShipping');
	return async (work) => {
		// Resets the counts, so that what only a first order does is left out.
		await session.post('Profiler.takePreciseCoverage');
		await work();
		const { result } = await session.post('Profiler.takePreciseCoverage');
		return result
			.filter(({ url }) => url.startsWith('file:') && fileURLToPath(url).startsWith(nodes))
			.sort((one, other) => (one.url < other.url ? -1 : 1))
			.flatMap((script) => traceFile(script, nodes));
	};
}

/** A getter that swc writes for an export. */
const EXPORT = /^(get \w+|function) ?\(\) \{\s+return \w+;\s+\}$/;

function traceFile({ url, functions }: Profiler.ScriptCoverage, nodes: string): Trace {
	const code = fs.readFileSync(fileURLToPath(url), 'utf8');
	const file = path.relative(nodes, fileURLToPath(url)).replace(/js$/, 'ts');
	return functions.flatMap(({ functionName: name, ranges: [range] }) => {
		const text = code.slice(range?.startOffset, range?.endOffset);
		if (!range || range.count === 0 || name === '' || EXPORT.test(text)) return [];
		return { file, name, lines: text.split('\n').length };
	});
}

async function main(): Promise<void> {
	const { list } = parseArgs({ options: { list: { type: 'string' } } }).values;
	if (list !== undefined && !ways[list]) {
		throw new Error(`--list must be one of: ${Object.keys(ways).join(', ')}`);
	}
	const cache = path.join(root, '.cache');
	fs.mkdirSync(cache, { recursive: true });
	const folder = fs.mkdtempSync(path.join(cache, 'trace-'));
	try {
		transpile(folder);
		const measure = await startMeasuring(folder);
		for (const [name, [caption, trace]] of Object.entries(ways)) {
			const traced = await trace(measure, folder);
			const functions = traced.filter(({ lines }) => lines >= 4);
			const files = new Set(functions.map(({ file }) => file)).size;
			console.log(`${caption}: ${functions.length} functions, ${files} files`);
			if (name !== list) continue;
			for (const { file, name: own, lines } of functions)
				console.log(`  ${file}  ${own}  ${lines}`);
		}
	} finally {
		fs.rmSync(folder, { recursive: true });
	}
}

main().catch((error: unknown) => {
	console.error(error);
	// The sandbox still listens.
	process.exit(1);
});
