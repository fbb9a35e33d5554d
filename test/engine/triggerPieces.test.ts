import { setStage } from '../support/triggerStage';

const stage = setStage();

/** Returns the numbers of the pieces of a shipment. */
const seedPieces = (hoursAgo = 20) =>
	stage.sandbox.seedShipments(1, { hoursAgo, pieceCount: 3, packageNumberCustom: 'PIECES' });
const asked = () => stage.asked('getShipment').length;

test('an event of a further piece has the ID of its shipment, without further requests', async () => {
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

test('of two shipments with the same reference, a piece belongs to the one created with it', async () => {
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

test('if the list shows a piece without its main piece, the main ID is read once', async () => {
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
	// The refusal of the service for the ID of the piece names the main piece.
	expect(asked()).toBe(2);
	stage.sandbox.addEvent(second?.packageNumberCarrier ?? '', { code: '702' });
	await stage.poll(host);
	expect(host.events).toMatchObject([
		{ code: '701', shipmentId: main?.id, pieceId: second?.id },
		{ code: '702', shipmentId: main?.id, pieceId: second?.id },
	]);
	expect(asked()).toBe(2);
});

test('if the main ID cannot be read, the event is emitted with the ID of the piece', async () => {
	const [main, second] = seedPieces();
	const rewrite = (body: { result: { data: Array<{ id: number }> } }) => {
		body.result.data = body.result.data.filter(({ id }) => id !== main?.id);
		return body;
	};
	stage.sandbox.fault({ operation: 'findShipments', kind: 'body', rewrite, times: 9 } as never);
	stage.sandbox.fault({ operation: 'getShipment', kind: 'status', status: 500, times: Infinity });
	const host = await stage.newHost('default');
	await host.publish({});
	stage.sandbox.addEvent(second?.packageNumberCarrier ?? '', { code: '701' });
	await stage.poll(host);
	expect(host.events).toMatchObject([{ shipmentId: second?.id, pieceId: second?.id }]);
});

describe('At a service that lists only main shipments unless told otherwise', () => {
	const documented = setStage({ dialect: 'documented' });

	test('an event of a further piece is emitted, too', async () => {
		const [main, , third] = documented.sandbox.seedShipments(1, { hoursAgo: 20, pieceCount: 3 });
		const host = await documented.newHost('default');
		await host.publish({});
		documented.sandbox.addEvent(third?.packageNumberCarrier ?? '', { code: '702' });
		await documented.poll(host);
		expect(host.events).toMatchObject([{ code: '702', shipmentId: main?.id, pieceId: third?.id }]);
	});
});
