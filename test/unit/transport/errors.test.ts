import {
	isTransient,
	mayHaveActed,
	readNetworkError,
} from '../../../nodes/ParcelShipping/transport/errors';

const read = (thrown: unknown) =>
	readNetworkError(thrown, 'POST /Package/Create', 'api.example.com');

test.each([
	{
		codes: ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
		...{ mayHaveActed: false, isTransient: true },
	},
	{
		codes: [
			...['ETIMEDOUT', 'ECONNABORTED', 'ESOCKETTIMEDOUT', 'ECONNRESET', 'EPIPE', 'EPROTO'],
			...['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'HPE_INVALID_CONSTANT', 'Z_DATA_ERROR'],
		],
		...{ mayHaveActed: true, isTransient: true },
	},
	{
		codes: [
			...['CERT_HAS_EXPIRED', 'SELF_SIGNED_CERT_IN_CHAIN', 'ERR_SSL_WRONG_VERSION_NUMBER'],
			...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_INVALID_CHAR', 'ERR_INVALID_HTTP_TOKEN'],
			...['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'],
		],
		...{ mayHaveActed: false, isTransient: false },
	},
	// The user has stopped the workflow.
	{ codes: ['ERR_CANCELED'], mayHaveActed: true, isTransient: false },
])('what a network error means for the request: %j', ({ codes, ...expected }) => {
	for (const code of codes) {
		for (const thrown of [{ code }, { cause: { code } }, { httpCode: code }]) {
			const { facts } = read(thrown);
			const found = { mayHaveActed: facts.mayHaveActed, isTransient: isTransient(facts) };
			expect({ code, ...found }).toEqual({ code, ...expected });
		}
	}
});

test('a request that n8n does not send was not carried out, any other error may come after it', () => {
	expect(mayHaveActed(read(new Error('Domain not allowed')))).toBe(false);
	expect(mayHaveActed(new Error('Cannot read properties of undefined'))).toBe(true);
});
