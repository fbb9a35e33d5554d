import type { Client } from '../transport/client';
import type { TrackingEvent, TrackingResult } from '../transport/contract';
import { compareEvents, type Comparison, type NewEvent } from './compare';
import { byDate } from './dates';
import type { RequestCounts } from './discovery';
import type { Deadline } from './host';
import { byNumber, planBatches, rowOf, type TrackingBatch } from './requests';
import { type RequestedShipments, requeue, selectDue, type WatchedShipment } from './state';

/** Limits how many events one execution gets. The next poll continues. */
const MAX_EVENTS = 5_000;

interface BatchAnswer extends TrackingBatch<WatchedShipment> {
	rows: TrackingResult[];
}

/**
 * Requests the events of the shipments that are due, as far as time allows, and compares each answer
 * with the known events while the next requests are running. The next poll repeats what has failed.
 */
export async function trackShipments(
	shipments: readonly WatchedShipment[],
	client: Client,
	deadline: Deadline,
	comparison: Comparison,
): Promise<{ shipments: WatchedShipment[]; newEvents: NewEvent[]; requests: RequestCounts }> {
	const requested: RequestedShipments = { answered: new Map(), failed: new Set() };
	const requests: RequestCounts = { answered: 0, failures: [] };
	const newEvents: NewEvent[] = [];
	const failedCarriers = new Set<string>();

	const ask = async (batch: TrackingBatch<WatchedShipment>): Promise<BatchAnswer | undefined> => {
		// Further requests to a carrier that just failed would take time from the other carriers.
		if (!failedCarriers.has(batch.carrier)) {
			if (deadline.hasPassed || newEvents.length >= MAX_EVENTS) return undefined;
			try {
				const rows = await requestRows(batch, client, deadline);
				requests.answered++;
				return { ...batch, rows };
			} catch (failure) {
				requests.failures.push(failure);
				failedCarriers.add(batch.carrier);
			}
		}
		for (const shipment of batch.shipments) requested.failed.add(shipment);
		return undefined;
	};

	const compare = ({ carrier, shipments: asked, rows }: BatchAnswer): void => {
		const rowsByNumber = byNumber(rows);
		for (const shipment of asked) {
			const { number } = shipment;
			const row = rowOf(rowsByNumber, { carrierCode: carrier, number, correlationId: '' });
			if (row instanceof Error || !Array.isArray(row.events)) {
				requested.failed.add(shipment);
				continue;
			}
			const compared = compareEvents(shipment, row.events.filter(isEvent), comparison);
			requested.answered.set(shipment, compared.shipment);
			newEvents.push(...compared.newEvents);
		}
	};

	const due = selectDue(shipments, comparison.nowMs).filter(({ number }) => number !== '');
	await client.requestAndHandle(planBatches(due), ask, compare);
	return {
		shipments: requeue(shipments, requested),
		newEvents: newEvents.sort((a, b) => byDate(a.event, b.event)),
		requests,
	};
}

/** The rows of an answer, for up to a hundred shipments of one carrier. */
export async function requestRows(
	{ carrier, shipments }: TrackingBatch<WatchedShipment>,
	client: Pick<Client, 'call'>,
	deadline: Deadline,
): Promise<TrackingResult[]> {
	const packages = shipments.map(({ number }) => number);
	const request = { path: { carrier_code: carrier }, body: { packages } };
	return (await client.call('trackShipments', request, deadline.requestTimeoutMs)).result;
}

/** Whether nothing was answered. Only the list counts if there was nothing to track. */
export function hasNoAnswer(list: RequestCounts, tracking: RequestCounts): boolean {
	const hasTracked = tracking.answered + tracking.failures.length > 0;
	const failures = list.failures.length + tracking.failures.length;
	return failures > 0 && (hasTracked ? tracking : list).answered === 0;
}

function isEvent(event: unknown): event is TrackingEvent {
	return typeof event === 'object' && event !== null && !Array.isArray(event);
}
