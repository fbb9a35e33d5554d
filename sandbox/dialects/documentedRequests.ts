import type { FindShipmentsRequest, ShipmentCreation } from '../contract.generated';
import type { StoredShipment } from '../domain/database';
import { isCod, isSubmitted, type ShipmentContext, statusOf } from '../domain/shipments';
import { visibleEvents } from '../domain/tracking';
import { ServiceError } from '../domain/validation';
import type { Json } from './dialect';

/** Codes are compared without case. An address counts only with its flag. */
export function readCreation(input: ShipmentCreation): ShipmentCreation {
	const ignored = [
		...(input.senderEnabled === true ? [] : ['sender']),
		...(input.coverEnabled === true ? [] : ['cover']),
	];
	const used = Object.entries(input).filter(
		([field]) => !ignored.some((prefix) => new RegExp(`^${prefix}[A-Z]`).test(field)),
	);
	const codes = ['serviceType', 'recCountry', 'senderCountry', 'coverCountry', 'codCurrency'];
	return Object.fromEntries(
		used.map(([field, value]) => [
			field,
			codes.includes(field) && typeof value === 'string' ? value.toUpperCase() : value,
		]),
	) as ShipmentCreation;
}

/** onlyMaster is true unless sent. Status is left to `isSelected`, which knows more names. */
export function readFilter(name: 'findShipments' | 'findBatches', body: Json): Json {
	const codes = body['carrierCodes'];
	const filter = {
		...body,
		...(Array.isArray(codes)
			? { carrierCodes: codes.map((code) => String(code).toUpperCase()) }
			: {}),
	};
	if (name === 'findBatches') return filter;
	const status = body['status'];
	if (status && !(String(status) in statusFilters)) {
		const problem = `/status The value '${String(status)}' is not valid.`;
		throw new ServiceError(400, problem, [problem]);
	}
	return { onlyMaster: true, ...filter };
}

type Filter = (shipment: StoredShipment, context: ShipmentContext) => boolean;

const isDelivered: Filter = (shipment, context) =>
	visibleEvents(shipment, context).some(({ delivered }) => delivered);

const statusFilters: Record<string, Filter> = {
	Printed: ({ printed }) => printed,
	NotPrinted: ({ printed }) => !printed,
	Delivered: isDelivered,
	NotDelivered: (shipment, context) => !isDelivered(shipment, context),
	Submitted: isSubmitted,
	NotSubmitted: (shipment, context) => !isSubmitted(shipment, context),
	Deleted: ({ canceledMs }) => canceledMs !== null,
	NotPicked: (shipment, context) =>
		['Created', 'Ordered'].includes(statusOf(shipment, context).category),
};

export function isSelected(
	shipment: StoredShipment,
	request: FindShipmentsRequest,
	context: ShipmentContext,
): boolean {
	const { cod, status, packageNumberCustom, packageNumberCarrier } = request;
	return (
		(cod !== false || !isCod(shipment)) &&
		(!packageNumberCustom || shipment.input.packageNumberCustom === packageNumberCustom) &&
		(!packageNumberCarrier || shipment.packageNumberCarrier === packageNumberCarrier) &&
		(!status || (statusFilters[status]?.(shipment, context) ?? false))
	);
}
