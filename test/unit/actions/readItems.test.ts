import {
	labelsByOrder,
	mainIdsByCarrier,
	type OrderNumbers,
	readItems,
} from '../../../nodes/ParcelShipping/actions/readItems';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import { pieceOf, shipmentWith } from '../../support/orders';
import { clientOf, responseOf } from '../../support/respondingClient';

type Shipment = Parameters<typeof mainIdsByCarrier>[1][number];

/** A shipment of two pieces. */
const shipmentOf = (id: number, carrierCode: string, areCanceled = [false, false]) => {
	const pieces = areCanceled.map((isCanceled, at) => ({ id: id + at, carrierCode, isCanceled }));
	return { id, carrierCode, reference: 'A-1', pieces } as Shipment;
};
const idsOf = (...shipments: Shipment[]) =>
	mainIdsByCarrier({ item: 0, orderNumbers: ['A-1'] }, shipments).map((each) => each.shipmentIds);

test('an order number means the main shipment of its active shipment, or else of the newest canceled one', () => {
	expect(idsOf(shipmentOf(1, 'ANT'))).toEqual([[1]]);
	const canceled = shipmentOf(3, 'ANT', [true, true]);
	expect(idsOf(canceled, shipmentOf(1, 'ANT'))).toEqual([[1]]);
	expect(idsOf(shipmentOf(2, 'ANT', [true]), canceled)).toEqual([[3]]);
});

test('an order number with two living shipments means none of them', () => {
	const partly = shipmentOf(3, 'BEAVER', [true, false]);
	const record = { created: '2026-11-20T08:15:00', codPrice: 539.5, codCurrency: 'CZK' };
	Object.assign(partly.pieces[0] as object, { number: 'B3', record });
	expect(() => idsOf(shipmentOf(1, 'ANT'), partly)).toThrow(
		'Order number A-1 has 2 shipments: 1 of ANT; 3 of BEAVER, created 2026-11-20 08:15, tracking number B3, COD 539.5 CZK',
	);
});

test('the labels of an order are incomplete if the service shows fewer pieces than it says', () => {
	const [main, second] = [pieceOf(1, 'A', { pieceCount: 2 }), pieceOf(2, 'A')];
	const order = { item: 0, orderNumbers: ['A'] };
	const of = (...pieces: [typeof main, ...Array<typeof main>]) =>
		labelsByOrder(order, [shipmentWith(...pieces)]);
	const incomplete = ['A (1 of 2)'];
	expect(of(main)).toMatchObject([{ pieces: [{ id: 1 }], incomplete }]);
	expect(of(main, second)).toMatchObject([{ pieces: [{ id: 1 }, { id: 2 }], incomplete: [] }]);
});

test('a canceled piece of an order has no label', () => {
	const canceled = { ...pieceOf(2, 'A-1'), isCanceled: true };
	const shipment = shipmentWith(pieceOf(1, 'A-1'), canceled);
	expect(labelsByOrder({ item: 0, orderNumbers: ['A-1'] }, [shipment])).toMatchObject([
		{ pieces: [{ id: 1, reference: 'A-1' }] },
	]);
});

