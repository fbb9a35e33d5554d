import { setStage } from '../support/triggerStage';

describe('If the list says which shipment a piece belongs to, an event of an additional piece', () => {
	const stage = setStage({ dialect: 'documented' });
	const seedPieces = (hoursAgo = 20) =>
		stage.sandbox.seedShipments(1, { hoursAgo, pieceCount: 3, packageNumberCustom: 'PIECES' });
	const asked = () => stage.asked('getShipment').length;

	test('has the ID of its shipment, without another request', async () => {
		stage.sandbox.seedShipments(3, { hoursAgo: 30 });
		const [main, , third] = seedPieces();
		const host = await stage.newHost('default');
		await host.publish({});
		const date = '2026-06-10T10:59:00';
		stage.sandbox.addEvent(main?.packageNumberCarrier ?? '', { code: '701', date });
		stage.sandbox.addEvent(third?.packageNumberCarrier ?? '', { code: '702' });
		await stage.poll(host);
		expect(host.events).toMatchObject([
			{ code: '701', shipmentId: main?.id, pieceId: main?.id },
			{ code: '702', shipmentId: main?.id, pieceId: third?.id },
		]);
		expect(asked()).toBe(0);
	});

	test('has the ID of the shipment created with it, if two have the same reference', async () => {
		const [first, , firstThird] = seedPieces(21);
		const [second, secondPiece] = seedPieces();
		const host = await stage.newHost('default');
		await host.publish({});
		const date = '2026-06-10T10:59:00';
		stage.sandbox.addEvent(firstThird?.packageNumberCarrier ?? '', { date });
		stage.sandbox.addEvent(secondPiece?.packageNumberCarrier ?? '', {});
		await stage.poll(host);
		expect(host.events).toMatchObject([{ shipmentId: first?.id }, { shipmentId: second?.id }]);
	});

	test('has the ID of its shipment even if the list does not contain that', async () => {
		const [main, second] = seedPieces();
		const rewrite = (body: { result: { data: Array<{ id: number }> } }) => {
			body.result.data = body.result.data.filter(({ id }) => id !== main?.id);
			return body;
		};
		stage.sandbox.fault({ operation: 'findShipments', kind: 'body', rewrite, times: 9 } as never);
		const host = await stage.newHost('default');
		await host.publish({});
		stage.sandbox.addEvent(second?.packageNumberCarrier ?? '', { code: '701' });
		await stage.poll(host);
		expect(host.events).toMatchObject([{ shipmentId: main?.id, pieceId: second?.id }]);
		expect(asked()).toBe(0);
	});
});

describe('If the list does not say it', () => {
	const stage = setStage();
	const asked = () => stage.asked('getShipment').length;
	const addEvent = async (code: string) => {
		const host = await stage.newHost('default');
		const pieces = stage.sandbox.seedShipments(1, { hoursAgo: 20, pieceCount: 3 });
		const [main, second] = pieces;
		await host.publish({});
		const number = second?.packageNumberCarrier ?? '';
		stage.sandbox.addEvent(number, { code });
		return { host, pieces, main, second, number };
	};

	test('the detail of the piece is read once, and if the service refuses it, the piece keeps its own ID', async () => {
		const { host, second, number } = await addEvent('701');
		await stage.poll(host);
		expect(asked()).toBe(1);
		stage.sandbox.addEvent(number, { code: '702' });
		await stage.poll(host);
		expect(host.events).toMatchObject([
			{ code: '701', shipmentId: second?.id, pieceId: second?.id },
			{ code: '702', shipmentId: second?.id, pieceId: second?.id },
		]);
		expect(host.events[0]).not.toHaveProperty('shipmentNotRead');
		expect(asked()).toBe(1);
	});

	test.each([
		['the shipment with its pieces', (pieces: unknown[]) => pieces],
		['the piece, with the ID of its shipment', (pieces: unknown[]) => pieces.slice(1, 2)],
	])('it is that of the detail, which contains %s', async (_, select) => {
		const { host, pieces, main, second } = await addEvent('701');
		const details = pieces.map(({ id, packageNumberCarrier }) => ({
			id,
			packageNumberCarrier,
			masterId: id === main?.id ? null : main?.id,
		}));
		for (const result of [select(details), details]) {
			const fault = { operation: 'getShipment', kind: 'status', status: 200 } as const;
			stage.sandbox.fault({ ...fault, body: { result, correlationId: 'c' } });
		}
		await stage.poll(host);
		expect(host.events).toMatchObject([{ shipmentId: main?.id, pieceId: second?.id }]);
	});

	test('and the service does not respond, the event has the ID of the piece, and the next one tries again', async () => {
		const { host, main, second, number } = await addEvent('701');
		stage.sandbox.fault({ operation: 'getShipment', kind: 'status', status: 500, times: 1 });
		await stage.poll(host);
		stage.sandbox.addEvent(number, { code: '702' });
		await stage.poll(host);
		expect(host.events).toMatchObject([{ shipmentId: second?.id }, { shipmentId: second?.id }]);
		expect(main?.id).not.toBe(second?.id);
		expect(asked()).toBe(2);
	});
});
