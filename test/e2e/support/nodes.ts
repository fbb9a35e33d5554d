import { randomUUID } from 'node:crypto';

import type { WorkflowDraft, WorkflowNode } from '../../../scripts/demo/rest';

export const PARCEL_SHIPPING = 'n8n-nodes-parcel-shipping.parcelShipping';
export const START = 'When clicking Execute';

interface NodeSettings {
	type: string;
	name?: string;
	typeVersion?: number;
	parameters?: Record<string, unknown>;
	credentials?: WorkflowNode['credentials'];
	onError?: 'continueRegularOutput' | 'continueErrorOutput' | 'stopWorkflow';
	[setting: string]: unknown;
}

export function node({ type, name, typeVersion, parameters, ...rest }: NodeSettings): WorkflowNode {
	return {
		...rest,
		id: randomUUID(),
		type,
		name: name ?? (type.split('.').at(-1) as string),
		typeVersion: typeVersion ?? 1,
		position: [0, 0],
		parameters: parameters ?? {},
	} as WorkflowNode;
}

export function start(): WorkflowNode {
	return node({ type: 'n8n-nodes-base.manualTrigger', name: START });
}

/** Gives each of `items` as an item, without a process of its own as the Code node would need. */
export function give(items: object[], name = 'Orders'): WorkflowNode[] {
	const value = JSON.stringify({ items });
	return [
		node({
			type: 'n8n-nodes-base.set',
			name: `${name} as one`,
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: value, options: {} },
		}),
		node({
			type: 'n8n-nodes-base.splitOut',
			name,
			parameters: { fieldToSplitOut: 'items', options: {} },
		}),
	];
}

/** A workflow whose nodes stand one behind the other. */
export function chain(name: string, nodes: WorkflowNode[]): WorkflowDraft {
	const connections: Record<string, unknown> = {};
	nodes.slice(0, -1).forEach((from, index) => {
		const to = nodes[index + 1] as WorkflowNode;
		connections[from.name] = { main: [[{ node: to.name, type: 'main', index: 0 }]] };
	});
	const placed = nodes.map((each, index) => ({
		...each,
		position: [index * 220, 0] as [number, number],
	}));
	return { name, nodes: placed, connections, settings: { executionOrder: 'v1' } };
}
