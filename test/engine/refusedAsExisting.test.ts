// A service may refuse an order whose number exists already. It then counts as found by the look-up.
import { dialectNames } from '../../sandbox';
import { valuesOf } from '../support/outputs';
import { orderItem, ordersOf } from '../support/shop';
import { useShop } from '../support/useShop';

const kinds = dialectNames.flatMap((dialect) =>
	(['row', 'request'] as const).map((refusesDuplicates) => ({ dialect, refusesDuplicates })),
);

describe.each(kinds)(
	'A service of the $dialect dialect that refuses the $refusesDuplicates',
	(kind) => {
		const shop = useShop(kind);
		const order = orderItem('OLD', { carrierCode: undefined });
		/** Older than the look-up reads. */
		const seedOld = (more = {}) =>
			shop.sandbox.seedShipments(1, {
				...order,
				packageNumberCustom: 'OLD',
				hoursAgo: 60 * 24,
				...more,
			});

		test('fails the item if it exists, or if it was changed, as the form says', async () => {
			seedOld({ recName: 'Somebody Else' });
			const differs = await shop.create(ordersOf('OLD'));
			expect(valuesOf(differs.errorItems, 'error')).toEqual([
				expect.stringContaining('already exists at ANT (ID 1001), but with Recipient Name'),
			]);
			const exists = await shop.create(ordersOf('OLD'), { ifShipped: 'fail' });
			expect(valuesOf(exists.errorItems, 'error')).toEqual([
				expect.stringContaining('already exists at ANT'),
			]);
		});

		test('keeps the words of the service if no shipment is found', async () => {
			seedOld();
			shop.rewrite(
				'findShipments',
				({ result, ...rest }: object & { result?: object }) => ({
					...rest,
					result: { ...result, data: [], total: 0 },
				}),
				{ times: Infinity },
			);
			const notFound = await shop.create(ordersOf('OLD'));
			expect(valuesOf(notFound.errorItems, 'error')).toEqual([
				expect.stringContaining('Duplicate order ID OLD'),
			]);
			expect(shop.references()).toEqual(['OLD']);
		});
	},
);
