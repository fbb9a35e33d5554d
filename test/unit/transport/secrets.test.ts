import {
	type ParcelShippingCredential,
	Secrets,
} from '../../../nodes/ParcelShipping/transport/credential';

const secretsOf = (credential: Partial<ParcelShippingCredential>) =>
	new Secrets({ baseUrl: '', authentication: 'header', ...credential });

const KEY = 'Live/key+7f3a9c21e04b';
const withKey = secretsOf({ headerValue: KEY });

test.each<[string, Partial<ParcelShippingCredential>, text: string, redacted: string]>([
	['as it is', { headerValue: KEY }, `Unknown ${KEY}.`, 'Unknown ***'],
	['in lower case', { headerValue: KEY }, `Unknown ${KEY.toLowerCase()}`, 'Unknown ***'],
	['URL-encoded', { headerValue: KEY }, `?k=${encodeURIComponent(KEY)}&x=1`, '?k=***&x=1'],
	['URL-encoded with a space', { password: 'two words' }, 'p=two%20words', 'p=***'],
	['in JSON', { password: 'a"b\\c' }, String.raw`{"p":"a\"b\\c"}`, '{"p":"***"}'],
	['encoded as in a form', { password: 'two words' }, 'p=two+words', 'p=***'],
	['cut off by the provider', { headerValue: KEY }, `Key ${KEY.slice(0, 15)}…`, 'Key ***…'],
	['after a word in the header', { headerValue: ' Token abc123 ' }, 'Wrong: abc123', 'Wrong: ***'],
	['with spaces around it', { queryValue: 'q-secret\n' }, 'Wrong: q-secret', 'Wrong: ***'],
	[
		'that begins with another one',
		{ authentication: 'signIn', password: 'shop-k3y', signInFields: { key: 'shop-k3y-9f8e7d6c' } },
		'Invalid shop-k3y-9f8e7d6c',
		'Invalid ***',
	],
	[
		'that is the user',
		{ authentication: 'basic', username: 'shop-k3y' },
		'Unknown user shop-k3y',
		'Unknown user ***',
	],
	[
		'as basic authentication sends it',
		{ authentication: 'basic', username: 'shop', password: 'p4ss' },
		'Basic c2hvcDpwNHNz',
		'Basic ***',
	],
])('a secret %s is in no message', (_, credential, text, redacted) => {
	expect(secretsOf(credential).redact(text)).toBe(redacted);
});

test('what is no secret stays in a message', () => {
	const basic = { authentication: 'basic', username: 'shop-k3y', password: 'p4ssword' } as const;
	expect(secretsOf(basic).redact('Unknown user shop-k3y')).toBe('Unknown user shop-k3y');
	const fields = { branch: 2026, company: 'ANT-CZ1', key: 'k-123456' };
	const signIn = secretsOf({ authentication: 'signIn', signInFields: fields });
	expect(signIn.redact('Order 20260057 of ANT-CZ1 is invalid for k-123456')).toBe(
		'Order 20260057 of ANT-CZ1 is invalid for ***',
	);
});

test('a secret is in no text, list or name of a value', () => {
	const value = { errors: [{ message: `No ${KEY}`, code: 5 }], [KEY]: null };
	expect(withKey.redact(value)).toEqual({ errors: [{ message: 'No ***', code: 5 }], '***': null });
});

test('the data of an item keeps what a short secret or one of digits only could be', () => {
	const credential = { queryValue: '1234567890', password: 'Brno' };
	const data = { packageNumberCarrier: '9912345678901', recCity: 'Brno' };
	expect(secretsOf(credential).redactData(data)).toBe(data);
	expect(withKey.redactData({ note: `Key ${KEY}` })).toEqual({ note: 'Key ***' });
});

const query = secretsOf({ authentication: 'query', queryValue: KEY });

test.each<[address: string, expected: string | undefined]>([
	['https://files.example.net/1?x=%20', 'https://files.example.net/1?x=%20'],
	[
		`https://files.example.net/1?apiKey=${encodeURIComponent(KEY)}&x=%20`,
		'https://files.example.net/1?x=+',
	],
	// At another name, in lower case, and inside another value.
	[
		`https://files.example.net/1?a=${encodeURIComponent(KEY.toLowerCase())}&b=_${encodeURIComponent(KEY)}_&x=1`,
		'https://files.example.net/1?x=1',
	],
	[`https://files.example.net/${encodeURIComponent(KEY)}/1.pdf`, undefined],
	[`https://files.example.net/1.pdf#${KEY}`, undefined],
	[`https://${encodeURIComponent(KEY)}@files.example.net/1.pdf`, undefined],
])('another origin that %s leads to gets no secret', (address, expected) => {
	expect(query.withoutSecret(address)).toBe(expected);
});

test('a link in the data of an item loses the parameter with the secret, and nothing else', () => {
	const labelUrl = `https://api.example.com/labels/1.pdf?apiKey=${encodeURIComponent(KEY)}&type=pdf`;
	expect(query.redactData({ labelUrl })).toEqual({
		labelUrl: 'https://api.example.com/labels/1.pdf?type=pdf',
	});
});
