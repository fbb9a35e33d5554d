// The service documents two addresses for some requests, and may have only one of them.

/** The words of servers and gateways for an address that leads nowhere. */
const GENERIC = /^\W*(404|405)?\W*(the )?(requested )?(page|resource)?\s*(was )?not found\W*$/i;
const NAMES_ADDRESS = /\b(route|endpoint|url|uri|http resource)\b/i;
const NAMES_METHOD = /\b(GET|POST) ?[:/]/;

/**
 * Whether nothing is at the address for certain, so that nothing was done. A 404 alone does not say
 * that: the service also answers 404 if the request names a record that does not exist.
 */
export function isMissingEndpoint(
	status: number,
	text: string,
	body: unknown,
	serviceMessage: string | undefined,
): boolean {
	if (status !== 404 && status !== 405) return false;
	// It may be an answer that was cut off.
	if (body === undefined && /^\s*[[{]/.test(text)) return false;
	if (Array.isArray(body) || hasResult(body)) return false;
	if (status === 405 || serviceMessage === undefined) return true;
	return (
		GENERIC.test(serviceMessage) ||
		NAMES_ADDRESS.test(serviceMessage) ||
		NAMES_METHOD.test(serviceMessage)
	);
}

/** Whether an answer contains a result, whatever its status is. */
export function hasResult(body: unknown): boolean {
	const { result } = (body ?? {}) as { result?: unknown };
	return typeof result === 'object' && result !== null && Object.keys(result).length > 0;
}
