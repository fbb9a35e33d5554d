import type { TrackingResult } from '../../nodes/ParcelShipping/transport/contract';
import { planRequests } from '../../nodes/ParcelShipping/tracking/requests';
import { byNumber, rowOf } from '../../nodes/ParcelShipping/tracking/rows';

const row = (packageNumberCarrier: unknown, statusCode = 200, message = 'OK') =>
	({ packageNumberCarrier, statusCode, message, events: [] }) as unknown as TrackingResult;

const asked = (number: string) => ({ carrierCode: 'ANT', number, correlationId: 'c-1' });

describe('A row of the answer belongs to the number it names', () => {
	test.each<[string, TrackingResult[], string, number]>([
		['in the order of the question', [row('1'), row('2')], '2', 1],
		['reordered', [row('2'), row('1')], '2', 0],
		['with a row that nobody asked for', [row('9'), row('2')], '2', 1],
		['with leading zeros', [row('12'), row('0012')], '0012', 1],
		['the same number twice: the first', [row('2'), row('2')], '2', 0],
	])('%s', (_, rows, number, place) => {
		expect(rowOf(byNumber(rows), asked(number))).toBe(rows[place]);
	});

	test.each<[string, TrackingResult[], string]>([
		['missing', [row('1')], '2'],
		['an empty answer', [], '2'],
		['other zeros', [row('12')], '0012'],
		['other case', [row('bv1')], 'BV1'],
		['a number instead of text', [row(2)], '2'],
		['null', [row(null)], '2'],
	])('%s: said to be missing, never guessed', (_, rows, number) => {
		expect(rowOf(byNumber(rows), asked(number))).toMatchObject({
			message: `No tracking result for shipment ${number} of carrier ANT`,
			details: { packageNumberCarrier: number, carrier: 'ANT', correlationId: 'c-1' },
		});
	});
});

describe('A row with a status of its own other than 200', () => {
	test('is a refusal in the words of the service', () => {
		expect(rowOf(byNumber([row('2', 404, 'Unknown shipment')]), asked('2'))).toMatchObject({
			message: 'The service said: Unknown shipment',
			details: { statusCode: 404, serviceMessage: 'Unknown shipment', packageNumberCarrier: '2' },
		});
	});

	test('is named by its number when the service says nothing', () => {
		expect(rowOf(byNumber([row('2', 500, '')]), asked('2'))).toMatchObject({
			message: "The service can't track shipment 2 of carrier ANT (500)",
		});
	});
});

describe('Numbers of all items are asked for together', () => {
	const question = (item: number, carrierCode: string, ...numbers: string[]) => ({
		item,
		carrierCode,
		numbers,
	});

	test('one request per carrier, each number once', () => {
		const requests = planRequests([
			question(0, 'ANT', 'A1'),
			question(1, 'BEAVER', 'B1'),
			question(2, 'ANT', 'A2', 'A1'),
		]);
		expect(requests).toEqual([
			{ carrierCode: 'ANT', numbers: ['A1', 'A2'] },
			{ carrierCode: 'BEAVER', numbers: ['B1'] },
		]);
	});

	test.each([
		[100, [100]],
		[101, [100, 1]],
		[250, [100, 100, 50]],
		[0, []],
	])('%i numbers in requests of %j', (count, sizes) => {
		const questions = Array.from({ length: count }, (_, item) => question(item, 'ANT', `N${item}`));
		expect(planRequests(questions).map(({ numbers }) => numbers.length)).toEqual(sizes);
	});
});
