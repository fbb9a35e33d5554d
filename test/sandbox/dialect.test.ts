import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';
import { clientOf, shipment, stillClock } from './client';

let sandbox: Sandbox;
let client: AxiosInstance;

const start = async (options: SandboxOptions = {}) =>
	startSandbox({ dialect: 'documented', clock: stillClock('2026-01-14T12:00:00Z'), ...options });

beforeAll(async () => {
	sandbox = await start();
	client = clientOf(sandbox);
});
afterEach(() => sandbox.reset());
afterAll(async () => sandbox.close());

const create = async (...shipments: object[]) =>
	client.post(
		'/ANT/Create',
		shipments.map((fields) => shipment(fields)),
	);
const find = async (filter: object = {}) => client.post('/Package/Find', filter);
const recordsOf = ({ data }: AxiosResponse) => data.result.data as Array<Record<string, unknown>>;
const track = async (...packages: unknown[]) => client.post('/ANT/Tracking', { packages });

test('every response has the correlation id in a header, and a success has an empty list of errors', async () => {
	const { data, headers } = await client.post('/Carrier/Find', {});
	expect(data).toMatchObject({ errors: [], correlationId: headers['x-correlation-id'] });
	const forbidden = { operation: 'findCarriers', kind: 'status', status: 403 } as const;
	sandbox.fault(forbidden);
	const refused = await client.post('/Carrier/Find', {});
	expect(refused).toMatchObject({ status: 403, data: '' });
	expect(refused.headers['x-correlation-id']).toMatch(/^[0-9a-f-]{36}$/);
});

describe('creation', () => {
	test('exists only at the address with the carrier', async () => {
		const missing = await client.post('/Package/Create', [shipment()]);
		expect(missing).toMatchObject({ status: 405, data: '' });
		expect((await create({})).status).toBe(200);
		expect(sandbox.database.shipments()).toHaveLength(1);
	});

	test('counts pieces from 1, writes the order number as a number and accepts codes in any case', async () => {
		const order = { serviceType: 'ant-home', recCountry: 'cz', pieceCount: 2, orderId: 501 };
		const { status, data } = await client.post('/ant/Create', [shipment(order)]);
		expect(status).toBe(200);
		expect(data.result).toMatchObject([
			{ pieceIndex: 1, orderNumber: 501, message: 'OK' },
			{ pieceIndex: 2, orderNumber: 501 },
		]);
		// Null and an empty list both mean that there is no error.
		const errors = data.result.map((row: { carrierErrors: unknown }) => row.carrierErrors);
		expect(errors).toEqual(expect.arrayContaining([null, []]));
	});

	test('answers 400 with rows, and the accepted shipments exist', async () => {
		const { status, data } = await create(
			{},
			{ packageNumberCustom: 'ORDER-2', recZip: '' },
			{ packageNumberCustom: 'ORDER-3', serviceType: 'NOWHERE' },
			{ packageNumberCustom: 'ORDER 4' },
		);
		expect(status).toBe(400);
		expect(data.result).toMatchObject([
			{ statusCode: 200 },
			{
				id: 0,
				packageNumberCarrier: null,
				labelUrl: null,
				carrierErrors: [
					{
						errorCode: 'InvalidUserInputError',
						message: 'is missing',
						reference: '1 -> receiver -> address -> postalCode',
					},
				],
			},
			{ message: 'Unknown service "NOWHERE"', carrierErrors: [] },
			{ carrierErrors: [{ reference: '3 -> packageNumberCustom' }] },
		]);
		expect(data.errors).toMatchObject([{ message: 'Some packages were not created' }]);
		expect(sandbox.database.shipments()).toHaveLength(1);
	});

	test('ignores a cover and a sender address without their flag', async () => {
		const cover = {
			serviceType: 'BEAVER-LETTER',
			coverName: 'Shop',
			coverStreet: 'Long 1',
			coverCity: 'Brno',
			coverZip: '60200',
			coverCountry: 'CZ',
		};
		await client.post('/BEAVER/Create', [
			shipment({ ...cover, packageNumberCustom: 'IGNORED' }),
			shipment({ ...cover, packageNumberCustom: 'USED', coverEnabled: true }),
		]);
		expect(recordsOf(await find())).toMatchObject([
			{ packageNumberCustom: 'USED', maskAddress: { name: 'Shop', company: null } },
			{ packageNumberCustom: 'IGNORED', maskAddress: null },
		]);
	});

	test('refuses values of the wrong type with texts by field', async () => {
		const { status, data } = await create({ price: 'a lot' });
		expect(status).toBe(400);
		expect(data).toMatchObject({ title: expect.any(String), traceId: expect.any(String) });
		expect(data.errors).toEqual({ '[0].price': ['must be number'] });
	});

	test('the other address can be the only one', async () => {
		const other = await start({ createAddress: 'package' });
		const { post } = clientOf(other);
		expect((await post('/Package/Create', [shipment()])).status).toBe(200);
		expect((await post('/ANT/Create', [shipment()])).status).toBe(404);
		await other.close();
	});
});

