import { ItemError } from '../../../nodes/ParcelShipping/transport/errors';
import { clientOf, pageOf, responseOf, type Sent, streamOf } from '../../support/respondingClient';

const ok = () => responseOf(200, { result: [{ code: 'ANT' }] });

describe('What several items of a run ask for', () => {
	test('is requested once, and each gets a copy that it may change', async () => {
		const { client, requests } = clientOf(ok, { headerValue: 'copies' });
		const lists = await Promise.all([client.carriers(), client.carriers()]);
		for (const [carrier] of lists) Object.assign(carrier ?? {}, { name: 'changed' });
		expect(await client.carriers()).not.toBe(lists[0]);
		const next = await clientOf(ok, { headerValue: 'copies' }).client.carriers('shared');
		expect([requests.length, next]).toEqual([1, [{ code: 'ANT' }]]);
		expect(lists[0]).not.toBe(lists[1]);
	});

	test('is copied for each item, of which a later node may change one', async () => {
		const { client } = clientOf(ok);
		const [first, second] = await Promise.all(
			[1, 2].map(async () => client.once('batches', async () => [{ id: 1 }])),
		);
		Object.assign(first?.[0] ?? {}, { id: 2 });
		expect(second).toEqual([{ id: 1 }]);
	});

	test('and failed for one run is requested again by one that waited for it, and shared then', async () => {
		let failures = 1;
		const respond = () => (failures-- > 0 ? responseOf(400, { message: 'No' }) : ok());
		const runs = [1, 2, 3].map(() => clientOf(respond, { headerValue: 'failing' }));
		const [first, second] = runs.slice(0, 2).map(async ({ client }) => client.carriers('shared'));
		await expect(first).rejects.toThrow('The provider said: No');
		expect(await second).toEqual([{ code: 'ANT' }]);
		expect(await runs[2]?.client.carriers('shared')).toEqual([{ code: 'ANT' }]);
		expect(runs.map(({ requests }) => requests.length)).toEqual([1, 1, 0]);
	});

	test('is requested anew for a run that needs it new, also after it was shared', async () => {
		let code = 'ANT';
		const respond = () => responseOf(200, { result: [{ code }] });
		await clientOf(respond, { headerValue: 'newer' }).client.carriers();
		code = 'BEAVER';
		const { client } = clientOf(respond, { headerValue: 'newer' });
		expect(await client.carriers('shared')).toEqual([{ code: 'ANT' }]);
		expect(await client.carriers()).toEqual([{ code: 'BEAVER' }]);
	});

	test('is not taken from another account', async () => {
		await clientOf(ok, { headerValue: 'one' }).client.carriers();
		const own = clientOf(ok, { headerValue: 'one' });
		await own.client.carriers('shared');
		const other = clientOf(ok, { headerValue: 'two' });
		await other.client.carriers('shared');
		expect([own.requests.length, other.requests.length]).toEqual([0, 1]);
	});
});

test('a shipment is read with all pieces by the ID of one of them', async () => {
	const main = [{ id: 1 }, { id: 2, masterId: 1 }];
	const detailOf = ({ path }: Sent) =>
		responseOf(200, { result: path.includes('/2/') ? main.slice(1) : main });
	const { client } = clientOf(detailOf, { headerValue: 'pieces' });
	expect(await client.getShipment('ANT', 2)).toEqual(main);
});

test.each<[status: number, expected: object]>([
	[404, [{ id: 2, masterId: 1 }]],
	[500, { message: expect.stringContaining('500') }],
])('if the detail of its main shipment is refused with %i, a piece has %j', async (...given) => {
	const [status, expected] = given;
	const detailOf = ({ path }: Sent) =>
		path.includes('/2/')
			? responseOf(200, { result: [{ id: 2, masterId: 1 }] })
			: responseOf(status, 'Nothing');
	const { client } = clientOf(detailOf, { headerValue: `main ${status}` });
	const read = await client.getShipment('ANT', 2).catch((failure: unknown) => failure);
	expect(read).toMatchObject(expected);
});

test('the main piece of a shipment comes first, also if the service returns it last', async () => {
	const pieces = [{ id: 2, masterId: 1 }, { id: 3, masterId: 1 }, { id: 1 }];
	const { client } = clientOf(() => responseOf(200, { result: pieces }), { headerValue: 'order' });
	const read = await client.getShipment('ANT', 1);
	expect(read.map(({ id }) => id)).toEqual([1, 2, 3]);
});

test('a record that does not say its carrier is not left out beside a carrier filter', async () => {
	const data = [{ id: 1, carrierCode: null }, { id: 2 }, { id: 3, carrierCode: 'CRANE' }];
	const { client } = clientOf(() => pageOf(data), { headerValue: 'no carrier' });
	const found = await client.list('findHandOvers', { carrierCode: ['ANT'] });
	expect(found.map(({ id }) => id)).toEqual([1, 2]);
});

