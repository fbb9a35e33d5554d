import { newAccount } from '../support/credentials';
import { orderItem, ordersOf } from '../support/shop';
import { useShop } from '../support/useShop';

// What the carriers of a service offer is remembered for ten minutes.
const shop = useShop({}, { isNew: true });
const offerRequests = () =>
	shop.requests('findCarriers').length + shop.requests('findServices').length;
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
	expect(counts).toEqual([2, 2, 4]);
});

test('Orders at the same moment share one request, and another account has its own offers', async () => {
	const orders = ['A-1', 'A-2', 'A-3'];
	await Promise.all(orders.map(async (reference) => shop.create(ordersOf(reference))));
	expect([shop.references().sort(), offerRequests()]).toEqual([orders, 2]);
	shop.engine.credential.data = newAccount(shop.sandbox.url);
	await shop.create(ordersOf('A-4'));
	expect(offerRequests()).toBe(4);
});
