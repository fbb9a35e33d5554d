import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import type { Client } from '../transport/client';

/** One run of the node. */
export interface Run {
	context: IExecuteFunctions;
	client: Client;
	items: INodeExecutionData[];
}

export interface Result {
	json: IDataObject;
	binary?: IBinaryKeyData;
}

/** What became of one or several input items: a result, or what went wrong with them. */
export type Outcome = { items: number[] } & (Result | { failure: unknown });

interface OperationForm {
	name: string;
	value: string;
	action: string;
	description: string;
	fields: INodeProperties[];
}

/** An operation that asks the service for each item. */
export interface ItemOperation extends OperationForm {
	executeItem(run: Run, itemIndex: number): Promise<Result[]>;
}

/** An operation that asks the service for many items at once. */
export interface BulkOperation extends OperationForm {
	executeAll(run: Run): Promise<Outcome[]>;
	/** What exists at the service although the run ends with an error, for the error's description. */
	describeKept?(outcomes: Outcome[]): string | undefined;
}

export type Operation = ItemOperation | BulkOperation;

export interface Resource {
	name: string;
	value: string;
	operations: Operation[];
}
