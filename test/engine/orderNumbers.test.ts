// Shipments that are chosen by the order number of the shop.
import type { INodeParameters } from 'n8n-workflow';

import { fieldsOf, linksOf, valuesOf } from '../support/outputs';
import { SERVICE_KINDS, SERVICES } from '../support/services';
import { useShop } from '../support/useShop';

const byOrder = { shipments: 'orderNumbers', orderNumber: '={{ $json.order }}' };
const ofShipment = (operation: string, more = {}): INodeParameters => ({
	resource: 'shipment',
	operation,
	...byOrder,
	...more,
});
const cancel = ofShipment('cancel');
const handOver = ofShipment('handOver');
const track = ofShipment('track');
const print = { ...byOrder, resource: 'label', operation: 'print', download: false };
const sendToPrinter = {
	...byOrder,
	resource: 'label',
	operation: 'sendToPrinter',
	labels: 'orderNumbers',
	printerName: 'Warehouse A4',
};
const operations = { cancel, handOver, track, print, sendToPrinter };

describe.each(SERVICE_KINDS)('At a service of the kind %s', (kind) => {
	const shop = useShop(SERVICES[kind]);
	const run = async (parameters: INodeParameters, ...orders: unknown[]) =>
		shop.create(
			orders.map((order) => ({ order }) as never),
			{},
			{ parameters },
		);
	/** Order 7001 with two pieces, 7002 at another carrier, and 70010, which nobody means. */
	const seed = () => {
		const of = (packageNumberCustom: string, more = {}) =>
			shop.sandbox.seedShipments(1, { packageNumberCustom, ...more });
		const [first, second] = [...of('7001', { pieceCount: 2 }), ...of('70010')];
		const [other] = of('7002', { serviceType: 'BEAVER-PARCEL' });
		return [first, second, other].map((shipment) => ({
			id: shipment?.id ?? 0,
			number: shipment?.packageNumberCarrier ?? '',
		}));
	};

	test('orders of several carriers are canceled, also twice, and no order with a longer number', async () => {
		const ids = seed().map(({ id }) => id);
		for (const alreadyCanceled of [false, true]) {
			const { items } = await run(cancel, 7001, '7002');
			expect(fieldsOf(items, 'id', 'alreadyCanceled')).toEqual([
				[ids[0], alreadyCanceled],
				[ids[2], alreadyCanceled],
			]);
			expect(linksOf(items)).toEqual([0, 1]);
		}
		const canceled = shop.shipments().filter((shipment) => shipment.canceled);
		expect(canceled.map(({ id }) => id)).toEqual(ids);
	});

	test('orders are handed over, tracked, and their labels created and printed, with every piece', async () => {
		const [first, second, other] = seed();
		const handedOver = await run(handOver, '7001, 7002');
		expect(valuesOf(handedOver.items, 'shipmentIds')).toEqual([[first?.id], [other?.id]]);
		const tracked = await run(track, '7002, 7001');
		expect(fieldsOf(tracked.items, 'packageNumberCustom', 'packageNumberCarrier').sort()).toEqual([
			['7001', first?.number],
			['7001', second?.number],
			['7002', other?.number],
		]);
		const labels = await run(print, 7001, 7002);
		expect(fieldsOf(labels.items, 'carrierCode', 'labelsCount')).toEqual([
			['ANT', 2],
			['BEAVER', 1],
		]);
		const skipped = { ...sendToPrinter, options: { skipPrinted: true } };
		const printed = [await run(sendToPrinter, 7001), await run(skipped, 7001)];
		expect(printed.flatMap(({ items }) => fieldsOf(items, 'labelsCount', 'skipped'))).toEqual([
			[2, undefined],
			[undefined, true],
		]);
	});

	test.each(Object.entries(operations))(
		'%s fails only the item of an order without a shipment, and names it',
		async (_, parameters) => {
			seed();
			const { items, errorItems } = await run(parameters, '7003', '7002');
			expect(linksOf(items)).toEqual([1]);
			expect(valuesOf(errorItems, 'error')).toEqual(['No shipment has the order number 7003']);
		},
	);

	test.each([cancel, handOver])(
		'an order with two living shipments is refused ($operation), with one it is not',
		async (parameters) => {
			const [{ id } = { id: 0 }, , other] = seed();
			shop.sandbox.seedShipments(1, { packageNumberCustom: '7002' });
			const { items, errorItems } = await run(parameters, '7002', '7001');
			expect(valuesOf(errorItems, 'error')).toEqual([
				expect.stringMatching(/^Order number 7002 has 2 shipments: \d+ of \w+, \d+ of \w+$/),
			]);
			expect(linksOf(items)).toEqual([1]);
			shop.sandbox.cancelShipment(other?.id ?? 0);
			expect(linksOf((await run(parameters, '7002')).items)).toEqual([0]);
			expect(id).toBeGreaterThan(0);
		},
	);

	test('a canceled order has no label', async () => {
		shop.sandbox.cancelShipment(seed()[0]?.id ?? 0);
		expect(valuesOf((await run(print, '7001')).errorItems, 'error')).toEqual([
			'The shipment with the order number 7001 is canceled and has no label',
		]);
	});

	test('twenty orders among a hundred take one search', async () => {
		const each = (index: number) => ({ packageNumberCustom: `N-${index}` });
		shop.sandbox.seedShipments(20, { each });
		const { items } = await run(track, ...Array.from({ length: 20 }, (_, index) => `N-${index}`));
		expect(items).toHaveLength(20);
		if (kind !== 'fewFields') expect(shop.requests('findShipments')).toHaveLength(1);
	});
});
