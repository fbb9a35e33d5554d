import { type ServiceError, WrongCredential } from '../domain/validation';
import type { RouteName } from '../http/request';
import type { DialectResponse, Json } from './dialect';

export function envelopeError(errorCode: number, message: string, reference?: string): Json {
	return { errorCode, message, reference: reference ?? null };
}

/** Several forms: the service's envelope, ASP.NET's ProblemDetails, and empty bodies. */
export function failure(
	error: ServiceError,
	name: RouteName | null,
	correlationId: string,
	id: number,
): DialectResponse {
	const { status, message, errors, reference } = error;
	const enveloped = (text: string, about?: string): DialectResponse => ({
		status,
		json: { result: null, errors: [envelopeError(status, text, about)], correlationId },
	});
	if (error instanceof WrongCredential) {
		return enveloped(error.isMissing ? 'Token missing' : 'Invalid token');
	}
	// The header has the correlation id.
	if (status === 403 || status === 405 || status > 500) return { status };
	if (status === 429) return enveloped('Too many requests, wait until the next interval');
	if (name === null) return { status, json: problemDetails(status, 'Not Found', {}) };
	if (status === 400 && errors.length > 0) {
		return {
			status,
			json: problemDetails(status, 'One or more validation errors occurred.', byField(errors)),
		};
	}
	if (name === 'printLabels') {
		return { status: 200, json: { ...enveloped(message, reference).json, result: [] } };
	}
	if (status === 404) {
		return enveloped('Entity not found', reference ?? (Number.isNaN(id) ? undefined : String(id)));
	}
	return enveloped(message, reference);
}

function problemDetails(status: number, title: string, errors: Record<string, string[]>): Json {
	return {
		type: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
		title,
		status,
		...(Object.keys(errors).length > 0 ? { errors } : {}),
		traceId: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00',
	};
}

/** `/0/price must be number` becomes `{ "[0].price": ["must be number"] }`. */
function byField(errors: string[]): Record<string, string[]> {
	const fields: Record<string, string[]> = {};
	for (const error of errors) {
		const [, path = '', text = error] = /^(\S+) (.+)$/.exec(error) ?? [];
		const field = path.replace(/^\//, '').replace(/(^|\/)(\d+)(?=\/|$)/g, '[$2]');
		(fields[field.replaceAll('/', '.') || '$'] ??= []).push(text);
	}
	return fields;
}
