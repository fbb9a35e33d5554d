import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../domain/validation';
import { authenticate } from './authentication';
import { sendFaultResponse } from './faultResponses';
import type { RouteName } from './requestLog';
import { errorResponse, send, type ServiceResponse, tooManyRequests } from './responses';
import type { ServiceState } from './state';

type Operation = () => ServiceResponse | Promise<ServiceResponse>;

interface HandlerOptions {
	needsCredential: boolean;
	/** Returns the contract violations of a response body. */
	checkResponse?: (body: unknown) => string[];
}

/**
 * Handles one request: latency, rate limit, credential, faults, the operation itself, contract
 * check.
 */
export async function handleRequest(
	name: RouteName,
	request: FastifyRequest,
	reply: FastifyReply,
	state: ServiceState,
	options: HandlerOptions,
	operation: Operation,
): Promise<FastifyReply> {
	if (state.options.latencyMs) await sleep(state.options.latencyMs);
	const rejection = rejectEarly(request, state, options);
	if (rejection) return send(reply, rejection);

	const { faults } = state;
	const latencies = faults.take(name, 'latency', request.body);
	for (const latency of latencies) await sleep(latency.ms ?? 1000);
	const [fault] = faults.take(name, 'other', request.body);
	if (fault?.when === 'before') return await sendFaultResponse(fault, request, reply, state, null);

	const response = await runOperation(operation, options, request, state);
	if (fault) return await sendFaultResponse(fault, request, reply, state, response);
	return send(reply, response);
}

function rejectEarly(
	request: FastifyRequest,
	state: ServiceState,
	options: HandlerOptions,
): ServiceResponse | null {
	if (state.rateLimit?.take() === false) {
		const { retryAfterSeconds } = state.rateLimit.settings;
		const response = errorResponse(tooManyRequests(), request, state);
		return retryAfterSeconds === undefined
			? response
			: { ...response, headers: { 'retry-after': String(retryAfterSeconds) } };
	}
	try {
		if (options.needsCredential) authenticate(request, state);
		return null;
	} catch (error) {
		return errorResponse(error, request, state);
	}
}

async function runOperation(
	operation: Operation,
	options: HandlerOptions,
	request: FastifyRequest,
	state: ServiceState,
): Promise<ServiceResponse> {
	try {
		const response = await operation();
		const problems = options.checkResponse?.(response.json) ?? [];
		if (problems.length === 0) return response;
		const violations = problems.join('; ');
		const message = `The sandbox's own response violates the contract: ${violations}`;
		throw new ServiceError(500, message, problems);
	} catch (error) {
		return errorResponse(error, request, state);
	}
}
