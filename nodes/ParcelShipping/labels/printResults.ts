import type { IDataObject } from 'n8n-workflow';
import type { ItemResult } from '../run';

/** What the output says about the label of each shipment, by its ID. */
export type PrintResults = Map<number, IDataObject>;

/** The output items with what they say about their labels, and a hint about labels not printed. */
export function addPrintResults(
	outputs: readonly ItemResult[],
	results: PrintResults,
): ItemResult[] {
	const withResult = (json: IDataObject) => {
		const result = results.get(Number(json.id));
		if (!result) return json;
		// The hash of its batch stays, because it prints the whole batch.
		return { ...json, ...result, labelsHash: json.labelsHash ?? result.labelsHash ?? null };
	};
	return outputs.map((output) => {
		if ('failure' in output) return output;
		const shipments = output.json.shipments as IDataObject[] | undefined;
		if (!shipments) return { ...output, json: withResult(output.json) };
		const added = shipments.map(withResult);
		const distinct = (field: string) => [
			...new Set(added.map((json) => json[field]).filter(Boolean)),
		];
		const printers = distinct('printedOn');
		const reasons = distinct('labelNotPrinted');
		return {
			...output,
			json: {
				...output.json,
				...(printers.length > 0 ? { printedOn: printers.join(', ') } : {}),
				...(reasons.length > 0 ? { labelNotPrinted: reasons.join('; ') } : {}),
				shipments: added,
			},
		};
	});
}

export function printHints(results: PrintResults): string[] {
	const missing = [...results.values()].filter(({ labelNotPrinted }) => labelNotPrinted);
	if (missing.length === 0) return [];
	const labels = missing.length === 1 ? '1 label was' : `${missing.length} labels were`;
	return [`${labels} not printed. See labelNotPrinted in the output.`];
}

/** *Dry Run*: the items with the printer that would print their labels. `existing` is by item. */
export function addPrintPreview(
	outputs: readonly ItemResult[],
	printerOf: (itemIndex: number) => string,
	existing: PrintResults,
): ItemResult[] {
	return outputs.map((output) => {
		const [item] = output.items;
		if ('failure' in output || item === undefined) return output;
		const { wouldDo } = output.json;
		const preview = wouldDo === 'create' ? { wouldPrintOn: printerOf(item) } : existing.get(item);
		return { ...output, json: { ...output.json, ...preview } };
	});
}
