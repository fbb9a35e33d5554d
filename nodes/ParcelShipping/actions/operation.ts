import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { ItemResult, NodeRun } from '../run';

export interface Operation {
	name: string;
	value: string;
	action: string;
	description: string;
	fields: INodeProperties[];
	execute(run: NodeRun): Promise<ItemResult[]>;
	/** What the provider has done although the run ends with an error. Added to that error. */
	describeCompleted?(results: ItemResult[], itemCount: number): string | undefined;
	/** What was not sent only because another item has failed. The message of the error begins with it. */
	describeUnsent?(results: ItemResult[], itemCount: number): string | undefined;
}

/** What the output items of a run would have said that ends with an error. `describe` says undefined of what was not done. */
export function listDone(
	done: string,
	results: readonly ItemResult[],
	describe: (json: IDataObject, items: number[]) => string | undefined,
): string | undefined {
	const texts = results.flatMap((result) =>
		'failure' in result ? [] : (describe(result.json, result.items) ?? []),
	);
	return texts.length > 0 ? `Already ${done}: ${[...new Set(texts)].join('; ')}.` : undefined;
}
