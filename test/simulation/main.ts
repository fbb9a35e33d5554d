import { fork } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';

import type { Failure } from './player';

// `npm run simulate`: plays histories on both cores and tells the stories of those that broke a
// promise. `--seed 7 --histories 1 --story` tells everything that happens in one history.

const { values } = parseArgs({
	allowNegative: true,
	options: {
		histories: { type: 'string', default: '1000' },
		seed: { type: 'string', default: '1' },
		kind: { type: 'string', default: 'creation' },
		package: { type: 'string', default: path.resolve(__dirname, '../..') },
		processes: { type: 'string', default: '2' },
		/** After so many failures, no further history is played. */
		failures: { type: 'string', default: '1' },
		story: { type: 'boolean', default: false },
		/** Whether to look for a shorter history that breaks a promise as well. */
		shrink: { type: 'boolean', default: true },
		child: { type: 'string' },
	},
});
const [histories, seed, processes] = [values.histories, values.seed, values.processes].map(Number) as [
	...[number, number, number],
];
const { kind, package: folder } = values;

async function child(index: number): Promise<void> {
	const { playSeed } = await import('./player.js');
	for (let at = index; at < histories; at += processes) {
		const failure = await playSeed(kind, seed + at, folder, values.shrink);
		await new Promise((sent) => process.send?.({ failure }, sent));
	}
	// n8n keeps handles open.
	process.exit();
}

async function parent(): Promise<void> {
	const started = Date.now();
	const failures: Failure[] = [];
	let played = 0;
	const showProgress = () => {
		const seconds = (Date.now() - started) / 1000;
		const perSecond = Math.round(played / seconds);
		console.log(`${played} of ${histories} ${kind} histories, ${perSecond} a second`);
	};
	const timer = setInterval(showProgress, 30_000);
	const children = Array.from({ length: Math.min(processes, histories) }, async (_, index) => {
		const process_ = fork(__filename, [...process.argv.slice(2), '--child', String(index)]);
		process_.on('message', ({ failure }: { failure?: Failure }) => {
			played++;
			if (!failure) return;
			failures.push(failure);
			console.log(`\nSeed ${failure.seed} (${kind}): ${failure.promise}`);
			console.log(JSON.stringify(failure.history));
			for (const line of failure.story) console.log(line);
			if (failures.length >= Number(values.failures)) process_.emit('enough');
		});
		await new Promise<void>((resolve, reject) => {
			process_.on('exit', (code) =>
				code === 0 || code === null ? resolve() : reject(new Error(`It exited with ${code}`)),
			);
			process_.on('enough', () => {
				for (const each of all) each.kill();
			});
			all.push(process_);
		});
	});
	await Promise.all(children);
	clearInterval(timer);
	showProgress();
	if (failures.length > 0) {
		const seeds = failures.map((failure) => failure.seed).join(', ');
		console.log(`${failures.length} broke a promise: seeds ${seeds}`);
		process.exitCode = 1;
	}
}
const all: Array<ReturnType<typeof fork>> = [];

async function main(): Promise<void> {
	if (values.story) {
		const { tellStory } = await import('./player.js');
		for (const line of await tellStory(kind, seed, folder)) console.log(line);
	} else if (values.child !== undefined) await child(Number(values.child));
	else await parent();
}

void main();
