import type { IExecuteFunctions } from 'n8n-workflow';

import { openCanceling } from '../changes/cancel';
import { groupBy } from '../lists';
import { type Order, pieceCountOf, referenceOf } from '../orders/order';
import { searchStart } from '../records';
import type { Client } from '../transport/client';
import { describeError, isServiceError } from '../transport/errors';
import { reuse, toDuplicate } from './existing';
import type { LookUp } from './lookUp';
import type { CreationJournal } from './match';
import type { CreationSettings, FoundRecord, OrderOutcome, Row, Shipment } from './types';

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
 * cancels what it has created itself if that is another one.
 *
 * Why one shipment stays: only a process that sees a lower living ID cancels, so nobody cancels the
 * lowest. Why no other one stays: the process that created later looks after both exist, and its ID
 * is the higher one. If a process dies before it looks, the next look-up reports both.
 */
export async function cancelDuplicates(
	outcomes: readonly OrderOutcome[],
	run: CreationRun,
): Promise<OrderOutcome[]> {
	const { client, lookUp, journal, settings } = run;
	if (!settings.checkForDuplicates || settings.ifExists === 'create') return [...outcomes];
	const created = outcomes.flatMap(toCreated);
	const isForAll = settings.lookUpScope === 'allCarriers';
	const groups = groupBy(created, ({ order }) => (isForAll ? undefined : order.carrierCode));
	const checked = new Map<OrderOutcome, OrderOutcome>();
	await client.mapParallel([...groups], async ([carrierCode, together]) => {
		const references = together.map(({ order }) => referenceOf(order));
		const found = await lookUp.find(carrierCode, references, searchStart(Date.now(), 0)).then(
			(records) => ({ records: groupBy(records, ({ reference }) => reference) }),
			(thrown: unknown) => ({ problem: describeError(thrown).message }),
		);
		for (const { outcome, order, shipment } of together) {
			const next =
				'problem' in found
					? { ...shipment, uncheckedDuplicate: found.problem }
					: await cancelDuplicate(order, shipment, {
							living: (found.records.get(referenceOf(order)) ?? []).filter(
								({ isCanceled }) => !isCanceled,
							),
							run,
						});
			if (next === shipment) continue;
			const after: OrderOutcome = { about: [order], outcome: { kind: 'done', value: next } };
			checked.set(outcome, after);
			journal.write(after);
		}
	});
	return outcomes.map((outcome) => checked.get(outcome) ?? outcome);
}

/** The order and its shipment, if this run has created all of its pieces and so may cancel them. */
function toCreated(outcome: OrderOutcome) {
	const [order] = outcome.about;
	if (!order || outcome.outcome.kind !== 'done') return [];
	const { value: shipment } = outcome.outcome;
	return shipment.refused || shipment.isIncomplete ? [] : [{ outcome, order, shipment }];
}

/** The shipment that stays, and what came of the other one. */
async function cancelDuplicate(
	order: Order,
	shipment: Shipment,
	{ living, run }: { living: readonly FoundRecord[]; run: CreationRun },
): Promise<Shipment> {
	const { pieces } = shipment;
	const own = pieces.map(({ row }) => row).sort((a, b) => Number(a.id) - Number(b.id));
	const ownIds = new Set(own.map(({ id }) => Number(id)));
	const older = living.filter(({ id }) => !ownIds.has(id) && id < Number(own[0]?.id));
	const [oldest] = older.toSorted((a, b) => a.id - b.id);
	if (oldest) {
		const reason = await cancelRows(order, own, { living, run });
		return reason === undefined
			? { ...reuse(order, older), canceledDuplicate: toCanceled(order, own, living) }
			: { ...shipment, duplicateOf: { ...toDuplicate(oldest), reason } };
	}
	// After a lost response, the shipment of another run is read back together with the own one.
	const surplus = own.slice(1);
	if (pieces.length <= pieceCountOf(order) || surplus.length === 0) return shipment;
	const reason =
		pieceCountOf(order) > 1
			? 'Its response was lost, and its pieces cannot be told apart'
			: await cancelRows(order, surplus, { living, run });
	if (reason !== undefined) {
		const [lowest] = living.toSorted((a, b) => a.id - b.id);
		return lowest ? { ...shipment, duplicateOf: { ...toDuplicate(lowest), reason } } : shipment;
	}
	return {
		...shipment,
		pieces: pieces.filter(({ row }) => row === own[0]),
		canceledDuplicate: toCanceled(order, surplus, living),
	};
}

/** Returns why the shipments were not canceled; undefined if they are canceled. */
async function cancelRows(
	order: Order,
	rows: readonly Row[],
	{ living, run }: { living: readonly FoundRecord[]; run: CreationRun },
): Promise<string | undefined> {
	const { carrierCode } = order;
	const isOneShipment = pieceCountOf(order) > 1;
	const about = rows.flatMap((row) => {
		const number = numberOf(row, living);
		// The main piece has the lowest ID.
		const shipmentId = Number((isOneShipment ? rows[0] : row)?.id);
		return number === null ? [] : [{ carrierCode, number, shipmentId }];
	});
	if (about.length < rows.length) return 'The carrier has not assigned its number yet';
	const { cancel } = openCanceling(run.context, run.client, run.settings.maxRetryWait);
	const settled = await cancel(about);
	for (const { outcome } of settled) {
		if (outcome.kind === 'done') continue;
		const [error] = outcome.errors;
		const { message, details } = describeError(error);
		// The other words of an error about a number only repeat that it was not canceled.
		return isServiceError(error) ? message : String(details.serviceMessage ?? message);
	}
	return undefined;
}

function toCanceled(
	{ carrierCode }: Order,
	[first]: readonly Row[],
	living: readonly FoundRecord[],
) {
	const packageNumberCarrier = first ? numberOf(first, living) : null;
	return { id: Number(first?.id), carrierCode, packageNumberCarrier };
}

/** Some services assign the number after the response, and it is in the record then. */
function numberOf(
	{ id, packageNumberCarrier }: Row,
	records: readonly FoundRecord[],
): string | null {
	const record = records.find((found) => found.id === Number(id));
	return packageNumberCarrier ?? record?.record.packageNumberCarrier ?? null;
}
