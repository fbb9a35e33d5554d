import type { IDataObject } from 'n8n-workflow';

import { groupBy, listTexts, mapWithPauses } from '../lists';
import { describeError, ItemError } from '../transport/errors';
import type { LookUpResult } from './lookUp';
import { explainReference, missingPiecesError, refusedError } from './messages';
import type { ItemResult } from '../run';
import type { CreationOptions } from '../orders/form';
import type { BatchInfo, Duplicate, IfExists, OrderOutcome, Piece, Shipment } from './types';
import {
	type InvalidItem,
	type Order,
	pieceCountOf,
	referenceOf,
	showValue,
} from '../orders/order';

/** How many shipments a hint names. */
const MAX_LISTED = 5;
const MAX_LISTED_FIELDS = 20;
const MAX_LISTED_CLEANED = 3;

export function toItems(
	outcomes: readonly OrderOutcome[],
	{ output, ifExists }: Pick<CreationOptions, 'output' | 'ifExists'>,
): ItemResult[] {
	const pieces = outcomes.flatMap(toPieceItems);
	const failures = outcomes.flatMap((outcome) =>
		errorsOf(outcome, ifExists).map((failure) => ({ items: itemsOf(outcome.targets), failure })),
	);
	const items = pieces.map(({ items: of, json }) => ({ items: of, json }));
	return [...(output === 'batches' ? toBatchItems(pieces) : items), ...failures];
}

interface PieceItem {
	items: number[];
	json: IDataObject;
	batch: BatchInfo | null;
}

/** The shipment of an outcome, or one that may belong to one of several orders. */
export function shipmentOf({ outcome }: OrderOutcome): Shipment | undefined {
	if (outcome.state === 'done') return outcome.value;
	return outcome.state === 'unknown' ? outcome.candidates : undefined;
}

/** What people look for comes first. */
const FIRST_FIELDS = {
	packageNumberCustom: null,
	packageNumberCarrier: null,
	carrierCode: null,
};

function toPieceItems(orderOutcome: OrderOutcome): PieceItem[] {
	const { targets: orders, outcome } = orderOutcome;
	const [order, ...others] = orders;
	const shipment = shipmentOf(orderOutcome);
	if (!shipment || !order) return [];
	const { differences, duplicates, canceledDuplicate, duplicateOf } = shipment;
	const { serviceType } = order.body;
	const isSameService = others.every(({ body }) => body.serviceType === serviceType);
	const body = others.length === 0 ? order.body : undefined;
	// The amount is that of all pieces. The carrier collects it with the first one.
	const collected = body?.cod ? body : undefined;
	return shipment.pieces.map(({ row: { orderId, orderNumber, ...row }, batch, via }, index) => ({
		items: itemsOf(orders),
		json: {
			...FIRST_FIELDS,
			trackingUrl: null,
			...(order.shopOrderId !== undefined && body ? { shopOrderId: order.shopOrderId } : {}),
			recName: body?.recName ?? body?.recCompany ?? null,
			codPrice: collected && index === 0 ? (collected.codPrice ?? null) : null,
			codCurrency: collected && index === 0 ? (collected.codCurrency ?? null) : null,
			...(order.rule && body ? { rule: order.rule } : {}),
			...row,
			// A row with the reference of another order belongs to this one according to its record.
			packageNumberCustom: others.length === 0 ? referenceOf(order) : row.packageNumberCustom,
			carrierCode: row.carrierCode ?? order.carrierCode,
			serviceType: row.serviceType ?? (isSameService ? serviceType : null),
			batchId: batch?.batchId ?? null,
			labelsUrl: batch?.labelsUrl ?? null,
			labelsHash: batch?.labelsHash ?? null,
			correlationId: batch?.correlationId ?? null,
			alreadyExisted: via === 'existing' || via === 'other',
			recovered: via === 'records',
			...(differences ? { differences } : {}),
			...(duplicates ? { duplicates } : {}),
			...(canceledDuplicate ? { canceledDuplicate } : {}),
			...(duplicateOf ? { duplicateOf } : {}),
			...(outcome.state === 'unknown' ? { unmatched: true } : {}),
			// Those of the service's own administration. Most shops have none there.
			...((orderId ?? null) !== null ? { orderId } : {}),
			...((orderNumber ?? null) !== null ? { orderNumber } : {}),
		} as IDataObject,
		batch,
	}));
}

