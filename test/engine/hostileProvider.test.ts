// A provider that is hostile or broken: whatever it sends, n8n goes on, an error says what is wrong, the secret stays, and
// nothing outside of the base path is requested.
import { startEngine } from '../support/engine';
import {
	drip,
	dripHeaders,
	type HostileProvider,
	type Reply,
	startHostileProvider,
} from '../support/hostileProvider';
import { creationForm, orderItem } from '../support/shop';

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { createClient } from '../../nodes/ParcelShipping/transport/client';
import type { ParcelShippingCredential } from '../../nodes/ParcelShipping/transport/credential';

const KEY = 'Live-key/7f3a9c21e04b+55';
const TOKEN = 'tkn7f3a9c21e04b55aa';
const MB = 1024 * 1024;

let provider: HostileProvider;
let elsewhere: HostileProvider;
beforeAll(async () => {
	provider = await startHostileProvider();
	elsewhere = await startHostileProvider();
});
beforeEach(() => {
	for (const each of [provider, elsewhere]) each.requests.length = 0;
});
afterAll(async () => {
	await provider.close();
	await elsewhere.close();
});

/** Without waiting, because a hostile provider never gets better. */
const account = () => ({ baseUrl: `${provider.origin}/api`, maxRetryWait: 0 });
const byHeader = () => ({
	...({ authentication: 'header', headerName: 'X-Key', headerValue: KEY } as const),
	...account(),
});
const byQuery = () => ({
	...({ authentication: 'query', queryName: 'apiKey', queryValue: KEY } as const),
	...account(),
});
const bySignIn = () => ({
	...({ authentication: 'signIn', username: 'shop', password: KEY, sessionToken: '' } as const),
	...{ signInPath: '/Account/Login', tokenHeaderName: 'Authorization' },
	...account(),
});

