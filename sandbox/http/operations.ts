import type { FastifyInstance } from 'fastify';
import type {
	FindBatchesRequest,
	FindServicesRequest,
	FindShipmentsRequest,
	PrintLabelsRequest,
	SendToPrinterRequest,
	ShipmentCreation,
	TrackRequest,
} from '../contract.generated';
import { batchDetail, findBatches } from '../domain/batches';
import { listCarriers, listServices, requireCarrier } from '../domain/carriers';
import { createBatch } from '../domain/creation';
import { printLabels, sendToPrinter } from '../domain/printing';
import { findShipments, shipmentDetail } from '../domain/shipments';
import { track } from '../domain/tracking';
import { ServiceError } from '../domain/validation';
import type { OperationId } from './contract';
import { handleRequest } from './handler';
import { contextOf, type ServiceState } from './state';

interface OperationInput {
	body: unknown;
	/** From the path. */
	carrierCode: string;
	id: number;
	type: string;
}

type Operation = (input: OperationInput, state: ServiceState) => object;

/** The response of each operation, without the correlation id. */
const operations: Record<OperationId, Operation> = {
	createShipments: ({ body }, state) => create(body, null, state),
	createShipmentsOfCarrier: ({ body, carrierCode }, state) =>
		create(body, requireCarrier(carrierCode, state.database).code, state),
	findShipments: ({ body }, state) => ({
		result: findShipments(body as FindShipmentsRequest, contextOf(state)),
	}),
	getShipment: ({ carrierCode, id }, state) => readShipment(carrierCode, id, state),
	getShipmentShort: ({ carrierCode, id }, state) => readShipment(carrierCode, id, state),
	trackShipments: ({ body, carrierCode }, state) => {
		const carrier = requireCarrier(carrierCode, state.database);
		return { result: track((body as TrackRequest).packages, carrier.code, contextOf(state)) };
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
	const firstPieceIndex = state.options.firstPieceIndex ?? 0;
	const context = { ...contextOf(state), firstPieceIndex, carrierInPath };
	return createBatch(body as ShipmentCreation[], context);
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
		app.route({
			method,
			url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
			config: { routeName: name },
			handler: (request, reply) =>
				handleRequest(name, request, reply, state, { needsCredential: true, checkResponse }, () => {
					const problems = method === 'POST' ? body(request.body) : [];
					if (problems.length > 0) {
						const message = `The request violates the contract: ${problems.join('; ')}`;
						throw new ServiceError(400, message, problems);
					}
					const input = readInput(request.params, request.query, request.body);
					return operation(input, state) as Record<string, unknown>;
				}),
		});
	}
}

function readInput(params: unknown, query: unknown, body: unknown): OperationInput {
	const { carrier_code: carrierCode = '', id } = params as Record<string, string | undefined>;
	if (id !== undefined && !/^\d+$/.test(id)) {
		throw new ServiceError(400, `The id in the path must be a whole number, not "${id}"`);
	}
	const { type } = query as Record<string, unknown>;
	return { body, carrierCode, id: Number(id), type: typeof type === 'string' ? type : '' };
}

export function signInRoute(app: FastifyInstance, state: ServiceState): void {
	const { settings } = state.sessions;
	app.post(settings.path, { config: { routeName: 'signIn' } }, (request, reply) =>
		handleRequest('signIn', request, reply, state, { needsCredential: false }, () => {
			const body = (request.body ?? {}) as Record<string, unknown>;
			const isValid =
				body[settings.userField] === settings.username &&
				body[settings.passwordField] === settings.password;
			if (!isValid) throw new ServiceError(401, 'The user name or password is wrong');
			return nestValue(settings.tokenField.split('.'), state.sessions.open());
		}),
	);
}

function nestValue(path: string[], value: string): Record<string, unknown> {
	const [first = 'token', ...rest] = path;
	return { [first]: rest.length > 0 ? nestValue(rest, value) : value };
}
