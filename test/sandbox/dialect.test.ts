import type { AxiosResponse } from 'axios';
import { shipment, stillClock, useSandbox } from './client';

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
