import { ItemError } from '../../../nodes/ParcelShipping/transport/errors';
import { clientOf, responseOf, type Sent } from '../../support/respondingClient';

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
	const { client } = clientOf(() => responseOf(200, { result: { data, total: 3 } }), {
		headerValue: 'no carrier',
	});
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
		const data = all.slice(start, start + length);
		return responseOf(200, { result: { data, total: all.length } });
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
	const signIn = { authentication: 'signIn', sessionToken: 'old-token' } as const;
	const expired = ({ secret }: Sent) => (secret === 'newToken' ? ok() : responseOf(401, ''));

	test('that has expired is renewed once by parallel requests', async () => {
		const { client, requests } = clientOf(
			(sent, all) => (all.some(({ secret }) => secret === 'newToken') ? ok() : expired(sent)),
			signIn,
		);
		await Promise.all(['A', 'B', 'C', 'D'].map(async (code) => client.services(code)));
		expect(requests.filter(({ secret }) => secret === 'newToken')).toHaveLength(1);
	});

	test.each([
		[403, ''],
		[200, '<html>Sign in</html>'],
	])('is not renewed after %i %j, and nothing is sent again', async (status, body) => {
		const { client, requests } = clientOf(() => responseOf(status, body), signIn);
		await expect(client.services('A')).rejects.toThrow();
		expect(requests.map(({ secret }) => secret)).toEqual(['saved']);
	});
});

test('what n8n saves of the account is made of its address and its ID in n8n, and of no secret', () => {
	const caller = { getNode: () => ({ credentials: { parcelShippingApi: { id: 'c-7' } } }) };
	const { client } = clientOf(ok, { authentication: 'basic', password: 'a' }, caller);
	expect(client.http.accountId).toBe('https://api.example.com/api c-7');
});

test('nothing is sent after the workflow was stopped', async () => {
	const caller = { getExecutionCancelSignal: () => AbortSignal.abort() };
	const { client, requests } = clientOf(ok, { headerValue: 'stopped' }, caller);
	await expect(client.carriers()).rejects.toThrow('The workflow was stopped');
	expect(requests).toEqual([]);
});

test('a secret that the service repeats in the row of an item is in no part of its error', () => {
	const { client } = clientOf(ok, { authentication: 'bearer', token: 't0ken' });
	const details = { packageNumberCarrier: 'N1', serviceMessage: 'Key t0ken' };
	const error = client.http.withoutSecrets(
		new ItemError('Key t0ken', 'Ask for t0ken', details, true),
	);
	const expected = { ...details, serviceMessage: 'Key ***' };
	expect(error).toMatchObject({
		...{ message: 'Key ***', description: 'Ask for ***', details: expected, afterSending: true },
	});
});

test('if a creation gets 404 at its first path and a redirect at the other one, it may have been carried out', async () => {
	const { client } = clientOf(
		(_, { length }) =>
			length === 1
				? responseOf(404, '')
				: { ...responseOf(302, ''), headers: { location: 'https://other.test/' } },
		{ headerValue: 'redirected' },
	);
	const { call } = client as unknown as { call(name: string, request: object): Promise<object> };
	const request = { path: { carrier_code: 'ANT' }, body: [] };
	const failure: unknown = await call
		.call(client, 'createShipments', request)
		.catch((thrown: unknown) => thrown);
	expect(failure).toMatchObject({
		...{ message: 'The provider redirects to https://other.test', facts: { mayHaveActed: true } },
	});
});
