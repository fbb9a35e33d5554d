import { mapValues, pick } from 'lodash';
import { localToMs, offsetText } from '../domain/clock';
import type { StoredShipment } from '../domain/database';
import { numberOf } from '../domain/shipments';
import type { DialectContext, Json } from './dialect';

/** Names in the language of the account. The category is the part that stays the same. */
const names: Record<string, string> = {
	Created: 'Zásilka vložena do systému',
	Ordered: 'Objednáno u dopravce',
	TransitCarrier: 'Předána koncovému dopravci',
	TransitOnTheWay: 'Na cestě',
	Delivered: 'Doručeno',
	DeliveredPickup: 'Doručeno na výdejní místo',
	Cancel: 'Zásilka zrušena',
	CancelCarrier: 'Zásilka zrušena ze strany dopravce',
};

/** The documented categories in place of the sandbox's own. */
function documentedCategory(category: string, code: string, hasBranch: boolean): string {
	if (category === 'Canceled') return code === '980' ? 'Cancel' : 'CancelCarrier';
	return category === 'Delivered' && hasBranch ? 'DeliveredPickup' : category;
}

/** Null instead of an empty list, and not sorted. Some providers write `type` as a number. */
export function writeEvents(
	events: Json[],
	number: string,
	context: DialectContext,
): Json[] | null {
	if (events.length === 0) return null;
	const shipment = context.database.shipmentByNumber(number);
	const hasBranch = shipment?.input.branchId !== undefined;
	const isNumeric = (shipment?.id ?? 0) % 3 === 0;
	const written = events.map((event, index) => {
		const code = String(event['code']);
		const category = documentedCategory(String(event['category']), code, hasBranch);
		return {
			...event,
			date: writeDate(event['date'], context.requestCount, index),
			category,
			name: names[category] ?? event['name'],
			nameSystem: names[category] ?? event['nameSystem'],
			...(isNumeric && event['type'] === 'Event' ? { type: 0 } : {}),
		};
	});
	const from = context.requestCount % written.length;
	return [...written.slice(from), ...written.slice(0, from)];
}

/** The same moment without an offset, with one, or in UTC, and with 0 to 7 digits of the second's fraction. */
function writeDate(date: unknown, requestCount: number, index: number): unknown {
	if (typeof date !== 'string') return date;
	const [, second, own = ''] =
		/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?$/.exec(date.trim()) ?? [];
	if (second === undefined) return date;
	const digits = (requestCount + index) % 8;
	const fraction = digits === 0 ? '' : `.${(own || '5113487').padEnd(7, '0').slice(0, digits)}`;
	const ms = localToMs(second);
	const local = second + fraction;
	const utc = `${new Date(ms).toISOString().slice(0, 19)}${fraction}Z`;
	return [local, local + offsetText(ms), utc][requestCount % 3];
}

function lateNumberOf(
	shipment: StoredShipment | undefined,
	context: DialectContext,
): string | null {
	if (!shipment) return null;
	const { lateMinutes = 0 } = context.database.carrier(shipment.carrierCode)?.numbers ?? {};
	const isAssigned = context.nowMs - shipment.createdMs >= lateMinutes * 60_000;
	return isAssigned ? numberOf(shipment, context) : null;
}

/** Pieces are counted from 1, carrier errors are a list, which can be empty, and the orderNumber is a number. */
export function writeRow(row: Json, index: number, context: DialectContext): Json {
	const id = Number(row['id']);
	const written = {
		...row,
		packageNumberCarrier: lateNumberOf(context.database.shipment(id), context),
		pieceIndex: Number(row['pieceIndex']) + 1,
		orderNumber: toNumber(row['orderNumber']),
	};
	if (row['statusCode'] === 200) {
		return { ...written, message: 'OK', carrierErrors: id % 2 === 0 ? null : [] };
	}
	const text = String(row['carrierErrors']);
	const isOfService =
		/^(Unknown service|Service \S+ does not belong|Carrier \S+ is not|package\.)/.test(text);
	return {
		...written,
		labelUrl: null,
		trackingUrl: null,
		message: isOfService ? text : 'Error',
		carrierErrors: isOfService ? [] : text.split('; ').map((each) => carrierError(each, index)),
	};
}