/** The IDs of the first `limit` records of ANT. Every third record is of ANT, unless the service filters. */
async function idsUpTo(limit: number, filters: boolean, count = 500) {
	const all = Array.from({ length: count }, (_, index) => {
		return { id: index + 1, carrierCode: index % 3 === 0 ? 'ant' : 'BEAVER' };
	}).filter(({ carrierCode }) => !filters || carrierCode === 'ant');
	const { client, requests } = clientOf(({ body = '{}' }) => {
		const { start, length } = JSON.parse(body) as { start: number; length: number };
		return pageOf(all.slice(start, start + length), all.length);
	});
	const found = await client.list('findHandOvers', { carrierCode: ['ANT'] }, limit);
	return { ids: found.map(({ id }) => id), requests: requests.length };
}

test('a list of a carrier has no records of others, also if the service ignores the filter', async () => {
	expect((await idsUpTo(3, false)).ids).toEqual([1, 4, 7]);
	expect((await idsUpTo(Infinity, false)).ids).toHaveLength(167);
	expect((await idsUpTo(200, false, 30)).ids).toHaveLength(10);
	expect(await idsUpTo(3, true)).toEqual({ ids: [1, 4, 7], requests: 1 });
});

describe('A session', () => {
	/** A client that gets the tokens 1, 2, 3 and so on, and what `respond` says to them. */
	function signingIn(username: string, respond: (sent: Sent) => ReturnType<typeof responseOf>) {
		let signIns = 0;
		const httpRequest = async () => {
			const { body, ...response } = responseOf(200, { token: String(++signIns) });
			return { ...response, body: streamOf(body) };
		};
		const credential = { authentication: 'signIn', baseUrl: 'https://a.test', username } as const;
		const start = () => clientOf(respond, credential, { helpers: { httpRequest } });
		return { start, signIns: () => signIns };
	}

	test('that has expired is renewed once by parallel requests, and kept for the next run', async () => {
		const isExpired = ({ token }: Sent) => token === '1';
		const { start, signIns } = signingIn('expired', (sent) =>
			isExpired(sent) ? responseOf(401, '') : ok(),
		);
		const { client } = start();
		await Promise.all(['A', 'B', 'C', 'D'].map(async (code) => client.services(code)));
		await start().client.services('A');
		expect(signIns()).toBe(2);
	});

	test.each([
		[401, '', 2],
		[403, '', 1],
		[200, '<html>Sign in</html>', 1],
	])('is used for %i %j with %i sign-ins at most', async (status, body, count) => {
		const { start, signIns } = signingIn(String(status), () => responseOf(status, body));
		const { client, requests } = start();
		for (const code of ['A', 'B']) await expect(client.services(code)).rejects.toThrow();
		expect([signIns(), requests.length]).toEqual([count, count + 1]);
	});
});

test('nothing is sent after the workflow was stopped', async () => {
	const caller = { getExecutionCancelSignal: () => AbortSignal.abort() };
	const { client, requests } = clientOf(ok, { headerValue: 'stopped' }, caller);
	await expect(client.carriers()).rejects.toThrow('The workflow was stopped');
	expect(requests).toEqual([]);
});

test('a secret that the service repeats in the row of an item is in no part of its error', () => {
	const { client } = clientOf(ok, { authentication: 'bearer', token: 't0ken-9' });
	const details = { packageNumberCarrier: 'N1', serviceMessage: 'Key t0ken-9' };
	const error = client.http.withoutSecrets(
		new ItemError('Key t0ken-9', 'Ask for t0ken-9', details),
	);
	const expected = { ...details, serviceMessage: 'Key ***' };
	expect(error).toMatchObject({
		...{ message: 'Key ***', description: 'Ask for ***', details: expected },
	});
});

test.each([
	['createShipments', { carrier_code: 'ANT' }, { status: 302, mayHaveActed: true }],
	// A read has no effect, so that the first error says more than the page that the other path leads to.
	['getShipment', { carrier_code: 'ANT', id: 7 }, { status: 404, mayHaveActed: false }],
])(
	'after 404 at its first path and a redirect at the other one, %s fails with %j',
	async (...given) => {
		const [name, path, facts] = given;
		const respond = (_: Sent, { length }: Sent[]) =>
			length === 1 ? responseOf(404, '') : { ...responseOf(302, ''), headers: { location: '/' } };
		const { client } = clientOf(respond, { headerValue: `redirected ${name}` });
		const { call } = client as unknown as { call(name: string, request: object): Promise<object> };
		const calling = call.call(client, name, { path, body: [] });
		await expect(calling).rejects.toMatchObject({ facts });
	},
);

test('a request that fails at the first path tries the second one, also if another request has found it meanwhile', async () => {
	const { client } = clientOf(
		({ path }) =>
			path.endsWith('/Detail') ? responseOf(404, '') : responseOf(200, { result: [{ id: 1 }] }),
		{ headerValue: 'two paths' },
	);
	const slow = client.http.exchange.bind(client.http);
	let sent = 0;
	client.http.exchange = async (...given) => {
		const response = await slow(...given);
		// The second response comes after the first request has found its path.
		if (++sent === 2) await new Promise((resolve) => setTimeout(resolve, 50));
		return response;
	};
	const both = await Promise.all([1, 2].map(async (id) => client.getShipment('ANT', id)));
	expect(both).toEqual([[{ id: 1 }], [{ id: 1 }]]);
});
