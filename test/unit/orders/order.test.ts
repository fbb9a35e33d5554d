import { isExchange } from '../../../nodes/ParcelShipping/orders/order';
import { orderWith } from '../../support/orders';

test.each([true, 'true', 'TRUE'])(
	'an order is an exchange with exchangeOrder %j',
	(exchangeOrder) => {
		const order = orderWith('A');
		Object.assign(order.body, { exchangeOrder });
		expect(isExchange(order)).toBe(true);
	},
);

test.each([false, 'false', undefined, null])('an order is none with exchangeOrder %j', (value) => {
	const order = orderWith('A');
	Object.assign(order.body, { exchangeOrder: value });
	expect(isExchange(order)).toBe(false);
});
