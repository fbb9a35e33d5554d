import type { ShipmentCreation } from '../contract.generated';
import { ServiceError } from '../domain/validation';
import type { OperationId } from '../http/contract';
import type { Dialect, DialectContext, DialectResponse, Json } from './dialect';
import { envelopeError, failure } from './documentedErrors';
import { writeEvents } from './documentedEvents';
import { readCreation, readFilter, isSelected } from './documentedRequests';
import { writeBatch, writeDetail, writeRecord, writeRow } from './documentedShipments';

/**
 * What the guide and the client of a service show beyond the interface document:
 * - Envelopes with `errors`, even if the request succeeded, and the correlation id in a header, too.
 * - POST /Package/Create and GET /{carrier}/{id}/Detail do not exist.
 * - Rows of a creation or cancellation with HTTP 400 as soon as one of them is refused.
 * - One unknown number makes a whole request for tracking or canceling fail.
 */
export const documentedDialect: Dialect = {
	missing: { createShipments: 405, getShipment: 404 },
	signIn: { tokenField: 'authToken', headerName: 'X-Auth-Token', requiredFields: ['language'] },
	ignoresTrailingSlash: true,
	withoutExtras: 405,
	refusesUnknownNumbers: true,
	firstPieceIndex: 1,
	headers: (correlationId) => ({ 'x-correlation-id': correlationId }),

	readInput(name, input) {
		const upper = {
			...input,
			carrierCode: input.carrierCode.toUpperCase(),
			serviceType: input.serviceType.toUpperCase(),
		};
		return { ...upper, body: readBody(name, input.body) };
	},
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

function readBody(name: OperationId, body: unknown): unknown {
	switch (name) {
		case 'createShipments':
		case 'createShipmentsOfCarrier':
			return (body as ShipmentCreation[]).map(readCreation);
		case 'findShipments':
		case 'findBatches':
			return readFilter(name, body as Json);
		case 'findHandOvers': {
			const { carrierCode = [] } = body as { carrierCode?: string[] };
			return { ...(body as Json), carrierCode: carrierCode.map((code) => code.toUpperCase()) };
		}
		case 'findPickupPoints': {
			const filter = body as Json;
			const { serviceType } = filter;
			return serviceType ? { ...filter, serviceType: String(serviceType).toUpperCase() } : filter;
		}
		case 'findServices':
			return { carrierCode: String((body as Json)['carrierCode']).toUpperCase() };
		default:
			return body;
	}
}

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
	const ok = (written: unknown): DialectResponse => ({
		status: 200,
		json: { ...response, result: written, errors: [] },
	});
	const rows = Array.isArray(result) ? (result as Json[]) : [];
	switch (name) {
		case 'createShipments':
		case 'createShipmentsOfCarrier': {
			const written = rows.map((row, index) => writeRow(row, index, context));
			if (rows.every(({ statusCode }) => statusCode === 200)) return ok(written);
			const errors = [envelopeError(400, 'Some packages were not created')];
			return { status: 400, json: { ...response, result: written, errors } };
		}
		case 'findShipments':
			return ok(writePage(result as Json, (record) => writeRecord(record, context)));
		case 'getShipment':
		case 'getShipmentShort': {
			const details = rows.map((detail) => writeDetail(detail, context));
			return ok(details.length === 1 ? details[0] : details);
		}
		case 'trackShipments':
			return ok(rows.map((row) => writeTracking(row, context)));
		case 'cancelShipments': {
			if (rows.every(({ successfull }) => successfull)) return ok(rows);
			const errors = [envelopeError(400, 'Some packages were not canceled')];
			return { status: 400, json: { ...response, errors } };
		}
		case 'findPrinters': {
			const { data, total } = result as { data: Json[]; total: number };
			return ok({ data: data.map(writePrinter), total });
		}
		case 'findBatches':
			return ok(writePage(result as Json, (batch) => writeBatch(batch, context)));
		case 'getBatch':
			return ok(writeBatch(result as Json, context));
		case 'findCarriers':
			return ok(
				rows.map((carrier) => {
					const isWaiting = context.database.carrier(String(carrier['code']))?.isWaiting;
					const waits = isWaiting && carrier['activated'] === null;
					return waits ? { ...carrier, status: 'WaitingActivation' } : carrier;
				}),
			);
		case 'sendToPrinter': {
			if (result === true) return ok(true);
			const errors = [envelopeError(1020, 'The printer refused the job')];
			return { status: 200, json: { result, errors } };
		}
		default:
			return ok(result);
	}
}

function writePage(page: Json, write: (record: Json) => Json): Json {
	return { ...page, data: (page['data'] as Json[]).map(write) };
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
