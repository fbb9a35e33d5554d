import { ACTIVE_MS } from '../../nodes/ParcelShipping/tracking/select';
import { ShipmentIndex } from '../../nodes/ParcelShipping/tracking/discover';
import type { Watch, WatchedShipment } from '../../nodes/ParcelShipping/tracking/state';
import { idsOf, nowMs, shipmentOf, stateOf, watchOf } from '../support/watched';

describe('The index of watched shipments', () => {
	const indexOf = (...shipments: WatchedShipment[]) =>
		new ShipmentIndex(stateOf(shipments), watchOf(), nowMs);

	test('finds a shipment by its ID, or by its number if the user gave only that', () => {
		const index = indexOf(shipmentOf(1), shipmentOf(0, { number: '009' }));
		index.upsert({ id: 1, carrier: 'ANT', number: '' });
		index.upsert({ id: 9, carrier: 'ANT', number: '009' });
		index.upsert({ id: 0, carrier: 'ANT', number: '001' });
		expect(idsOf(index.shipments)).toEqual([1, 9]);
		expect(index.shipments.every(({ listed }) => listed === 'now')).toBe(true);
	});

	test('does not confuse the numbers of two carriers', () => {
		const index = indexOf(shipmentOf(1));
		index.upsert({ id: 0, carrier: 'BEAVER', number: '001' });
		expect(index.shipments).toHaveLength(2);
	});

	test('adds a new shipment once, with events that are new since the start', () => {
		const index = indexOf();
		index.upsert({ id: 1, carrier: 'ANT', number: '' });
		index.upsert({ id: 1, carrier: 'ANT', number: '' });
		expect(index.shipments).toMatchObject([{ id: 1, newSince: nowMs, known: '' }]);
	});

	test('sets a number once; a second shipment with this number is finished, so that no event is emitted twice', () => {
		const index = indexOf(
			shipmentOf(1, { number: '', nextRequestAt: nowMs }),
			shipmentOf(2, { number: '' }),
		);
		index.setNumber(1, '007');
		index.setNumber(1, '008');
		index.setNumber(2, '007');
		expect(index.shipments).toEqual([
			shipmentOf(1, { number: '007' }),
			shipmentOf(2, { number: '', isFinished: true }),
		]);
	});

	test('starts over with a shipment whose number changed', () => {
		const index = indexOf(shipmentOf(1, { known: 'abcdef', isFinished: true }));
		index.upsert({ id: 1, carrier: 'ANT', number: '002' });
		expect(index.shipments).toMatchObject([
			{ number: '002', known: '', newSince: nowMs, isFinished: false },
		]);
	});

	test('does not add a shipment that cannot be tracked or has no number yet', () => {
		const index = indexOf(shipmentOf(1, { listed: 'before' }), shipmentOf(2));
		index.upsert({ id: 1, carrier: 'ANT', number: '001', isUntrackable: true });
		index.upsert({ id: 2, carrier: 'ANT', number: '', awaitsNumber: true });
		index.upsert({ id: 3, carrier: 'ANT', number: '003', isUntrackable: true });
		index.upsert({ id: 4, carrier: 'ANT', number: '', awaitsNumber: true });
		expect(index.shipments).toEqual([
			shipmentOf(1, { listed: 'no' }),
			shipmentOf(2, { listed: 'now' }),
		]);
	});

	test('keeps the main shipment of an additional piece once it is known', () => {
		const index = indexOf(shipmentOf(1), shipmentOf(2));
		index.upsert({ id: 2, carrier: 'ANT', number: '002', mainId: 0 });
		expect(index.shipments).toMatchObject([{ id: 1 }, { id: 2, mainId: 0 }]);
		index.setMain(2, 1);
		index.upsert({ id: 2, carrier: 'ANT', number: '002', mainId: 0 });
		index.setMain(9, 1);
		expect(index.shipments).toEqual([shipmentOf(1), shipmentOf(2, { listed: 'now', mainId: 1 })]);
	});

	test('requests a shipment with the others again if its number changed', () => {
		const index = indexOf(shipmentOf(1, { refusedSince: nowMs }));
		index.upsert({ id: 1, carrier: 'ANT', number: '002' });
		expect(index.shipments[0]?.refusedSince).toBeUndefined();
	});

	test('requests a shipment at once if the list says that it was delivered', () => {
		const index = indexOf(shipmentOf(1, { nextRequestAt: nowMs + 600_000 }));
		index.upsert({ id: 1, carrier: 'ANT', number: '001', hasEnded: true });
		expect(index.shipments).toEqual([shipmentOf(1, { listed: 'now', endedAt: nowMs })]);
	});

	test('knows that a shipment has just been created once the list was read completely', () => {
		const state = { ...stateOf([]), list: { next: 0, wasCompleted: true } };
		const index = new ShipmentIndex(state, watchOf(), nowMs);
		index.upsert({ id: 1, carrier: 'ANT', number: '001' });
		expect(index.shipments).toMatchObject([{ activeUntil: nowMs + ACTIVE_MS }]);
		const first = indexOf();
		first.upsert({ id: 1, carrier: 'ANT', number: '001' });
		expect(first.shipments[0]).not.toHaveProperty('activeUntil');
	});

	test('stops watching a shipment that was missing from the list twice', () => {
		const index = indexOf(shipmentOf(1, { listed: 'now' }), shipmentOf(2));
		index.finishList();
		expect(index.shipments.map(({ listed }) => listed)).toEqual(['before', 'no']);
	});
});

describe('A shipment that is found for the first time', () => {
	const found = { id: 7, carrier: 'ANT', number: '007' };
	const created = (watch: Partial<Watch>) => {
		const index = new ShipmentIndex(stateOf([]), watchOf(watch), nowMs + 86_400_000);
		index.upsert(found);
		return index.shipments;
	};

	test('has new events from the start of the trigger on', () => {
		expect(created({ startFrom: 'now' })).toEqual([
			{
				...found,
				firstSeenDay: 20_615,
				listed: 'now',
				newSince: nowMs,
				known: '',
				isFinished: false,
			},
		]);
	});

	test('has only new events if the user wants existing events', () => {
		expect(created({ startFrom: 'existing' })).toMatchObject([{ newSince: 0 }]);
	});
});