function toNumber(orderNumber: unknown): number | null {
	return orderNumber === null ? null : Number(String(orderNumber).replace(/\D/g, ''));
}

const parties: Record<string, string> = { rec: 'receiver', sender: 'sender', cover: 'mask' };

/** `recZip is missing` with the path of the field: `0 -> receiver -> address -> postalCode`. */
function carrierError(text: string, index: number): Json {
	const [, field = '', message = text] = /^([a-z]+[A-Z]\w*) (.+)$/.exec(text) ?? [];
	const [, party = '', part = ''] = /^(rec|sender|cover)([A-Z]\w*)$/.exec(field) ?? [];
	const inAddress = { Street: 'street', City: 'city', Zip: 'postalCode', Country: 'country' }[part];
	const path = party
		? [parties[party], ...(inAddress ? ['address', inAddress] : [part.toLowerCase()])]
		: [field];
	return {
		errorCode: 'InvalidUserInputError',
		message,
		reference: field === '' ? null : [index, ...path].join(' -> '),
	};
}

function writeStatus(status: unknown, hasBranch: boolean): Json {
	const { code, name, category } = status as Record<string, string>;
	const written = documentedCategory(String(category), String(code), hasBranch);
	return { code, name: names[written] ?? name, category: written };
}

/** The fields of a record that the list and the detail name alike. */
const sameFields =
	`id carrierCode carrierName packageNumberCustom packageNumberOrder price vs orderId canceled
	delivered printed printable submittedCarrier trackable canCancel trackingUrl`.split(/\s+/);

/** A record of the list: addresses are objects, and the provider has other names than in the detail. */
export function writeRecord(record: Json, context: DialectContext): Json {
	const { database, requestCount } = context;
	const shipment = database.shipment(Number(record['id']));
	const created = writeDate(record['created'], requestCount, Number(record['id']));
	const isMain = shipment?.id === shipment?.mainId;
	return {
		...pick(record, sameFields),
		packageNumberCarrier: lateNumberOf(shipment, context),
		pieceCount: shipment?.pieceCount,
		pieceIndex: record['packageNumberOrder'],
		pickupId: null,
		isMaster: isMain,
		masterId: isMain ? null : shipment?.mainId,
		serviceCode: record['serviceType'],
		serviceName: database.service(String(record['serviceType']))?.service.name,
		recAddress: addressOf(record, 'rec'),
		senderAddress: record['senderEnabled'] ? addressOf(record, 'sender') : null,
		maskAddress: record['coverEnabled'] ? addressOf(record, 'cover') : null,
		codPrice: record['codPrice'] || null,
		codCurrency: record['codCurrency'] || null,
		created,
		updated: created,
		sent: record['submittedCarrier'],
		status: writeStatus(record['status'], Boolean(record['branchId'])),
	};
}

function addressOf(record: Json, prefix: 'rec' | 'sender' | 'cover'): Json {
	const parts = ['Name', 'Company', 'Street', 'City', 'Zip', 'Country', 'Phone', 'Email'];
	return Object.fromEntries(
		parts.map((part) => [part.toLowerCase(), record[prefix + part] || null]),
	);
}

/** The detail has the fields of the interface document. What is not set is null. */
export function writeDetail(detail: Json, context: DialectContext): Json {
	return {
		...mapValues(detail, (value) => (value === '' ? null : value)),
		packageNumberCarrier: lateNumberOf(context.database.shipment(Number(detail['id'])), context),
		status: writeStatus(detail['status'], Boolean(detail['branchId'])),
	};
}

export function writeBatch(batch: Json, { requestCount }: DialectContext): Json {
	const orders = batch['orders'] as Json[] | null;
	const writeOrder = (order: Json): Json => ({
		...order,
		orderNumber: toNumber(order['orderNumber']),
		packageNumberCarrier: order['packageNumberCarrier'] || null,
	});
	const created = writeDate(batch['created'], requestCount, 0);
	return { ...batch, created, orders: orders?.map(writeOrder) ?? null };
}
