import { existsError, saysDuplicate } from '../../../nodes/ParcelShipping/creation/messages';
import { resultOf } from '../../support/orders';

test.each([
	['Duplicate order ID A-1', true],
	['Duplicitní číslo objednávky', true],
	['Package A-1 already exists', true],
	['Zásilka s tímto číslem již existuje', true],
	['PSČ neexistuje', false],
	['Pickup point does not exist', false],
])('a refusal that says "%s" may mean that the order has a shipment: %s', (text, isDuplicate) => {
	expect(saysDuplicate(text)).toBe(isDuplicate);
});

test('the message of an order that exists names its second shipment, because n8n shows only one description', () => {
	const second = { id: 7, carrierCode: 'CRANE', orderNumber: 'A-0' };
	const { order, shipment } = resultOf(0, 'existing', { duplicates: { named: [second] } as never });
	expect(existsError(order, shipment).message).toBe(
		'A shipment of order "A-0" already exists at ANT (ID 1). The order has another shipment (ID 7 at CRANE)',
	);
});
