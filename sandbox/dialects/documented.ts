import { mapValues, omitBy } from 'lodash';
import type { FindShipmentsRequest, ShipmentCreation } from '../../contract/types.generated';
import type { Database, StoredShipment } from '../domain/database';
import { isCod, isSubmitted, type ShipmentContext, statusOf } from '../domain/shipments';
import { visibleEvents } from '../domain/tracking';
import { ServiceError, WrongCredential } from '../domain/validation';
import type { OperationId } from '../http/contract';
import type { RouteName } from '../http/request';
import type { Dialect, DialectContext, DialectResponse, Json } from './dialect';
import { writeBatch, writeDetail, writeEvents, writeRecord, writeRow } from './documentedRecords';

/** What the guide and the client of a provider show beyond the interface document. */
export const documentedDialect: Dialect = {
	missing: { createShipments: 405, getShipment: 404 },
	signIn: { tokenField: 'authToken', headerName: 'X-Auth-Token', requiredFields: ['language'] },
	ignoresTrailingSlash: true,
	withoutExtras: 405,
	refusesUnknownNumbers: true,
	headers: (correlationId) => ({ 'x-correlation-id': correlationId }),

	readInput: (name, input, database) => ({
		...input,
		carrierCode: input.carrierCode.toUpperCase(),
		serviceType: input.serviceType.toUpperCase(),
		body: readBody(name, input.body, database) as never,
	}),
	isSelected,
	validate,

	respond(name, result, context) {
		const response = writeResponse(name, result, context);
		const { correlationId } = context;
		return { ...response, json: { ...response.json, correlationId } };
	},
	fail: failure,
};

function validate({ packageNumberCustom, vs }: ShipmentCreation): string[] {
	const isValid = /^[0-9A-Za-z\-/_]{1,30}$/.test(packageNumberCustom);
	return [
		...(isValid ? [] : ['package.packagenumbercustom.invalid']),
		...(vs === undefined || /^\d*$/.test(vs) ? [] : ['vs must contain digits only']),
	];
}

function writeResponse(
	name: OperationId,
	response: Json,
	context: DialectContext,
): DialectResponse {
	const result = response['result'];
	const rows = Array.isArray(result) ? (result as Json[]) : [];
	const respond = (written: unknown, ...errors: Json[]): DialectResponse => ({
		status: errors.length > 0 && result !== false ? 400 : 200,
		json: { ...response, result: written, errors },
	});
	const refusedSome = (what: string, isRefused: (row: Json) => boolean) =>
		rows.some(isRefused) ? [envelopeError(400, `Some packages were not ${what}`)] : [];
	switch (name) {
		case 'createShipments':
		case 'createShipmentsOfCarrier':
			return respond(
				rows.map((row, index) => writeRow(row, index, context)),
				...refusedSome('created', ({ statusCode }) => statusCode !== 200),
			);
		case 'findShipments':
			return respond(writePage(result as Json, (record) => writeRecord(record, context)));
		case 'getShipment':
		case 'getShipmentShort': {
			const details = rows.map((detail) => writeDetail(detail, context));
			return respond(details.length === 1 ? details[0] : details);
		}
		case 'trackShipments':
			return respond(rows.map((row) => writeTracking(row, context)));
		case 'cancelShipments':
			return respond(rows, ...refusedSome('canceled', ({ successfull }) => !successfull));
		case 'findPrinters':
			return respond(writePage(result as Json, writePrinter));
		case 'findBatches':
			return respond(writePage(result as Json, (batch) => writeBatch(batch, context)));
		case 'getBatch':
			return respond(writeBatch(result as Json, context));
		case 'findCarriers':
			return respond(rows.map(writeCarrier));
		case 'sendToPrinter':
			if (result === true) return respond(true);
			return respond(false, envelopeError(1020, 'The printer refused the job'));
		default:
			return respond(result);
	}
}

function writePage(page: Json, write: (record: Json) => Json): Json {
	return { ...page, data: (page['data'] as Json[]).map(write) };
}

const writeCarrier = (carrier: Json): Json =>
	carrier['activated'] === null ? { ...carrier, status: 'WaitingActivation' } : carrier;

function writePrinter(printer: Json): Json {
	return { ...printer, printerStatus: printer['printerStatus'] === 'Offline' ? 0 : 1 };
}

function writeTracking(row: Json, context: DialectContext): Json {
	const number = String(row['packageNumberCarrier']);
	if (row['statusCode'] === 404) throw new ServiceError(400, 'Entity not found', [], number);
	return { ...row, events: writeEvents(row['events'] as Json[], number, context) };
}

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

function readBody(name: OperationId, body: unknown, database: Database): unknown {
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

function isSelected(
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

function envelopeError(errorCode: number, message: string, reference?: string): Json {
	return { errorCode, message, reference: reference ?? null };
}

/** Several forms: the provider's envelope, ASP.NET's ProblemDetails, and empty bodies. */
function failure(
	error: ServiceError,
	name: RouteName | null,
	correlationId: string,
	id: number,
): DialectResponse {
	const { status, message, errors, reference } = error;
	const enveloped = (text: string, about?: string): DialectResponse => ({
		status,
		json: { result: null, errors: [envelopeError(status, text, about)], correlationId },
	});
	if (error instanceof WrongCredential) {
		return enveloped(error.isMissing ? 'Token missing' : 'Invalid token');
	}
	// The header has the correlation id.
	if (status === 403 || status === 405 || status > 500) return { status };
	if (status === 429) return enveloped('Too many requests, wait until the next interval');
	if (name === null) return { status, json: problemDetails(status, 'Not Found') };
	if (status === 400 && errors.length > 0) {
		const title = 'One or more validation errors occurred.';
		return { status, json: problemDetails(status, title, byField(errors)) };
	}
	if (name === 'printLabels') {
		return { status: 200, json: { ...enveloped(message, reference).json, result: [] } };
	}
	if (status === 404) {
		return enveloped('Entity not found', reference ?? (Number.isNaN(id) ? undefined : String(id)));
	}
	return enveloped(message, reference);
}

function problemDetails(status: number, title: string, errors?: Record<string, string[]>): Json {
	const type = 'https://tools.ietf.org/html/rfc9110#section-15.5.1';
	const traceId = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00';
	return { type, title, status, ...(errors ? { errors } : {}), traceId };
}

/** `/0/price must be number` becomes `{ "[0].price": ["must be number"] }`. */
function byField(errors: string[]): Record<string, string[]> {
	const fields: Record<string, string[]> = {};
	for (const error of errors) {
		const [, path = '', text = error] = /^(\S+) (.+)$/.exec(error) ?? [];
		const field = path.replace(/^\//, '').replace(/(^|\/)(\d+)(?=\/|$)/g, '[$2]');
		(fields[field.replaceAll('/', '.') || '$'] ??= []).push(text);
	}
	return fields;
}
