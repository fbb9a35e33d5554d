import { carrierProblems, shortenedNote } from '../../../nodes/ParcelShipping/orders/carrierLimits';

const text = (length: number) => 'x'.repeat(length);
const cod = (recCountry: string) => ({ cod: true, recCountry });

test.each([
	['CP', { note: text(50) }, { note: text(51) }, 'Note has 51 characters'],
	['DPD', { note: text(64) }, { note: text(65) }, 'Note has 65 characters'],
	['dpd', { reference: text(35) }, { reference: text(36) }, 'Reference has 36 characters'],
	['PACKETA', { note: text(128) }, { note: text(129) }, 'Note has 129 characters'],
	['GLS', cod('RO'), cod('DE'), 'GLS has no cash on delivery in DE'],
])('%s takes %j, and refuses %j', (carrier, accepted, refused, message) => {
	expect(carrierProblems(accepted, carrier)).toEqual([]);
	expect(carrierProblems(refused, carrier)[0]?.message).toContain(message);
	expect(carrierProblems(refused, 'ANT')).toEqual([]);
});

test('GLS delivers everywhere without cash on delivery', () => {
	expect(carrierProblems({ recCountry: 'DE' }, 'GLS')).toEqual([]);
});

test.each([
	['by whole words', `${'x'.repeat(45)} and more`, `${'x'.repeat(45)} and`],
	['inside a word that is longer', 'x'.repeat(51), 'x'.repeat(50)],
	['before an emoji that does not fit', `${'x'.repeat(49)}🚚`, 'x'.repeat(49)],
])("a customer's note is shortened %s", (_, note, shortened) => {
	expect(shortenedNote(note, 'CP')).toBe(shortened);
});
