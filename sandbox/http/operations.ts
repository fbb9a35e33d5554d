import { set } from 'lodash';
import type {
	FindHandOversRequest,
	FindShipmentsRequest,
	ShipmentCreation,
} from '../../contract/types.generated';
import type { Json, OperationInput } from '../dialects/dialect';
import { batchDetail, findBatches } from '../domain/batches';
import * as carriers from '../domain/carriers';
import { createBatch, duplicateErrors } from '../domain/creation';
import { cancelShipments, findHandOvers, handOverShipments } from '../domain/handOver';
import { listPrinters, printLabels, sendToPrinter } from '../domain/printing';
import { findShipments, type ShipmentContext, shipmentDetail } from '../domain/shipments';
import { refusePoison, track } from '../domain/tracking';
import { ServiceError } from '../domain/validation';
import type { OperationId } from './contract';
import { leaveOut } from './leaveOut';
import type { RecordedRequest, ServiceResponse } from './request';
import { contextOf, type ServiceState } from './state';

type Operation = (input: OperationInput, state: ServiceState, context: ShipmentContext) => unknown;

/** The result of each operation, and the whole response of a creation. */
const operations: Record<OperationId, Operation> = {
	createShipments: ({ body }, state, context) => create(body, null, state, context),
	createShipmentsOfCarrier: ({ body, carrierCode }, state, context) =>
		create(body, carrierCode, state, context),
	findShipments: ({ body }, { options, dialect }, context) => {
		const request: FindShipmentsRequest = {
			...(body as FindShipmentsRequest),
			...(options.ignoresCarrierFilter ? { carrierCodes: [] } : {}),
			...(options.listsOnlyMain ? { onlyMaster: true } : {}),
		};
		return findShipments(request, context, (each) => dialect.isSelected(each, request, context));
	},
	getShipment: readShipment,
	getShipmentShort: readShipment,
	trackShipments: ({ body, carrierCode }, { database }, context) => {
		refusePoison(body, database);
		return track(body, carrierCode, context);
	},
	cancelShipments: ({ body, carrierCode }, { dialect }, context) =>
		cancelShipments(body, carrierCode, context, dialect.refusesUnknownNumbers),
	handOverShipments: ({ body, carrierCode }, _state, context) =>
		handOverShipments(body, carrierCode, context),
	findHandOvers: ({ body }, { options }, context) => {
		const filter = body as FindHandOversRequest;
		const request = options.ignoresCarrierFilter ? { ...filter, carrierCode: [] } : filter;
		return findHandOvers(request, context);
	},
	findPickupPoints: ({ body, carrierCode }, { database }) =>
		carriers.findPickupPoints(body, carrierCode, database),
	findServiceAddons: ({ carrierCode, serviceType }, { database }) =>
		carriers.listServiceAddons(carrierCode, serviceType, database),
	findPrinters: (_input, { database }) => {
		const data = listPrinters(database);
		return { data, total: data.length };
	},
	getAccount: (_input, { database }) => database.seed.account,
	findBatches: ({ body }, _state, context) => findBatches(body, context),
	getBatch: ({ id }, _state, context) => batchDetail(id, context),
	findCarriers: (_input, { database }) => carriers.listCarriers(database),
	findServices: ({ body }, { database }) => carriers.listServices(body, database),
	printLabels: ({ body, type }, _state, context) => printLabels(body, type, context),
	sendToPrinter: ({ body }, _state, context) => sendToPrinter(body, context),
};

function readShipment(
	{ carrierCode, id }: OperationInput,
	{ options }: ServiceState,
	context: ShipmentContext,
): object {
	const pieces = shipmentDetail(carrierCode, id, context);
	return options.detailsWithoutPieces ? pieces.slice(0, 1) : pieces;
}

function create(
	inputs: ShipmentCreation[],
	carrierCode: string | null,
	{ dialect, options: { refusesDuplicates } }: ServiceState,
	context: ShipmentContext,
): object {
	const duplicatesOf = (input: ShipmentCreation) =>
		refusesDuplicates ? duplicateErrors(input, context) : [];
	const [message] = refusesDuplicates === 'request' ? inputs.flatMap(duplicatesOf) : [];
	if (message) throw new ServiceError(400, message);
	const validate = (input: ShipmentCreation) => [
		...dialect.validate(input),
		...duplicatesOf(input),
	];
	return createBatch(inputs, carrierCode, validate, context);
}

export function runOperation(
	name: OperationId,
	request: RecordedRequest,
	params: Record<string, string>,
	state: ServiceState,
): ServiceResponse {
	const { method, path, body, response: checkResponse } = state.contract[name];
	const missing = state.missing[name];
	if (missing) throw new ServiceError(missing, `There is no endpoint ${method} ${path}`);
	const problems = method === 'POST' ? body(request.body) : [];
	if (problems.length > 0) {
		const message = `The request violates the contract: ${problems.join('; ')}`;
		throw new ServiceError(400, message, problems);
	}
	const { database, dialect, requests, options } = state;
	const context = contextOf(state);
	const input = dialect.readInput(name, readInput(request, params), database);
	if (path.includes('{carrier_code}')) carriers.requireCarrier(input.carrierCode, database);
	const result = operations[name](input, state, context);
	const envelope = (name.startsWith('createShipments') ? result : { result }) as Json;
	const response = dialect.respond(name, envelope, {
		...context,
		requestCount: requests.length,
		correlationId: request.correlationId,
	});
	if (response.json) leaveOut(name, response.json, options);
	const isExempt = name === 'trackShipments' && database.hasAddedEvents;
	const violations = isExempt ? [] : checkResponse(response.json);
	if (violations.length === 0) return response;
	const message = `The sandbox's own response violates the contract: ${violations.join('; ')}`;
	throw new ServiceError(500, message, violations);
}

function readInput(
	{ query, body }: RecordedRequest,
	params: Record<string, string>,
): OperationInput {
	const { carrier_code: carrierCode = '', id } = params;
	if (id !== undefined && !/^\d+$/.test(id)) {
		throw new ServiceError(400, `The id in the path must be a whole number, not "${id}"`);
	}
	const { type = '', serviceType = '' } = query;
	return { body: body as never, carrierCode, id: Number(id), type, serviceType };
}

export function signIn(
	request: RecordedRequest,
	_params: object,
	state: ServiceState,
): ServiceResponse {
	const { settings } = state.sessions;
	const body = (request.body ?? {}) as Record<string, unknown>;
	const missing = (settings.requiredFields ?? []).filter((field) => !body[field]);
	if (missing.length > 0) {
		const problems = missing.map((field) => `/${field} The ${field} field is required.`);
		throw new ServiceError(400, `Missing: ${missing.join(', ')}`, problems);
	}
	const isValid = body.email === settings.username && body.password === settings.password;
	if (!isValid) throw new ServiceError(401, 'The user name or password is wrong');
	const token = set({}, settings.tokenField, state.sessions.open());
	return { status: 200, json: { ...token, correlationId: request.correlationId } };
}
