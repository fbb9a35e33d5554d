import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../records';

// n8n runs a node again for the same items if *Retry On Fail* is on, and if a person retries a failed
// execution. The context of the node is all that remains of the earlier try, and nothing remains after a
// kill.
//
// A *try* is one call of the node's `execute`. What the tries for the same items share is kept by a key:
// - A loop calls the node several times in one execution, each time with other items and its own run
//   index. So the key is the run index.
// - With the same execution ID, n8n tries again by itself. With another one, a person has retried the
//   execution.
// - Without an execution ID, as some tools are called, several calls can have the same run index. The
//   call with the same input is another try, any other is not.

/** What the tries for the same items share, as n8n saves it. */
interface Saved {
	/** By the name of the act. `journal.ts` knows what is in them. */
	journals: Record<string, object>;
	memories: Record<string, object>;
}

/** What a try has requested or created besides its acts, by its own keys, for the next one. Plain JSON. */
export function memoryOfTries<Value>(
	context: IExecuteFunctions,
	name: 'labels',
): Partial<Record<string, Value>> {
	return (savedOf(context).memories[name] ??= {});
}

/** Call it once n8n cannot run the node again for the same items. */
export function forgetTries(context: IExecuteFunctions): void {
	delete allSavedOf(context)[triesKeyOf(context)];
}

export function savedOf(context: IExecuteFunctions): Saved {
	return (allSavedOf(context)[triesKeyOf(context)] ??= { journals: {}, memories: {} });
}

function allSavedOf(context: IExecuteFunctions): Partial<Record<string, Saved>> {
	const store = context.getContext('node') as { writes?: IDataObject };
	if (!isRecord(store.writes)) store.writes = {};
	return store.writes as unknown as Partial<Record<string, Saved>>;
}

/** The same for each try for the same items. */
function triesKeyOf(context: IExecuteFunctions): string {
	const runIndex = String(context.getWorkflowDataProxy(0).$runIndex);
	if (executionOf(context) !== '') return runIndex;
	const input = JSON.stringify(context.getInputData().map(({ json }) => json));
	return `${runIndex} ${createHash('sha256').update(input).digest('base64url')}`;
}

export const executionOf = (context: IExecuteFunctions) =>
	(context.getExecutionId() as string | undefined) ?? '';
