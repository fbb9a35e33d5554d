import { planCarrier, planHandOvers } from '../../../nodes/ParcelShipping/changes/planHandOver';
import type { ShipmentState } from '../../../nodes/ParcelShipping/changes/state';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import { clientOf, responseOf } from '../../support/respondingClient';

const item = { item: 0, carrierCode: 'ANT' };

const stateOf = (id: number, more: Partial<ShipmentState> = {}): ShipmentState => ({
	...{ id, carrierCode: 'ANT', reference: '', pieceCount: 1, canceled: false, handedOver: false },
	...more,
});

const plan = (state: Partial<ShipmentState>, shipmentIds?: number[]) => {
	const known = stateOf(1001, state);
	const all = shipmentIds ? { ...item, shipmentIds } : item;
	const { plan: planned, failures } = planCarrier([all], new Map([[1001, known]]));
	const ids = (shipments: Array<{ id: number }>) => shipments.map(({ id }) => id);
	return {
		handsOver: ids(planned.shipments),
		already: ids(planned.alreadyHandedOver),
		failed: failures.length,
	};
};

test.each<[string, Partial<ShipmentState>, object, object]>([
	['was not handed over', {}, { handsOver: [1001] }, { handsOver: [1001] }],
	['was handed over', { handedOver: true }, {}, { already: [1001] }],
	['is canceled', { canceled: true }, {}, { failed: 1 }],
	// Everything would be handed over again each day.
	['may have been handed over', { handedOver: undefined }, { failed: 1 }, { handsOver: [1001] }],
])('a shipment that %s, with all others and by its ID', (_, state, withAll, byId) => {
	const nothing = { handsOver: [], already: [], failed: 0 };
	expect(plan(state)).toEqual({ ...nothing, ...withAll });
	expect(plan(state, [1001])).toEqual({ ...nothing, ...byId });
});

test('a canceled shipment is named with its order number', () => {
	const states = new Map([[1001, stateOf(1001, { reference: 'A-1', canceled: true })]]);
	const { failures } = planCarrier([{ ...item, shipmentIds: [1001] }], states);
	expect(describeError(failures[0]?.failure)).toMatchObject({
		message: 'Shipment 1001 of order A-1 is canceled and cannot be handed over',
		details: { packageNumberCustom: 'A-1' },
	});
});

test('what is wrong with a shipment that one item names is no error of the item for all', () => {
	const named = { ...item, item: 1, shipmentIds: [1, 2] };
	const states = new Map<number, ShipmentState | { failure: unknown }>([
		[1, { failure: new Error('There is no shipment 1') }],
		[2, stateOf(2, { handedOver: undefined })],
		[3, stateOf(3)],
	]);
	const { plan: planned, failures } = planCarrier([item, named], states);
	expect(failures.map(({ items }) => items)).toEqual([[1]]);
	expect(planned.shipments.map(({ id, items }) => [id, items])).toEqual([
		[3, [0]],
		[2, [1]],
	]);
});

test('all carriers are those that are not known to be inactive', async () => {
	const carriers = [
		...[{ code: 'ANT', status: 'active' }, { code: 'BEE' }],
		...[
			{ code: 'COW', status: 'Inactive' },
			{ code: 'DOG', status: 'WaitingActivation' },
		],
	];
	const { client } = clientOf(({ path }) =>
		responseOf(200, { result: path.includes('/Carrier') ? carriers : { data: [], total: 0 } }),
	);
	const { plans, failed } = await planHandOvers(client, [{ item: 0 }]);
	expect([plans.map(({ carrierCode }) => carrierCode), failed]).toEqual([['ANT', 'BEE'], []]);
});
