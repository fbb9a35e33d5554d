import { endpointOf } from '../../nodes/ParcelShipping/transport/endpoints';
import type { ServiceError } from '../../nodes/ParcelShipping/transport/errors';
import { readAnswer } from '../../nodes/ParcelShipping/transport/response';

const read = (status: number, body: unknown, headers: Record<string, string> = {}) =>
	readAnswer(
		endpointOf('findCarriers'),
		{ status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) },
		0,
	);

const factsOf = (...given: Parameters<typeof read>) => {
	try {
		read(...given);
	} catch (thrown) {
		return (thrown as ServiceError).facts;
	}
	throw new Error('The response was expected to be an error');
};

describe('The correlation ID is found', () => {
	const header = { 'x-correlation-id': 'from-header' };

	test('in the body of a success, otherwise in the header', () => {
		expect(read(200, { result: [], correlationId: 'from-body' }, header)).toMatchObject({
			correlationId: 'from-body',
		});
		expect(read(200, { result: [] }, { 'X-Correlation-Id': 'from-header' })).toMatchObject({
			correlationId: 'from-header',
		});
	});

	test.each([400, 403, 404, 429, 500])('in the header of a %i with an empty body', (status) => {
		expect(factsOf(status, '', header).correlationId).toBe('from-header');
	});

	test('in the header of a response without a usable result', () => {
		expect(factsOf(200, { result: null, correlationId: null }, header).correlationId).toBe(
			'from-header',
		);
		expect(factsOf(200, '<html></html>', header).correlationId).toBe('from-header');
	});

	test('nowhere if there is none', () => {
		expect(read(200, { result: [] })).toEqual({ result: [] });
	});
});

describe('An answer with what the service adds', () => {
	test('is accepted with an empty list of errors', () => {
		expect(read(200, { result: [{ code: 'ANT' }], errors: [] })).toMatchObject({
			result: [{ code: 'ANT' }],
		});
	});

	test('is accepted with numbers where texts are documented, and null where lists are', () => {
		const row = { packageNumberCarrier: '1', events: null };
		const endpoint = endpointOf('trackShipments');
		const answer = (result: unknown[]) =>
			readAnswer(endpoint, { status: 200, headers: {}, body: JSON.stringify({ result }) }, 0)
				.result;
		expect(answer([row])).toEqual([{ ...row, events: [] }]);
		const events = [{ type: 1, orderNumber: 7 }];
		expect(answer([{ ...row, events }])).toEqual([{ ...row, events }]);
	});
});
