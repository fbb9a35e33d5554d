import type { StoredCredential } from '../support/host';
import { executeNode, type RunResult, type RunSettings } from '../support/engine';
import { sendAs } from './network';
import type { Worker } from './workers';

/** A run of the node in one execution, tries of *Retry On Fail* included. */
export interface Run {
	name: string;
	worker: Worker;
	settings: RunSettings;
	/** Undefined while it runs, and if it was stopped or its worker was killed. */
	result?: RunResult;
	isStopped: boolean;
	startedMs: number;
	endedMs?: number;
	stop(): void;
	/** Resolves when it ends, in whatever way. */
	over: Promise<void>;
}

export function startRun(
	worker: Worker,
	name: string,
	credential: StoredCredential,
	settings: RunSettings,
): Run {
	let cancel = () => {};
	let end = () => {};
	const ended = new Promise<void>((resolve) => (end = resolve));
	const run: Run = {
		...{ name, worker, settings, isStopped: false, startedMs: Date.now(), over: ended },
		stop() {
			if (run.result) return;
			run.isStopped = true;
			cancel();
			// n8n ends a stopped execution at once.
			end();
		},
	};
	worker.endRuns.push(end);
	const executing = sendAs({ worker, run: name }, async () =>
		executeNode(worker.nodeTypes, credential, {
			...settings,
			onStart: (stop) => (cancel = stop),
		}),
	);
	executing.then(
		(result) => {
			if (run.isStopped || worker.isGone) return;
			run.result = result;
			run.endedMs = Date.now();
			end();
		},
		(error: unknown) => {
			if (!run.isStopped && !worker.isGone) worker.fail(error);
			end();
		},
	);
	return run;
}
