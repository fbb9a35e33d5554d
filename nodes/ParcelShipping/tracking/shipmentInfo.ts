import { isCashOnDelivery, isRecord, recipientOf } from '../records';

/** What an event says about its shipment. Every field is null if it is empty or not known. */
export interface ShipmentInfo {
	packageNumberCustom: string | null;
	recipientName: string | null;
	recipientEmail: string | null;
	recipientPhone: string | null;
	trackingUrl: string | null;
	orderId: number | string | null;
	cod: { amount: number | null; currency: string | null };
	delivered: boolean | null;
}

/** As in the output item. */
export interface IncludedShipment {
	shipment: ShipmentInfo;
	/** Why some or all of the fields are not known. */
	shipmentNotRead?: string;
}

export type ShipmentRecord = Record<string, unknown>;

/** From a record of the list or a detail. Services put the recipient in different places. */
export function toShipmentInfo(record: ShipmentRecord): ShipmentInfo {
	const { codPrice, codCurrency, orderId, delivered } = record;
	const isCod = isCashOnDelivery(record);
	const amount = Number(codPrice ?? NaN);
	return {
		packageNumberCustom: textOf(record.packageNumberCustom),
		recipientName: textOf(recipientOf(record)),
		recipientEmail: textOf(recipientPart(record, 'Email')),
		recipientPhone: textOf(recipientPart(record, 'Phone')),
		trackingUrl: textOf(record.trackingUrl),
		orderId: typeof orderId === 'number' ? orderId : textOf(orderId),
		cod: {
			amount: isCod && Number.isFinite(amount) ? amount : null,
			currency: isCod ? textOf(codCurrency) : null,
		},
		delivered: typeof delivered === 'boolean' ? delivered : null,
	};
}

/** Whether the record has all fields, so that nothing more has to be read. Their values may be empty. */
export function isCompleteRecord(record: ShipmentRecord): boolean {
	return (
		['packageNumberCustom', 'trackingUrl', 'orderId', 'codPrice', 'delivered'].every(
			(field) => record[field] !== undefined,
		) &&
		recipientOf(record) !== undefined &&
		recipientPart(record, 'Email') !== undefined
	);
}

function recipientPart(record: ShipmentRecord, part: 'Email' | 'Phone'): unknown {
	const address = isRecord(record.recAddress) ? record.recAddress : {};
	const found = [record[`rec${part}`], address[part.toLowerCase()]];
	const isEmpty = found.includes(null);
	return (
		found.find((value) => value !== undefined && value !== null) ?? (isEmpty ? null : undefined)
	);
}

function textOf(value: unknown): string | null {
	const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	return text === '' ? null : text;
}

function mergeRecords(known: ShipmentRecord | undefined, record: ShipmentRecord): ShipmentRecord {
	if (!known) return record;
	const isSaid = ([field, value]: [string, unknown]) => value !== null || !known[field];
	return { ...known, ...Object.fromEntries(Object.entries(record).filter(isSaid)) };
}

/** A process remembers at most twice as many shipments: about 10 MB. */
const MAX_REMEMBERED = 10_000;

/** Longer than it takes to read the whole list again. */
const REMEMBERED_MS = 45 * 60_000;

type Remembered = Map<number, { info: ShipmentInfo; readAt: number }>;

/** What earlier polls of this process have read about shipments, by their ID. */
export class InfoMemory {
	private latest: Remembered = new Map();

	/** Dropped as a whole when there are enough later ones. */
	private earlier: Remembered = new Map();

	get(id: number, nowMs: number): ShipmentInfo | undefined {
		const { info, readAt = -Infinity } = this.latest.get(id) ?? this.earlier.get(id) ?? {};
		return nowMs - readAt < REMEMBERED_MS ? info : undefined;
	}

	remember(id: number, info: ShipmentInfo, nowMs: number): void {
		if (this.latest.size >= MAX_REMEMBERED) {
			this.earlier = this.latest;
			this.latest = new Map();
		}
		this.latest.set(id, { info, readAt: nowMs });
	}
}

/** What one poll has read about shipments, by their ID. */
export class ShipmentRecords {
	private readonly byId = new Map<number, ShipmentRecord>();

	constructor(
		private readonly earlier = new InfoMemory(),
		private readonly nowMs = 0,
	) {}

	/** Adds what a detail says to what the list says. */
	add(record: object): void {
		const id = Number((record as ShipmentRecord).id);
		if (!Number.isSafeInteger(id)) return;
		const merged = mergeRecords(this.byId.get(id), record as ShipmentRecord);
		this.byId.set(id, merged);
		if (isCompleteRecord(merged)) {
			this.earlier.remember(id, toShipmentInfo(merged), this.nowMs);
		}
	}

	get(id: number): ShipmentRecord | undefined {
		return this.byId.get(id);
	}

	/** What an earlier poll has read. Like the list, it may be half an hour old. */
	earlierInfo(id: number): ShipmentInfo | undefined {
		return this.earlier.get(id, this.nowMs);
	}
}
