import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';

import kept from './kept.json';
import type { Failure } from './player';

// `npm run simulate`: plays histories in parallel processes, and tells the story of each that breaks a
// promise. The kept ones are played first.

const { values } = parseArgs({
	allowNegative: true,
	options: {
		histories: { type: 'string', default: '1000' },
		/** Of the first history. Each has a seed of its own. */
		seed: { type: 'string', default: '1' },
		/** creation, changes or trigger. */
		kind: { type: 'string', default: 'creation' },
		/** What `npm test` plays: some histories of each kind. */
		ordinary: { type: 'boolean', default: false },
		/** The folder with the built package. */
		package: { type: 'string', default: path.resolve(__dirname, '../..') },
		processes: { type: 'string', default: '2' },
		/** After so many failures, no further history is played. */
		failures: { type: 'string', default: '1' },
		/** Whether to look for a shorter history that breaks a promise as well. */
		shrink: { type: 'boolean', default: true },
		/** Tells everything that happens in the history of the seed, of each kind. */
		story: { type: 'boolean', default: false },
		child: { type: 'string' },
	},
});
const processes = Number(values.processes);
const firstSeed = Number(values.seed);

const ORDINARY: Readonly<Record<string, number>> = { creation: 700, changes: 250, trigger: 15 };
const counts = values.ordinary ? ORDINARY : { [values.kind]: Number(values.histories) };

/** A child tells its parent about each history, perhaps with a failure. */
interface Played {
	kind: string;
	seed: number;
	history?: unknown;
	failure?: Failure | undefined;
}

/** The kept histories, and those of the seeds. */
const all: readonly Played[] = [
	...kept.filter(({ kind }) => kind in counts).map((each) => ({ ...each, seed: 0 })),
	...Object.entries(counts).flatMap(([kind, count]) =>
		Array.from({ length: count }, (_, at) => ({ kind, seed: firstSeed + at })),
	),
];

async function playShare(index: number): Promise<void> {
	const { findFailure, historyOf, shrink } = await import('./player.js');
	const folder = values.package;
	for (const { kind, seed, history } of all.filter((_, at) => at % processes === index)) {
		const found = await findFailure(kind, history ?? historyOf(kind, seed), folder);
		const shorter = found && values.shrink && seed > 0 && (await shrink(kind, seed, folder));
		const played: Played = { kind, seed, failure: shorter || found };
		await new Promise((sent) => process.send?.(played, sent));
	}
	// n8n keeps handles open.
	process.exit();
}

async function playAll(): Promise<void> {
	const started = Date.now();
	const failures: string[] = [];
	let played = 0;
	const showProgress = () => {
		const perSecond = Math.round(played / ((Date.now() - started) / 1000));
		const what = values.ordinary ? '' : `${values.kind} `;
		console.log(`${played} of ${all.length} ${what}histories, ${perSecond} a second`);
	};
	const timer = setInterval(showProgress, 30_000);
	const children: ChildProcess[] = [];
	const note = ({ kind, seed, failure }: Played) => {
		played++;
		if (!failure) return;
		failures.push(`${kind} ${seed}`);
		console.log(`\nSeed ${seed} (${kind}) breaks: ${failure.promise}`);
		console.log(JSON.stringify(failure.history));
		for (const line of failure.story) console.log(line);
		if (failures.length >= Number(values.failures)) for (const each of children) each.kill();
	};
	const ended = Array.from({ length: Math.min(processes, all.length) }, async (_, index) => {
		const child = fork(__filename, [...process.argv.slice(2), '--child', String(index)], {
			// Each history leaves much garbage: this makes a seventh more of them a second.
			execArgv: [...process.execArgv, '--max-semi-space-size=32'],
		});
		children.push(child.on('message', note));
		await new Promise<void>((resolve, reject) => {
			child.on('exit', (code) => {
				if (code === 0 || failures.length > 0) resolve();
				else reject(new Error(`A process of the simulation exited with code ${code}`));
			});
		});
	});
	await Promise.all(ended);
	clearInterval(timer);
	showProgress();
	if (failures.length === 0) return;
	console.log(`Broken by ${failures.join(', ')}`);
	process.exitCode = 1;
}

async function main(): Promise<void> {
	if (values.child !== undefined) return await playShare(Number(values.child));
	if (!values.story) return await playAll();
	const { tellStory } = await import('./player.js');
	for (const kind of Object.keys(counts)) {
		const story = await tellStory(kind, firstSeed, values.package);
		await new Promise((written) => process.stdout.write(`${story.join('\n')}\n`, written));
	}
	process.exit();
}

void main();
