import type { AxiosResponse } from 'axios';
import { clientOf, shipment, stillClock, useSandbox } from './client';

// How a provider in the documented dialect differs from the interface document.

const service = useSandbox({
	dialect: 'documented',
	clock: stillClock('2026-01-14T12:00:00Z'),
});

const post = async (path: string, body: unknown = {}) => service.client.post(path, body);
const create = async (...shipments: object[]) => post('/ANT/Create', shipments.map(shipment));
const seed = (fields: object = {}) => {
	const [{ id, packageNumberCarrier } = { id: 0, packageNumberCarrier: '' }] =
		service.sandbox.seedShipments(1, fields);
	return { id, number: packageNumberCarrier };
};
const recordsOf = ({ data }: AxiosResponse) => data.result.data as Array<Record<string, unknown>>;
const find = async (filter: object = {}) => recordsOf(await post('/Package/Find', filter));
const track = async (...packages: unknown[]) => post('/ANT/Tracking', { packages });

test('shipments are created at one of the two addresses only', async () => {
	expect(await post('/Package/Create', [shipment()])).toMatchObject({ status: 405, data: '' });
	const order = { serviceType: 'ant-home', recCountry: 'cz', pieceCount: 2, orderId: 501 };
	const { data } = await post('/ant/Create', [shipment(order)]);
	const rows = [{ pieceIndex: 1, message: 'OK' }, { pieceIndex: 2 }];
	expect(data.result).toMatchObject(rows.map((row) => ({ ...row, orderNumber: 501 })));
	// Null and an empty list both mean that there is no error.
	const errors = data.result.map((row: { carrierErrors: unknown }) => row.carrierErrors);
	expect(errors).toEqual(expect.arrayContaining([null, []]));
});

test('a partly refused request is a 400 with rows, and the accepted shipments exist', async () => {
	const { status, data } = await create({}, { recZip: '' }, { serviceType: 'NOWHERE' });
	const errorCode = 'InvalidUserInputError';
	const reference = '1 -> receiver -> address -> postalCode';
	expect(status).toBe(400);
	expect(data.result).toMatchObject([
		{ statusCode: 200 },
		{ id: 0, labelUrl: null, carrierErrors: [{ errorCode, message: 'is missing', reference }] },
		{ message: 'Unknown service "NOWHERE"', carrierErrors: [] },
	]);
	expect(data.errors).toMatchObject([{ message: 'Some packages were not created' }]);
	expect(await find()).toHaveLength(1);
	const wrongType = (await create({ price: 'a lot' })).data;
	expect(wrongType).toMatchObject({ errors: { '[0].price': ['must be number'] } });
});

test('the list has main shipments unless asked otherwise, and a cover address only with its flag', async () => {
	await create({ pieceCount: 3 });
	expect(await find()).toHaveLength(1);
	expect(await find({ onlyMaster: false })).toHaveLength(3);
	const cover = { coverName: 'Shop', coverStreet: 'Long 1', coverCity: 'Brno', coverZip: '60200' };
	const letter = { serviceType: 'BEAVER-LETTER', coverCountry: 'CZ', ...cover };
	await post('/BEAVER/Create', [shipment(letter), shipment({ ...letter, coverEnabled: true })]);
	const recAddress = { name: 'Jana Nováková', company: null, zip: '01001', country: 'CZ' };
	const status = { category: 'Created', name: 'Zásilka vložena do systému' };
	expect(await find()).toMatchObject([
		{ maskAddress: { name: 'Shop', company: null }, serviceCode: 'BEAVER-LETTER' },
		{ maskAddress: null },
		{ recAddress, senderAddress: null, status, delivered: false, pieceCount: 3 },
	]);
});

test('the same event comes with different forms of its date and in different orders', async () => {
	const { number } = seed({ hoursAgo: 30 });
	const dates = new Set<string>();
	const firstCodes = new Set<string>();
	for (let request = 0; request < 24; request++) {
		const events = (await track(number)).data.result[0].events;
		firstCodes.add(events[0].code);
		dates.add(events.find(({ code }: { code: string }) => code === '100').date);
	}
	// Without an offset, the dates are in the time zone of the account.
	const momentOf = (date: string) => new Date(/(Z|\+01:00)$/.test(date) ? date : `${date}+01:00`);
	for (const date of dates) expect(momentOf(date).toISOString()).toMatch(/^2026-01-13T06:00:00/);
	for (const form of [/:\d\d$/, /:\d\d\.\d{7}$/, /\.\d\+01:00$/, /\d:00Z$|\.\d+Z$/]) {
		expect([...dates].filter((date) => form.test(date))).not.toEqual([]);
	}
	expect(firstCodes.size).toBeGreaterThan(3);
	service.sandbox.setTracking('ANT', { empty: true });
	expect((await track(number)).data.result).toMatchObject([{ statusCode: 200, events: null }]);
});

test('a sign-in needs a language, and its token goes into a header of its own', async () => {
	const withToken = async (headers: Record<string, string>) =>
		clientOf(service.sandbox, headers).post('/Carrier/Find', {});
	expect((await withToken({})).data.errors).toMatchObject([{ message: 'Token missing' }]);
	const wrong = await withToken({ 'X-Auth-Token': 'old' });
	expect(wrong).toMatchObject({ status: 401, data: { errors: [{ message: 'Invalid token' }] } });
	const { username: email, password } = service.sandbox.signInSettings;
	const signIn = async (more: object) => post('/Account/Login', { email, password, ...more });
	const { errors } = (await signIn({})).data;
	expect(errors).toEqual({ language: ['The language field is required.'] });
	expect((await signIn({ language: 'en', password: 'wrong' })).status).toBe(401);
	const { data } = await signIn({ language: 'en' });
	expect((await withToken({ 'X-Auth-Token': data.authToken })).status).toBe(200);
});
