import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendFaultResponse } from './faultResponses';
import type { FaultQueue } from './faults';
import { renderFile } from './renderFile';
import { errorResponse, send, type ServiceResponse } from './responses';
import { rejectEarly, type Route, runRoute } from './routes';
import type { ServiceState } from './state';

export interface ServerState extends ServiceState {
	readonly faults: FaultQueue;
}

export function addRoutes(app: FastifyInstance, routes: Route[], state: ServerState): void {
	for (const route of routes) {
		const { name, method, url } = route;
		const options = {
			method,
			config: { routeName: name },
			handler: (request: FastifyRequest, reply: FastifyReply) =>
				handleRequest(route, request, reply, state),
		};
		app.route({ ...options, url });
		if (state.dialect.ignoresTrailingSlash && url.endsWith('/')) {
			app.route({ ...options, url: url.slice(0, -1) });
		}
	}
}

/** Handles one request: latency, rate limit, credential, faults, the operation itself. */
async function handleRequest(
	route: Route,
	request: FastifyRequest,
	reply: FastifyReply,
	state: ServerState,
): Promise<FastifyReply> {
	if (state.options.latencyMs) await sleep(state.options.latencyMs);
	const rejection = rejectEarly(route, request, state);
	if (rejection) return send(reply, rejection);

	const { faults } = state;
	const latencies = faults.take(route.name, 'latency', request.body);
	for (const latency of latencies) await sleep(latency.ms ?? 1000);
	const [fault] = faults.take(route.name, 'other', request.body);
	if (fault?.when === 'before') return await sendFaultResponse(fault, request, reply, state, null);

	const response = await respond(route, request, state);
	if (fault) return await sendFaultResponse(fault, request, reply, state, response);
	return send(reply, response);
}

async function respond(
	route: Route,
	request: FastifyRequest,
	state: ServiceState,
): Promise<ServiceResponse> {
	const { file, ...response } = runRoute(route, request, state);
	try {
		return file ? { ...response, file: await renderFile(file, state) } : response;
	} catch (error) {
		return errorResponse(error, request, state);
	}
}