describe('The shipments of an order are found', () => {
	interface Service {
		/** What is listed of order A-1. */
		listed: object[];
		detail?: object[];
		/** The search for this order is refused. */
		refused?: string;
		orders?: string[];
		/** The ID of a shipment without a detail. */
		withoutDetail?: number;
	}
	const find = async (service: Service) => {
		const { listed, detail = [], refused, orders = ['A-1'], withoutDetail } = service;
		const records = listed.map((each) => ({
			...{ carrierCode: 'ANT', packageNumberCustom: 'A-1', ...each },
		}));
		const { client, requests } = clientOf(({ path, body = '' }) => {
			if (path.includes(`/ANT/${withoutDetail}`)) return responseOf(404, { message: 'Not found' });
			if (path.includes('/ANT/')) return responseOf(200, { result: detail });
			if (refused && `${path} ${body}`.includes(refused))
				return responseOf(400, { message: 'Search is too short' });
			// Too many for the whole list to be read.
			const total = refused && !body.includes('search') ? 10_000 : records.length;
			return responseOf(200, { result: { data: records, total } });
		});
		const context = {
			continueOnFail: () => true,
		} as unknown as NodeRun['context'];
		const run = { context, client, items: orders.map(() => ({ json: {} })) } as NodeRun;
		const { items, failed } = await readItems<object, OrderNumbers>(
			run,
			(item) => ({ item, orderNumbers: [orders[item] ?? ''] }),
			(_, found) => found.flatMap(({ pieces }) => pieces.map(({ id, number }) => [id, number])),
		);
		const details = requests.filter(({ path }) => path.includes('/ANT/')).length;
		const errors = failed.map(({ items: [item], ...result }) => [
			...[item, 'failure' in result && describeError(result.failure).message],
		]);
		const { body = '{}' } = requests.find(({ path }) => path.includes('/Find')) ?? {};
		const { createdFrom = '' } = JSON.parse(body) as { createdFrom?: string };
		return { items, details, errors, createdFrom };
	};
	const detail = [
		{ id: 1, packageNumberCarrier: 'N1' },
		{ id: 2, packageNumberCarrier: 'N2', masterId: 1 },
	];

	test.each<[string, object]>([
		['says how many pieces there are', { id: 1, isMaster: true, pieceCount: 2 }],
		['says nothing of pieces', { id: 1 }],
	])('with the pieces of which a list of main shipments %s', async (_, main) => {
		expect(await find({ listed: [main], detail })).toMatchObject({
			items: [
				[1, 'N1'],
				[2, 'N2'],
			],
			details: 1,
		});
	});

	test('without a detail if the list has all pieces', async () => {
		const [first, second] = detail;
		const listed = [{ ...first, isMaster: true, pieceCount: 2 }, second ?? {}];
		expect(await find({ listed, detail })).toMatchObject({
			items: [
				[1, 'N1'],
				[2, 'N2'],
			],
			details: 0,
		});
		const single = [{ id: 1, packageNumberCarrier: 'N1', pieceCount: 1 }];
		expect((await find({ listed: single })).details).toBe(0);
	});

	test('with the active pieces of one whose main piece is canceled in the list', async () => {
		const listed = [{ id: 1, packageNumberCarrier: 'N1', canceled: true }];
		expect((await find({ listed, detail })).items).toEqual([
			[1, 'N1'],
			[2, 'N2'],
		]);
	});

	test('once, if only the detail of its canceled main piece says that the others belong to it', async () => {
		const listed = [
			{ id: 1, packageNumberCarrier: 'N1', canceled: true },
			{ id: 2, packageNumberCarrier: 'N2' },
		];
		const canceled = [{ ...detail[0], canceled: true }, detail[1] ?? {}];
		const found = await find({ listed, detail: canceled, withoutDetail: 2 });
		expect(found).toMatchObject({ errors: [] });
		expect(found.items).toEqual([
			[1, 'N1'],
			[2, 'N2'],
		]);
	});

	test('however old it is if its number is alone, and of the last 30 days otherwise', async () => {
		const listed = [{ id: 1, packageNumberCarrier: 'N1', pieceCount: 1 }];
		const yearOf = async (...orders: string[]) =>
			Number((await find({ listed, orders })).createdFrom.slice(0, 4));
		const thisYear = new Date().getFullYear();
		expect(await yearOf('A-1', 'A-1')).toBeLessThan(thisYear - 5);
		expect(await yearOf('A-1', 'A-2')).toBeGreaterThanOrEqual(thisYear - 1);
	});

	test('once, if the list shows its main piece as canceled and others as active', async () => {
		const listed = [
			{ id: 1, packageNumberCarrier: 'N1', canceled: true },
			{ id: 2, packageNumberCarrier: 'N2', masterId: 1 },
		];
		expect((await find({ listed, detail })).items).toEqual([
			[1, 'N1'],
			[2, 'N2'],
		]);
	});

	test('with the number that only the detail has', async () => {
		const listed = [{ id: 1, pieceCount: 1 }];
		expect(await find({ listed, detail: detail.slice(0, 1) })).toMatchObject({
			items: [[1, 'N1']],
		});
	});

	test('only if the records say of each shipment of which order it is', async () => {
		const hidden = { packageNumberCustom: undefined };
		const listed = [
			{ id: 1, ...hidden },
			{ id: 2, ...hidden },
		];
		const ofOrder = [{ id: 1, packageNumberCustom: 'A-1', packageNumberCarrier: 'N1' }];
		const service = { listed, detail: ofOrder, withoutDetail: 2 };
		const message =
			'The provider lists shipment 2 of ANT, which may be of this order, and has no detail of it';
		expect(await find(service)).toMatchObject({ items: [], errors: [[0, message]] });
	});

	test('unless its own search is refused, which fails no other order', async () => {
		const listed = [{ id: 1, packageNumberCarrier: 'N1', pieceCount: 1 }];
		expect(await find({ listed, refused: '"7"', orders: ['7', 'A-1'] })).toMatchObject({
			items: [[1, 'N1']],
			errors: [[0, 'The service said: Search is too short']],
		});
	});
});
