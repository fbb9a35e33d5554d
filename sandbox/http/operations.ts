import type {
	CancelRequest,
	FindBatchesRequest,
	FindHandOversRequest,
	FindPickupPointsRequest,
	FindServicesRequest,
	FindShipmentsRequest,
	HandOverRequest,
	PrintLabelsRequest,
	SendToPrinterRequest,
	ShipmentCreation,
	TrackRequest,
} from '../contract.generated';
import type { Json, OperationInput } from '../dialects/dialect';
import { batchDetail, findBatches } from '../domain/batches';
import {
	listCarriers,
	listServiceAddons,
	listServiceCountries,
	listServices,
	requireCarrier,
} from '../domain/carriers';
import { localTimestamp } from '../domain/clock';
import { createBatch } from '../domain/creation';
import { cancelShipments, findHandOvers, handOverShipments } from '../domain/handOver';
import { findPickupPoints } from '../domain/pickupPoints';
import { listPrinters, printLabels, sendToPrinter } from '../domain/printing';
import { findShipments, shipmentDetail } from '../domain/shipments';
import { refusePoison, track } from '../domain/tracking';
import { ServiceError } from '../domain/validation';
import type { OperationId } from './contract';
import { leaveOut } from './leaveOut';
import type { ServiceRequest } from './requestLog';
import type { ServiceResponse } from './responses';
import { contextOf, type ServiceState } from './state';

type Operation = (input: OperationInput, state: ServiceState) => object;

/** The response of each operation, without the correlation id. */
const operations: Record<OperationId, Operation> = {
	createShipments: ({ body }, state) => create(body, null, state),
	createShipmentsOfCarrier: ({ body, carrierCode }, state) =>
		create(body, requireCarrier(carrierCode, state.database).code, state),
	findShipments: ({ body }, state) => ({
		result: listShipments(body as FindShipmentsRequest, state),
	}),
	getShipment: ({ carrierCode, id }, state) => readShipment(carrierCode, id, state),
	getShipmentShort: ({ carrierCode, id }, state) => readShipment(carrierCode, id, state),
	trackShipments: ({ body, carrierCode }, state) => {
		const carrier = requireCarrier(carrierCode, state.database);
		const { packages } = body as TrackRequest;
		refusePoison(packages, state.database);
		return { result: track(packages, carrier.code, contextOf(state)) };
	},
	cancelShipments: ({ body, carrierCode }, state) => {
		const { code } = requireCarrier(carrierCode, state.database);
		const { packages } = body as CancelRequest;
		const { refusesUnknownNumbers } = state.dialect;
		return { result: cancelShipments(packages, code, contextOf(state), refusesUnknownNumbers) };
	},
	handOverShipments: ({ body, carrierCode }, state) => {
		const { code } = requireCarrier(carrierCode, state.database);
		return { result: handOverShipments(body as HandOverRequest, code, handOverContext(state)) };
	},
	findHandOvers: ({ body }, state) => {
		const filter = body as FindHandOversRequest;
		const request = state.options.ignoresCarrierFilter ? { ...filter, carrierCode: [] } : filter;
		return { result: findHandOvers(request, handOverContext(state)) };
	},
	findPickupPoints: ({ body, carrierCode }, state) => ({
		result: findPickupPoints(body as FindPickupPointsRequest, carrierCode, state.database),
	}),
	findServiceCountries: ({ carrierCode, serviceType }, { database }) => ({
		result: listServiceCountries(carrierCode, serviceType, database),
	}),
	findServiceAddons: ({ carrierCode, serviceType }, { database }) => ({
		result: listServiceAddons(carrierCode, serviceType, database),
	}),
	findPrinters: (_input, state) => {
		const data = listPrinters(state.database);
		return { result: { data, total: data.length } };
	},
	findBatches: ({ body }, state) => ({
		result: findBatches(body as FindBatchesRequest, contextOf(state)),
	}),
	getBatch: ({ id }, state) => ({ result: batchDetail(id, contextOf(state)) }),
	findCarriers: (_input, state) => ({ result: listCarriers(state.database) }),
	findServices: ({ body }, state) => ({
		result: listServices((body as FindServicesRequest).carrierCode, state.database),
	}),
	printLabels: ({ body, type }, state) => {
		if (type !== 'pdf' && type !== 'zpl') {
			throw new ServiceError(400, `Query parameter type must be pdf or zpl, not "${type}"`);
		}
		return { result: printLabels(body as PrintLabelsRequest, type, contextOf(state)) };
	},
	sendToPrinter: ({ body }, state) => ({
		result: sendToPrinter(body as SendToPrinterRequest, contextOf(state)),
	}),
};

