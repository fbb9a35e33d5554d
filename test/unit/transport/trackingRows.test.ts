import { rowOf } from '../../../nodes/ParcelShipping/transport/numbers';

test.each<[string, unknown[], string, number | undefined]>([
	['the same number twice: the first row counts', ['9', '2', '2'], '2', 1],
	['a number with the same zeros', ['12', '0012'], '0012', 1],
	['a number with other zeros', ['12'], '0012', undefined],
	['a number in another case', ['bv1'], 'BV1', undefined],
	['a number instead of text', [2], '2', 0],
	['a row without a number', [null], '2', undefined],
])('a row belongs to exactly the number in it: %s', (_, numbers, number, place) => {
	const rows = numbers.map((packageNumberCarrier) => ({ packageNumberCarrier, statusCode: 200 }));
	const row = rowOf(rows as never, { carrierCode: 'A', number, correlationId: 'c' });
	const message = `The provider can't track shipment ${number} of carrier A (no tracking result)`;
	if (place === undefined) expect(row).toMatchObject({ message });
	else expect(row).toEqual({ ...rows[place], packageNumberCarrier: number });
});

test('an error beside the row of a number does not hide its events', () => {
	const rows = [404, 200].map((statusCode) => ({ packageNumberCarrier: '2', statusCode }));
	const requested = { carrierCode: 'A', number: '2', correlationId: 'c' };
	expect(rowOf(rows as never, requested)).toEqual(rows[1]);
});

test('a row without a status is fine if it has events', () => {
	const requested = { carrierCode: 'A', number: '2', correlationId: 'c' };
	const read = (rest: object) =>
		rowOf([{ packageNumberCarrier: '2', ...rest }] as never, requested);
	expect(read({ events: [] })).toMatchObject({ events: [] });
	expect(read({ events: null, errors: ['No'] })).toMatchObject({
		message: 'The provider said: No',
	});
	expect(read({})).toMatchObject({ message: expect.stringContaining('(no status)') });
});
