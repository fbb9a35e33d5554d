import type { StoredCredential } from '../support/host';
import { executeNode, type RunResult, type RunSettings } from '../support/engine';
import { sendAs } from './network';
import type { Worker } from './workers';

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

export function startRun<Asked>(
	worker: Worker,
	credential: StoredCredential,
	about: Pick<Run<Asked>, 'name' | 'settings' | 'asked' | 'retryOf' | 'startPlace'>,
): Run<Asked> {
	const { name, settings, retryOf } = about;
	let cancel = () => {};
	let end = () => {};
	const over = new Promise<void>((resolve) => (end = resolve));
	const chain = [...(retryOf?.chain ?? []), name];
	const run: Run<Asked> = {
		...{ ...about, worker, chain, isStopped: false, startedMs: Date.now(), endPlace: Infinity },
		over,
		stop() {
			if (run.result) return;
			run.isStopped = true;
			cancel();
			// n8n ends a stopped execution at once.
			end();
		},
	};
	worker.endRuns.push(end);
	const onStart = (stop: () => void) => (cancel = stop);
	const execution = {
		...{ ...settings, onStart },
		...(retryOf?.result ? { retryOf: retryOf.result } : {}),
	};
	const isCut = () => run.isStopped || worker.isGone;
	void sendAs({ worker, run: name }, async () => {
		try {
			const result = await executeNode(worker.nodeTypes, credential, execution);
			if (!isCut()) Object.assign(run, { result, endedMs: Date.now() });
		} catch (error) {
			if (!isCut()) worker.fail(error);
		}
		end();
	});
	return run;
}
