import { mapValues, omitBy } from 'lodash';
import type { FindShipmentsRequest } from '../../contract/types.generated';
import type { Database, StoredShipment } from '../domain/database';
import { isCod, isSubmitted, type ShipmentContext, statusOf } from '../domain/shipments';
import { visibleEvents } from '../domain/tracking';
import { ServiceError } from '../domain/validation';
import type { OperationId } from '../http/contract';
import type { Json } from './dialect';

const codes = /^(carrierCodes?|serviceType|codCurrency|\w+Country)$/;

function upperCase(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(upperCase);
	return typeof value === 'string' ? value.toUpperCase() : value;
}

/** Codes are compared without case. */
function readCodes(body: Json): Json {
	return mapValues(body, (value, field) => (codes.test(field) ? upperCase(value) : value));
}

/** An address counts only with its flag. */
function readCreation(input: Json, database: Database): Json {
	const creation = readCodes(input);
	const { piecesCount, serviceType } = creation;
	const carrier = database.service(String(serviceType))?.carrier;
	if (carrier?.readsPiecesCount) Object.assign(creation, { pieceCount: piecesCount ?? 1 });
	return omitBy(creation, (_value, field) => {
		const [, address] = /^(sender|cover)[A-Z]/.exec(field) ?? [];
		return address !== undefined && input[`${address}Enabled`] !== true;
	});
}

/** onlyMaster is true unless sent. Status is left to `isSelected`, which knows more names. */
function readFilter({ status, ...filter }: Json): Json {
	if (status && !(String(status) in statusFilters)) {
		const problem = `/status The value '${String(status)}' is not valid.`;
		throw new ServiceError(400, problem, [problem]);
	}
	return { onlyMaster: true, ...readCodes(filter), status };
}

export function readBody(name: OperationId, body: unknown, database: Database): unknown {
	if (body === undefined) return body;
	if (Array.isArray(body)) return (body as Json[]).map((each) => readCreation(each, database));
	return name === 'findShipments' ? readFilter(body as Json) : readCodes(body as Json);
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
