import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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
import { handleRequest } from './handler';
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
		return { result: handOverShipments(body as HandOverRequest, code, contextOf(state)) };
	},
	findHandOvers: ({ body }, state) => ({
		result: findHandOvers(body as FindHandOversRequest, contextOf(state)),
	}),
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

function create(body: unknown, carrierInPath: string | null, state: ServiceState): object {
	const { options, dialect } = state;
	const firstPieceIndex = options.firstPieceIndex ?? dialect.firstPieceIndex;
	const validate = dialect.validate;
	const context = { ...contextOf(state), firstPieceIndex, carrierInPath, validate };
	return createBatch(body as ShipmentCreation[], context);
}

function listShipments(request: FindShipmentsRequest, state: ServiceState): object {
	const context = contextOf(state);
	return findShipments(request, context, (shipment) =>
		state.dialect.isSelected(shipment, request, context),
	);
}

function readShipment(carrierCode: string, id: number, state: ServiceState): object {
	requireCarrier(carrierCode, state.database);
	return { result: shipmentDetail(carrierCode, id, contextOf(state)) };
}

export function operationRoutes(app: FastifyInstance, state: ServiceState): void {
	for (const [name, operation] of Object.entries(operations) as Array<[OperationId, Operation]>) {
		const { method, path, body, response } = state.contract[name];
		const checkResponse = (json: unknown) =>
			name === 'trackShipments' && state.database.hasAddedEvents ? [] : response(json);
		const url = path.replaceAll(/\{(\w+)\}/g, ':$1');
		const route = {
			method,
			config: { routeName: name },
			handler: (request: FastifyRequest, reply: FastifyReply) =>
				handleRequest(name, request, reply, state, { needsCredential: true, checkResponse }, () => {
					const missing = state.missing[name];
					if (missing) throw new ServiceError(missing, `There is no endpoint ${method} ${path}`);
					const problems = method === 'POST' ? body(request.body) : [];
					if (problems.length > 0) {
						const message = `The request violates the contract: ${problems.join('; ')}`;
						throw new ServiceError(400, message, problems);
					}
					const { dialect, log } = state;
					const context = contextOf(state);
					const asSent = readInput(request.params, request.query, request.body);
					const input = dialect.readInput(name, asSent);
					const response = operation(input, state) as Json;
					return dialect.respond(name, response, {
						...context,
						requestCount: log.requests.length,
						correlationId: request.recorded.correlationId,
					});
				}),
		};
		app.route({ ...route, url });
		if (state.dialect.ignoresTrailingSlash && url.endsWith('/')) {
			app.route({ ...route, url: url.slice(0, -1) });
		}
	}
}

function readInput(params: unknown, query: unknown, body: unknown): OperationInput {
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

export function signInRoute(app: FastifyInstance, state: ServiceState): void {
	const { settings } = state.sessions;
	app.post(settings.path, { config: { routeName: 'signIn' } }, (request, reply) =>
		handleRequest('signIn', request, reply, state, { needsCredential: false }, () => {
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
		}),
	);
}

function nestValue(path: string[], value: string): Record<string, unknown> {
	const [first = 'token', ...rest] = path;
	return { [first]: rest.length > 0 ? nestValue(rest, value) : value };
}
