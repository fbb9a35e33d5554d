import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../domain/validation';
import type { ServiceState } from './state';

/** A response before it is sent. Label files use `file` instead of `json`. */
export interface ServiceResponse {
	status: number;
	json?: Record<string, unknown>;
	file?: { content: Buffer | NodeJS.ReadableStream; headers: Record<string, string | number> };
	headers?: Record<string, string>;
}

export function tooManyRequests(): ServiceError {
	return new ServiceError(429, 'Too many requests');
}

/** The response to a request that failed, in the dialect of the service. */
export function errorResponse(
	error: unknown,
	request: FastifyRequest,
	{ dialect }: ServiceState,
): ServiceResponse {
	const { operationId, correlationId } = request.recorded;
	const rejection =
		error instanceof ServiceError
			? error
			: new ServiceError(500, `The sandbox failed: ${String(error)}`);
	const { id } = request.params as { id?: string };
	return dialect.fail(rejection, operationId, correlationId, Number(id));
}

export function send(reply: FastifyReply, response: ServiceResponse): FastifyReply {
	void reply.code(response.status).headers(response.headers ?? {});
	if (response.file) return reply.headers(response.file.headers).send(response.file.content);
	return reply.send(response.json);
}
