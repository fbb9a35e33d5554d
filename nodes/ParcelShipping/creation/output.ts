import type { IDataObject } from 'n8n-workflow';

import { groupBy, listTexts } from '../lists';
import { mapWithPauses } from '../transport/concurrency';
import { describeError, ItemError } from '../transport/errors';
import type { LookUpResult } from './lookUp';
import { errorsOf } from './messages';
import { type BatchInfo, type IfExists, type OrderResult } from './types';
import { type InvalidItem, type Order, pieceCountOf, referenceOf } from '../orders/order';

/** How many shipments a hint names. */
const MAX_LISTED = 5;

export type OutputMode = 'shipments' | 'batches';

/** An output item or a failure, with the input items it comes from. */
export type CreationOutput = OutputItem | { items: number[]; failure: unknown };

interface OutputItem {
	items: number[];
	json: IDataObject;
}

export function toOutput(
	results: readonly OrderResult[],
	mode: OutputMode,
	ifExists: IfExists,
): CreationOutput[] {
	const pieces = results.flatMap(toPieceItems);
	const failures = results.flatMap((result) =>
		errorsOf(result, ifExists).map((failure) => ({ items: itemsOf(result.orders), failure })),
	);
	const items = pieces.map(({ items: of, json }) => ({ items: of, json }));
	return [...(mode === 'batches' ? toBatchItems(pieces) : items), ...failures];
}

type PieceItem = OutputItem & { batch: BatchInfo | null };

function toPieceItems(result: OrderResult): PieceItem[] {
	const { orders, pieces, isUnmatched, differences, doubles, canceledDouble, doubleOf } = result;
	const services = new Set(orders.map(({ body }) => body.serviceType));
	const orderedService = services.size === 1 ? [...services][0] : null;
	return pieces.map(({ row, batch, alreadyExisted, recovered }) => ({
		items: itemsOf(orders),
		json: {
			...row,
			carrierCode: row.carrierCode ?? orders[0]?.carrierCode ?? null,
			serviceType: row.serviceType ?? orderedService,
			batchId: batch?.batchId ?? null,
			labelsUrl: batch?.labelsUrl ?? null,
			labelsHash: batch?.labelsHash ?? null,
			correlationId: batch?.correlationId ?? null,
			alreadyExisted,
			recovered,
			...(differences ? { differences } : {}),
			...(doubles ? { doubles } : {}),
			...(canceledDouble ? { canceledDouble } : {}),
			...(doubleOf ? { doubleOf } : {}),
			...(isUnmatched ? { unmatched: true } : {}),
		} as IDataObject,
		batch,
	}));
}

/** One item per batch. Shipments of an unknown batch form one item by carrier and origin. */
function toBatchItems(pieces: readonly PieceItem[]): OutputItem[] {
	const groups = groupBy(pieces, ({ json }) => {
		const { carrierCode, batchId, alreadyExisted, recovered } = json;
		return JSON.stringify([carrierCode, batchId ?? [alreadyExisted, recovered]]);
	});
	return [...groups.values()].map((group) => {
		const { json, batch } = group[0];
		return {
			items: [...new Set(group.flatMap(({ items }) => items))].sort((a, b) => a - b),
			json: {
				batchId: json.batchId,
				carrierCode: json.carrierCode,
				packagesCount: group.length,
				labelsUrl: json.labelsUrl,
				labelsHash: json.labelsHash,
				ordersUrl: batch?.ordersUrl ?? null,
				ordersHash: batch?.ordersHash ?? null,
				correlationId: json.correlationId,
				alreadyExisted: json.alreadyExisted,
				recovered: group.some((piece) => piece.json.recovered),
				shipments: group.map((piece) => piece.json),
			} as IDataObject,
		};
	});
}

function itemsOf(orders: readonly Order[]): number[] {
	return orders.map(({ itemIndex }) => itemIndex).sort((a, b) => a - b);
}