/** What no user understands, and no error should say. */
const INTERNAL =
	/Maximum call stack|Invalid array length|URI malformed|heap|undefined|\[object|is not a function|Cannot read/;

interface Outcome {
	items: IDataObject[];
	/** What failed items and the error of the run say. */
	errors: string[];
}

async function run(
	parameters: object,
	items: IDataObject[] = [{}],
	credential: ParcelShippingCredential = byHeader(),
): Promise<Outcome> {
	const engine = await startEngine(credential);
	const started = performance.now();
	const result = await engine.run({
		parameters: parameters as INodeParameters,
		items,
		onError: 'continueErrorOutput',
	});
	expect(performance.now() - started).toBeLessThan(20_000);
	const { error } = result;
	const errors = [
		...(error ? [`${error.message} ${error.description ?? ''}`] : []),
		...result.errorItems.map(({ json }) => `${String(json.error)} ${String(json.message)}`),
	];
	for (const each of errors) expect(each).not.toMatch(INTERNAL);
	const outputs = { ...result, saved: result.saved.resultData };
	for (const secret of [KEY, encodeURIComponent(KEY), TOKEN]) {
		expect(JSON.stringify(outputs).toLowerCase()).not.toContain(secret.toLowerCase());
	}
	expect(provider.requests.filter(({ url }) => !url.startsWith('/api/'))).toEqual([]);
	for (const { url, headers, body } of elsewhere.requests) {
		expect(JSON.stringify([url, headers, body])).not.toContain(KEY);
	}
	expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
	return { items: result.items.map(({ json }) => json), errors };
}

const ALL_SHIPMENTS = { resource: 'shipment', operation: 'getAll', returnAll: true };
const rows = (count = 100) =>
	Array.from({ length: count }, (_, index) => ({ id: index + 1, carrierCode: 'ANT' }));
const pageOf = (data: unknown, total: unknown = 1): Reply => ({
	body: JSON.stringify({ result: { data, total } }),
});
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const json = (value: unknown): Reply => ({ body: JSON.stringify(value) });
const echo = (said: string, status = 400): Reply => ({
	status,
	headers: { 'x-correlation-id': said },
	body: JSON.stringify({ errors: [{ message: `No: ${said}`, reference: said }] }),
});

test.each<[what: string, reply: Reply, error: RegExp]>([
	['a total of 100,000,000,000', pageOf(rows(), 1e11), /not a number of records/],
	['the same page again and again', pageOf(rows(), 1_000_000), /kept changing/],
	[
		'an ID of 1e400',
		{ body: '{"result":{"data":[{"id":1e400,"carrierCode":"A"}],"total":1}}' },
		/"id"/,
	],
	['5,000 levels of JSON', { body: `{"result":${nested(5_000)}}` }, /incomplete or unreadable/],
	['100,000 levels of JSON', { body: nested(100_000) }, /incomplete or unreadable/],
	['more than 50 megabytes', { body: Buffer.alloc(51 * MB, ' ') }, /larger than 50 MB/],
	[
		'a small file that unpacks to more than 50 megabytes',
		{ headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(51 * MB, ' ')) },
		/larger than 50 MB/,
	],
	[
		'something that cannot be unpacked',
		{ headers: { 'content-encoding': 'gzip' }, body: 'x' },
		/incomplete or unreadable/,
	],
	['a login page', { body: '<html><title>Sign in</title></html>' }, /web page instead of data/],
	['nothing', { status: 204 }, /incomplete or unreadable/],
	[
		'names that change objects',
		{ body: '{"__proto__":{"polluted":1},"result":{"__proto__":{"polluted":1}}}' },
		/"result" is not a page/,
	],
	['100,000 errors', { status: 400, body: JSON.stringify({ errors: rows(100_000) }) }, /provider/],
	['an error of 5,000 levels', { status: 400, body: `{"errors":${nested(5_000)}}` }, /refused/],
	[
		'190 errors in each other',
		{ status: 400, body: `${'{"errors":'.repeat(190)}"No"${'}'.repeat(190)}` },
		/The provider said: No/,
	],
	[
		'a redirect to another server',
		{ status: 302, headers: { location: 'https://other.test/' } },
		/redirects to https:\/\/other\.test/,
	],
	[
		'a pause of 10^400 seconds',
		{ status: 429, headers: { 'retry-after': '9'.repeat(400) } },
		/rate-limiting/,
	],
	['the secret in its message and its correlation ID', echo(KEY), /No: \*\*\*/],
	['the secret at the end of a long message', echo(`${'very '.repeat(97)} ${KEY}`), /No: very/],
	[
		'the secret as the name of a field',
		{ status: 400, body: JSON.stringify({ errors: { [KEY]: ['x'] } }) },
		/\*\*\*: x/,
	],
	[
		'the secret as a location',
		{ status: 302, headers: { location: `https://${KEY.slice(0, 8)}.test/${KEY}` } },
		/redirects/,
	],
])(
	'A list with %s is an error that says so',
	async (_, reply, error) => {
		provider.reply = () => reply;
		const { items, errors } = await run(ALL_SHIPMENTS);
		expect([items, errors]).toEqual([[], [expect.stringMatching(error)]]);
		expect(provider.requests.length).toBeLessThan(40);
	},
	60_000,
);

const within = async (
	work: (client: Awaited<ReturnType<typeof createClient>>) => Promise<unknown>,
) =>
	(await startEngine(byHeader())).within(async (context) =>
		work(await createClient(context, { timeoutMs: 300 })),
	);

test.each<[what: string, reply: Reply]>([
	['its body', drip('{"result":')],
	['its headers', dripHeaders],
])('A response that brings %s byte by byte ends with the time limit', async (_, reply) => {
	let isClosed = false;
	provider.reply = () => (response) => {
		response.on('close', () => (isClosed = true));
		(reply as (to: typeof response) => void)(response);
	};
	const started = performance.now();
	const reading = within(async (client) => client.carriers());
	await expect(reading).rejects.toThrow(/did not respond in time/);
	expect(performance.now() - started).toBeLessThan(5_000);
	await sleep(50);
	// A connection that stays open would keep what has come in memory.
	expect(isClosed).toBe(true);
});

test.each([
	...['..', '.', '../..', 'a/b', '%2e%2e', 'A?x=1', 'A#', 'A\\b', ' ', 'A\ud800', 'é'],
	'x'.repeat(101),
])('The carrier code %j leads nowhere, and is named', async (carrierCode) => {
	provider.reply = () => json({ result: [] });
	const form = { resource: 'pickupPoint', operation: 'getAll', carrierCode };
	const { errors } = await run(form);
	expect(errors).toEqual([expect.stringMatching(/carrier|Carrier/)]);
	expect(provider.requests).toEqual([]);
});

