import { ItemError } from '../transport/errors';
import type { Found } from './found';
import { labelOf, type Order, pieceCountOf } from './order';
import { type BatchFacts, isRefused, type Piece, type Row } from './piece';

export type IfExists = 'reuse' | 'create' | 'fail';

/** As the form calls `packageNumberCustom`. */
const LABEL = 'Custom Shipment Number';

const named = (order: Order) => `${LABEL} ${JSON.stringify(labelOf(order))}`;

export function refusedByCarrier(
	carrierCode: string,
	row: Row,
	batch: BatchFacts | null,
): ItemError {
	const { carrierErrors, message, statusCode, packageNumberCustom, id } = row;
	return new ItemError(
		textOf(carrierErrors) || textOf(message) || `${carrierCode} refused the shipment`,
		`${carrierCode} did not take this shipment. Correct the values of the item and run it again; what was created is not created twice.`,
		{
			carrierErrors: carrierErrors ?? null,
			statusCode: statusCode ?? null,
			correlationId: batch?.correlationId ?? null,
			carrierCode,
			packageNumberCustom: packageNumberCustom ?? null,
			batchId: batch?.batchId ?? null,
			...(Number(id) > 0 ? { shipmentId: id } : {}),
		},
		true,
	);
}

/** Some carriers' words come as a list or an object, whatever the interface says. */
function textOf(words: unknown): string {
	if (words === null || words === undefined) return '';
	return (typeof words === 'string' ? words : JSON.stringify(words)).trim();
}

export function sameLabel(orders: readonly Order[]): ItemError {
	const items = orders.map(({ itemIndex }) => itemIndex);
	const [first] = orders as [Order];
	return new ItemError(
		`Items ${items.slice(0, -1).join(', ')} and ${items.at(-1)} have the same ${named(first)}`,
		'Give each shipment a number of its own. One order in several pieces is one item with a Piece Count. To create them all the same, set If It Exists to Create Another One.',
		{ field: 'packageNumberCustom', packageNumberCustom: labelOf(first), items },
	);
}

export function existsAlready(order: Order, pieces: readonly Piece[]): ItemError {
	const ids = pieces.map(({ row }) => Number(row.id));
	return new ItemError(
		`A shipment with ${named(order)} exists already at ${order.carrierCode} (ID ${ids.join(', ')})`,
		'Nothing was sent for this item. Set If It Exists to Use the Existing One to get that shipment as the output.',
		{
			carrierCode: order.carrierCode,
			packageNumberCustom: labelOf(order),
			shipmentIds: ids,
			packageNumbersCarrier: pieces.map(({ row }) => row.packageNumberCarrier ?? null),
		},
	);
}

export interface Search {
	since: string;
	looks: number;
	/** Why it is not known, in words. */
	reason: string;
	ifExists: IfExists;
	possible: readonly Found[];
	strays: readonly Row[];
	/** Why the last look could not be taken. */
	lastThrown?: unknown;
	correlationId: string | null;
}

/** Neither that the shipment exists nor that it doesn't could be established. */
export function outcomeUnknown(order: Order, search: Search): ItemError {
	const { since, looks, reason, possible, strays, lastThrown, correlationId } = search;
	const at = `at ${order.carrierCode}, created since ${since}`;
	const checked =
		looks === 0
			? `The service could not be asked for it${lastThrown ? `: ${wordsOf(lastThrown)}` : ''}.`
			: `Asked ${looks === 1 ? 'once' : `${looks} times`} for shipments with this number ${at}: ${
					possible.length > 0
						? `found ${possible.map(({ id }) => id).join(', ')}, which may be from this run or not.`
						: 'found none.'
				}`;
	const rows = strays.filter((row) => !isRefused(row)).map(({ id }) => String(id));
	return new ItemError(
		`It is not known whether the shipment with ${named(order)} was created at ${order.carrierCode}`,
		[
			`It was sent once. ${reason.replace(/\.?$/, '.')} ${checked}`,
			rows.length > 0 &&
				`It may be one of the shipments ${rows.join(', ')}, which are in the output.`,
			adviceFor(search.ifExists),
		]
			.filter(Boolean)
			.join(' '),
		{
			outcome: 'unknown',
			carrierCode: order.carrierCode,
			packageNumberCustom: labelOf(order),
			reason,
			correlationId,
			checked: { createdFrom: since, looks, found: possible.map(({ id }) => id) },
		},
		true,
	);
}

function adviceFor(ifExists: IfExists): string {
	return ifExists === 'create'
		? 'Check at the service before sending it again; to be safe, run it again with If It Exists set to Use the Existing One, which looks first.'
		: 'Running the workflow again is safe: it looks for the shipment first and sends only what does not exist. If the service is slow, wait until it has caught up.';
}

export function wordsOf(thrown: unknown): string {
	return (thrown as { message?: string }).message ?? String(thrown);
}

/** Some pieces of a shipment exist, and of the others it is not known. */
export function piecesMissing(
	order: Order,
	pieces: readonly Piece[],
	batch: BatchFacts | null,
): ItemError {
	const ids = pieces.map(({ row }) => Number(row.id));
	return new ItemError(
		`Only ${ids.length} of ${pieceCountOf(order)} pieces are known: it is not known whether the shipment with ${named(order)} was created at ${order.carrierCode} with all of them`,
		`The pieces ${ids.join(', ')} exist and are in the output. Look at the shipment with Shipment, Get before you send the rest; it is not sent again by itself.`,
		{
			outcome: 'unknown',
			carrierCode: order.carrierCode,
			packageNumberCustom: labelOf(order),
			shipmentIds: ids,
			correlationId: batch?.correlationId ?? null,
		},
		true,
	);
}