describe('the list', () => {
	test('contains only main shipments unless onlyMaster is false', async () => {
		await create({ pieceCount: 3 });
		expect(recordsOf(await find())).toHaveLength(1);
		expect(recordsOf(await find({ onlyMaster: false }))).toHaveLength(3);
	});

	test('has addresses as objects, and a status with a local name', async () => {
		await create({ cod: true, codPrice: 10, codCurrency: 'CZK' });
		const [record] = recordsOf(await find());
		expect(record).toMatchObject({
			recAddress: { name: 'Jana Nováková', company: null, zip: '01001', country: 'CZ' },
			senderAddress: null,
			serviceCode: 'ANT-HOME',
			serviceName: 'Ant to the door',
			status: { category: 'Created', name: 'Zásilka vložena do systému' },
			delivered: false,
			pieceCount: 1,
		});
		expect(Object.keys(record ?? {})).not.toContain('recName');
		expect(Object.keys(record ?? {})).not.toContain('serviceType');
	});

	test('has no number until the carrier assigns it, or at all', async () => {
		const [late] = sandbox.seedShipments(1, { serviceType: 'CRANE-EU' });
		const [never] = sandbox.seedShipments(1);
		sandbox.withholdNumber(never?.id ?? 0);
		const numbers = async () =>
			recordsOf(await find()).map(({ packageNumberCarrier }) => packageNumberCarrier);
		expect(await numbers()).toEqual([null, null]);
		sandbox.advance(1);
		expect(await numbers()).toEqual([null, late?.packageNumberCarrier]);
		sandbox.withholdNumber(never?.id ?? 0, false);
		expect(await numbers()).toEqual([never?.packageNumberCarrier, late?.packageNumberCarrier]);
	});

	test.each<[object, string[]]>([
		[{ packageNumberCustom: 'OLD' }, ['OLD']],
		[{ packageNumberCustom: 'OL' }, []],
		[{ status: 'Delivered' }, ['OLD']],
		[{ status: 'NotDelivered' }, ['NEW']],
		[{ status: 'NotSubmitted' }, ['NEW']],
		[{ status: 'NotPicked' }, ['NEW']],
		[{ status: 'Deleted' }, []],
		[{ status: 'NotPrinted' }, ['NEW', 'OLD']],
		[{ cod: true }, ['OLD']],
		[{ cod: false }, ['NEW']],
		[{ carrierCodes: ['ant'] }, ['NEW', 'OLD']],
	])('with the filter %j contains %j', async (filter, expected) => {
		const cod = { cod: true, codPrice: 10, codCurrency: 'CZK' };
		const [old] = sandbox.seedShipments(1, { packageNumberCustom: 'OLD', hoursAgo: 90, ...cod });
		sandbox.seedShipments(1, { packageNumberCustom: 'NEW' });
		const referencesOf = (answer: AxiosResponse) =>
			recordsOf(answer).map(({ packageNumberCustom }) => packageNumberCustom);
		expect(referencesOf(await find(filter))).toEqual(expected);
		const byNumber = await find({ packageNumberCarrier: old?.packageNumberCarrier });
		expect(referencesOf(byNumber)).toEqual(['OLD']);
	});

	test('refuses an unknown status', async () => {
		const { status, data } = await find({ status: 'Lost' });
		expect(status).toBe(400);
		expect(data.errors).toEqual({ status: ["The value 'Lost' is not valid."] });
	});
});

