import { type DialectName, dialectNames } from '../../sandbox';
import { stillClock, useSandbox } from './client';

// What not every service offers.

describe.each(dialectNames)('In the %s dialect', (dialect: DialectName) => {
	const service = useSandbox({ dialect, clock: stillClock('2026-01-14T12:00:00Z') });
	const isInterface = dialect === 'interface';

	const seed = (count: number, options = {}) => service.sandbox.seedShipments(count, options);
	const cancel = async (...packages: Array<string | undefined>) =>
		service.client.post('/ANT/Cancel', { packages });
	const handOver = async (...packages: Array<number | undefined>) =>
		service.client.post('/ANT/Order', { packages });
	const stateOf = (key: 'canceled' | 'handedOver') =>
		service.sandbox.database.shipments().map((shipment) => shipment[key]);

	test('a shipment is canceled with its pieces, unless it has been handed over or is on its way', async () => {
		const [waiting, , handedOver, moving] = [
			...seed(1, { pieceCount: 2 }),
			...seed(1),
			...seed(1, { hoursAgo: 30 }),
		].map(({ id, packageNumberCarrier: number }) => ({ id, number }));
		await handOver(handedOver?.id);
		const { data, status } = await cancel(waiting?.number, handedOver?.number, moving?.number);
		expect(status).toBe(isInterface ? 200 : 400);
		const refused = { successfull: false, message: 'package.cancel.alreadysent' };
		const done = { packageNumberCarrier: waiting?.number, successfull: true, message: null };
		expect(data.result).toMatchObject([done, refused, refused]);
		expect(stateOf('canceled')).toEqual([false, true, true, false]);
		const list = await service.client.post('/Package/Find', { search: waiting?.number });
		expect(list.data.result.data).toMatchObject([{ canceled: true, canCancel: false }]);
		expect((await cancel(waiting?.number)).data.result[0]).toMatchObject({ successfull: false });
	});
});
