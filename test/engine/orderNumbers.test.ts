// Shipments that are chosen by the order number of the shop.
import type { INodeParameters } from 'n8n-workflow';

import { fieldsOf, valuesOf } from '../support/outputs';
import { SERVICE_KINDS, SERVICES } from '../support/services';
import { useShop } from '../support/useShop';

const byOrder = { shipments: 'orderNumbers', orderNumber: '={{ $json.order }}' };
const cancel = { resource: 'shipment', operation: 'cancel', ...byOrder };
const handOver = { ...cancel, operation: 'handOver' };
const track = { ...cancel, operation: 'track' };
const print = { ...byOrder, resource: 'label', operation: 'create' };

describe.each(SERVICE_KINDS)('At a provider of the kind %s', (kind) => {
	const shop = useShop(SERVICES[kind]);
	const run = async (parameters: INodeParameters, ...orders: unknown[]) =>
		shop.create(
			orders.map((order) => ({ order }) as never),
			{},
			{ parameters },
		);
	/** Order 7001 with two pieces, 7002 at another carrier, and 70010. */
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

	test('orders of several carriers are handed over, tracked, labeled and canceled', async () => {
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
		const [{ id } = { id: 0 }] = shop.sandbox.seedShipments(1, { packageNumberCustom: '7003' });
		const canceled = await run(cancel, '7003');
		expect(fieldsOf(canceled.items, 'id', 'alreadyCanceled')).toEqual([[id, false]]);
		expect(valuesOf((await run(print, '7003')).errorItems, 'error')).toEqual([
			'The shipment with the order number 7003 is canceled and has no label',
		]);
	});

	test('a cancellation by order number or ID, and the error of a late one, name the order first', async () => {
		const [waiting] = seed();
		const of = { packageNumberCustom: '7005', hoursAgo: 30 };
		const [moving] = shop.sandbox.seedShipments(1, of);
		const number = moving?.packageNumberCarrier;
		const ids = { shipments: 'ids', shipmentIds: '={{ $json.order }}', carrierCode: 'ANT' };
		const ways = [
			await run(cancel, '7001', '7005'),
			await run({ ...cancel, ...ids }, waiting?.id, moving?.id),
		];
		for (const { items, errorItems } of ways) {
			expect(Object.entries(items[0]?.json ?? {}).slice(0, 3)).toEqual([
				['packageNumberCustom', '7001'],
				['id', waiting?.id],
				['packageNumberCarrier', waiting?.number],
			]);
			expect(errorItems[0]?.json.error).toBe(
				`Shipment ${number} of order 7005 was not canceled: package.cancel.alreadysent`,
			);
			const details = (errorItems[0]?.json.details ?? {}) as object;
			expect(Object.entries(details)[0]).toEqual(['packageNumberCustom', '7005']);
		}
	});
});
