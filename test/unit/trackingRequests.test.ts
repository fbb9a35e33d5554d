import type { TrackingResult } from '../../nodes/ParcelShipping/transport/contract';
import { selectBatches } from '../../nodes/ParcelShipping/tracking/select';
import { planRequests, rowOf } from '../../nodes/ParcelShipping/transport/trackingRequests';
import { nowMs, shipmentOf, watchOf } from '../support/watched';

const row = (packageNumberCarrier: unknown, statusCode = 200, message = 'OK') =>
	({ packageNumberCarrier, statusCode, message, events: [] }) as unknown as TrackingResult;

const requested = (number: string) => ({ carrierCode: 'ANT', number, correlationId: 'c-1' });

describe('A row is assigned by the number in it', () => {
	test.each<[string, TrackingResult[], string, number]>([
		['in the requested order', [row('1'), row('2')], '2', 1],
		['reordered', [row('2'), row('1')], '2', 0],
		['with a row that was not requested', [row('9'), row('2')], '2', 1],
		['with leading zeros', [row('12'), row('0012')], '0012', 1],
		['the same number twice: the first row counts', [row('2'), row('2')], '2', 0],
	])('%s', (_, rows, number, place) => {
		expect(rowOf(rows, requested(number))).toBe(rows[place]);
	});

	test.each<[string, TrackingResult[], string]>([
		['a missing row', [row('1')], '2'],
		['an empty answer', [], '2'],
		['a number with other zeros', [row('12')], '0012'],
		['a number in another case', [row('bv1')], 'BV1'],
		['a number instead of text', [row(2)], '2'],
		['a row without a number', [row(null)], '2'],
	])('%s is an error', (_, rows, number) => {
		expect(rowOf(rows, requested(number))).toMatchObject({
			message: `No tracking result for shipment ${number} of carrier ANT`,
			details: { packageNumberCarrier: number, carrierCode: 'ANT', correlationId: 'c-1' },
		});
	});
});

describe('A row with a status other than 200', () => {
	test('is an error with the message of the service', () => {
		expect(rowOf([row('2', 404, 'Unknown shipment')], requested('2'))).toMatchObject({
			message: 'The service said: Unknown shipment',
			details: { statusCode: 404, serviceMessage: 'Unknown shipment', packageNumberCarrier: '2' },
		});
	});

	test('is an error with the shipment number if the service gives no message', () => {
		expect(rowOf([row('2', 500, '')], requested('2'))).toMatchObject({
			message: "The service can't track shipment 2 of carrier ANT (500)",
		});
	});
});

describe('The numbers of all items', () => {
	const input = (item: number, carrierCode: string, ...numbers: string[]) => ({
		item,
		carrierCode,
		numbers,
	});

	test('need one request per carrier, with each number once', () => {
		const requests = planRequests([
			input(0, 'ANT', 'A1'),
			input(1, 'BEAVER', 'B1'),
			input(2, 'ANT', 'A2', 'A1'),
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
	])('%i numbers need requests of %j', (count, sizes) => {
		const inputs = Array.from({ length: count }, (_, item) => input(item, 'ANT', `N${item}`));
		expect(planRequests(inputs).map(({ numbers }) => numbers.length)).toEqual(sizes);
	});
});

test('watched shipments are requested by carrier, a hundred at a time, in their order', () => {
	const beavers = [shipmentOf(1, { carrier: 'BEAVER' }), shipmentOf(2, { carrier: 'BEAVER' })];
	const ants = Array.from({ length: 150 }, (_, at) => shipmentOf(at + 10));
	const batchesOf = (...parts: Array<typeof ants>) =>
		selectBatches(parts.flat(), nowMs, watchOf()).map(({ carrier, shipments }) => [
			carrier,
			shipments.length,
		]);
	expect(batchesOf(ants.slice(0, 120), beavers, ants.slice(120))).toEqual([
		['ANT', 100],
		['ANT', 50],
		['BEAVER', 2],
	]);
	expect(batchesOf(ants.slice(0, 90), beavers, ants.slice(90))).toEqual([
		['ANT', 100],
		['BEAVER', 2],
		['ANT', 50],
	]);
});
