import { type SandboxOptions } from '../../sandbox';
import { sandboxCredential } from '../support/credentials';
import { type Engine, type RunResult, startEngine } from '../support/engine';
import { valuesOf } from '../support/outputs';
import { SERVICE_KINDS, type ServiceKind, SERVICES } from '../support/services';
import { orderItem, ordersOf, refusedOrder } from '../support/shop';
import { useShop } from '../support/useShop';

// Two n8n processes share no lock. Neither do two runs in one process that use different origins.
function useTwoProcesses(options: SandboxOptions = {}) {
	const shop = useShop(options);
	let other: Engine;
	beforeAll(async () => {
		const url = shop.sandbox.url.replace('127.0.0.1', 'localhost');
		other = await startEngine(sandboxCredential(url));
	});
	const CONTINUE = { onError: 'continueRegularOutput' } as const;
	const create = async (items = ordersOf('D-1'), formOptions = {}, more = {}) =>
		shop.create(items, { maxRetryWait: 400, ...formOptions }, { ...CONTINUE, ...more });
	const createInOther = async (items = ordersOf('D-1')) => {
		const { engine } = shop;
		shop.engine = other;
		const run = create(items);
		shop.engine = engine;
		return await run;
	};
	return Object.assign(shop, { createHere: create, createInOther });
}

/** Services of the documented dialect create shipments at the address of the carrier. */
const creationAt = (kind: ServiceKind) =>
	kind === 'documented' ? 'createShipmentsOfCarrier' : 'createShipments';
const idsIn = ({ items }: RunResult) => valuesOf(items, 'id');

describe('If two processes create an order at the same moment', () => {
	const shops = SERVICE_KINDS.map((kind) => [kind, useTwoProcesses(SERVICES[kind])] as const);

	test.each(shops)(
		'one shipment stays with all its pieces, and both runs return it (%s)',
		async (kind, shop) => {
			// Both look up before either creates.
			shop.fault(creationAt(kind), { kind: 'latency', ms: 250, times: 2 });
			const order = [orderItem('D-1', { pieceCount: 3 })];
			const runs = await Promise.all([shop.createHere(order), shop.createInOther(order)]);
			const kept = shop.livingIds();
			expect([shop.shipments().length, kept.length]).toEqual([6, 3]);
			expect(runs.map(idsIn)).toEqual([kept, kept]);
			const canceled = runs.filter(({ items: [item] }) => item?.json.canceledDuplicate);
			expect(canceled).toHaveLength(1);
			expect(canceled[0]?.items[0]?.json).toMatchObject({ alreadyExisted: true });
			expect(canceled[0]?.hints.join()).not.toContain('Nothing was sent');
			expect(canceled[0]?.hints.join()).toContain('Another run created 1 order at the same moment');
		},
	);
});

