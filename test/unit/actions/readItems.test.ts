import {
	labelsOf,
	oneShipmentEach,
	readItems,
} from '../../../nodes/ParcelShipping/actions/readItems';
import { readShipmentFields } from '../../../nodes/ParcelShipping/descriptions/shipmentNumbers';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import { pieceOf, shipmentWith } from '../../support/orders';
import { clientOf, pageOf, responseOf } from '../../support/respondingClient';
import { runOf } from '../../support/tries';

type Shipment = Parameters<typeof oneShipmentEach>[0][number];

/** A shipment of two pieces. */
const shipmentOf = (id: number, carrierCode: string, areCanceled = [false, false]) => {
	const pieces = areCanceled.map((isCanceled, at) => ({ id: id + at, carrierCode, isCanceled }));
	return { id, carrierCode, reference: 'A-1', pieces } as Shipment;
};
const idsOf = (...shipments: Shipment[]) => oneShipmentEach(shipments).map(({ id }) => id);

test('an order number means its active shipment, or else the newest canceled one', () => {
	expect(idsOf(shipmentOf(1, 'ANT'))).toEqual([1]);
	const canceled = shipmentOf(3, 'ANT', [true, true]);
	expect(idsOf(canceled, shipmentOf(1, 'ANT'))).toEqual([1]);
	expect(idsOf(shipmentOf(2, 'ANT', [true]), canceled)).toEqual([3]);
});

test('an order number with two active shipments means none of them', () => {
	const partly = shipmentOf(3, 'BEAVER', [true, false]);
	const record = { created: '2026-11-20T08:15:00', codPrice: 539.5, codCurrency: 'CZK' };
	Object.assign(partly.pieces[0] as object, { number: 'B3', record });
	expect(() => idsOf(shipmentOf(1, 'ANT'), partly)).toThrow(
		'Order number A-1 has 2 shipments: 1 of ANT; 3 of BEAVER, created 2026-11-20 08:15, tracking number B3, COD 539.5 CZK',
	);
});

test('the labels of an order are those of its active pieces, and missing ones are named', () => {
	const [main, second] = [pieceOf(1, 'A', { pieceCount: 2 }), pieceOf(2, 'A')];
	const named = { item: 0, way: 'orderNumbers', orderNumbers: ['A'], named: [] };
	const of = (...pieces: [typeof main, ...Array<typeof main>]) =>
		labelsOf({ ...named, carrierCode: 'ANT' }, [shipmentWith(...pieces)]);
	expect(of(main)).toMatchObject({ pieces: [{ id: 1 }], incomplete: ['A (1 of 2)'] });
	expect(of(main, second)).toMatchObject({ pieces: [{ id: 1 }, { id: 2 }], incomplete: [] });
	expect(of(main, { ...second, isCanceled: true }).pieces).toEqual([main]);
	expect(() => of({ ...main, isCanceled: true })).toThrow('is canceled and has no label');
});

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

async function find(service: Service) {
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
		return pageOf(records, total);
	});
	const items = orders.map((order) => ({ order }));
	const run = runOf(client, { items, form: { orderNumber: '={{ $json.order }}' } });
	const read = await readItems(run, readShipmentFields('Which'), (_, found) =>
		found.flatMap(({ pieces }) => pieces.map(({ id, number }) => [id, number])),
	);
	const errors = read.failed.map(({ items: [item], ...result }) => [
		...[item, 'failure' in result && describeError(result.failure).message],
	]);
	const { body = '{}' } = requests.find(({ path }) => path.includes('/Find')) ?? {};
	const { createdFrom = '' } = JSON.parse(body) as { createdFrom?: string };
	const details = requests.filter(({ path }) => path.includes('/ANT/')).length;
	return { items: read.items, details, errors, createdFrom };
}

const first = { id: 1, packageNumberCarrier: 'N1' };
const second = { id: 2, packageNumberCarrier: 'N2', masterId: 1 };
const detail = [first, second];
const canceled = { ...first, canceled: true };
const inDetail = {
	listed: [canceled, { ...second, masterId: undefined }],
	...{ detail: [canceled, second], withoutDetail: 2 },
};

test.each<[string, Service, number]>([
	['a list of main shipments', { listed: [{ id: 1, isMaster: true, pieceCount: 2 }], detail }, 1],
	['a list that says nothing of pieces', { listed: [{ id: 1 }], detail }, 1],
	['a list of all pieces', { listed: [{ ...first, isMaster: true, pieceCount: 2 }, second] }, 0],
	['a list in which the main piece is canceled', { listed: [canceled], detail }, 1],
	['a list with a canceled main piece and active ones', { listed: [canceled, second], detail }, 1],
	['the detail of a canceled main piece, which alone says what belongs to it', inDetail, 2],
])('the pieces of an order are found once in %s', async (_, service, details) => {
	const found = await find(service);
	expect(found).toMatchObject({ errors: [], details });
	expect(found.items.flat()).toEqual([1, 'N1', 2, 'N2']);
});

test('an order number alone is found however old it is, and several within 30 days', async () => {
	const yearOf = async (...orders: string[]) =>
		Number((await find({ listed: [first], orders })).createdFrom.slice(0, 4));
	const thisYear = new Date().getFullYear();
	expect(await yearOf('A-1', 'A-1')).toBeLessThan(thisYear - 5);
	expect(await yearOf('A-1', 'A-2')).toBeGreaterThanOrEqual(thisYear - 1);
});

test('a listed shipment that may be of any order fails all of them', async () => {
	const hidden = { packageNumberCustom: undefined };
	const listed = [1, 2].map((id) => ({ id, ...hidden }));
	const ofOrder = [{ ...first, packageNumberCustom: 'A-1' }];
	const message =
		'The provider lists shipment 2 of ANT, which may be the wanted one, and has no detail of it';
	const orders = ['A-1', 'A-2'];
	const found = await find({ listed, detail: ofOrder, withoutDetail: 2, orders });
	expect(found).toMatchObject({ items: [], errors: orders.map((_, at) => [at, message]) });
});

test('a search that is refused fails no other order', async () => {
	const listed = [{ ...first, pieceCount: 1 }];
	expect(await find({ listed, refused: '"7"', orders: ['7', 'A-1'] })).toMatchObject({
		items: [[1, 'N1']],
		errors: [[0, 'The provider said: Search is too short']],
	});
});
