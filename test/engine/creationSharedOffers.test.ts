import { newAccount } from '../support/credentials';
import { valuesOf } from '../support/outputs';
import { orderItem, ordersOf } from '../support/shop';
import { useShop } from '../support/useShop';

// What the carriers of a service offer is remembered for ten minutes.
const shop = useShop({}, { isNew: true });
const offerRequests = () =>
	shop.requests('findCarriers').length +
	shop.requests('findServices').length +
	shop.requests('findServiceCountries').length;
const DRY = { dryRun: true };

test('Offers are requested again after ten minutes, but not for an order that is invalid', async () => {
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

test('Orders at the same moment share one request, and another account has its own offers', async () => {
	const orders = ['A-1', 'A-2', 'A-3'];
	await Promise.all(orders.map(async (reference) => shop.create(ordersOf(reference))));
	expect([shop.references().sort(), offerRequests()]).toEqual([orders, 3]);
	shop.engine.credential.data = newAccount(shop.sandbox.url);
	await shop.create(ordersOf('A-4'));
	expect(offerRequests()).toBe(6);
});

test('An order to a country that the service does not deliver to is refused before anything is sent', async () => {
	const toGermany = () => [orderItem('A-1', { recCountry: 'DE' }), orderItem('A-2')];
	const { items, errorItems } = await shop.create(toGermany());
	expect(errorItems[0]?.json).toMatchObject({
		error: 'Ant to the door does not deliver to DE',
		message: expect.stringContaining('delivers to: CZ, SK, PL. No service of ANT'),
	});
	expect(shop.requests('createShipments').map(({ body }) => (body as []).length)).toEqual([1]);
	expect(valuesOf(items, 'packageNumberCustom')).toEqual(['A-2']);
});
