import { decide } from '../../nodes/ParcelShipping/creation/existing';
import type { Found } from '../../nodes/ParcelShipping/creation/found';
import { isListCheaper, LookUp } from '../../nodes/ParcelShipping/creation/lookUp';
import type { Order } from '../../nodes/ParcelShipping/creation/order';
import type {
	ListedShipment,
	ShipmentFilter,
	ShippingService,
} from '../../nodes/ParcelShipping/creation/service';

describe('Whether reading the list is cheaper than searching', () => {
	test.each([
		[2, 0, true, true],
		[2, 100, true, true],
		[2, 300, true, true],
		[2, 301, true, false],
		[100, 10_000, true, true],
		[100, 20_000, true, false],
		[100, 50, false, true],
		[20, 50, false, false],
	])('%i labels in a list of %i (tells labels: %s): %s', (labels, total, tells, expected) => {
		expect(isListCheaper(labels, total, tells)).toBe(expected);
	});
});

/** A service with these shipments, that notes what it was asked. */
function serviceWith(shipments: ListedShipment[], form: 'rich' | 'documented') {
	const asked: string[] = [];
	const listed = (filter: ShipmentFilter) => {
		const search = filter.search;
		asked.push(search ? `search ${search}` : 'list');
		return shipments
			.filter(
				({ packageNumberCustom, packageNumberOrder }) =>
					(!search || packageNumberCustom?.includes(search)) &&
					(!filter.onlyMaster || packageNumberOrder === 1),
			)
			.map(({ id, carrierCode, ...rest }) =>
				form === 'rich' ? { id, carrierCode, ...rest } : { id, carrierCode },
			);
	};
	const service = {
		firstShipments: async (filter) => {
			const rows = listed(filter);
			return { rows: rows.slice(0, 100), total: rows.length };
		},
		allShipments: async (filter, first) =>
			first && first.rows.length >= first.total ? first.rows : listed(filter),
		piecesOf: async (carrierCode, id) => {
			asked.push(`details ${id}`);
			const label = shipments.find((shipment) => shipment.id === id)?.packageNumberCustom;
			return shipments.filter(
				(piece) => piece.packageNumberCustom === label && piece.carrierCode === carrierCode,
			) as never;
		},
	} as Partial<ShippingService> as ShippingService;
	return { service, asked };
}

const shipment = (id: number, label: string, piece = 1, carrierCode = 'ANT'): ListedShipment => ({
	id,
	carrierCode,
	packageNumberCustom: label,
	packageNumberCarrier: `N${id}`,
	packageNumberOrder: piece,
	canceled: false,
});

describe.each(['rich', 'documented'] as const)('A look-up in a %s list', (form) => {
	const shipments = [shipment(1, 'A'), shipment(2, 'A', 2), shipment(3, 'AA'), shipment(4, 'B')];
	const find = async (labels: string[], list = shipments) => {
		const { service, asked } = serviceWith(list, form);
		const found = await new LookUp(service, 'ANT', 2).find(labels, '2026-11-01');
		return { ids: found.map(({ id }) => id).sort(), asked };
	};

	test('finds one label and all its pieces, and nothing that merely contains it', async () => {
		expect((await find(['A'])).ids).toEqual([1, 2]);
	});
	test('finds several labels', async () => {
		expect((await find(['A', 'B', 'X', 'Y', 'Z'])).ids).toEqual([1, 2, 4]);
	});
	test('does not take the shipments of another carrier', async () => {
		const { ids } = await find(['B'], [shipment(9, 'B', 1, 'BEAVER'), ...shipments]);
		expect(ids).toEqual([4]);
	});
	test('asks as little as it can', async () => {
		const many = Array.from({ length: 500 }, (_, index) => shipment(index + 10, `M-${index}x`));
		expect((await find(['A', 'B'])).asked.sort()).toEqual(
			form === 'rich'
				? ['list']
				: ['details 1', 'details 3', 'details 4', 'list', 'search A', 'search B'],
		);
		const { asked } = await find(['M-1x', 'M-2x'], many);
		expect(asked.slice(0, 3)).toEqual(['list', 'search M-1x', 'search M-2x']);
	});
});

describe('An order and what exists with its label', () => {
	const order: Order = {
		itemIndex: 0,
		carrierCode: 'ANT',
		body: { packageNumberCustom: 'A' } as Order['body'],
	};
	const existing = (id: number, isCanceled = false, label = 'A'): Found => ({
		id,
		label,
		isCanceled,
		record: { packageNumberOrder: id },
	});

	test('nothing: it is sent', () => {
		expect(decide(order, [existing(1, false, 'AA')], 'reuse')).toEqual({ order, canceled: [] });
	});
	test('only a canceled one: it is sent, and the canceled one is kept in mind', () => {
		const canceled = existing(1, true);
		expect(decide(order, [canceled], 'reuse')).toEqual({ order, canceled: [canceled] });
	});
	test('a shipment of three pieces: all of them, in their order', () => {
		const decision = decide(order, [existing(3), existing(1), existing(2)], 'reuse');
		expect(decision).toMatchObject({
			existing: [1, 2, 3].map((id, pieceIndex) => ({
				row: { id, pieceIndex },
				alreadyExisted: true,
			})),
		});
	});
	test('a shipment, where that is a failure: it says which one', () => {
		expect(decide(order, [existing(5)], 'fail')).toMatchObject({
			failure: { message: expect.stringContaining('ID 5'), details: { shipmentIds: [5] } },
		});
	});
});
