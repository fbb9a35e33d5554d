import type { ItemResult } from '../run';
import { ItemError } from '../transport/errors';
import type { Duplicate } from './types';

// What the error of a run says besides what has failed.

/** The shipments that exist although the run ends with an error, and what was not sent because of it. */
export function describeCreated(outputs: readonly ItemResult[], itemCount: number): string {
	const shipments = outputs.flatMap((output) => {
		if ('failure' in output) return [];
		return [output.json];
	});
	const named = shipments.flatMap((json) => {
		const { id, packageNumberCarrier, carrierCode } = json;
		// That of one that is unmatched may be wrong.
		const reference = json.unmatched ? undefined : json.packageNumberCustom;
		const others = [json.duplicateOf, json.duplicates ?? []].flat() as Array<Duplicate | undefined>;
		const own = { id, carrierCode, packageNumberCarrier };
		return [own, ...others.filter((each) => each !== undefined)].map((each) => {
			const number = each.packageNumberCarrier ? ` ${String(each.packageNumberCarrier)}` : '';
			const order = reference ? String(reference) : 'a shipment of one of the orders';
			return `${order} (ID ${String(each.id)}, ${String(each.carrierCode)}${number})`;
		});
	});
	// Each piece of a shipment names the same duplicates.
	const existing = [...new Set(named)];
	const unsent = countUnsent(outputs, itemCount);
	return [
		existing.length > 0 &&
			`These shipments exist and are not created again: ${existing.join(', ')}.`,
		unsent > 0 &&
			`To ship ${unsent === 1 ? 'the item that is' : `the ${unsent} items that are`} fine, set 'On Error' in the settings of the node to 'Continue (using error output)': only the failed ones are then left out.`,
	]
		.filter(Boolean)
		.join(' ');
}

/** Items without an outcome: they were not sent, because another one has failed. */
const countUnsent = (outputs: readonly ItemResult[], itemCount: number) =>
	itemCount - new Set(outputs.flatMap(({ items }) => items)).size;

/** Why the items without an outcome are not there: one of the others has failed. */
export function describeUnsentItems(
	outputs: readonly ItemResult[],
	itemCount: number,
): string | undefined {
	const unsent = countUnsent(outputs, itemCount);
	if (unsent === 0) return undefined;
	const isNothingSent = outputs.every(
		(output) =>
			'failure' in output && output.failure instanceof ItemError && !output.failure.afterSending,
	);
	const fine = `${unsent} of ${itemCount} items ${unsent === 1 ? 'is' : 'are'} fine`;
	return isNothingSent
		? `Nothing was sent, although ${fine}`
		: `${fine} and ${unsent === 1 ? 'was' : 'were'} not sent`;
}
