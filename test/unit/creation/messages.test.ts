import { existsError, saysDuplicate } from '../../../nodes/ParcelShipping/creation/messages';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
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

test.each([
	[true, 'give it a number of its own, such as "A-1-2"'],
	[false, 'cancel the existing shipment with Shipment: Cancel'],
])('nobody is told to cancel what the carrier has: %s', (isWithCarrier, advice) => {
	const { order, shipment } = resultOf(1, 'existing', { isWithCarrier, differences: [] });
	expect(describeError(existsError(order, shipment)).description).toContain(advice);
});
