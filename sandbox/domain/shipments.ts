import type {
	FindShipmentsRequest,
	ShipmentCreation,
	ShipmentDetail,
	ShipmentRecord,
} from '../../contract/types.generated';
import type { StoredShipment } from './database';
import { dayRange, localTimestamp } from './clock';
import { ServiceError, usesAddress } from './validation';
import { visibleEvents, type TrackingContext } from './tracking';

export interface FileAddresses {
	ofHash<H extends string | null>(hash: H): H;
	ofShipment(id: number): string;
	ofProtocol(handOverId: number): string;
	ofTracking(packageNumberCarrier: string): string;
}

export interface ShipmentContext extends TrackingContext {
	addresses: FileAddresses;
}

export function isListed(entry: { createdMs: number }, context: ShipmentContext): boolean {
	return context.nowMs - entry.createdMs >= (context.habits.listLagMs ?? -Infinity);
}

/** The carrier number, or null until the carrier assigns it. */
export function numberOf(
	shipment: StoredShipment,
	{ database, nowMs, habits }: TrackingContext,
): string | null {
	const { numbersAfterMs = 0 } = habits;
	if (database.withheldNumbers.has(shipment.id)) return null;
	return nowMs - shipment.createdMs < numbersAfterMs ? null : shipment.packageNumberCarrier;
}

export interface Page<T> {
	data: T[];
	total: number;
}

export function pageOf<Row, Shown>(
	rows: readonly Row[],
	{ start = 0, length = 100 }: { start?: number; length?: number },
	show: (row: Row) => Shown,
): Page<Shown> {
	return { data: rows.slice(start, start + length).map(show), total: rows.length };
}

export function findShipments(
	request: FindShipmentsRequest,
	context: ShipmentContext,
	isSelected: (shipment: StoredShipment) => boolean = () => true,
): Page<ShipmentRecord> {
	const { fromMs, beforeMs } = dayRange(request.createdFrom, request.createdTo);
	const search = request.search?.trim().toLowerCase();
	const carrierCodes = request.carrierCodes?.length ? new Set(request.carrierCodes) : null;
	const matching = context.database.shipments.filter(
		(shipment) =>
			shipment.createdMs >= fromMs &&
			shipment.createdMs < beforeMs &&
			isListed(shipment, context) &&
			(!carrierCodes || carrierCodes.has(shipment.carrierCode)) &&
			(request.cod !== true || isCod(shipment)) &&
			(request.onlyMaster !== true || shipment.id === shipment.mainId) &&
			(request.orderId === undefined || shipment.input.orderId === request.orderId) &&
			(!search || searchText(shipment).includes(search)) &&
			isSelected(shipment),
	);
	const length = Math.min(request.length ?? 100, context.habits.maxPageLength ?? Infinity);
	const show = (shipment: StoredShipment) => record(shipment, context);
	return pageOf(matching.reverse(), { ...request, length }, show);
}

function searchText({ packageNumberCarrier, input }: StoredShipment): string {
	const { packageNumberCustom, recName, recCompany, recEmail } = input;
	const texts = [packageNumberCarrier, packageNumberCustom, recName, recCompany, recEmail];
	return texts.join('\n').toLowerCase();
}

export function isCod(shipment: StoredShipment): boolean {
	return shipment.input.cod === true || Number(shipment.input.codPrice) > 0;
}

// NotPicked is the only documented value: the carrier has not picked up the shipment yet.
export function hasStatus(
	shipment: StoredShipment,
	wanted: string,
	context: ShipmentContext,
): boolean {
	const { name, category } = statusOf(shipment, context);
	if (wanted === 'NotPicked') return category === 'Created' || category === 'Ordered';
	return [name, category].some((value) => value.toLowerCase() === wanted.toLowerCase());
}

export function statusOf(
	shipment: StoredShipment,
	context: TrackingContext,
	events = visibleEvents(shipment, context),
) {
	const last = events.at(-1);
	return { code: last?.code ?? '', name: last?.name ?? '', category: last?.category ?? '' };
}

/** Whether the carrier has the data of the shipment. */
export function isSubmitted(
	shipment: StoredShipment,
	context: TrackingContext,
	status = statusOf(shipment, context),
): boolean {
	return shipment.submittedMs !== null || status.category !== 'Created';
}

export function canBeCanceled(
	shipment: StoredShipment,
	context: TrackingContext,
	status = statusOf(shipment, context),
): boolean {
	const isWaiting = ['Created', 'Ordered'].includes(status.category);
	return shipment.canceledMs === null && shipment.submittedMs === null && isWaiting;
}

