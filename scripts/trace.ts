// `npm run trace`: which functions of nodes/ run while n8n's engine processes one order or one new event
// against the sandbox, measured by V8. Counted are functions with a name whose code has at least four
// lines as swc writes it (V8 also names the initial values of a class's fields), in a second order, or in
// a poll after the first.
import { creationForm, orderItem } from '../test/support/shop';
import { PACKAGE } from '../test/support/host';
import { PollHost } from '../test/support/pollHost';
import { sandboxCredential } from '../test/support/credentials';
import { startEngine } from '../test/support/engine';

import { transformFileSync } from '@swc/core';
import type { IDataObject, INodeType } from 'n8n-workflow';
import * as fs from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as prettier from 'prettier';

import { type Sandbox, startSandbox } from '../sandbox';

const root = path.resolve(__dirname, '..');
const guide = path.join(root, 'CONTRIBUTING.md');

const MINIMUM_LINES = 4;
const MINUTE_MS = 60_000;

interface TracedFunction {
	file: string;
	name: string;
	lines: number;
}

interface Trace {
	/** All functions with a name that ran, in the order of the files. */
	functions: TracedFunction[];
	/** The lines of all functions that ran, also of those without a name. */
	lines: number;
}

type Traces = Record<string, Trace>;
type Measure = (work: () => Promise<void>) => Promise<Trace>;

interface OrderWay {
	fields?: IDataObject;
	prepare?: (sandbox: Sandbox) => void;
	isRefused?: boolean;
}

const ways: Record<
	string,
	{ caption: string; trace(measure: Measure, folder: string): Promise<Trace> }
> = {
	order: { caption: 'An order', trace: traceOrder({}) },
	lost: {
		caption: 'An order whose response is lost',
		trace: traceOrder({
			prepare: (sandbox) =>
				sandbox.fault({ operation: 'createShipments', kind: 'reset', when: 'after' }),
		}),
	},
	refused: {
		caption: 'An order that the carrier refuses',
		trace: traceOrder({
			fields: { serviceType: 'ANT-POINT', branchId: 'NOWHERE' },
			isRefused: true,
		}),
	},
	event: { caption: 'A new tracking event', trace: traceEvent },
};

/** The ways in each section of CONTRIBUTING.md. Its stations are those of the way with its name. */
const sections = { order: ['order', 'lost', 'refused'], event: ['event'] };

function traceOrder({ fields = {}, prepare = () => {}, isRefused = false }: OrderWay) {
	return async (measure: Measure, folder: string): Promise<Trace> => {
		const sandbox = await startSandbox();
		const engine = await startEngine(sandboxCredential(sandbox.url), {}, folder);
		const create = async (item: IDataObject) =>
			await engine.run({
				parameters: creationForm(),
				items: [item],
				...(isRefused ? { onError: 'continueErrorOutput' } : {}),
			});
		await create(orderItem('FIRST'));
		prepare(sandbox);
		const trace = await measure(async () => {
			const { items, errorItems, error } = await create(orderItem('SECOND', fields));
			const [expected, others] = isRefused ? [errorItems, items] : [items, errorItems];
			if (error) throw error;
			if (expected.length !== 1 || others.length !== 0)
				throw new Error(`n8n got ${items.length} items and ${errorItems.length} failed items`);
		});
		await sandbox.close();
		return trace;
	};
}

async function traceEvent(measure: Measure, folder: string): Promise<Trace> {
	const { now } = Date;
	let nowMs = now();
	Date.now = () => nowMs;
	const sandbox = await startSandbox({ clock: { now: () => new Date(nowMs) } });
	const { credential, nodeTypes } = await startEngine(sandboxCredential(sandbox.url), {}, folder);
	const trigger = nodeTypes.getByName(`${PACKAGE}.parcelShippingTrigger`) as INodeType;
	const host = new PollHost('default', credential, () => trigger);
	const [shipment] = sandbox.seedShipments(1, { hoursAgo: 20 });
	await host.publish({});
	sandbox.addEvent(shipment?.packageNumberCarrier ?? '', { code: '701' });
	nowMs += MINUTE_MS;
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
		const traces = result
			.filter(({ url }) => url.startsWith('file:') && fileURLToPath(url).startsWith(nodes))
			.sort((one, other) => (one.url < other.url ? -1 : 1))
			.map((script) => traceFile(script, nodes));
		return {
			functions: traces.flatMap(({ functions }) => functions),
			lines: traces.reduce((sum, { lines }) => sum + lines, 0),
		};
	};
}

/** A getter that swc writes for an export. */
const EXPORT = /^(get \w+|function) ?\(\) \{\s+return \w+;\s+\}$/;

