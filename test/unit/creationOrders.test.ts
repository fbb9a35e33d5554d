import {
	createOrders,
	type CreationSettings,
} from '../../nodes/ParcelShipping/creation/createOrders';
import { Ledger } from '../../nodes/ParcelShipping/creation/ledger';
import type { Order } from '../../nodes/ParcelShipping/creation/order';
import type { ListedShipment, ShippingService } from '../../nodes/ParcelShipping/creation/service';
import { ServiceError } from '../../nodes/ParcelShipping/transport/errors';

const SETTINGS: CreationSettings = {
	serviceOrigin: 'https://service.example',
	batchSize: 2,
	ifExists: 'reuse',
	lookbackDays: 30,
	maxConcurrency: 4,
	maxLookMs: 8,
	isAllOrNothing: false,
	hasRefusedItems: false,
};

const order = (itemIndex: number, carrierCode = 'ANT'): Order => ({
	itemIndex,
	carrierCode,
	body: { packageNumberCustom: `A-${itemIndex}` } as Order['body'],
});

const lost = (mayHaveActed: boolean, cause?: 'rate-limited') =>
	new ServiceError({
		message: 'no answer',
		description: '',
		endpoint: '',
		mayHaveActed,
		isTransient: true,
		...(cause ? { cause } : {}),
	});

/** A service that carries out what it is asked and then does as `answer` says. */
function serviceThat(answer: (request: number) => void) {
	const shipments: ListedShipment[] = [];
	const sent: string[][] = [];
	const underWay: number[] = [];
	let busy = 0;
	const service: ShippingService = {
		async create(carrierCode, bodies) {
			sent.push(bodies.map(({ packageNumberCustom }) => packageNumberCustom));
			underWay.push(++busy);
			const rows = bodies.map(({ packageNumberCustom }) => {
				const id = shipments.length + 1;
				shipments.push({ id, carrierCode, packageNumberCustom, packageNumberCarrier: `N${id}` });
				return { id, packageNumberCustom, statusCode: 200 };
			});
			await Promise.resolve();
			busy--;
			answer(sent.length);
			return { result: rows, batchId: 7 } as never;
		},
		firstShipments: async () => ({ rows: shipments, total: shipments.length }),
		allShipments: async ({ search }) =>
			shipments.filter((each) => search === undefined || each.packageNumberCustom === search),
		piecesOf: async () => [],
		newestBatches: async () => [],
		batch: async () => ({}) as never,
	};
	return { service, sent, shipments, underWay };
}

const surroundings = { nowMs: () => 0, pause: async () => {}, isStopped: () => false };

test('a node that breaks down after sending does not send again in its next try', async () => {
	const { service, sent } = serviceThat(() => {
		throw lost(true);
	});
	const store = {};
	const broken = {
		...service,
		firstShipments: async () => ({ rows: [], total: 0 }),
		allShipments: async () => [],
	};
	const breaking = {
		...surroundings,
		pause: async () => {
			throw new TypeError('broken');
		},
	};
	const orders = [order(0), order(1)];
	const first = createOrders(orders, SETTINGS, broken, breaking, new Ledger(store, 0));
	await expect(first).rejects.toThrow('broken');

	const later = new Ledger(JSON.parse(JSON.stringify(store)) as Record<string, unknown>, 0);
	const findings = await createOrders(orders, SETTINGS, service, surroundings, later);
	expect(sent).toHaveLength(1);
	expect(findings).toMatchObject([
		{ orders: [{ itemIndex: 0 }], pieces: [{ row: { id: 1 }, recovered: true }] },
		{ orders: [{ itemIndex: 1 }], pieces: [{ row: { id: 2 }, recovered: true }] },
	]);
});

test('requests of one carrier go out one after another, those of several side by side', async () => {
	const orders = Array.from({ length: 6 }, (_, index) => order(index));
	const single = serviceThat(() => {});
	await createOrders(orders, SETTINGS, single.service, surroundings, new Ledger({}, 0));
	expect(single.underWay).toEqual([1, 1, 1]);

	const mixed = orders.map(({ itemIndex }) => order(itemIndex, ['ANT', 'BEAVER'][itemIndex % 2]));
	const several = serviceThat(() => {});
	await createOrders(mixed, SETTINGS, several.service, surroundings, new Ledger({}, 0));
	expect(Math.max(...several.underWay)).toBe(2);

	const bounded = serviceThat(() => {});
	const settings = { ...SETTINGS, maxConcurrency: 1 };
	await createOrders(mixed, settings, bounded.service, surroundings, new Ledger({}, 0));
	expect(Math.max(...bounded.underWay)).toBe(1);
});

test.each([
	['being turned away ends the requests of its carrier', lost(false, 'rate-limited'), 1],
	['a request that is refused for its own sake does not', lost(false), 3],
	['a lost answer does not', lost(true), 3],
])('%s', async (_, failure, requests) => {
	const { service, sent } = serviceThat(() => {
		throw failure;
	});
	const orders = Array.from({ length: 6 }, (_unused, index) => order(index));
	const findings = await createOrders(orders, SETTINGS, service, surroundings, new Ledger({}, 0));
	expect(sent).toHaveLength(requests);
	expect(findings.flatMap((finding) => finding.orders)).toEqual(orders);
});
