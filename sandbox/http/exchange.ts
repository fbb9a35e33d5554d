import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../domain/service-error';
import { playFault } from './fault-play';
import type { RouteName } from './request-log';
import { authenticate } from './sign-in';
import type { ServiceState } from './state';

/** An answer before it is sent; `file` instead of `json` for label files. */
export interface Outcome {
	status: number;
	json?: Record<string, unknown>;
	file?: { content: Buffer | NodeJS.ReadableStream; headers: Record<string, string | number> };
	headers?: Record<string, string>;
}

type Work = () => Record<string, unknown> | Outcome['file'] | Promise<Outcome['file']>;

interface Conditions {
	credential: boolean;
	/** What the answer must satisfy. */
	checkAnswer?: (answer: unknown) => string[];
	isFile?: boolean;
}

/**
 * One request and its answer, whatever happens in between: rate limit, latency, credential, faults,
 * the work itself, the contract, the correlation id.
 */
export async function exchange(
	name: RouteName,
	request: FastifyRequest,
	reply: FastifyReply,
	state: ServiceState,
	conditions: Conditions,
	work: Work,
): Promise<FastifyReply> {
	const { correlationId } = request.recorded;
	if (state.options.latencyMs) await sleep(state.options.latencyMs);
	const refusal = refusalBeforeWork(request, state, conditions, correlationId);
	if (refusal) return send(reply, refusal);

	for (const latency of state.faults.take(name, 'latency')) await sleep(latency.ms ?? 1000);
	const [fault] = state.faults.take(name, 'other');
	if (fault?.when === 'before') return await playFault(fault, request, reply, null);

	const outcome = await doWork(work, conditions, correlationId);
	if (fault) return await playFault(fault, request, reply, outcome);
	return send(reply, outcome);
}

function refusalBeforeWork(
	request: FastifyRequest,
	state: ServiceState,
	conditions: Conditions,
	correlationId: string,
): Outcome | null {
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
		if (conditions.credential) authenticate(request, state);
		return null;
	} catch (error) {
		return failureOutcome(error, correlationId);
	}
}

async function doWork(work: Work, conditions: Conditions, correlationId: string): Promise<Outcome> {
	try {
		const done = await work();
		if (conditions.isFile) return { status: 200, file: done as NonNullable<Outcome['file']> };
		const json = { ...(done as Record<string, unknown>), correlationId };
		const problems = conditions.checkAnswer?.(json) ?? [];
		if (problems.length === 0) return { status: 200, json };
		throw new ServiceError(500, "The sandbox's own answer breaks the contract", problems);
	} catch (error) {
		return failureOutcome(error, correlationId);
	}
}

/** The service's error envelope. */
export function failureOutcome(error: unknown, correlationId: string): Outcome {
	const { status, message, errors } =
		error instanceof ServiceError
			? error
			: { status: 500, message: `The sandbox failed: ${String(error)}`, errors: [] };
	return { status, json: { correlationId, message, errors } };
}

export function send(reply: FastifyReply, outcome: Outcome): FastifyReply {
	void reply.code(outcome.status).headers(outcome.headers ?? {});
	if (outcome.file) return reply.headers(outcome.file.headers).send(outcome.file.content);
	return reply.send(outcome.json);
}