describe('If another process has created the order meanwhile', () => {
	const shop = useTwoProcesses();

	/** Another process creates the order between the look-up and the creation, and does not check. */
	function otherCreates({ times = 1, isCanceled = false } = {}): void {
		shop.rewrite('findShipments', (response: unknown) => {
			for (let count = 0; count < times; count++) {
				const seed = { packageNumberCustom: 'D-1', hoursAgo: 0 };
				const [other] = shop.sandbox.seedShipments(1, seed);
				if (isCanceled) shop.sandbox.cancelShipment(other?.id ?? 0);
			}
			return response;
		});
	}

	test('and another one as well, the oldest stays and this run cancels only its own', async () => {
		otherCreates({ times: 2 });
		const { items } = await shop.createHere();
		const [oldest, later, own] = shop.shipments();
		expect(shop.livingIds()).toEqual([oldest?.id, later?.id]);
		expect(items.map(({ json }) => json)).toMatchObject([
			{
				id: oldest?.id,
				alreadyExisted: true,
				canceledDuplicate: { id: own?.id, packageNumberCarrier: own?.packageNumberCarrier },
				duplicates: [{ id: later?.id }],
			},
		]);
	});

	test('and canceled it, the own one stays', async () => {
		otherCreates({ isCanceled: true });
		const { items } = await shop.createHere();
		const [, own] = shop.shipments();
		expect(shop.livingIds()).toEqual([own?.id]);
		expect(items[0]?.json).toMatchObject({ id: own?.id, alreadyExisted: false });
		expect(items[0]?.json).not.toHaveProperty('canceledDuplicate');
	});

	test('and the response to the cancellation is lost, the records show that it is canceled', async () => {
		otherCreates();
		shop.fault('cancelShipments', { kind: 'reset', when: 'after' });
		const run = await shop.createHere();
		expect(run.items[0]?.json).toMatchObject({ alreadyExisted: true, canceledDuplicate: {} });
		expect(shop.livingIds()).toEqual(idsIn(run));
		expect(shop.requests('cancelShipments')).toHaveLength(1);
	});

	test('and another order makes n8n try again, the retry says the same', async () => {
		otherCreates();
		const orders = [refusedOrder('D-0'), orderItem('D-1')];
		const { items } = await shop.createHere(orders, {}, { tries: 2 });
		const [older, own] = shop.shipments();
		expect(shop.livingIds()).toEqual([older?.id]);
		expect(items[1]?.json).toMatchObject({ id: older?.id, canceledDuplicate: { id: own?.id } });
	});

	test('and a piece of the own one was refused, the older one stays', async () => {
		otherCreates();
		shop.rewrite('createShipments', ({ result, ...rest }: { result: object[] }) => ({
			...rest,
			result: [result[0], { ...result[1], id: 0, statusCode: 400 }],
		}));
		const { items } = await shop.createHere([orderItem('D-1', { pieceCount: 2 })]);
		const [older, own] = shop.shipments();
		expect(shop.livingIds()).not.toContain(own?.id);
		expect(items[0]?.json).toMatchObject({ id: older?.id, canceledDuplicate: { id: own?.id } });
	});

	test('and the service refuses to cancel, the item and a hint name the oldest, too', async () => {
		otherCreates({ times: 2 });
		shop.fault('cancelShipments', { kind: 'status', status: 500, times: 9 });
		const { items, hints } = await shop.createHere();
		const [oldest, , own] = shop.shipments();
		expect(items[0]?.json).toMatchObject({
			id: own?.id,
			alreadyExisted: false,
			duplicateOf: { id: oldest?.id, reason: expect.any(String) },
		});
		expect(hints.join()).toMatch(/1 order has more than one shipment: D-1 \(also ID \d+/);
	});

	test('and Check for Duplicates is off, both stay', async () => {
		otherCreates();
		await shop.createHere(undefined, { checkForDuplicates: false });
		expect(shop.livingIds()).toHaveLength(2);
	});

	test('and the records cannot be read, the created shipment is returned with a hint', async () => {
		shop.fault('findShipments', { kind: 'status', skip: 1, times: 9 });
		const run = await shop.createHere();
		expect(idsIn(run)).toEqual(shop.livingIds());
		expect(run.hints.join()).toContain(
			'could not check whether another run created the same orders',
		);
	});

	test('and yet another one before, both are named, also if another order makes n8n try again', async () => {
		for (const hoursAgo of [2, 1]) {
			shop.sandbox.seedShipments(1, { packageNumberCustom: 'D-1', hoursAgo });
		}
		const orders = [refusedOrder('D-0'), orderItem('D-1')];
		const { items, hints } = await shop.createHere(orders, { ifDiffers: 'reuse' }, { tries: 2 });
		const [older, later] = shop.livingIds();
		expect(shop.sentReferences()).toEqual(['D-0', 'D-0']);
		expect(items[1]?.json).toMatchObject({ id: older, duplicates: [{ id: later }] });
		expect(hints.join()).toContain(`D-1 (also ID ${later})`);
	});
});

describe('At a service without cancellations', () => {
	const shop = useTwoProcesses({ withoutExtras: true });

	test('the item says which of two shipments is the older one', async () => {
		shop.fault('createShipments', { kind: 'latency', ms: 250, times: 2 });
		const runs = await Promise.all([shop.createHere(), shop.createInOther()]);
		const [older] = shop.livingIds();
		const later = runs.flatMap(({ items }) => items).filter(({ json }) => json.duplicateOf);
		expect(later.map(({ json }) => json)).toMatchObject([
			{
				alreadyExisted: false,
				duplicateOf: { id: older, reason: expect.stringContaining('not offer') },
			},
		]);
	});
});