/** Every error of an outcome, also if it is done, in the words of the form. */
export function errorsOf(
	{ targets: [order], outcome }: OrderOutcome,
	ifExists: IfExists,
): unknown[] {
	if (outcome.state !== 'done') {
		return outcome.errors.map((error) =>
			order ? explainReference(order, error, ifExists) : error,
		);
	}
	const { pieces, refused = [], isIncomplete } = outcome.value;
	if (!order) return [];
	const batch = pieces[0]?.batch ?? null;
	return [
		...(isIncomplete ? [missingPiecesError(order, outcome.value)] : []),
		...refused.map((row) => refusedError(order.carrierCode, row, batch, ifExists, order)),
	];
}

/** The input items of the orders, in their order. */
export function itemsOf(orders: readonly Order[]): number[] {
	const items = orders.flatMap(({ itemIndex, sameItems = [] }) => [itemIndex, ...sameItems]);
	return items.sort((a, b) => a - b);
}

/** One item per batch. Shipments of an unknown batch form one item by carrier and origin. */
function toBatchItems(pieces: readonly PieceItem[]): ItemResult[] {
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

const isCreated = ({ pieces }: Shipment) =>
	pieces.some(({ via }) => via === 'response' || via === 'records');

/** What the run has done, for example "5 shipments created, 5 labels printed on Warehouse Zebra". */
export function describeDone(
	outcomes: readonly OrderOutcome[],
	printed: readonly string[],
): string | undefined {
	const shipments = outcomes.flatMap((each) => shipmentOf(each) ?? []);
	const created = shipments.filter(isCreated).length;
	const printers = [...new Set(printed)];
	const done = [
		created > 0 && `${count(created, 'shipment')} created`,
		printers.length > 0 &&
			`${count(printed.length, 'label')} printed on ${listTexts(printers, MAX_LISTED)}`,
	].filter((text) => text !== false);
	return done.length > 0 ? `${done.join(', ')}.` : undefined;
}

/** Values that were rewritten before they were sent. Joined names and payment methods are no surprise. */
function describeCleaned(orders: readonly Order[]): string | false {
	const cleaned = orders.flatMap((order) => {
		const rewritten = Object.values(order.cleaned ?? {}).find(
			([from, to]) => !Array.isArray(from) && to !== null && typeof to !== 'boolean',
		);
		if (!rewritten) return [];
		const [from, to] = rewritten;
		return `${referenceOf(order)}: ${showValue(from)} to ${showValue(to)}`;
	});
	return (
		cleaned.length > 0 &&
		`Cleaned up the values of ${count(cleaned.length, 'order')}, for example ${listTexts(cleaned, MAX_LISTED_CLEANED)}. 'Dry Run' lists all of them.`
	);
}

/** Hints about the whole run that the user would not expect. */
export function hintsOf(
	outcomes: readonly OrderOutcome[],
	failedItems: string,
	invalidCount = 0,
): string[] {
	const all = outcomes.flatMap((each) => {
		const shipment = shipmentOf(each);
		const [order] = each.targets;
		return shipment && order
			? [{ order, isUnmatched: each.outcome.state === 'unknown', ...shipment }]
			: [];
	});
	const knownBy = (via: Piece['via']) =>
		all.filter(({ pieces }) => pieces.some((each) => each.via === via));
	const existed = knownBy('existing').filter(({ canceledDuplicate }) => !canceledDuplicate);
	const different = all.filter(({ differences }) => differences);
	const uncompared = [...new Set(existed.flatMap((each) => each.uncompared ?? []))];
	const recovered = knownBy('records');
	const unmatched = all.filter(({ isUnmatched }) => isUnmatched);
	const fewer = all.filter(
		({ order, pieces, isUnmatched }) => !isUnmatched && pieces.length < pieceCountOf(order),
	);
	const canceled = all.filter(({ canceledDuplicate }) => canceledDuplicate);
	const duplicated = all.filter(({ duplicates, duplicateOf }) => duplicates ?? duplicateOf);
	const [unchecked] = all.flatMap(({ uncheckedDuplicate }) => uncheckedDuplicate ?? []);
	const failed = invalidCount + outcomes.flatMap((each) => errorsOf(each, 'reuse')).length;
	return [
		existed.length > 0 &&
			`${count(existed.length, 'shipment')} already existed and ${existed.length === 1 ? 'is' : 'are'} in the output with alreadyExisted: true. ${existed.length === 1 ? 'It was' : 'They were'} not created again. labelUrl is only known when a shipment is created: to get a label again, use Label: Create Label Files.`,
		different.length > 0 &&
			`${count(different.length, 'existing shipment')} ${different.length === 1 ? 'differs' : 'differ'} from the order. See differences in the output.`,
		uncompared.length > 0 &&
			`The service does not return every field of existing shipments, so these were not compared with the orders: ${listTexts(uncompared, MAX_LISTED_FIELDS)}.`,
		recovered.length > 0 &&
			`No response for ${count(recovered.length, 'shipment')}. What was created was read back from the service and has recovered: true.`,
		unmatched.length > 0 &&
			`${count(unmatched.length, 'shipment')} could not be matched to a single item and ${unmatched.length === 1 ? 'has' : 'have'} unmatched: true.`,
		fewer.length > 0 &&
			`${count(fewer.length, 'shipment')} ${fewer.length === 1 ? 'has' : 'have'} fewer pieces than ordered: ${listTexts(fewer.map(describePieces), MAX_LISTED)}.`,
		canceled.length > 0 &&
			`Another run created ${count(canceled.length, 'order')} at the same moment. The second ${canceled.length === 1 ? 'shipment was' : 'shipments were'} canceled. See canceledDuplicate in the output.`,
		duplicated.length > 0 &&
			`${count(duplicated.length, 'order')} ${duplicated.length === 1 ? 'has' : 'have'} more than one shipment: ${listTexts(duplicated.map(describeDuplicate), MAX_LISTED)}. Cancel the ones that you do not need.`,
		unchecked !== undefined &&
			`The node could not check whether another run created the same orders at the same moment: ${unchecked}. To see existing shipments, run the workflow again.`,
		describeCleaned(all.filter(isCreated).map(({ order }) => order)),
		failed > 0 && `${count(failed, 'order')} failed. See ${failedItems}.`,
	].filter((hint) => hint !== false);
}

type OrderedShipment = Shipment & { order: Order };

/** For example "WEB-1 (also ID 1002)". */
function describeDuplicate({ order, duplicates = [], duplicateOf }: OrderedShipment): string {
	const others = [...duplicates, ...(duplicateOf ? [duplicateOf] : [])].map(({ id }) => `ID ${id}`);
	const reason = duplicateOf ? `; not canceled: ${duplicateOf.reason}` : '';
	return `${referenceOf(order)} (also ${listTexts(others, MAX_LISTED)}${reason})`;
}

/** For example "WEB-1 (2 of 3 pieces)". */
function describePieces({ order, pieces }: OrderedShipment): string {
	return `${referenceOf(order)} (${pieces.length} of ${pieceCountOf(order)} pieces)`;
}

function count(number: number, noun: string): string {
	return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The shipments that exist although the run ends with an error, and what was not sent because of it. */
export function describeCreated(
	outputs: readonly ItemResult[],
	itemCount: number,
	ifExists: unknown,
): string {
	const shipments = outputs.flatMap((output) => {
		if ('failure' in output) return [];
		return (output.json.shipments as IDataObject[] | undefined) ?? [output.json];
	});
	const named = shipments.flatMap((json) => {
		const { id, packageNumberCustom: reference, packageNumberCarrier, carrierCode } = json;
		const others = [json.duplicateOf, json.duplicates ?? []].flat() as Array<Duplicate | undefined>;
		const own = Number(id) > 0 ? [{ id, carrierCode, packageNumberCarrier }] : [];
		return [...own, ...others.filter((each) => each !== undefined)].map(
			(each) =>
				`${String(reference)} (ID ${String(each.id)}, ${String(each.carrierCode)} ${String(each.packageNumberCarrier)})`,
		);
	});
	// Each piece of a shipment names the same duplicates.
	const existing = [...new Set(named)];
	const unsent = itemCount - new Set(outputs.flatMap(({ items }) => items)).size;
	return [
		existing.length > 0 &&
			`These shipments exist${ifExists === 'create' ? '' : ' and are not created again'}: ${existing.join(', ')}.`,
		unsent > 0 &&
			`To ship ${unsent === 1 ? 'the order that is' : `the ${unsent} orders that are`} fine, set 'On Error' in the settings of the node to 'Continue (using error output)': only the failed ones are then left out.`,
	]
		.filter(Boolean)
		.join(' ');
}

/** Why the orders without an outcome are not there: one of the others has failed. */
export function describeUnsent(
	outputs: readonly ItemResult[],
	itemCount: number,
): string | undefined {
	const unsent = itemCount - new Set(outputs.flatMap(({ items }) => items)).size;
	if (unsent === 0) return undefined;
	const isNothingSent = outputs.every(
		(output) =>
			'failure' in output && output.failure instanceof ItemError && !output.failure.byService,
	);
	const fine = `${unsent} of ${itemCount} orders ${unsent === 1 ? 'is' : 'are'} fine`;
	return isNothingSent
		? `Nothing was sent, although ${fine}`
		: `${fine} and ${unsent === 1 ? 'was' : 'were'} not sent`;
}

/** *Dry Run*: what would happen to each item, and the request as it would be sent. */
export async function previewCreation(
	invalid: readonly InvalidItem[],
	{ toSend, outcomes }: LookUpResult,
	endpointOf: (carrierCode: string) => string,
): Promise<ItemResult[]> {
	const preview = (itemIndex: number, order: Order | undefined, rest: IDataObject) => ({
		items: order ? itemsOf([order]) : [itemIndex],
		json: {
			...rest,
			carrierCode: order?.carrierCode ?? null,
			endpoint: order ? endpointOf(order.carrierCode) : null,
			...(order?.shopOrderId === undefined ? {} : { shopOrderId: order.shopOrderId }),
			request: (order?.body ?? null) as IDataObject | null,
			...(order?.rule ? { rule: order.rule } : {}),
			...(order?.cleaned ? { cleaned: order.cleaned as IDataObject } : {}),
		},
	});
	const refuse = ({ itemIndex, failure, order }: InvalidItem): ItemResult =>
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
		...outcomes.flatMap(({ targets: [order], outcome }) => {
			if (!order) return [];
			const { itemIndex } = order;
			if (outcome.state !== 'done') {
				return outcome.errors.map((failure) => refuse({ itemIndex, failure, order }));
			}
			const { pieces, differences, duplicates } = outcome.value;
			return preview(itemIndex, order, {
				wouldDo: 'reuse',
				shipments: pieces.map(({ row }) => row as IDataObject),
				...(differences ? { differences } : {}),
				...(duplicates ? { duplicates } : {}),
			});
		}),
	];
}

function problemsOf(error: ItemError): IDataObject[] {
	const { message, description, details } = describeError(error);
	const { problems } = details;
	return Array.isArray(problems) ? (problems as IDataObject[]) : [{ message, description }];
}
