import { randomUUID } from 'node:crypto';

import type { WorkflowDraft, WorkflowNode } from '../../../scripts/demo/rest';
import { schemaOf } from '../../../scripts/generateExamples';

export const PARCEL_SHIPPING = 'n8n-nodes-parcel-shipping.parcelShipping';
export const START = 'When clicking Execute';

/** n8n polls at most once a minute per schedule, so twelve schedules poll every five seconds. */
export const EVERY_FIVE_SECONDS = {
	item: Array.from({ length: 12 }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * 5} * * * * *`,
	})),
};

interface NodeSettings {
	type: string;
	name?: string;
	typeVersion?: number;
	parameters?: object;
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

/** What the list of services shows, and n8n stores beside the chosen value. */
const SERVICE_NAMES: Readonly<Record<string, string>> = {
	'ANT-HOME': 'Ant Express: Ant to the door',
	'ANT-POINT': 'Ant Express: Ant pickup point',
	'CRANE-EU': 'Crane Air: Crane Europe',
};

/** The form of *Create* as a user fills it in: from the lists, with fields that map to expressions. */
export function mappedForm(carrier: string, service: string, value: object, options = {}): object {
	const shipment = { mappingMode: 'defineBelow' as const, value: value as Record<string, string> };
	return {
		resource: 'shipment',
		operation: 'create',
		carrierService: {
			...{ __rl: true, mode: 'list', value: `${carrier}/${service}` },
			cachedResultName: SERVICE_NAMES[service],
		},
		shipment: { ...shipment, schema: schemaOf(shipment) },
		options,
	};
}

/** A workflow with all nodes in a row. */
export function chain(name: string, nodes: WorkflowNode[]): WorkflowDraft {
	const connections: WorkflowDraft['connections'] = {};
	for (const [index, { name: from }] of nodes.slice(0, -1).entries()) {
		connections[from] = { main: [[{ node: nodes[index + 1]?.name, type: 'main', index: 0 }]] };
	}
	const placed = nodes.map(
		(each, index): WorkflowNode => ({ ...each, position: [index * 220, 0] }),
	);
	return { name, nodes: placed, connections, settings: { executionOrder: 'v1' } };
}
