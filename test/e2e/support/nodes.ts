import { randomUUID } from 'node:crypto';

import type { WorkflowDraft, WorkflowNode } from '../../../scripts/demo/rest';

export const PARCEL_SHIPPING = 'n8n-nodes-parcel-shipping.parcelShipping';
export const START = 'When clicking Execute';

/** n8n polls at most once a minute per schedule, so twelve schedules poll every five seconds. */
export const EVERY_FIVE_SECONDS = {
	item: Array.from({ length: 12 }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * 5} * * * * *`,
	})),
};

type NodeSettings = Partial<WorkflowNode> & { type: string; name: string; parameters?: object };

export const node = (settings: NodeSettings): WorkflowNode => ({
	...{ id: randomUUID(), typeVersion: 1, position: [0, 0], parameters: {} },
	...settings,
});

export function start(): WorkflowNode {
	return node({ type: 'n8n-nodes-base.manualTrigger', name: START });
}

/** A node that outputs one item with these fields. */
export function oneItem(name: string, fields: object): WorkflowNode {
	const parameters = { mode: 'raw', jsonOutput: JSON.stringify(fields), options: {} };
	return node({ type: 'n8n-nodes-base.set', name, typeVersion: 3.4, parameters });
}

/** Nodes that output these items. Unlike a Code node, they need no separate process. */
export function inputNodes(items: object[]): WorkflowNode[] {
	const parameters = { fieldToSplitOut: 'items', options: {} };
	return [
		oneItem('Orders as array', { items }),
		node({ type: 'n8n-nodes-base.splitOut', name: 'Orders', parameters }),
	];
}

/** A workflow with all nodes in a row. */
export function chain(name: string, nodes: WorkflowNode[]): WorkflowDraft {
	const connections: WorkflowDraft['connections'] = {};
	for (const [index, { name: from }] of nodes.slice(0, -1).entries()) {
		connections[from] = { main: [[{ node: nodes[index + 1]?.name, type: 'main', index: 0 }]] };
	}
	const placed = nodes.map((each, at): WorkflowNode => ({ ...each, position: [at * 220, 0] }));
	return { name, nodes: placed, connections, settings: { executionOrder: 'v1' } };
}
