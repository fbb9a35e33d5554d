import type { IExecuteFunctions } from 'n8n-workflow';

import { openCanceling } from '../changes/cancel';
import { groupBy, isSameCode } from '../lists';
import { type Order, referenceOf } from '../orders/order';
import { searchStart } from '../records';
import type { Client } from '../transport/client';
import { describeError, isServiceError } from '../transport/errors';
import { isLiving, type ShipmentRecord } from '../transport/shipmentRecords';
import { reuse } from './existing';
import type { LookUp } from './lookUp';
import { type CreationJournal, toDuplicate } from './match';
import type { CreationSettings, OrderOutcome, Shipment } from './types';

export interface CreationRun {
	context: IExecuteFunctions;
	client: Client;
	lookUp: LookUp;
	journal: CreationJournal;
	settings: CreationSettings;
}

/**
 * Two n8n processes that look up the same order at the same moment find nothing and both create it.
 * So each looks again after creating: the living shipment with the lowest ID stays, and each process
 * cancels what it has created if that is another one. After a lost response, a process cannot tell its
 * shipment from that of the other one, so it cancels each except the lowest.
 *
 * Why one shipment stays: a process cancels only what has a lower living ID beside it, so nobody
 * cancels the lowest. Why no other one stays: the process that created later looks after both exist,
 * and its ID is the higher one. If a process dies before it looks, the next look-up names both.
 */
export async function cancelDuplicates(
	outcomes: readonly OrderOutcome[],
	run: CreationRun,
): Promise<OrderOutcome[]> {
	const { lookUp, journal, settings } = run;
	if (settings.ifExists === 'create') return [...outcomes];
	const created = outcomes.flatMap((outcome) => {
		const [order] = outcome.targets;
		if (!order || outcome.outcome.state !== 'done') return [];
		const { value: shipment } = outcome.outcome;
		const isCreated = shipment.pieces.some(({ via }) => via === 'response' || via === 'records');
		return isCreated ? [{ outcome, order, shipment }] : [];
	});
	if (created.length === 0) return [...outcomes];
	const orders = created.map(({ order }) => order);
	const found = await lookUp.find(undefined, orders, searchStart(Date.now(), 0)).then(
		(shipments) => ({ living: groupBy(shipments.filter(isLiving), (each) => each.reference) }),
		(thrown: unknown) => ({ problem: describeError(thrown).message }),
	);
	const checked = new Map<OrderOutcome, OrderOutcome>();
	for (const { outcome, order, shipment } of created) {
		const living = 'living' in found ? (found.living.get(referenceOf(order)) ?? []) : [];
		const value =
			'problem' in found
				? { ...shipment, uncheckedDuplicate: found.problem }
				: await settleDuplicates(order, shipment, living, run);
		const after: OrderOutcome = { targets: [order], outcome: { state: 'done', value } };
		checked.set(outcome, after);
		journal.write(after);
	}
	return outcomes.map((outcome) => checked.get(outcome) ?? outcome);
}

