import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import type { Client } from '../transport/client';

/** One run of the node. */
export interface NodeRun {
	context: IExecuteFunctions;
	client: Client;
	items: INodeExecutionData[];
}

/** The content of one output item. */
export interface ItemOutput {
	json: IDataObject;
	binary?: IBinaryKeyData;
}

/** An output item, or an error, and the indexes of the input items it belongs to. */
export type ItemResult = { items: number[] } & (ItemOutput | { failure: unknown });

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
	describeCompleted?(results: ItemResult[]): string | undefined;
}

export type Operation = ItemOperation | BulkOperation;

export interface Resource {
	name: string;
	value: string;
	operations: Operation[];
}
