import type { IPollFunctions } from 'n8n-workflow';

import { keepLatest } from '../lists';
import type { ShipmentInfo } from './output';

/**
 * What this process remembers about a trigger node, for as long as it runs. A restart clears it. Then
 * no poll is running either, and the state that n8n has saved counts; the rest takes some requests
 * more, or logs something once more.
 */
export interface NodeMemory {
	/** n8n starts a poll even if the one before is still running. Both would emit the same events. */
	isPolling: boolean;
	/** How often the workflow was activated. Polls of earlier activations must not save anything. */
	activations: number;
	/** The state after the last poll, which n8n may not have saved (see `storage.ts`). */
	last?: { text: string; savedAt: number; nodeName: string; hadEvents: boolean };
	/** When something was logged or noticed last: the latest hundred. */
	notes: Map<string, number>;
	/** What the list and details said about the shipments of the account, to save requests. */
	infos: { account: string; byId: ShipmentInfos };
}

/** By the ID of the shipment. */
export type ShipmentInfos = Map<number, { info: ShipmentInfo; readAt: number }>;

const NOTE_INTERVAL_MS = 3_600_000;
const MAX_NOTES = 100;

const nodes = new Map<string, NodeMemory>();

/** The memory of the trigger node, also after it was renamed. */
export function memoryOf(context: IPollFunctions): NodeMemory {
	const key = `${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
	const known = nodes.get(key);
	if (known) return known;
	const infos = { account: '', byId: new Map() };
	const created = { isPolling: false, activations: 0, notes: new Map(), infos };
	nodes.set(key, created);
	return created;
}

/** What earlier polls have read. IDs of one account mean nothing in another one. */
export function infosOf(memory: NodeMemory, account: string): ShipmentInfos {
	if (memory.infos.account !== account) memory.infos = { account, byId: new Map() };
	return memory.infos.byId;
}

/** Whether this was noted during the last hour. */
export function isNoted({ notes }: NodeMemory, what: string, nowMs: number): boolean {
	return nowMs - (notes.get(what) ?? -Infinity) < NOTE_INTERVAL_MS;
}

export function note({ notes }: NodeMemory, what: string, nowMs: number): void {
	keepLatest(notes, what, nowMs, MAX_NOTES);
}
