import {
	type ParcelShippingCredential,
	redactorOf,
} from '../../../nodes/ParcelShipping/transport/credential';

const redactorWith = (credential: Partial<ParcelShippingCredential>) =>
	redactorOf({ baseUrl: '', authentication: 'header', ...credential });

const KEY = 'Live/key+7f3a9c21e04b';

test.each<[string, Partial<ParcelShippingCredential>, text: string, redacted: string]>([
	['as it is', { headerValue: KEY }, `Unknown ${KEY}.`, 'Unknown ***'],
	['in lower case', { headerValue: KEY }, `Unknown ${KEY.toLowerCase()}`, 'Unknown ***'],
	['URL-encoded', { headerValue: KEY }, `?k=${encodeURIComponent(KEY)}&x=1`, '?k=***&x=1'],
	['in JSON', { password: 'a"b\\cde' }, String.raw`{"p":"a\"b\\cde"}`, '{"p":"***"}'],
	['encoded as in a form', { password: 'two words' }, 'p=two+words', 'p=***'],
	['cut off by the provider', { headerValue: KEY }, `Key ${KEY.slice(0, 15)}…`, 'Key ***…'],
	['after a word in the header', { headerValue: ' Token abc123 ' }, 'Wrong: abc123', 'Wrong: ***'],
	[
		'that begins with another one',
		{ authentication: 'signIn', password: 'shop k3y', signInFields: { key: 'shop k3y 9f8e7d6c' } },
		'Invalid shop k3y 9f8e7d6c',
		'Invalid ***',
	],
	['of digits', { token: '90210345671234567890' }, 'No 90210345671234567890.', 'No ***'],
	['that is the user', { username: 'shop-k3y' }, 'Unknown user shop-k3y', 'Unknown user ***'],
	[
		'as basic authentication sends it',
		{ authentication: 'basic', username: 'shop', password: 'p4ssw0rd' },
		'Basic c2hvcDpwNHNzdzByZA==',
		'Basic ***',
	],
])('a secret %s is in no text', (_, credential, text, redacted) => {
	expect(redactorWith(credential)(text)).toBe(redacted);
});

test('what is no secret, or could be a name, a city or a part of a tracking number, stays', () => {
	const basic = { authentication: 'basic', username: 'shop-k3y', password: 'p4ssword' } as const;
	expect(redactorWith(basic)('Unknown user shop-k3y')).toBe('Unknown user shop-k3y');
	const fields = { branch: 2026, company: 'ANT-CZ1', key: 'k-123456' };
	const signIn = redactorWith({ authentication: 'signIn', signInFields: fields });
	expect(signIn('Order 20260057 of ANT-CZ1 is invalid for k-123456')).toBe(
		'Order 20260057 of ANT-CZ1 is invalid for ***',
	);
	const data = { packageNumberCarrier: '9912345678901', recCity: 'Brno' };
	expect(redactorWith({ queryValue: '123456789', password: 'Brno' })(data)).toBe(data);
});

test('a secret is in no text, list or name of a value', () => {
	const value = { errors: [{ message: `No ${KEY}`, code: 5 }], [KEY]: null };
	const redacted = { errors: [{ message: 'No ***', code: 5 }], '***': null };
	expect(redactorWith({ headerValue: KEY })(value)).toEqual(redacted);
});
