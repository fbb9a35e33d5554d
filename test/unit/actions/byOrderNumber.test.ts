import { mainIdsByCarrier } from '../../../nodes/ParcelShipping/actions/byOrderNumber';

type Shipment = Parameters<typeof mainIdsByCarrier>[1][number];

/** A shipment of two pieces. */
const shipmentOf = (id: number, carrierCode: string, areCanceled = [false, false]) => {
	const pieces = areCanceled.map((isCanceled, at) => ({ id: id + at, carrierCode, isCanceled }));
	return { id, carrierCode, reference: 'A-1', pieces } as Shipment;
};
const idsOf = (...shipments: Shipment[]) =>
	mainIdsByCarrier({ item: 0, orderNumbers: ['A-1'] }, shipments).map((each) => each.shipmentIds);

test('an order number means the main shipment, and also a canceled one', () => {
	expect(idsOf(shipmentOf(1, 'ANT'))).toEqual([[1]]);
	const canceled = shipmentOf(3, 'ANT', [true, true]);
	expect(idsOf(shipmentOf(1, 'ANT'), canceled)).toEqual([[1, 3]]);
});

test('an order number with two living shipments means none of them', () => {
	const partly = shipmentOf(3, 'BEAVER', [true, false]);
	expect(() => idsOf(shipmentOf(1, 'ANT'), partly)).toThrow(
		'Order number A-1 has 2 shipments: 1 of ANT, 3 of BEAVER',
	);
});
