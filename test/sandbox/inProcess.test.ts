import { createService, type DialectName, dialectNames, type ServiceOptions } from '../../sandbox';
import { shipment, stillClock, useSandbox } from './client';

const clock = stillClock('2026-01-14T12:00:00Z');
const credential = { 'X-Api-Key': 'sandbox-key', 'Content-Type': 'application/json' };

/** A service in process, and what its responses contain. */
function start(options: ServiceOptions) {
	const service = createService({ clock, ...options });
	const send = (method: string, path: string, body?: unknown, headers = {}) => {
		const text = body === undefined ? undefined : JSON.stringify(body);
		const url = service.url + path;
		return service.respond({ method, url, headers: { ...credential, ...headers }, body: text });
	};
	const read = (method: string, path: string, body?: unknown) =>
		JSON.parse(send(method, path, body).body.toString()).result;
	return {
		service,
		send,
		detail: (id = 1001) => [read('GET', `/ANT/${id}`)].flat(),
		list: (filter = {}) => read('POST', '/Package/Find', { onlyMaster: false, ...filter }).data,
		post: (path: string, body: unknown = {}) => read('POST', path, body),
	};
}

describe.each(dialectNames)('In the %s dialect', (dialect: DialectName) => {
	const http = useSandbox({ dialect, clock });
	const create = [shipment({ pieceCount: 2 }), shipment({ recZip: '' })];
	const requests: Array<[string, string, unknown?, object?]> = [
		['POST', '/Package/Create', create],
		['POST', '/ANT/Create', create],
		['POST', '/Package/Find?api_key=sandbox-query-key', {}, { 'X-Api-Key': '' }],
		['POST', '/Package/Find', {}, { 'X-Api-Key': 'wrong' }],
		['GET', '/ANT/1001/Detail'],
		['POST', '/ANT/Tracking', { packages: ['0012345000000000001001'] }],
		['POST', '/Label/Print/?type=pdf', { packages: [1001] }],
		['GET', '/files/job/unknown'],
		['GET', '/Carrier/Find'],
		['PUT', '/No/Such/Path', {}],
	];

	test('the provider responds in process as over HTTP', async () => {
		const { service, send } = start({ dialect });
		const plain = (body: unknown, home: string) =>
			JSON.stringify(body)
				.replaceAll(home, '')
				.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'id');
		for (const [method, url, body, headers = {}] of requests) {
			const inProcess = send(method, url, body, headers);
			const { status, data } = await http.client.request({
				...{ method, url, data: body, headers: { ...credential, ...headers } },
			});
			const { operationId } = http.sandbox.requests.at(-1) ?? {};
			const json = inProcess.body === '' ? '' : JSON.parse(inProcess.body.toString());
			expect([url, inProcess.status, inProcess.operation]).toEqual([url, status, operationId]);
			expect(plain(json, service.home)).toBe(plain(data, http.sandbox.home));
			expect(service.operationOf({ method, url: service.url + url })).toBe(operationId);
		}
	});
});

const OF_MAIN = ['packageNumberOrder', 'pieceIndex', 'isMaster', 'masterId'];

test.each<[keyof ServiceOptions, string[], string[]]>([
	['listsWithoutReferences', ['packageNumberCustom'], []],
	['listsWithoutNumbers', ['packageNumberCarrier'], []],
	['listsWithoutPieceCount', ['pieceCount'], []],
	['listsWithoutStates', ['delivered', 'printed', 'submittedCarrier', 'sent'], []],
	['recordsWithoutMain', OF_MAIN, ['packageNumberOrder']],
	['detailsWithoutPrinted', ['printed'], ['printed']],
])('%s: lists lack %j and details %j', (option, fromList, fromDetail) => {
	const fieldsOf = (options: ServiceOptions) => {
		const { service, list, detail } = start({ dialect: 'documented', ...options });
		service.seedShipments(1);
		return { list: Object.keys(list()[0]), detail: Object.keys(detail()[0]) };
	};
	const all = fieldsOf({});
	const some = fieldsOf({ [option]: true });
	expect(all.list.filter((field) => !some.list.includes(field))).toEqual(fromList);
	expect(all.detail.filter((field) => !some.detail.includes(field))).toEqual(fromDetail);
});

test('a provider can ignore filters, and leave out pieces and counts', () => {
	for (const own of [true, false]) {
		const { service, list, detail, post } = start({
			ignoresCarrierFilter: own,
			listsOnlyMain: own,
			detailsWithoutPieces: own,
			uncountedHandOver: own,
			...(own ? { maxPageLength: 1 } : {}),
		});
		service.seedShipments(1, { pieceCount: 2 });
		service.seedShipments(1);
		expect(list()).toHaveLength(own ? 1 : 3);
		expect(detail()).toHaveLength(own ? 1 : 2);
		expect(post('/ANT/Order', { packages: [] }).packagesCount).toBe(own ? undefined : 2);
		expect(list({ carrierCodes: ['BEAVER'] })).toHaveLength(own ? 1 : 0);
		expect(post('/Pickup/Find', { carrierCode: ['BEAVER'] }).total).toBe(own ? 1 : 0);
	}
});

test('lists lack what is new for some time', () => {
	const { service, list, detail, send, post } = start({ listLagMs: 3_600_000 });
	service.seedShipments(1);
	const counts = () => [list().length, post('/Batch/Find').total, detail().length];
	expect([...counts(), send('GET', '/Batch/71').status]).toEqual([0, 0, 1, 404]);
	service.advance(1);
	expect([...counts(), send('GET', '/Batch/71').status]).toEqual([1, 1, 1, 200]);
});

test.each([
	['interface', ''],
	['documented', null],
] as const)('in the %s dialect, the carrier can assign the numbers later', (dialect, none) => {
	const { service, list, detail, send, post } = start({ dialect, numbersAfterMs: 3_600_000 });
	const number = () => [list(), detail()].flat().map((record) => record.packageNumberCarrier);
	expect(post('/ANT/Create', [shipment()])).toMatchObject([{ packageNumberCarrier: none }]);
	const batch = () => JSON.parse(String(send('GET', '/Batch/71').body)).result.orders[0];
	expect([...number(), batch().packageNumberCarrier]).toEqual([null, null, none]);
	service.advance(1);
	const { packageNumberCarrier: assigned } = service.database.shipments()[0] ?? {};
	expect([...number(), batch().packageNumberCarrier]).toEqual([assigned, assigned, assigned]);
});
