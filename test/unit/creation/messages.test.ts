import { saysDuplicate } from '../../../nodes/ParcelShipping/creation/messages';

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
