import { sandboxCredential } from '../support/credentials';
import { startEngine } from '../support/engine';
import { valuesOf } from '../support/outputs';
import { creationForm, orderItem, orderOf, ordersOf } from '../support/shop';
import { useShop } from '../support/useShop';

// What the carriers of a service offer is remembered for ten minutes.
const shop = useShop({}, { isNew: true });
const offerRequests = () =>
	shop.requests('findCarriers').length +
	shop.requests('findServices').length +
	shop.requests('findServiceCountries').length;
const DRY = { dryRun: true };

test('A second order is created without requests for carriers and services', async () => {
	await shop.create(ordersOf('A-1'));
	shop.sandbox.requests.length = 0;
	const { items } = await shop.create(ordersOf('A-2'));
	expect(valuesOf(items, 'packageNumberCustom')).toEqual(['A-2']);
	expect(offerRequests()).toBe(0);
});

test('An offer is requested again after ten minutes, but not for an order that is invalid', async () => {
	const now = Date.now();
	const clock = jest.spyOn(Date, 'now');
	const counts: number[] = [];
	for (const minutes of [0, 9, 11]) {
		clock.mockReturnValue(now + minutes * 60_000);
		await shop.create([orderItem('A-1', { recPhone: 'none' })], DRY);
		counts.push(offerRequests());
	}
	clock.mockRestore();
	expect(counts).toEqual([3, 3, 6]);
});

test('Another account has its own offers', async () => {
	const other = { ...sandboxCredential(shop.sandbox.url), allowedHttpRequestDomains: 'all' };
	await shop.create(ordersOf('A-1'), DRY);
	const engine = await startEngine(other as ReturnType<typeof sandboxCredential>);
	await engine.run({ parameters: creationForm(DRY), items: ordersOf('A-1') });
	expect(offerRequests()).toBe(6);
});

test('Orders at the same moment share one request, and each is created', async () => {
	const orders = ['A-1', 'A-2', 'A-3'];
	await Promise.all(orders.map(async (reference) => shop.create(ordersOf(reference))));
	expect(shop.references().sort()).toEqual(orders);
	expect(offerRequests()).toBe(3);
});

describe('An order to a country that the service does not deliver to', () => {
	const toGermany = () => [orderItem('A-1', { recCountry: 'DE' }), orderItem('A-2')];

	test('is refused before anything is sent', async () => {
		const { items, errorItems } = await shop.create(toGermany());
		expect(errorItems[0]?.json).toMatchObject({
			error: 'Ant to the door does not deliver to DE',
			message: expect.stringContaining('delivers to: CZ, SK, PL. No service of ANT'),
		});
		expect(shop.requests('createShipments').map(({ body }) => (body as []).length)).toEqual([1]);
		expect(valuesOf(items, 'packageNumberCustom')).toEqual(['A-2']);
	});

	test.each<[string, Parameters<typeof shop.fault>[1]]>([
		['the service has no such endpoint', { kind: 'status', status: 404, body: {} }],
		['the response has another shape', { kind: 'body', body: { result: [{ code: null }] } }],
		['countries are no list', { kind: 'body', body: { result: [{ code: 5, countries: 'CZ' }] } }],
	])('is sent if %s, which is requested only once', async (_, fault) => {
		shop.fault('findServiceCountries', { ...fault, times: Infinity });
		const { errorItems } = await shop.create(toGermany());
		await shop.create(ordersOf('A-3'));
		// The carrier decides.
		expect(errorItems[0]?.json.error).toBe('ANT-HOME does not deliver to DE');
		expect(shop.requests('findServiceCountries')).toHaveLength(1);
	});
});

test('An order for a carrier that was activated a moment ago is created', async () => {
	shop.sandbox.setCarrierStatus('BEAVER', 'Inactive');
	const before = await shop.create([orderOf('BEAVER', 'B-1')]);
	expect(before.errorItems[0]?.json.error).toContain('is not activated');
	shop.sandbox.setCarrierStatus('BEAVER', 'Active');
	const { items } = await shop.create([orderOf('BEAVER', 'B-1')]);
	expect(valuesOf(items, 'packageNumberCustom')).toEqual(['B-1']);
});

test('An order does not fail because another execution was stopped while it asked', async () => {
	shop.fault('findCarriers', { kind: 'latency', ms: 400 });
	const onStart = (stop: () => void) => void setTimeout(stop, 150);
	const stopped = shop.create(ordersOf('A-1'), {}, { onStart }).catch(() => undefined);
	const { items } = await shop.create(ordersOf('A-2'));
	await stopped;
	expect(valuesOf(items, 'packageNumberCustom')).toEqual(['A-2']);
	expect(shop.references()).toEqual(['A-2']);
});

test('Carrier: Get Many always shows the current list', async () => {
	const parameters = { resource: 'carrier', operation: 'getAll' };
	await shop.engine.run({ parameters });
	shop.sandbox.setCarrierStatus('BEAVER', 'Inactive');
	const { items } = await shop.engine.run({ parameters });
	expect(items.find(({ json }) => json.code === 'BEAVER')?.json.status).toBe('Inactive');
});