const handOverContext = (state: ServiceState) => ({
	...contextOf(state),
	countsPieces: state.options.handOverCountsPieces === true,
});

function create(body: unknown, carrierInPath: string | null, state: ServiceState): object {
	const { firstPieceIndex, validate } = state.dialect;
	const context = { ...contextOf(state), firstPieceIndex, carrierInPath, validate };
	return createBatch(body as ShipmentCreation[], context);
}

function listShipments(filter: FindShipmentsRequest, state: ServiceState): object {
	const context = contextOf(state);
	const { ignoresCarrierFilter, listsOnlyMain } = state.options;
	const request = {
		...filter,
		...(ignoresCarrierFilter ? { carrierCodes: [] } : {}),
		...(listsOnlyMain ? { onlyMaster: true } : {}),
	};
	return findShipments(request, context, (shipment) =>
		state.dialect.isSelected(shipment, request, context),
	);
}

function readShipment(carrierCode: string, id: number, state: ServiceState): object {
	requireCarrier(carrierCode, state.database);
	const pieces = shipmentDetail(carrierCode, id, contextOf(state));
	return { result: state.options.detailsWithoutPieces ? pieces.slice(0, 1) : pieces };
}

/** Carries out an operation, unless this service lacks it or the request violates the contract. */
export function runOperation(
	name: OperationId,
	request: ServiceRequest,
	state: ServiceState,
): ServiceResponse<never> {
	const { method, path, body, response: checkResponse } = state.contract[name];
	const missing = state.missing[name];
	if (missing) throw new ServiceError(missing, `There is no endpoint ${method} ${path}`);
	const problems = method === 'POST' ? body(request.body) : [];
	if (problems.length > 0) {
		const message = `The request violates the contract: ${problems.join('; ')}`;
		throw new ServiceError(400, message, problems);
	}
	const { dialect, log, options } = state;
	const input = dialect.readInput(name, readInput(request));
	const response = dialect.respond(name, operations[name](input, state) as Json, {
		...contextOf(state),
		requestCount: log.requests.length,
		correlationId: request.recorded.correlationId,
	});
	if (response.json) leaveOut(name, response.json, options);
	const isExempt = name === 'trackShipments' && state.database.hasAddedEvents;
	const violations = isExempt || options.uncheckedResponses ? [] : checkResponse(response.json);
	if (violations.length === 0) return response;
	const message = `The sandbox's own response violates the contract: ${violations.join('; ')}`;
	throw new ServiceError(500, message, violations);
}

function readInput({ params, query, body }: ServiceRequest): OperationInput {
	const { carrier_code: carrierCode = '', id } = params as Record<string, string | undefined>;
	if (id !== undefined && !/^\d+$/.test(id)) {
		throw new ServiceError(400, `The id in the path must be a whole number, not "${id}"`);
	}
	const { type, serviceType } = query as Record<string, unknown>;
	const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
	return {
		body,
		carrierCode,
		id: Number(id),
		type: textOf(type),
		serviceType: textOf(serviceType),
	};
}

export function signIn(request: ServiceRequest, state: ServiceState): ServiceResponse<never> {
	const { settings } = state.sessions;
	const body = (request.body ?? {}) as Record<string, unknown>;
	const missing = (settings.requiredFields ?? []).filter((field) => !body[field]);
	if (missing.length > 0) {
		const problems = missing.map((field) => `/${field} The ${field} field is required.`);
		throw new ServiceError(400, `Missing: ${missing.join(', ')}`, problems);
	}
	const isValid =
		body[settings.userField] === settings.username &&
		body[settings.passwordField] === settings.password;
	if (!isValid) throw new ServiceError(401, 'The user name or password is wrong');
	const { token, expiresMs } = state.sessions.open();
	const nested = nestValue(settings.tokenField.split('.'), token);
	const expires = localTimestamp(expiresMs);
	const { correlationId } = request.recorded;
	return { status: 200, json: state.dialect.signedIn(nested, expires, correlationId) };
}

function nestValue(path: string[], value: string): Record<string, unknown> {
	const [first = 'token', ...rest] = path;
	return { [first]: rest.length > 0 ? nestValue(rest, value) : value };
}
