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
import { knownCarrier, listCarriers, listServices } from '../domain/carriers';
import { createBatch } from '../domain/creation';
import { printLabels, sendToPrinter } from '../domain/printing';
import { ServiceError } from '../domain/service-error';
import { findShipments, shipmentDetail } from '../domain/shipments';
import { track } from '../domain/tracking';
import type { OperationId } from './contract-check';
import { exchange } from './exchange';
import { contextOf, type ServiceState } from './state';

interface Asked {
	body: unknown;
	/** From the path. */
	carrierCode: string;
	id: number;
	type: string;
}

type Operation = (asked: Asked, state: ServiceState) => object;

/** What each operation answers, apart from the correlation id. */
const operations: Record<OperationId, Operation> = {
	createShipments: ({ body }, state) => create(body, null, state),
	createShipmentsOfCarrier: ({ body, carrierCode }, state) =>
		create(body, knownCarrier(carrierCode, state.books).code, state),
	findShipments: ({ body }, state) => ({
		result: findShipments(body as FindShipmentsRequest, contextOf(state)),
	}),
	getShipment: ({ carrierCode, id }, state) => readShipment(carrierCode, id, state),
	getShipmentShort: ({ carrierCode, id }, state) => readShipment(carrierCode, id, state),
	trackShipments: ({ body, carrierCode }, state) => {
		const carrier = knownCarrier(carrierCode, state.books);
		return { result: track((body as TrackRequest).packages, carrier.code, contextOf(state)) };
	},
	findBatches: ({ body }, state) => ({
		result: findBatches(body as FindBatchesRequest, contextOf(state)),
	}),
	getBatch: ({ id }, state) => ({ result: batchDetail(id, contextOf(state)) }),
	findCarriers: (_asked, state) => ({ result: listCarriers(state.books) }),
	findServices: ({ body }, state) => ({
		result: listServices((body as FindServicesRequest).carrierCode, state.books),
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
	knownCarrier(carrierCode, state.books);
	return { result: shipmentDetail(carrierCode, id, contextOf(state)) };
}

export function operationRoutes(app: FastifyInstance, state: ServiceState): void {
	for (const [name, operation] of Object.entries(operations) as Array<[OperationId, Operation]>) {
		const { method, path, body, answer } = state.contract[name];
		const checkAnswer = (json: unknown) =>
			name === 'trackShipments' && state.books.hasAddedEvents ? [] : answer(json);
		app.route({
			method,
			url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
			config: { routeName: name },
			handler: (request, reply) =>
				exchange(name, request, reply, state, { credential: true, checkAnswer }, () => {
					const problems = method === 'POST' ? body(request.body) : [];
					if (problems.length > 0) {
						const message = `The request breaks the contract: ${problems.join('; ')}`;
						throw new ServiceError(400, message, problems);
					}
					const asked = askedBy(request.params, request.query, request.body);
					return operation(asked, state) as Record<string, unknown>;
				}),
		});
	}
}

function askedBy(params: unknown, query: unknown, body: unknown): Asked {
	const { carrier_code: carrierCode = '', id } = params as Record<string, string | undefined>;
	if (id !== undefined && !/^\d+$/.test(id)) {
		throw new ServiceError(400, `The id in the path must be a whole number, not "${id}"`);
	}
	const { type } = query as Record<string, unknown>;
	return { body, carrierCode, id: Number(id), type: typeof type === 'string' ? type : '' };
}
