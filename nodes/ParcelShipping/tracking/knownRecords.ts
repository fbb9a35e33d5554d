import type { IDataObject } from 'n8n-workflow';

import { groupBy, isSameCode, keepLatest } from '../lists';
import { carrierNumberOf, isCashOnDelivery, isRecord, mainIdOf, recipientOf } from '../records';
import type { Client } from '../transport/client';
import { PAGE_LENGTH } from '../transport/contract';
import { isRefusal, isServiceError, ItemError } from '../transport/errors';
import type { ShipmentInfos } from './nodeMemory';
import {
	detailIdOf,
	isMainUnknown,
	mergeMainId,
	type ShipmentIds,
	shipmentKey,
	type WatchedShipment,
} from './state';
import type { Poll } from './watch';

/** So many shipments are remembered for each trigger node: about 10 MB. */
const MAX_REMEMBERED = 20_000;

/** Longer than it takes to read the whole list again. */
const REMEMBERED_MS = 45 * 60_000;

/** A record of the list or a detail. */
export type RecordFields = Record<string, unknown>;

/** What this poll and earlier ones have read about shipments, by their ID. */
export class KnownRecords {
	private readonly byId = new Map<number, RecordFields>();

	constructor(
		private readonly nowMs: number,
		private readonly infos: ShipmentInfos = new Map(),
	) {}

	/** Adds what a detail says to what the list says. Its missing fields, and those that are null, replace nothing. */
	add(record: object): void {
		const merged: RecordFields = { ...record };
		const id = Number(merged.id);
		if (!Number.isSafeInteger(id)) return;
		for (const [name, value] of Object.entries(this.byId.get(id) ?? {})) merged[name] ??= value;
		this.byId.set(id, merged);
		if (!isCompleteRecord(merged)) return;
		const info = toShipmentInfo(merged);
		keepLatest(this.infos, id, { info, readAt: this.nowMs }, MAX_REMEMBERED);
	}

	/** The detail of a shipment: the records of all of its pieces, the main one first, with IDs as numbers. */
	async readDetail(client: Client, carrier: string, id: number, timeoutMs: number) {
		const pieces = await client.getShipment(carrier, id, { timeoutMs });
		for (const piece of pieces) this.add(piece);
		return pieces.map((piece) => ({ ...piece, id: Number(piece.id) }));
	}

	get(id: number): RecordFields | undefined {
		return this.byId.get(id);
	}

	/** What is known of the shipment without a request, if it is everything. */
	infoOf({ id }: WatchedShipment): IDataObject | undefined {
		// What this poll has read is newer, even if it is not everything.
		const record = this.byId.get(id);
		if (record) return isCompleteRecord(record) ? toShipmentInfo(record) : undefined;
		const { info, readAt = -Infinity } = this.infos.get(id) ?? {};
		return this.nowMs - readAt > REMEMBERED_MS ? undefined : info;
	}
}

/** What a record says about a shipment. Services put the recipient in different places. */
export function toShipmentInfo(record: RecordFields): IDataObject {
	const { codPrice, codCurrency, orderId } = record;
	const isCod = isCashOnDelivery(record);
	const amount = Number(codPrice ?? NaN);
	return {
		packageNumberCustom: textOf(record.packageNumberCustom),
		recipientName: textOf(recipientOf(record)),
		recipientEmail: textOf(recipientPart(record, 'Email')),
		recipientPhone: textOf(recipientPart(record, 'Phone')),
		carrierName: textOf(record.carrierName),
		trackingUrl: textOf(record.trackingUrl),
		orderId: typeof orderId === 'number' ? orderId || null : textOf(orderId),
		cod: {
			amount: isCod && Number.isFinite(amount) ? amount : null,
			currency: isCod ? textOf(codCurrency) : null,
		},
	};
}

/** Whether the record has all fields, so that no request is needed. Their values may be empty. */
function isCompleteRecord(record: RecordFields): boolean {
	return (
		['packageNumberCustom', 'trackingUrl', 'orderId', 'codPrice'].every(
			(field) => record[field] !== undefined,
		) &&
		(recipientOf(record) ?? recipientPart(record, 'Name')) !== undefined &&
		recipientPart(record, 'Email') !== undefined &&
		recipientPart(record, 'Phone') !== undefined
	);
}

function recipientPart(record: RecordFields, part: 'Name' | 'Email' | 'Phone'): unknown {
	const address = isRecord(record.recAddress) ? record.recAddress : {};
	const own = record[`rec${part}`];
	const nested = address[part.toLowerCase()];
	// Null if it is empty, undefined if the record does not have it.
	return own ?? nested ?? (own === null ? null : nested);
}

function textOf(value: unknown): string | null {
	const isText = typeof value === 'string' || typeof value === 'number';
	return isText ? String(value).trim() || null : null;
}

/** What a request said about a watched shipment: its record, or why there is none. */
export type ReadResult = {
	/** With its IDs, which may not have been known before. */
	shipment: WatchedShipment;
} & ({ record: RecordFields } | { failure: unknown });

