import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { ItemOutput, ItemResult, NodeRun } from '../run';

interface OperationForm {
	name: string;
	value: string;
	action: string;
	description: string;
	fields: INodeProperties[];
}

/** An operation that handles each input item by itself. */
export interface ItemOperation extends OperationForm {
	executeItem(run: NodeRun, itemIndex: number): Promise<ItemOutput[]>;
}

/** An operation that combines several input items into one request. */
export interface BulkOperation extends OperationForm {
	executeAll(run: NodeRun): Promise<ItemResult[]>;
	/** What the service has done although the run ends with an error. Added to that error. */
	describeCompleted?(results: ItemResult[], context: IExecuteFunctions): string | undefined;
}

export type Operation = ItemOperation | BulkOperation;

export interface Resource {
	name: string;
	value: string;
	operations: Operation[];
}