function traceFile({ url, functions }: Profiler.ScriptCoverage, nodes: string): Trace {
	const code = fs.readFileSync(fileURLToPath(url), 'utf8');
	const file = path.relative(nodes, fileURLToPath(url)).replace(/js$/, 'ts');
	const lineOf = (offset: number) => code.slice(0, offset).split('\n').length;
	const ran = new Set<number>();
	const named: TracedFunction[] = [];
	// An enclosing function comes before those inside it.
	for (const { functionName: name, ranges } of functions) {
		const [{ startOffset, endOffset, count } = { startOffset: 0, endOffset: 0, count: 0 }] = ranges;
		if (EXPORT.test(code.slice(startOffset, endOffset))) continue;
		const [first, last] = [lineOf(startOffset), lineOf(endOffset)];
		if (count > 0) {
			for (let line = first; line <= last; line++) ran.add(line);
			if (name !== '') named.push({ file, name, lines: last - first + 1 });
		} else {
			// The first and the last line also belong to the enclosing function.
			for (let line = first + 1; line < last; line++) ran.delete(line);
		}
	}
	return { functions: named, lines: ran.size };
}

const counted = ({ functions }: Trace) => functions.filter(({ lines }) => lines >= MINIMUM_LINES);

async function tableOf(traces: Traces, names: string[]): Promise<string> {
	const rows = names.map((name) => {
		const trace = traces[name] as Trace;
		const files = new Set(counted(trace).map(({ file }) => file));
		return [ways[name]?.caption, counted(trace).length, files.size, trace.lines];
	});
	const lines = [['', 'Functions', 'Files', 'Lines'], ['---', '--:', '--:', '--:'], ...rows];
	const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
	return await prettier.format(table, { parser: 'markdown' });
}

/** What is between `<!-- name -->` and `<!-- end -->`. */
function partOf(text: string, name: string): string {
	const part = text.split(`<!-- ${name} -->\n`)[1]?.split('<!-- end -->')[0];
	if (part === undefined) throw new Error(`CONTRIBUTING.md has no part "${name}"`);
	return part;
}

/** Returns which station of the list of a section did not run. */
function missingStations(list: string, section: string, { functions }: Trace): string[] {
	return (list.match(/^\d+\..*/gm) ?? ['nothing']).flatMap((line) => {
		const [, number, file, name] = /^(\d+)\. `([\w./]+)` `(\w+)`/.exec(line) ?? [];
		if (!number) return [`CONTRIBUTING.md, ${section}: "${line}" names no file and function`];
		const ran = functions.filter((each) => each.file === file).map((each) => each.name);
		if (ran.includes(name as string)) return [];
		const others = ran.length > 0 ? `these did: ${ran.join(', ')}` : 'nothing of this file did';
		return [
			`CONTRIBUTING.md, ${section}: station ${number}, ${name} in ${file}, did not run; ${others}`,
		];
	});
}

async function traceAll(): Promise<Traces> {
	const cache = path.join(root, '.cache');
	fs.mkdirSync(cache, { recursive: true });
	const folder = fs.mkdtempSync(path.join(cache, 'trace-'));
	try {
		transpile(folder);
		const measure = await startMeasuring(folder);
		const traces: Traces = {};
		for (const [name, { trace }] of Object.entries(ways))
			traces[name] = await trace(measure, folder);
		return traces;
	} finally {
		fs.rmSync(folder, { recursive: true });
	}
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: { list: { type: 'string' }, write: { type: 'boolean' }, check: { type: 'boolean' } },
	});
	const { list = 'order' } = values;
	if (!ways[list]) throw new Error(`--list must be one of: ${Object.keys(ways).join(', ')}`);
	const traces = await traceAll();
	console.log(await tableOf(traces, Object.keys(ways)));
	if (values.list)
		for (const { file, name, lines } of counted(traces[list] as Trace))
			console.log(`${file}  ${name}  ${lines}`);

	const text = fs.readFileSync(guide, 'utf8');
	const problems: string[] = [];
	let current = text;
	for (const [section, names] of Object.entries(sections)) {
		problems.push(
			...missingStations(partOf(text, `stops:${section}`), section, traces[section] as Trace),
		);
		const start = `<!-- trace:${section} -->\n`;
		const figures = `\n${await tableOf(traces, names)}\n`;
		current = current.replace(start + partOf(text, `trace:${section}`), start + figures);
	}
	if (values.write) fs.writeFileSync(guide, current);
	if (values.check && current !== text)
		problems.push(
			'The figures in CONTRIBUTING.md are out of date. Run `npm run trace -- --write`.',
		);
	for (const problem of problems) console.error(problem);
	if (problems.length > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
	console.error(error);
	// The sandbox still listens.
	process.exit(1);
});
