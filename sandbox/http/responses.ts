import type { FastifyReply } from 'fastify';
import { ServiceError } from '../domain/validation';
import type { ServiceRequest } from './requestLog';
import type { ServiceState } from './state';

export interface RenderedFile {
	content: Buffer | NodeJS.ReadableStream;
	headers: Record<string, string | number>;
}

/** A response before it is sent. Label files use `file` instead of `json`. */
export interface ServiceResponse<File = RenderedFile> {
	status: number;
	json?: Record<string, unknown>;
	file?: File;
	headers?: Record<string, string>;
}

export function tooManyRequests(): ServiceError {
	return new ServiceError(429, 'Too many requests');
}

/** The response to a request that failed, in the dialect of the service. */
export function errorResponse(
	error: unknown,
	request: ServiceRequest,
	{ dialect }: ServiceState,
): ServiceResponse<never> {
	const { operationId, correlationId } = request.recorded;
	const rejection =
		error instanceof ServiceError
			? error
			: new ServiceError(500, `The sandbox failed: ${String(error)}`);
	const { id } = request.params as { id?: string };
	return dialect.fail(rejection, operationId, correlationId, Number(id));
}

export function notFound(request: ServiceRequest, state: ServiceState): ServiceResponse<never> {
	const { method, path } = request.recorded;
	return errorResponse(
		new ServiceError(404, `Unknown endpoint: ${method} ${path}`),
		request,
		state,
	);
}

export function send(reply: FastifyReply, response: ServiceResponse): FastifyReply {
	void reply.code(response.status).headers(response.headers ?? {});
	if (response.file) return reply.headers(response.file.headers).send(response.file.content);
	return reply.send(response.json);
}
