import type { IDataObject } from 'n8n-workflow';

import type { Finding } from './finding';
import { type Order, pieceCountOf } from './order';
import type { BatchFacts, Piece } from './piece';

export type Output = 'shipments' | 'batches';

/** An output item, and the input items it belongs to. */
export interface OutputItem {
	items: number[];
	json: IDataObject;
}

export type OutputOutcome = OutputItem | { items: number[]; failure: unknown };

export function outcomesOf(findings: readonly Finding[], output: Output): OutputOutcome[] {
	const failures = findings.flatMap((finding) =>
		'failure' in finding ? { items: itemsOf(finding.orders), failure: finding.failure } : [],
	);
	const pieces = findings.flatMap(piecesOf);
	const items =
		output === 'batches' ? batchesOf(pieces) : pieces.map(({ items, json }) => ({ items, json }));
	return [...items, ...failures];
}

type OutputPiece = OutputItem & { batch: BatchFacts | null };

function piecesOf(finding: Finding): OutputPiece[] {
	if ('failure' in finding) return [];
	const { orders, pieces, isUnmatched } = finding;
	return pieces.map((piece) => ({
		items: itemsOf(orders),
		json: { ...asJson(piece, orders), ...(isUnmatched ? { unmatched: true } : {}) },
		batch: piece.batch,
	}));
}

function asJson({ row, batch, alreadyExisted, recovered }: Piece, orders: Order[]): IDataObject {
	const services = new Set(orders.map(({ body }) => body.serviceType));
	return {
		...row,
		carrierCode: orders[0]?.carrierCode ?? null,
		serviceType: row.serviceType ?? (services.size === 1 ? [...services][0] : null),
		batchId: batch?.batchId ?? null,
		labelsUrl: batch?.labelsUrl ?? null,
		labelsHash: batch?.labelsHash ?? null,
		correlationId: batch?.correlationId ?? null,
		alreadyExisted,
		recovered,
	} as IDataObject;
}

/** One item per batch. Shipments of an unknown batch stand together, by carrier and origin. */
function batchesOf(pieces: readonly OutputPiece[]): OutputItem[] {
	const groups = new Map<string, [OutputPiece, ...OutputPiece[]]>();
	for (const piece of pieces) {
		const { carrierCode, batchId, alreadyExisted, recovered } = piece.json;
		const key = JSON.stringify([carrierCode, batchId ?? [alreadyExisted, recovered]]);
		const group = groups.get(key);
		if (group) group.push(piece);
		else groups.set(key, [piece]);
	}
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

/** What a user would be surprised by, for the whole run. */
export function hintsOf(findings: readonly Finding[]): string[] {
	const found = findings.flatMap((finding) => ('pieces' in finding ? finding : []));
	const existed = found.filter(({ pieces }) => pieces.some((piece) => piece.alreadyExisted));
	const recovered = found.filter(({ pieces }) => pieces.some((piece) => piece.recovered));
	const unmatched = found.filter(({ isUnmatched }) => isUnmatched);
	const fewer = found.filter(
		({ orders, pieces, isUnmatched }) =>
			!isUnmatched && orders[0] && pieces.length < pieceCountOf(orders[0]),
	);
	const failed = findings.filter((finding) => 'failure' in finding);
	return [
		existed.length > 0 &&
			`${count(existed.length, 'shipment')} existed already and ${existed.length === 1 ? 'is' : 'are'} in the output as found, with alreadyExisted: true. Nothing was sent for ${existed.length === 1 ? 'it' : 'them'}.`,
		recovered.length > 0 &&
			`The answer for ${count(recovered.length, 'shipment')} did not arrive. What was created was read back from the service and has recovered: true.`,
		unmatched.length > 0 &&
			`${count(unmatched.length, 'shipment')} could not be given to one item and ${unmatched.length === 1 ? 'has' : 'have'} unmatched: true.`,
		...fewer.map(
			({ orders, pieces }) =>
				`Item ${orders[0]?.itemIndex}: the service tells of ${pieces.length} of its ${orders[0] ? pieceCountOf(orders[0]) : ''} pieces.`,
		),
		failed.length > 0 &&
			`${count(failed.length, 'shipment')} without success; see the failed items.`,
	].filter((hint) => hint !== false);
}

function count(number: number, thing: string): string {
	return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

/** What exists although the run ends with an error. */
export function describeShipments(outcomes: readonly OutputOutcome[]): string | undefined {
	const shipments = outcomes.flatMap((outcome) => {
		if ('failure' in outcome) return [];
		const { json } = outcome;
		return (json.shipments as IDataObject[] | undefined) ?? [json];
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