const TOKEN_ELSEWHERE: Array<[where: string, reply: Reply]> = [
	['a bare text', { body: TOKEN }],
	['message', json({ message: TOKEN })],
	['errors', json({ errors: [{ message: TOKEN }] })],
	['the name of a field', json({ [TOKEN]: true })],
	['the token as an object', json({ token: { value: TOKEN } })],
	['a header', { headers: { authorization: TOKEN }, body: '{}' }],
	['a page', { body: `<html><title>${TOKEN}</title>` }],
	['a redirect', { status: 302, headers: { location: `https://x.test/${TOKEN}` } }],
	['a 500', { status: 500, body: JSON.stringify({ message: `${TOKEN}-7f3a9c21` }) }],
	['a 400', { status: 400, body: JSON.stringify({ message: `Token ${TOKEN}-7f3a9c21` }) }],
	['a correlation ID', json({ correlationId: TOKEN })],
	['too much else', { body: `{"x":"${'x'.repeat(2 * MB)}","y":"${TOKEN}"}` }],
	['5,000 levels', { body: `${'{"a":'.repeat(5_000)}"${TOKEN}"${'}'.repeat(5_000)}` }],
];

test.each(TOKEN_ELSEWHERE)(
	'A sign-in with its token in %s is an error without it',
	async (_, reply) => {
		provider.reply = () => reply;
		const { errors } = await run(ALL_SHIPMENTS, [{}], bySignIn());
		expect(errors).toEqual([expect.stringMatching(/Sign-in|no token/)]);
		expect(provider.requests.length).toBeLessThan(3);
	},
);

test('The token of a session and the secret are in no output', async () => {
	provider.reply = ({ url }) => {
		if (url === '/api/Account/Login') return json({ token: TOKEN });
		const labelUrl = `${provider.origin}/api/labels/1.pdf?token=${TOKEN}&x=1`;
		return pageOf([{ id: 1, carrierCode: 'A', labelUrl, note: `For ${TOKEN}`, [TOKEN]: 1 }]);
	};
	const { items } = await run({ ...ALL_SHIPMENTS, simplify: false }, [{}], bySignIn());
	expect(items).toMatchObject([
		{ labelUrl: `${provider.origin}/api/labels/1.pdf?token=***&x=1`, note: 'For ***' },
	]);
});

/** Responds to the creation of an order whose number no shipment has. */
const respondToCreation =
	(created: object): HostileProvider['reply'] =>
	({ url }) => {
		if (url.endsWith('/Carrier/Find')) return json({ result: [{ code: 'ANT', status: 'Active' }] });
		if (url.endsWith('/Carrier/Services')) return json({ result: [{ code: 'ANT-HOME' }] });
		if (url.endsWith('/Package/Find')) return pageOf([], 0);
		return url.endsWith('/Create') ? json(created) : { status: 404 };
	};

test('The item of a refused order does not repeat the secret', async () => {
	const row = { statusCode: 400, packageNumberCustom: 'A1', carrierErrors: `No ${KEY} here` };
	provider.reply = respondToCreation({
		result: [row],
		errors: [{ message: `Hint for ${KEY}` }],
	});
	const { errors } = await run(creationForm(), [orderItem('A1')]);
	expect(errors).toEqual([expect.stringContaining('No *** here')]);
});

test('A response with a name that no text can be made of leaves the order unknown', async () => {
	const row = { statusCode: 200, packageNumberCustom: { toString: 1 }, id: 1 };
	provider.reply = respondToCreation({ result: [row] });
	const { errors } = await run(creationForm(), [orderItem('A1')]);
	expect(errors).toEqual([expect.stringContaining('Could not confirm whether')]);
});

const PDF = '%PDF-1.7 label %%EOF';
const at = (path: string) => () => `${elsewhere.origin}${path}`;
const encoded = encodeURIComponent(KEY);

/** Links to a label file. */
const LINKS: Array<[what: string, link: () => unknown, isSaved: boolean]> = [
	['to another server', at('/1.pdf'), true],
	['with the key in its query', at(`/1.pdf?apiKey=${encoded}`), false],
	['with the key in its path', at(`/${encoded}/1.pdf`), false],
	['with the key in its fragment', at(`/1.pdf#${encoded}`), false],
	['with the key as a user', () => `http://${encoded}@${elsewhere.origin.slice(7)}/1.pdf`, false],
	['with a user', () => `http://u:p@${elsewhere.origin.slice(7)}/1.pdf`, true],
	['to a file', () => 'file:///etc/passwd', false],
	['that is relative', () => '/labels/1.pdf', false],
	['that is null', () => null, false],
	['that is an object', () => ({ href: 'x' }), false],
	['of 100 kB', () => `http://files.test/${'a'.repeat(100_000)}`, false],
	['to a port that does not exist', () => 'http://127.0.0.1:99999/', false],
	['with half a character', () => `${elsewhere.origin}/\ud800.pdf`, true],
];

