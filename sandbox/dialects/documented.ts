import type { ShipmentCreation } from '../../contract/types.generated';
import { ServiceError } from '../domain/validation';
import type { OperationId } from '../http/contract';
import type { Dialect, DialectContext, DialectResponse, Json } from './dialect';
import { envelopeError, failure } from './documentedErrors';
import { writeEvents } from './documentedEvents';
import { isSelected, readBody } from './documentedRequests';
import { writeBatch, writeDetail, writeRecord, writeRow } from './documentedShipments';

/**
 * What the guide and the client of a service show beyond the interface document:
 * - Envelopes with `errors`, even if the request succeeded, and the correlation id in a header, too.
 * - POST /Package/Create and GET /{carrier}/{id}/Detail do not exist.
 * - One carrier reads piecesCount, and not pieceCount.
 * - Rows of a creation or cancellation with HTTP 400 as soon as one of them is refused.
 * - One unknown number makes a whole request for tracking or canceling fail.
 */
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
	signedIn: (token, expiresIn, correlationId) =>
		'result' in token
			? { result: { ...(token['result'] as Json), expiresIn }, errors: [], correlationId }
			: { ...token, expiresIn },
};

function validate({ packageNumberCustom, vs }: ShipmentCreation): string[] {
	return [
		...(/^[0-9A-Za-z\-/_]{1,30}$/.test(packageNumberCustom)
			? []
			: ['package.packagenumbercustom.invalid']),
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
	const refusedSome = (isRefused: boolean, what: string) =>
		isRefused ? [envelopeError(400, `Some packages were not ${what}`)] : [];
	switch (name) {
		case 'createShipments':
		case 'createShipmentsOfCarrier': {
			const isRefused = rows.some(({ statusCode }) => statusCode !== 200);
			const written = rows.map((row, index) => writeRow(row, index, context));
			return respond(written, ...refusedSome(isRefused, 'created'));
		}
		case 'findShipments':
			return respond(writePage(result as Json, (record) => writeRecord(record, context)));
		case 'getShipment':
		case 'getShipmentShort': {
			const details = rows.map((detail) => writeDetail(detail, context));
			return respond(details.length === 1 ? details[0] : details);
		}
		case 'trackShipments':
			return respond(rows.map((row) => writeTracking(row, context)));
		case 'cancelShipments': {
			const isRefused = rows.some(({ successfull }) => !successfull);
			return respond(rows, ...refusedSome(isRefused, 'canceled'));
		}
		case 'findPrinters':
			return respond(writePage(result as Json, writePrinter));
		case 'findBatches':
			return respond(writePage(result as Json, (batch) => writeBatch(batch, context)));
		case 'getBatch':
			return respond(writeBatch(result as Json, context));
		case 'findCarriers':
			return respond(rows.map((carrier) => writeCarrier(carrier, context)));
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

function writeCarrier(carrier: Json, { database }: DialectContext): Json {
	const isWaiting = database.carrier(String(carrier['code']))?.isWaiting;
	const waits = isWaiting && carrier['activated'] === null;
	return waits ? { ...carrier, status: 'WaitingActivation' } : carrier;
}

/** The status as a number. */
function writePrinter(printer: Json): Json {
	return { ...printer, printerStatus: printer['printerStatus'] === 'Offline' ? 0 : 1 };
}

function writeTracking(row: Json, context: DialectContext): Json {
	const number = String(row['packageNumberCarrier']);
	if (row['statusCode'] === 404) throw new ServiceError(400, 'Entity not found', [], number);
	return { ...row, events: writeEvents(row['events'] as Json[], number, context) };
}