/** The shipment that stays, and what came of the others. */
async function settleDuplicates(
	order: Order,
	shipment: Shipment,
	living: readonly ShipmentRecord[],
	run: CreationRun,
): Promise<Shipment> {
	const ids = new Set(shipment.pieces.map(({ row }) => Number(row.id)));
	const listed = living.find(({ pieces }) => pieces.some(({ id }) => ids.has(id)));
	const printed = new Map(listed?.pieces.map((piece) => [piece.id, piece.printed]));
	const current: Shipment = {
		...shipment,
		pieces: shipment.pieces.map((piece) => ({
			...piece,
			printed: printed.get(Number(piece.row.id)),
		})),
	};
	delete current.duplicates;
	const isOwn = ({ pieces }: ShipmentRecord) => pieces.every(({ id }) => ids.has(id));
	const others = living.filter((each) => each !== listed && !isOwn(each));
	if (others.length === 0) return current;
	// With an exchange, the carrier creates a second shipment for each piece, and nothing tells it from a duplicate.
	if ((order.body as { exchangeOrder?: unknown }).exchangeOrder === true) {
		return { ...current, duplicates: others.map(toDuplicate) };
	}

	const own = withRows(order, shipment, listed);
	// The response proves which shipment is its own. The records do not.
	const isOwnKnown = shipment.pieces.some(({ via }) => via === 'response');
	const [lowest, ...higher] = [...others, own].sort((a, b) => a.id - b.id) as [
		ShipmentRecord,
		...ShipmentRecord[],
	];
	const surplus = isOwnKnown
		? higher.filter((each) => each === own)
		: higher.filter(({ carrierCode }) => isSameCode(carrierCode, order.carrierCode));
	if (surplus.length === 0) return current;
	const reason = await cancelAll(surplus, run);
	if (reason !== undefined) {
		const [other, ...more] = [lowest, ...higher].filter((each) => each !== own);
		return {
			...current,
			...(other ? { duplicateOf: { ...toDuplicate(other), reason } } : {}),
			...(more.length > 0 ? { duplicates: more.map(toDuplicate) } : {}),
		};
	}
	const canceled = surplus.includes(own) ? own : (surplus[0] ?? own);
	const canceledDuplicate = toDuplicate(canceled);
	if (lowest === own) return { ...current, canceledDuplicate };
	const left = higher.filter((each) => !surplus.includes(each));
	const stays = reuse(order, await run.lookUp.completeLowest(order, [lowest, ...left]));
	// Who created it prints it. After a lost response, that may be this run.
	const via = isOwnKnown ? 'other' : 'records';
	return { ...stays, pieces: stays.pieces.map((piece) => ({ ...piece, via })), canceledDuplicate };
}

/** The own shipment with all of its pieces, also if the service does not list it, or not all of them. */
function withRows(
	order: Order,
	{ pieces }: Shipment,
	listed: ShipmentRecord | undefined,
): ShipmentRecord {
	const records = new Map(listed?.pieces.map((piece) => [piece.id, piece]));
	const own = pieces.map(({ row }) => {
		const id = Number(row.id);
		const record = records.get(id);
		records.delete(id);
		return {
			...{ id, carrierCode: order.carrierCode, reference: referenceOf(order), record: {} },
			...{ printed: undefined, handedOver: undefined, isCanceled: false, ...record },
			// Some services assign the number after the response, and it is in the record then.
			number: row.packageNumberCarrier || record?.number || '',
		};
	});
	const unlisted = listed?.isGuessed ? [] : records.values();
	const all = [...own, ...unlisted].sort((a, b) => a.id - b.id);
	const id = listed?.id ?? all[0]?.id ?? 0;
	const { carrierCode } = order;
	return { id, carrierCode, reference: referenceOf(order), pieces: all, isGuessed: false };
}

/** Returns why the shipments were not canceled; undefined if all of them are canceled. */
async function cancelAll(
	shipments: readonly ShipmentRecord[],
	{ context, client, lookUp, settings }: CreationRun,
): Promise<string | undefined> {
	if (shipments.some(({ isGuessed }) => isGuessed)) return 'Its pieces cannot be told apart';
	const numbered = await client.mapParallel(shipments, async (each) =>
		// Some lists have no numbers.
		each.pieces.every(({ number }) => number !== '') ? each : await lookUp.withDetail(each),
	);
	const targets = numbered.flatMap(({ id: shipmentId, carrierCode, pieces }) =>
		pieces.map(({ number }) => ({ carrierCode, number, shipmentId })),
	);
	if (targets.some(({ number }) => number === ''))
		return 'The carrier has not assigned its number yet';
	const { cancel } = openCanceling(context, client, settings.maxRetryWait);
	const outcomes = await cancel(targets);
	for (const { outcome } of outcomes) {
		if (outcome.state === 'done') continue;
		const [error] = outcome.errors;
		const { message, details } = describeError(error);
		// The other words of an error about a number only repeat that it was not canceled.
		return isServiceError(error) ? message : String(details.serviceMessage ?? message);
	}
	return undefined;
}