/** What the provider responds at the link, on its own server. */
const FILES: Array<[what: string, reply: () => Reply, isSaved: boolean]> = [
	['a PDF', () => ({ body: PDF }), true],
	['a redirect', () => redirect(`${elsewhere.origin}/1.pdf`), false],
	['an error with the key', () => echo(KEY, 500), false],
	['a refusal with the key', () => echo(KEY, 403), false],
	['a part', () => ({ status: 206, body: PDF }), false],
	['nothing to unpack', () => ({ headers: { 'content-encoding': 'gzip' }, body: 'x' }), false],
	[
		'a name that leaves its folder',
		() => ({ headers: { 'content-disposition': 'attachment; filename="../../x.sh"' }, body: PDF }),
		true,
	],
	['a broken connection', () => (response) => response.destroy(), false],
];

const redirect = (location: string): Reply => ({ status: 302, headers: { location } });

async function createLabelFile(link: unknown, file: Reply) {
	elsewhere.reply = () => ({ body: PDF });
	provider.reply = ({ url }) => {
		if (url.startsWith('/api/labels/')) return file;
		if (!url.startsWith('/api/Label/Print')) return json({ result: [] });
		const group = { carrierCode: 'ANT', carrierName: '../ANT', labelsCount: 1, hash: 'abc' };
		return json({ result: [{ ...group, labelsUrl: link }] });
	};
	const form = {
		resource: 'label',
		operation: 'create',
		shipments: 'ids',
		shipmentIds: '501',
	};
	return await run(form, [{}], byQuery());
}

test.each(LINKS)('A label file at a link %s is treated safely', async (_, link, isSaved) => {
	const { items, errors } = await createLabelFile(link(), { status: 404 });
	expect([items.length, errors.length]).toEqual(isSaved ? [1, 0] : [0, 1]);
});

test.each(FILES)('A label file that is %s is treated safely', async (_, file, isSaved) => {
	const { items, errors } = await createLabelFile(`${provider.origin}/api/labels/1`, file());
	expect([items.length, errors.length]).toEqual(isSaved ? [1, 0] : [0, 1]);
});

const LONG = 50_000;
const long = (text: string) => text.repeat(LONG);
const words = (text: string) => text.split(' ');
const VALUES: unknown[] = [
	...words('.. / ../../etc %00 %2e%2e <script> ${1} __proto__ constructor null NaN Infinity 1e400'),
	...words('-1 0 0x10 1e3 ١٢٣ １２３ + - . , 1,2,3,4'),
	...['', ' ', '\u0000', '\ud800', '\u202e', '\ufeff', '{{ 1 }}', '={{ 1 }}', "'; DROP TABLE"],
	...['9'.repeat(400), '\n'.repeat(100), 'á'.repeat(500), `1${long(' ')}x`],
	...[' ', '1 ', '0', '(', 'a@', '.-', '+4', 'Kč ', '[{', '"'].map(long),
	...[nested(4_000), 1e308, -0, 1.5, 2 ** 53, true, null, [], {}, [[[]]], { length: 5 }, [null]],
	{ toString: 1 },
];
const FIELDS = [
	...words('packageNumberCustom price pieceCount cod codPrice codCurrency vs recName recStreet'),
	...words('recZip recCountry recPhone recEmail orderId services branchId weight pickupDate'),
];

test('Whatever an item has in a field, n8n stays responsive, and the item is an order or an error', async () => {
	provider.reply = ({ url }) => {
		if (url.endsWith('/Carrier/Find')) return json({ result: [{ code: 'ANT', status: 'Active' }] });
		if (url.endsWith('/Carrier/Services')) return json({ result: [{ code: 'ANT-HOME' }] });
		return { status: 404 };
	};
	const items = FIELDS.flatMap((field, at) =>
		VALUES.map((value, index) => orderItem(`N-${at}-${index}`, { [field]: value as never })),
	);
	const delay = monitorEventLoopDelay({ resolution: 5 });
	const preview = creationForm({ dryRun: true });
	delay.enable();
	const result = await run(preview, items);
	delay.disable();
	expect(result.items.length + result.errors.length).toBe(items.length);
	expect(delay.max / 1e6).toBeLessThan(1_000);
}, 60_000);
