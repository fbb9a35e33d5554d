import { mapValues } from 'lodash';

import { createService, type ServiceInProcess } from '../../sandbox/inProcess';
import { sandboxCredential } from '../support/credentials';
import { executeNode, type RunResult, type RunSettings } from '../support/engine';
import { StoredCredential } from '../support/host';
import type { interruption, Of } from './acts';
import type { Fault } from './faults';
import { Network, sendAs } from './network';
import { textOf } from './outputs';
import { optionsOf, type Service } from './services';
import { randomOf, VirtualTime, waitMs } from './time';
import { startWorker, type Worker } from './workers';

const SERVICE_URL = 'https://service.test/api';
const credentialData = sandboxCredential(SERVICE_URL);

/** Longer than any run may take, with all of its pauses and tries. */
const LONGEST_MS = 60 * 60_000;

export interface Setting {
	service: Service;
	luck: number;
	startsAt: string;
	faults: Fault[];
}

/** A run of the node in one execution, tries of *Retry On Fail* included. */
export interface Run<Asked = unknown> {
	name: string;
	worker: Worker;
	settings: RunSettings;
	/** What the rules need to know of it. */
	asked: Asked;
	/** The run that a person retries with it. */
	retryOf: Run<Asked> | undefined;
	/** The names of all runs that it retries, and its own. */
	chain: string[];
	/** Undefined while it runs, and if it was stopped or its worker was killed. */
	result?: RunResult;
	isStopped: boolean;
	startedMs: number;
	endedMs?: number;
	/** How much the provider had carried out when it began and ended. */
	startPlace: number;
	endPlace: number;
	stop(): void;
	/** Resolves when it ends, in whatever way. */
	over: Promise<void>;
}

/** What to call if a rule is broken, by the names of the rules. test/README.md has all of them. */
export const rulesOf = <Key extends string>(
	names: Readonly<Record<Key, string>>,
	report = (broken: string): void => {
		throw new Error(broken);
	},
) => mapValues(names, (name) => (seen: string) => report(`${name}\n            ${seen}`));

const fail = rulesOf({ over: 'every run ends' });

/** The provider, the workers and the network of one history. */
export class Simulation {
	readonly service: ServiceInProcess;
	readonly network: Network;
	private readonly workers: Worker[] = [];
	readonly runs: Run[] = [];
	readonly credential: StoredCredential;

	/** What happened, line by line. */
	private readonly notes: string[] = [];
	private readonly crashes: unknown[] = [];

	constructor(
		private readonly time: VirtualTime,
		private readonly folder: string,
		readonly setting: Setting,
	) {
		time.begin(Date.parse(setting.startsAt));
		const random = randomOf(setting.luck);
		Math.random = random;
		this.service = createService({
			...optionsOf(setting.service),
			url: SERVICE_URL,
			clock: { now: () => new Date() },
		});
		this.network = new Network(this.service, setting.faults, random, (text) => this.note(text));
		this.credential = new StoredCredential(credentialData, this.worker(0).credentialType);
	}

	/** Starts the process if it is the first time that something happens in it. */
	worker(index: number): Worker {
		return (this.workers[index] ??= startWorker(`worker ${'AB'[index]}`, this.folder));
	}

	/** Starts the node in an execution of its own. */
	start<Asked>(
		at: number,
		asked: Asked,
		settings: RunSettings,
		{ name = `run ${this.runs.length + 1}`, retryOf }: { name?: string; retryOf?: Run<Asked> } = {},
	): Run<Asked> {
		const worker = this.worker(at);
		this.note(`${worker.name} starts ${name}${retryOf ? `, a retry of ${retryOf.name}` : ''}`);
		let cancel = () => {};
		let end = () => {};
		const over = new Promise<void>((resolve) => (end = resolve));
		const run: Run<Asked> = {
			...{ name, worker, settings, asked, retryOf, chain: [...(retryOf?.chain ?? []), name] },
			...{ isStopped: false, startedMs: Date.now(), over },
			...{ startPlace: this.network.places, endPlace: Infinity },
			stop() {
				if (run.result) return;
				run.isStopped = true;
				cancel();
				// n8n ends a stopped execution at once.
				end();
			},
		};
		this.runs.push(run);
		worker.endRuns.push(end);
		const execution = {
			...{ ...settings, onStart: (stop: () => void) => (cancel = stop) },
			...(retryOf?.result ? { retryOf: retryOf.result } : {}),
		};
		const isCut = () => run.isStopped || worker.isGone;
		void sendAs({ worker, run: name }, async () => {
			try {
				const result = await executeNode(worker.nodeTypes, this.credential, execution);
				if (!isCut()) Object.assign(run, { result, endedMs: Date.now() });
			} catch (error) {
				if (!isCut()) this.crashes.push(error);
			}
			end();
		});
		void over.then(() => {
			run.endPlace = this.network.places;
			this.note(`${name} ends: ${describeEnd(run)}`);
		});
		return run;
	}

	/** Lets everything happen that the acts do, then nothing goes wrong any more, and what is late comes. */
	async playActs<Act extends { atMs: number }>(
		acts: readonly Act[],
		perform: (act: Act) => Promise<void> | void,
	): Promise<void> {
		const byTime = acts.map(async (act) => {
			await waitMs(act.atMs);
			await perform(act);
		});
		await this.play(Promise.all(byTime));
		this.heal();
		await this.play(waitMs(15 * 60_000));
	}

	/** A process is killed, or a person stops a run. */
	interrupt({ what, worker, run }: Of<typeof interruption>): void {
		if (what === 'kill') this.kill(worker);
		else this.runs[run]?.stop();
	}

	/** Ends a process at once, and starts another one. */
	kill(index: number): void {
		const worker = this.worker(index);
		this.note(`${worker.name} is killed`);
		worker.isGone = true;
		for (const end of worker.endRuns) end();
		delete this.workers[index];
	}

	/** A request from outside of n8n. */
	ask(path: string, body: object): unknown {
		const { headerName = '', headerValue = '' } = credentialData;
		const headers = { [headerName]: headerValue };
		const url = this.service.url + path;
		const request = { method: 'POST', url, headers, body: JSON.stringify(body) };
		return JSON.parse(this.service.respond(request).body.toString() || '{}');
	}

	heal(): void {
		this.note('nothing goes wrong any more');
		this.network.faults = [];
	}

	/** Lets everything happen until the work is over. */
	async play(work: Promise<unknown>, limitMs = LONGEST_MS): Promise<void> {
		await this.time.run(work, limitMs).catch((error: Error) => {
			if (this.crashes.length > 0) throw this.crashes[0];
			const open = this.network.exchanges.filter(({ arrivedMs }) => arrivedMs === undefined);
			fail.over(`A run ${error.message} (${open.length} requests without a response)`);
		});
		if (this.crashes.length > 0) throw this.crashes[0];
	}

	note(text: string): void {
		const seconds = (Date.now() - Date.parse(this.setting.startsAt)) / 1000;
		this.notes.push(`${seconds.toFixed(3).padStart(9)} s  ${text}`);
	}

	story(): string[] {
		return this.notes;
	}
}

function describeEnd(run: Run): string {
	if (run.isStopped) return 'stopped by the user';
	if (!run.result) return run.worker.isGone ? 'killed' : 'without a result';
	return textOf(run);
}
