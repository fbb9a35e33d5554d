// Writes are tested with letters: a request is for some of them, and each is done, not done or unknown.
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { Journal, type TargetOutcome } from '../../../nodes/ParcelShipping/writes/journal';

export interface Letters {
	target: string;
	details: object;
	response: string;
	record: string;
	value: string;
}

export type Result = TargetOutcome<Letters>;

const unsettled =
	(state: 'unknown' | 'notDone') =>
	(...targets: string[]): Result => ({
		targets,
		outcome: { state, errors: [] },
	});
export const [unknown, notDone] = [unsettled('unknown'), unsettled('notDone')];
export const done = (...targets: string[]): Result => ({
	targets,
	outcome: { state: 'done', value: '1' },
});

/** One try of a node, as far as a journal asks n8n about it. */
export interface Try {
	/** Empty in some tools. */
	execution?: string;
	runIndex?: number;
	input?: string;
}

/** `store` is what n8n saves. */
export function contextOf(
	store: IDataObject,
	{ execution = '1', runIndex = 0, input = 'A' }: Try = {},
) {
	return {
		getContext: () => store,
		getExecutionId: () => execution || undefined,
		getInputData: () => [{ json: { order: input } }],
		getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
	} as unknown as IExecuteFunctions;
}

export const openJournal = (store: IDataObject, given?: Try) =>
	new Journal<Letters>(contextOf(store, given), 'create', (letter) => letter);

/** n8n saves the store as JSON between two tries. */
export const saved = (store: IDataObject) => JSON.parse(JSON.stringify(store)) as IDataObject;
