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

/** What one poll has read about shipments, by their ID. */
export class ShipmentRecords {
	private readonly byId = new Map<number, ShipmentRecord>();

	/** Adds what a detail says to what the list says. */
	add(record: object): void {
		const id = Number((record as ShipmentRecord).id);
		if (!Number.isSafeInteger(id)) return;
		const known = this.byId.get(id);
		const isKnown = ([field, value]: [string, unknown]) => value !== null || !known?.[field];
		const added = Object.fromEntries(Object.entries(record).filter(isKnown));
		this.byId.set(id, known ? { ...known, ...added } : (record as ShipmentRecord));
	}

	get(id: number): ShipmentRecord | undefined {
		return this.byId.get(id);
	}
}
