import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { keepLatest } from '../lists';

/**
 * What this process remembers about a trigger node until it ends, or has polled `MAX_NODES` others. Without it, the state
 * that n8n has saved counts; the rest takes some requests more, or logs something once more. It must not be lost while
 * n8n saves the events of the last poll (see `storage.ts`).
 */
export interface NodeMemory {
	/** The context of the poll that is running. */
	polling?: IPollFunctions;
	/** The context that n8n has created last for polls of the node. See `isReplaced`. */
	newestContext?: IPollFunctions;
	/** The state after the last poll, which n8n may not have saved (see `storage.ts`). */
	last?: { text: string; savedAt: number; hadEvents: boolean };
	/** When each text was logged last: the latest hundred. */
	logged: Map<string, number>;
	/** When a request of each carrier that made the service fail was last split, and no part got a response. */
	splitInVainAt: Map<string, number>;
	/** What the list and details said about the shipments of the account, to save requests. */
	infos: { account: string; byId: ShipmentInfos };
}

/** By the ID of the shipment. */
export type ShipmentInfos = Map<number, { info: IDataObject; readAt: number }>;

/** No process polls so many. So only those are forgotten that do not poll any more. */
const MAX_NODES = 1_000;

const nodes = new Map<string, NodeMemory>();

/** The memory of the trigger node, also after it was renamed. */
export function memoryOf(context: IPollFunctions): NodeMemory {
	const key = `${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
	const memory = nodes.get(key) ?? {
		logged: new Map(),
		splitInVainAt: new Map(),
		infos: { account: '', byId: new Map() },
	};
	keepLatest(nodes, key, memory, MAX_NODES);
	return memory;
}

/** What earlier polls have read. IDs of one account mean nothing in another one. */
export function infosOf(memory: NodeMemory, account: string): ShipmentInfos {
	if (memory.infos.account !== account) memory.infos = { account, byId: new Map() };
	return memory.infos.byId;
}

const usedContexts = new WeakSet<IPollFunctions>();

/**
 * Whether it is the first poll with this context, which is noted as the newest. n8n's usual scheduler creates a context when
 * it publishes the workflow or starts, and uses it for all its polls. Its durable scheduler creates one for each poll.
 */
export function isFirstPoll(context: IPollFunctions): boolean {
	if (usedContexts.has(context)) return false;
	usedContexts.add(context);
	memoryOf(context).newestContext = context;
	return true;
}

/**
 * Whether n8n has created a newer context. Some versions of n8n go on polling with the context of an
 * earlier activation after a workflow was published or imported again. Both would emit the same events.
 */
export function isReplaced(context: IPollFunctions): boolean {
	const { newestContext = context } = memoryOf(context);
	return newestContext !== context;
}