function record(shipment: StoredShipment, context: ShipmentContext): ShipmentRecord {
	const full = detail(shipment, context);
	const documented = {
		id: shipment.id,
		carrierCode: shipment.carrierCode,
		carrierName: context.database.carrier(shipment.carrierCode)?.name ?? '',
		// These fields are not nullable in the list. Without cash on delivery they are empty.
		codCurrency: full.codCurrency ?? '',
		codPrice: full.codPrice ?? 0,
		canCancel: full.canCancel ?? false,
		canceled: full.canceled ?? false,
	};
	if (context.habits.listRecords === 'documented') return documented;
	return { ...full, created: localTimestamp(shipment.createdMs), ...documented } as ShipmentRecord;
}

export function shipmentDetail(
	carrierCode: string,
	id: number,
	context: ShipmentContext,
): ShipmentDetail[] {
	const shipment = context.database.shipment(id);
	if (!shipment || shipment.carrierCode !== carrierCode) {
		throw new ServiceError(404, `Carrier ${carrierCode} has no shipment with id ${id}`);
	}
	if (id !== shipment.mainId) throw new ServiceError(404, `${id} is a piece of ${shipment.mainId}`);
	return context.database.pieces(shipment.id).map((piece) => detail(piece, context));
}

/** In the order of the contract. */
const detailFields =
	`id packageNumberCarrier packageNumberCustom packageNumberOrder serviceType orderId
	reference reference2 note weight price branchId branchName codPrice codCurrency creditCard bankCode
	bankName bankAccountNumber bankAccountName vs iban swift exchangeOrder smsNotification insurancePrice
	insuranceCurrency authentication authenticationName authenticationId recName recCompany recStreet
	recCity recZip recCountry recPhone recEmail coverEnabled coverName coverCompany coverStreet coverCity
	coverZip coverCountry coverPhone coverEmail senderEnabled senderName senderCompany senderStreet
	senderCity senderZip senderCountry senderPhone senderEmail canceled delivered canCancel
	submittedCarrier printed printable editable trackable inTransit deliveryType isReturn
	readyForPickupDays trackingUrl status`.split(/\s+/) as Array<keyof ShipmentDetail>;

/** Without a value, a field is null, or empty if it is about the recipient. */
const emptyDetail = Object.fromEntries(
	detailFields.map((field) => [field, field.startsWith('rec') ? '' : null]),
);
const asSent = detailFields.filter((field) =>
	/^(packageNumberCustom|orderId|reference|price|branchId|vs|insurance.+|(rec|cover|sender)[A-Z].+)$/.test(
		field,
	),
) as Array<keyof ShipmentDetail & keyof ShipmentCreation>;

function detail(shipment: StoredShipment, context: ShipmentContext): ShipmentDetail {
	const { input } = shipment;
	const events = visibleEvents(shipment, context);
	const status = statusOf(shipment, context, events);
	const canceled = shipment.canceledMs !== null || events.some((event) => event.canceled);
	const branches = context.database.service(shipment.serviceType)?.service.branches;
	const cod = isCod(shipment);
	const sent: Record<string, unknown> = {};
	for (const field of asSent) if (input[field] !== undefined) sent[field] = input[field];
	return {
		...emptyDetail,
		...sent,
		id: shipment.id,
		packageNumberCarrier: numberOf(shipment, context),
		packageNumberOrder: shipment.pieceIndex + 1,
		serviceType: shipment.serviceType,
		weight: input.weight ?? 1,
		branchName: branches?.find((branch) => branch.id === input.branchId)?.name ?? null,
		codPrice: cod ? (input.codPrice ?? null) : null,
		codCurrency: cod ? (input.codCurrency ?? null) : null,
		creditCard: false,
		exchangeOrder: false,
		smsNotification: input.smsNotification ?? false,
		coverEnabled: usesAddress(input, 'cover'),
		senderEnabled: usesAddress(input, 'sender'),
		canceled,
		delivered: events.some((event) => event.delivered),
		canCancel: canBeCanceled(shipment, context, status),
		submittedCarrier: isSubmitted(shipment, context, status),
		printed: shipment.printed,
		printable: !canceled,
		editable: !canceled && status.category === 'Created',
		trackable: true,
		inTransit: !canceled && status.category.startsWith('Transit'),
		deliveryType: branches ? 'Branch' : 'Home',
		isReturn: false,
		readyForPickupDays: branches ? 7 : null,
		trackingUrl: context.addresses.ofTracking(shipment.packageNumberCarrier),
		status,
	};
}
