import type { IDataObject } from 'n8n-workflow';

import { keepLatest } from '../lists';
import { isCashOnDelivery, isRecord, recipientOf } from '../records';
import type { ShipmentInfos } from './nodeMemory';
import type { WatchedShipment } from './state';

/** A process remembers so many shipments: about 10 MB. */
const MAX_REMEMBERED = 20_000;

/** Longer than it takes to read the whole list again. */
const REMEMBERED_MS = 45 * 60_000;

export type ShipmentRecord = Record<string, unknown>;

/** What this poll and earlier ones have read about shipments, by their ID. */
export class KnownRecords {
	private readonly byId = new Map<number, ShipmentRecord>();

	constructor(
		private readonly nowMs: number,
		private readonly infos: ShipmentInfos = new Map(),
	) {}

	/** Adds what a detail says to what the list says. Its empty fields replace nothing. */
	add(record: object): void {
		const { id, ...fields } = record as ShipmentRecord;
		if (!Number.isSafeInteger(Number(id))) return;
		const known = this.byId.get(Number(id)) ?? {};
		const added = Object.entries(fields).filter(([name, value]) => value !== null || !known[name]);
		const merged = { ...known, id, ...Object.fromEntries(added) };
		this.byId.set(Number(id), merged);
		if (!isCompleteRecord(merged)) return;
		const info = toShipmentInfo(merged);
		keepLatest(this.infos, Number(id), { info, readAt: this.nowMs }, MAX_REMEMBERED);
	}

	get(id: number): ShipmentRecord | undefined {
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

/**
 * What a record of the list or a detail says about a shipment. A field is null if it is empty or not
 * known. Services put the recipient in different places.
 */
export function toShipmentInfo(record: ShipmentRecord): IDataObject {
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
		orderId: typeof orderId === 'number' ? orderId : textOf(orderId),
		cod: {
			amount: isCod && Number.isFinite(amount) ? amount : null,
			currency: isCod ? textOf(codCurrency) : null,
		},
	};
}

/** Whether the record has all fields, so that no request is needed. Their values may be empty. */
export function isCompleteRecord(record: ShipmentRecord): boolean {
	return (
		['packageNumberCustom', 'trackingUrl', 'orderId', 'codPrice'].every(
			(field) => record[field] !== undefined,
		) &&
		recipientOf(record) !== undefined &&
		recipientPart(record, 'Email') !== undefined
	);
}

function recipientPart(record: ShipmentRecord, part: 'Email' | 'Phone'): unknown {
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