const NO_TIME = new ItemError('The poll had no time left to read the shipment', '');

/** Reads the shipments with their pieces, by the keys of the shipments. */
export async function readMissing(
	shipments: readonly WatchedShipment[],
	records: KnownRecords,
	poll: Poll,
): Promise<Map<string, ReadResult>> {
	const { client, budget } = poll;
	const results = new Map<string, ReadResult>();
	const failedCarriers = new Map<string, Error>();
	// The pieces of a shipment have one detail.
	const groups = groupBy(shipments, (shipment) =>
		shipment.id === 0 ? shipmentKey(shipment) : `${shipment.carrier} ${detailIdOf(shipment)}`,
	);
	await client.mapParallel([...groups.values()], async (group) => {
		const [first] = group;
		const note = (result: ReadResult) => results.set(shipmentKey(result.shipment), result);
		try {
			const reason = failedCarriers.get(first.carrier) ?? (budget.isLate() ? NO_TIME : undefined);
			if (reason) throw reason;
			const pieces = await readRecords(first, records, poll);
			for (const shipment of group) note(pick(shipment, pieces));
		} catch (failure) {
			// Further requests to a service that just failed would delay the events.
			if (isServiceError(failure) && !isRefusal(failure))
				failedCarriers.set(first.carrier, failure);
			for (const shipment of group) {
				// If the service refuses the ID of an additional piece, nobody says its main shipment.
				const hasNoDetail = isMainUnknown(shipment.mainId) && isRefusal(failure);
				note({ failure, shipment: hasNoDetail ? { ...shipment, mainId: shipment.id } : shipment });
			}
		}
	});
	return results;
}

/** The record of a shipment and those of its pieces, the main one first. */
async function readRecords(
	shipment: WatchedShipment,
	records: KnownRecords,
	{ client, watch, budget }: Poll,
): Promise<RecordFields[]> {
	const { carrier, number, id, mainId } = shipment;
	const readDetail = async (ids: ShipmentIds): Promise<RecordFields[]> =>
		records.readDetail(client, carrier, detailIdOf(ids), budget.timeoutMs());
	// A piece whose main shipment nobody says may have no detail, so its own ID is not enough.
	const isAlone = id !== 0 && mainId === id;
	const isByNumber = watch.selection.by === 'numbers';
	if (id !== 0 && !(isAlone && isByNumber)) return await readDetail(shipment);
	// A shipment that the user listed by its number has no known ID at first.
	const filter = { search: number, onlyMaster: false };
	const { data } = await client.findUncheckedShipments(filter, 0, PAGE_LENGTH, budget.timeoutMs());
	const ofCarrier = data.filter(({ carrierCode }) => isSameCode(String(carrierCode), carrier));
	// A canceled shipment can have the number, too.
	const [exact] = ofCarrier
		.filter((row) => carrierNumberOf(row) === number)
		.sort((a, b) => Number(a.canceled === true) - Number(b.canceled === true) || b.id - a.id);
	const complete = exact && isCompleteRecord({ ...exact }) ? { ...exact } : undefined;
	if (complete) records.add(complete);
	if (complete && (isAlone || !isMainUnknown(mainIdOf(complete)))) return [complete];
	// Some lists contain no numbers. The detail then confirms that this is the shipment. It also says
	// which shipment an additional piece belongs to.
	const unnumbered = ofCarrier.filter((row) => carrierNumberOf(row) === '');
	const candidate = exact ?? (unnumbered.length === 1 ? unnumbered[0] : undefined);
	if (!candidate) throw notListed({ carrier, number });
	const ids = { id: candidate.id, mainId: mainIdOf(candidate) };
	return await readDetail(ids).catch(async (failure: unknown) =>
		complete ? [complete] : await Promise.reject(failure),
	);
}

function notListed({ carrier, number }: Pick<WatchedShipment, 'carrier' | 'number'>): ItemError {
	return new ItemError(`The service does not list shipment ${number} of carrier ${carrier}`, '');
}

/** What the records of a shipment and its pieces say about the watched one. */
function pick(shipment: WatchedShipment, pieces: readonly RecordFields[]): ReadResult {
	const { id, number, mainId } = shipment;
	const [main] = pieces;
	const isWatched = (piece: RecordFields) =>
		id === 0 ? carrierNumberOf(piece) === number : Number(piece.id) === id;
	const record = pieces.find(isWatched) ?? (id === 0 ? undefined : main);
	if (!main || !record) return { shipment, failure: notListed(shipment) };
	if (id !== 0 && !isMainUnknown(mainId)) return { shipment, record };
	const ownId = id || Number(record.id);
	const ofMain = Number(main.id) === ownId ? mainIdOf(record) : Number(main.id);
	// The own ID of a piece whose main shipment nobody says, so that it is not looked for again.
	const readMainId = ofMain === 0 ? ownId : ofMain;
	return { shipment: { ...shipment, id: ownId, mainId: mergeMainId(mainId, readMainId) }, record };
}