/** Hints about the whole run that the user would not expect. */
export function hintsOf(
	results: readonly OrderResult[],
	ifExists: IfExists,
	invalidCount = 0,
): string[] {
	const existed = results.filter(
		({ pieces, canceledDouble }) => !canceledDouble && pieces.some((piece) => piece.alreadyExisted),
	);
	const different = results.filter(({ differences }) => differences !== undefined);
	const recovered = results.filter(({ pieces }) => pieces.some((piece) => piece.recovered));
	const unmatched = results.filter(({ isUnmatched, pieces }) => isUnmatched && pieces.length > 0);
	const fewer = results.filter(
		({ orders, pieces, isUnmatched }) =>
			!isUnmatched && orders[0] && pieces.length > 0 && pieces.length < pieceCountOf(orders[0]),
	);
	const canceled = results.filter(({ canceledDouble }) => canceledDouble !== undefined);
	const doubled = results.filter(({ doubles, doubleOf }) => doubles ?? doubleOf);
	const [unchecked] = results.flatMap(({ uncheckedDouble }) => uncheckedDouble ?? []);
	const failed = invalidCount + results.flatMap((result) => errorsOf(result, ifExists)).length;
	return [
		existed.length > 0 &&
			`${count(existed.length, 'shipment')} already existed and ${existed.length === 1 ? 'is' : 'are'} in the output with alreadyExisted: true. Nothing was sent for ${existed.length === 1 ? 'it' : 'them'}.`,
		different.length > 0 &&
			`${count(different.length, 'existing shipment')} ${different.length === 1 ? 'differs' : 'differ'} from the order. See differences in the output.`,
		recovered.length > 0 &&
			`The answer for ${count(recovered.length, 'shipment')} did not arrive. What was created was read back from the service and has recovered: true.`,
		unmatched.length > 0 &&
			`${count(unmatched.length, 'shipment')} could not be matched to a single item and ${unmatched.length === 1 ? 'has' : 'have'} unmatched: true.`,
		fewer.length > 0 &&
			`${count(fewer.length, 'shipment')} ${fewer.length === 1 ? 'has' : 'have'} fewer pieces than ordered: ${listTexts(fewer.map(describePieces), MAX_LISTED)}.`,
		canceled.length > 0 &&
			`Another run created ${count(canceled.length, 'order')} at the same moment. The second ${canceled.length === 1 ? 'shipment was' : 'shipments were'} canceled. See canceledDouble in the output.`,
		doubled.length > 0 &&
			`${count(doubled.length, 'order')} ${doubled.length === 1 ? 'has' : 'have'} more than one shipment: ${listTexts(doubled.map(describeDouble), MAX_LISTED)}. Cancel the ones that you do not need.`,
		unchecked !== undefined &&
			`The node could not check whether another run created the same orders at the same moment: ${unchecked}. To see existing shipments, run the workflow again.`,
		failed > 0 && `${count(failed, 'order')} failed. See the failed items.`,
	].filter((hint) => hint !== false);
}

/** For example "WEB-1 (item 0, also ID 1002)". */
function describeDouble({ orders: [order], doubles = [], doubleOf }: OrderResult): string {
	if (!order) return '';
	const others = [...doubles, ...(doubleOf ? [doubleOf] : [])].map(({ id }) => `ID ${id}`);
	const reason = doubleOf ? `; not canceled: ${doubleOf.reason}` : '';
	return `${referenceOf(order)} (item ${order.itemIndex}, also ${listTexts(others, MAX_LISTED)}${reason})`;
}

/** For example "WEB-1 (item 0, 2 of 3 pieces)". */
function describePieces({ orders: [order], pieces }: OrderResult): string {
	if (!order) return '';
	return `${referenceOf(order)} (item ${order.itemIndex}, ${pieces.length} of ${pieceCountOf(order)} pieces)`;
}

function count(number: number, noun: string): string {
	return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The shipments that exist although the run ends with an error. */
export function describeCreated(outputs: readonly CreationOutput[]): string | undefined {
	const shipments = outputs.flatMap((output) => {
		if ('failure' in output) return [];
		return (output.json.shipments as IDataObject[] | undefined) ?? [output.json];
	});
	const existing = shipments
		.filter(({ id }) => Number(id) > 0)
		.map(
			({ id, packageNumberCustom, packageNumberCarrier, carrierCode }) =>
				`${String(packageNumberCustom)} (ID ${String(id)}, ${String(carrierCode)} ${String(packageNumberCarrier)})`,
		);
	return existing.length > 0
		? `These shipments exist and are not created again: ${existing.join(', ')}.`
		: undefined;
}

/** *Dry Run*: what would happen to each item, and the request as it would be sent. */
export async function previewCreation(
	invalid: readonly InvalidItem[],
	{ toSend, results }: LookUpResult,
	endpointOf: (carrierCode: string) => string,
): Promise<CreationOutput[]> {
	const preview = (itemIndex: number, order: Order | undefined, rest: IDataObject) => ({
		items: [itemIndex],
		json: {
			...rest,
			carrierCode: order?.carrierCode ?? null,
			endpoint: order ? endpointOf(order.carrierCode) : null,
			request: (order?.body ?? null) as IDataObject | null,
			...(order?.rule ? { rule: order.rule } : {}),
			...(order?.cleaned ? { cleaned: order.cleaned as IDataObject } : {}),
		},
	});
	const refuse = ({ itemIndex, failure, order }: InvalidItem): CreationOutput =>
		// An error of the service does not mean that the item is invalid.
		failure instanceof ItemError
			? preview(itemIndex, order, { wouldDo: 'refuse', problems: problemsOf(failure) })
			: { items: [itemIndex], failure };
	const refused = await mapWithPauses(invalid, refuse);
	const created = await mapWithPauses(toSend, (order) =>
		preview(order.itemIndex, order, { wouldDo: 'create' }),
	);
	return [
		...refused,
		...created,
		...results.flatMap(({ orders: [order], pieces, notCreated, differences, doubles }) => {
			if (!order) return [];
			const { itemIndex } = order;
			if (notCreated !== undefined) return refuse({ itemIndex, failure: notCreated, order });
			const shipments = pieces.map(({ row }) => row as IDataObject);
			return preview(itemIndex, order, {
				wouldDo: 'reuse',
				shipments,
				...(differences ? { differences } : {}),
				...(doubles ? { doubles } : {}),
			});
		}),
	];
}

function problemsOf(error: ItemError): IDataObject[] {
	const { message, description, details } = describeError(error);
	const { problems } = details;
	return Array.isArray(problems) ? (problems as IDataObject[]) : [{ message, description }];
}