test('a detail is a single record at the address without Detail', async () => {
	const [main] = sandbox.seedShipments(1, { hoursAgo: 7 });
	expect((await client.get(`/ANT/${main?.id}/Detail`)).status).toBe(404);
	const { data } = await client.get(`/ant/${main?.id}`);
	expect(data.result).toMatchObject({
		id: main?.id,
		recCompany: null,
		status: { name: 'Předána koncovému dopravci' },
	});
	expect((await client.get('/ANT/5')).data).toMatchObject({
		result: null,
		errors: [{ message: 'Entity not found', reference: '5' }],
	});
});

describe('tracking', () => {
	test('writes the same moment in different forms and orders', async () => {
		const [{ packageNumberCarrier = '' } = {}] = sandbox.seedShipments(1, { hoursAgo: 30 });
		const dates = new Set<string>();
		const moments = new Set<string>();
		const firstCodes = new Set<string>();
		for (let request = 0; request < 24; request++) {
			const { data } = await track(packageNumberCarrier);
			const events = data.result[0].events as Array<{ code: string; date: string }>;
			firstCodes.add(events[0]?.code ?? '');
			const { date = '' } = events.find(({ code }) => code === '100') ?? {};
			dates.add(date);
			// Without an offset, the dates are in the time zone of the account.
			const hasOffset = /(Z|\+01:00)$/.test(date);
			moments.add(new Date(hasOffset ? date : `${date}+01:00`).toISOString().slice(0, 19));
		}
		expect([...moments]).toEqual(['2026-01-13T06:00:00']);
		expect(firstCodes.size).toBeGreaterThan(3);
		for (const form of [/:\d\d$/, /:\d\d\.\d{7}$/, /\.\d\+01:00$/, /\d:00Z$|\.\d+Z$/]) {
			expect([...dates].some((date) => form.test(date))).toBe(true);
		}
	});

	test('events can be null, and their type a number', async () => {
		const shipments = sandbox.seedShipments(3, { hoursAgo: 1 });
		const rows = await track(...shipments.map(({ packageNumberCarrier }) => packageNumberCarrier));
		const types = rows.data.result.flatMap(({ events }: { events: Array<{ type: unknown }> }) =>
			events.map(({ type }) => type),
		);
		expect(new Set(types)).toEqual(new Set(['Event', 0]));
		sandbox.setTracking('ANT', { empty: true });
		const { data } = await track(shipments[0]?.packageNumberCarrier);
		expect(data.result).toMatchObject([{ statusCode: 200, events: null }]);
	});

	test('has the documented categories', async () => {
		const [canceled] = sandbox.seedShipments(1);
		const point = { serviceType: 'ANT-POINT', branchId: 'P-001', hoursAgo: 90 };
		const [delivered] = sandbox.seedShipments(1, point);
		sandbox.cancelShipment(canceled?.id ?? 0);
		const numbers = [canceled?.packageNumberCarrier, delivered?.packageNumberCarrier];
		const { data } = await track(...numbers);
		const categories = data.result.flatMap(({ events }: { events: Array<{ category: string }> }) =>
			events.map(({ category }) => category),
		);
		expect(categories).toEqual(expect.arrayContaining(['Cancel', 'DeliveredPickup']));
	});

	test('one number that the service does not know makes the whole request fail', async () => {
		const [first, second] = sandbox.seedShipments(2);
		const { status, data } = await track(first?.packageNumberCarrier, 'UNKNOWN');
		expect(status).toBe(400);
		expect(data.errors).toMatchObject([{ message: 'Entity not found', reference: 'UNKNOWN' }]);
		sandbox.poisonNumber(second?.packageNumberCarrier ?? '', false);
		const unnamed = await track(first?.packageNumberCarrier, second?.packageNumberCarrier);
		expect(unnamed).toMatchObject({ status: 400, data: { errors: [{ reference: null }] } });
		expect((await track(first?.packageNumberCarrier)).status).toBe(200);
	});
});

