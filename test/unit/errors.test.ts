import {
	describeError,
	mayHaveActed,
	readNetworkError,
	ServiceError,
} from '../../nodes/ParcelShipping/transport/errors';

const read = (thrown: unknown) =>
	readNetworkError(thrown, 'POST /Package/Create', 'api.example.com');

test.each<[mayHaveBeenCarriedOut: boolean, isTransient: boolean, codes: string[]]>([
	[false, true, ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']],
	[true, true, ['ETIMEDOUT', 'ECONNABORTED', 'ESOCKETTIMEDOUT', 'ECONNRESET', 'EPIPE']],
	[false, false, ['CERT_HAS_EXPIRED', 'SELF_SIGNED_CERT_IN_CHAIN', 'EPROTO']],
	// The user has stopped the workflow.
	[true, false, ['ERR_CANCELED']],
])('a request may have been carried out (%s) and is repeated (%s) after %j', (...given) => {
	const [mayHaveBeenCarriedOut, isTransient, codes] = given;
	for (const code of codes) {
		for (const thrown of [{ code }, { cause: { code } }, { httpCode: code }]) {
			const { facts } = read(thrown);
			expect([code, facts.mayHaveActed]).toEqual([code, mayHaveBeenCarriedOut]);
			expect(facts.isTransient === true).toBe(isTransient);
		}
	}
});

test('a request that n8n does not send was not carried out, any other error may come after it', () => {
	expect(mayHaveActed(read(new Error('Domain not allowed')))).toBe(false);
	expect(mayHaveActed(new Error('Cannot read properties of undefined'))).toBe(true);
});

test('a failed item has what the support of the service asks for', () => {
	const facts = { endpoint: 'POST /Package/Create', correlationId: 'c-1', status: 500 };
	const { details } = describeError(
		new ServiceError({ ...facts, message: 'No', description: '', mayHaveActed: true }),
	);
	const { status: statusCode, ...others } = facts;
	expect(details).toEqual({ ...others, statusCode });
});
