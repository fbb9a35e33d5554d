import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import { creationForm, orderItem, orderOf } from '../support/shop';

import { type Fault, type Sandbox, startSandbox } from '../../sandbox';

// Each test starts its own service, because the node remembers the address of each service.
let sandbox: Sandbox;
let engine: Engine;
beforeEach(async () => {
	sandbox = await startSandbox();
	engine = await startEngine(sandboxCredential(sandbox.url));
});
afterEach(() => sandbox.close());

const GENERAL = 'createShipments';
const OF_CARRIER = 'createShipmentsOfCarrier';
type Address = typeof GENERAL | typeof OF_CARRIER;

const answer = (operation: Address, status: number, body: unknown, more: Partial<Fault> = {}) =>
	sandbox.fault({ operation, kind: 'status', status, body, times: Infinity, ...more });
const lacks = (operation: Address, status = 404) => answer(operation, status, '');

const creations = () =>
	sandbox.requests
		.filter(({ operationId }) => operationId === GENERAL || operationId === OF_CARRIER)
		.map(({ path }) => path.replace('/api', ''));

const run = async (items = [orderItem('A-1')], options = {}) =>
	await engine.run({
		parameters: creationForm({ maxRetryWait: 50, ...options }),
		items,
		onError: 'continueErrorOutput',
	});

describe('A service with only one of the two addresses for creation', () => {
	test.each([404, 405])(
		'creates at /{carrier}/Create after %i at /Package/Create',
		async (status) => {
			lacks(GENERAL, status);
			const { items, errorItems } = await run();
			expect(errorItems).toEqual([]);
			expect(items.map(({ json }) => json.id)).toEqual([1001]);
			expect(creations()).toEqual(['/Package/Create', '/ANT/Create']);
			expect(sandbox.database.shipments()).toHaveLength(1);
		},
	);

	test('is asked at its address right away from then on', async () => {
		lacks(GENERAL);
		await run([orderItem('A-1'), orderItem('A-2')], { batchSize: 1, maxConcurrency: 1 });
		await run([orderOf('BEAVER', 'B-1')]);
		expect(creations()).toEqual([
			'/Package/Create',
			'/ANT/Create',
			'/ANT/Create',
			'/BEAVER/Create',
		]);
	});

	test('is asked at the other address if the remembered one disappears', async () => {
		lacks(GENERAL);
		await run();
		sandbox.clearFaults();
		lacks(OF_CARRIER);
		await run([orderItem('A-2')]);
		await run([orderItem('A-3')]);
		expect(creations().slice(2)).toEqual(['/ANT/Create', '/Package/Create', '/Package/Create']);
		expect(sandbox.database.shipments()).toHaveLength(3);
	});

	const missing: Array<[string, unknown]> = [
		['a web page', '<!doctype html><title>404</title>'],
		['plain text', '404 page not found'],
		['problem details', { type: 'about:blank', title: 'Not Found', status: 404, traceId: '00-1' }],
		['an envelope', { result: null, errors: [], correlationId: 'c' }],
		['the name of the address', { message: 'Cannot POST /api/Package/Create' }],
		['a missing route', { message: 'Route POST:/api/Package/Create not found', statusCode: 404 }],
	];
	test.each(missing)('also if 404 comes with %s', async (_, body) => {
		answer(GENERAL, 404, body);
		const { items } = await run();
		expect(items).toHaveLength(1);
	});
});

describe('After an answer that leaves doubt, the other address is not tried', () => {
	const doubts: Array<[string, Omit<Fault, 'operation'>]> = [
		['404 that names a record', { kind: 'status', status: 404, body: { message: 'No order 7' } }],
		[
			'404 with a reference',
			{
				kind: 'status',
				status: 404,
				body: { result: null, errors: [{ errorCode: 1, message: 'Not found', reference: '7' }] },
			},
		],
		['404 with a half body', { kind: 'status', status: 404, body: '{"result":[{"id":10' }],
		['404 with rows', { kind: 'body', status: 404, rewrite: (correct) => correct }],
		['400', { kind: 'status', status: 400 }],
		['500', { kind: 'status', status: 500, when: 'after' }],
		['503', { kind: 'status', status: 503 }],
		['no answer', { kind: 'noResponse', when: 'after' }],
		['a lost connection', { kind: 'reset', when: 'after' }],
	];
	test.each(doubts)('%s', async (_, fault) => {
		sandbox.fault({ operation: GENERAL, ...fault });
		await run([orderItem('A-1')], { timeout: 200 });
		expect(creations()).toEqual(['/Package/Create']);
	});
});

describe('Carrier Endpoint', () => {
	test('Always uses the address of the carrier only', async () => {
		lacks(OF_CARRIER);
		const { errorItems } = await run([orderItem('A-1')], { carrierEndpoint: 'always' });
		expect(creations()).toEqual(['/ANT/Create']);
		expect(errorItems[0]?.json.error).toBe('The service has no POST /ANT/Create (404)');
		expect(errorItems[0]?.json.message).toContain("set 'Carrier Endpoint' to Automatic");
	});

	test('Never uses /Package/Create only', async () => {
		lacks(GENERAL, 405);
		const { errorItems } = await run([orderItem('A-1')], { carrierEndpoint: 'never' });
		expect(creations()).toEqual(['/Package/Create']);
		expect(errorItems[0]?.json.error).toBe('The service has no POST /Package/Create (405)');
	});

	test('Automatic names both addresses if the service has neither', async () => {
		lacks(GENERAL);
		lacks(OF_CARRIER);
		const { errorItems } = await run([orderItem('A-1'), orderItem('A-2')], {
			batchSize: 1,
			maxConcurrency: 1,
		});
		expect(errorItems.map(({ json }) => json.error)).toEqual(
			Array(2).fill('The service has neither POST /Package/Create nor POST /ANT/Create (404)'),
		);
		expect(creations()).toHaveLength(2);
	});

	test('Automatic reports what the address that exists says about the carrier', async () => {
		lacks(GENERAL);
		answer(OF_CARRIER, 404, { message: 'There is no carrier "ANT"' });
		const { errorItems } = await run();
		expect(errorItems[0]?.json.error).toBe('The service said: There is no carrier "ANT"');
	});

	test('is the address that a dry run shows', async () => {
		const endpointOf = async (options = {}) =>
			(await run([orderItem('A-9')], { dryRun: true, ...options })).items[0]?.json.endpoint;
		expect(await endpointOf()).toBe('POST /Package/Create');
		expect(await endpointOf({ carrierEndpoint: 'always' })).toBe('POST /ANT/Create');
		lacks(GENERAL);
		await run();
		expect(await endpointOf()).toBe('POST /ANT/Create');
	});
});

test('Retry On Fail after a lost answer at the second address creates nothing twice', async () => {
	lacks(GENERAL);
	sandbox.fault({ operation: OF_CARRIER, kind: 'reset', when: 'after' });
	const { items } = await engine.run({
		parameters: creationForm({ maxRetryWait: 200 }),
		items: [orderItem('A-1')],
		tries: 3,
	});
	expect(items.map(({ json }) => [json.id, json.recovered])).toEqual([[1001, true]]);
	expect(sandbox.database.shipments()).toHaveLength(1);
});
