import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../domain/validation';
import { authenticate } from './authentication';
import { sendFaultResponse } from './faultResponses';
import type { RouteName } from './requestLog';
import type { ServiceState } from './state';

/** A response before it is sent. Label files use `file` instead of `json`. */
export interface ServiceResponse {
	status: number;
	json?: Record<string, unknown>;
	file?: { content: Buffer | NodeJS.ReadableStream; headers: Record<string, string | number> };
	headers?: Record<string, string>;
}

type Operation = () =>
	| Record<string, unknown>
	| ServiceResponse['file']
	| Promise<ServiceResponse['file']>;

interface HandlerOptions {
	needsCredential: boolean;
	/** Returns the contract violations of a response body. */
	checkResponse?: (body: unknown) => string[];
	isFile?: boolean;
}

/**
 * Handles one request: latency, rate limit, credential, faults, the operation itself, contract
 * check, correlation id.
 */
export async function handleRequest(
	name: RouteName,
	request: FastifyRequest,
	reply: FastifyReply,
	state: ServiceState,
	options: HandlerOptions,
	operation: Operation,
): Promise<FastifyReply> {
	const { correlationId } = request.recorded;
	if (state.options.latencyMs) await sleep(state.options.latencyMs);
	const rejection = rejectEarly(request, state, options, correlationId);
	if (rejection) return send(reply, rejection);

	for (const latency of state.faults.take(name, 'latency', request.body))
		await sleep(latency.ms ?? 1000);
	const [fault] = state.faults.take(name, 'other', request.body);
	if (fault?.when === 'before') return await sendFaultResponse(fault, request, reply, null);

	const response = await runOperation(operation, options, correlationId);
	if (fault) return await sendFaultResponse(fault, request, reply, response);
	return send(reply, response);
}

function rejectEarly(
	request: FastifyRequest,
	state: ServiceState,
	options: HandlerOptions,
	correlationId: string,
): ServiceResponse | null {
	if (state.rateLimit?.take() === false) {
		const { retryAfterSeconds } = state.rateLimit.settings;
		return {
			status: 429,
			json: { correlationId, message: 'Too many requests' },
			...(retryAfterSeconds === undefined
				? {}
				: { headers: { 'retry-after': String(retryAfterSeconds) } }),
		};
	}
	try {
		if (options.needsCredential) authenticate(request, state);
		return null;
	} catch (error) {
		return errorResponse(error, correlationId);
	}
}

async function runOperation(
	operation: Operation,
	options: HandlerOptions,
	correlationId: string,
): Promise<ServiceResponse> {
	try {
		const result = await operation();
		if (options.isFile) {
			return { status: 200, file: result as NonNullable<ServiceResponse['file']> };
		}
		const json = { ...(result as Record<string, unknown>), correlationId };
		const problems = options.checkResponse?.(json) ?? [];
		if (problems.length === 0) return { status: 200, json };
		throw new ServiceError(500, "The sandbox's own response violates the contract", problems);
	} catch (error) {
		return errorResponse(error, correlationId);
	}
}

/** The error envelope of the service. */
export function errorResponse(error: unknown, correlationId: string): ServiceResponse {
	const { status, message, errors } =
		error instanceof ServiceError
			? error
			: { status: 500, message: `The sandbox failed: ${String(error)}`, errors: [] };
	return { status, json: { correlationId, message, errors } };
}

export function send(reply: FastifyReply, response: ServiceResponse): FastifyReply {
	void reply.code(response.status).headers(response.headers ?? {});
	if (response.file) return reply.headers(response.file.headers).send(response.file.content);
	return reply.send(response.json);
}