describe('labels and printers', () => {
	test('prints with and without a slash before the query', async () => {
		const [main] = sandbox.seedShipments(1);
		for (const path of ['/Label/Print/?type=pdf', '/Label/Print?type=pdf']) {
			const { data } = await client.post(path, { packages: [main?.id] });
			expect(data).toMatchObject({ errors: [], result: [{ carrierCode: 'ANT', labelsCount: 1 }] });
		}
	});

	test('gives the reason beside an empty result', async () => {
		const [main] = sandbox.seedShipments(1, { serviceType: 'BEAVER-PARCEL' });
		const { status, data } = await client.post('/Label/Print?type=zpl', { packages: [main?.id] });
		expect(status).toBe(200);
		expect(data).toMatchObject({
			result: [],
			errors: [{ message: 'Carrier BEAVER does not offer ZPL labels' }],
		});
	});

	test('only the system name of a printer prints, not its display name', async () => {
		const [main] = sandbox.seedShipments(1);
		const printed = await client.post('/Label/Print?type=pdf', { packages: [main?.id] });
		const send = async (printerName: string) =>
			client.post('/Printer/PrintLabel', { hash: printed.data.result[0].hash, printerName });
		expect(await send('Laser by the gate')).toMatchObject({
			status: 404,
			data: { errors: [{ reference: 'Laser by the gate' }] },
		});
		expect((await send('Warehouse A4')).data).toMatchObject({ result: true, errors: [] });
		expect((await send('Front Desk')).data).toMatchObject({ result: false, errors: [{}] });
		expect(await send('Attic')).toMatchObject({
			status: 400,
			data: { result: null, errors: [{ message: expect.stringMatching(/cannot be reached/) }] },
		});
	});
});

describe('authentication', () => {
	const login = async (fields: object, at = client) =>
		at.post('/Account/Login', {
			email: sandbox.signInSettings.username,
			password: sandbox.signInSettings.password,
			...fields,
		});

	test('tells a missing token from an invalid one', async () => {
		const none = await clientOf(sandbox, {}).post('/Carrier/Find', {});
		expect(none).toMatchObject({ status: 401, data: { errors: [{ message: 'Token missing' }] } });
		const wrong = await clientOf(sandbox, { 'X-Auth-Token': 'old' }).post('/Carrier/Find', {});
		expect(wrong).toMatchObject({ status: 401, data: { errors: [{ message: 'Invalid token' }] } });
	});

	test('signs in with a language, and the token goes into a header of its own', async () => {
		const without = await login({});
		expect(without.status).toBe(400);
		expect(without.data.errors).toEqual({ language: ['The language field is required.'] });
		expect((await login({ language: 'en', password: 'wrong' })).status).toBe(401);
		const { data } = await login({ language: 'en' });
		expect(data).toEqual({ authToken: expect.any(String), expiresIn: expect.any(String) });
		const { status } = await axios.post(
			`${sandbox.url}/Carrier/Find`,
			{},
			{
				headers: { 'X-Auth-Token': data.authToken },
			},
		);
		expect(status).toBe(200);
	});

	test('the token can be under result', async () => {
		const other = await start({ signIn: { tokenField: 'result.authToken' } });
		const { data } = await login({ language: 'en' }, clientOf(other));
		expect(data.result).toEqual({ authToken: expect.any(String), expiresIn: expect.any(String) });
		await other.close();
	});
});

test('a request above the limit gets 429 without Retry-After', async () => {
	sandbox.fault({ operation: 'findCarriers', kind: 'rateLimit' });
	const { status, headers } = await client.post('/Carrier/Find', {});
	expect(status).toBe(429);
	expect(headers['retry-after']).toBeUndefined();
});

test('a carrier can wait for its activation', async () => {
	const statusOf = async (code: string) => {
		const { data } = await client.post('/Carrier/Find', {});
		return data.result.find((carrier: { code: string }) => carrier.code === code).status;
	};
	expect(await statusOf('OWL')).toBe('WaitingActivation');
	sandbox.setCarrierStatus('OWL', 'Inactive');
	expect(await statusOf('OWL')).toBe('Inactive');
	expect(await statusOf('ANT')).toBe('Active');
});
