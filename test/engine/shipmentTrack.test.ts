import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import { announcedFields, linksOf } from '../support/outputs';
import { refuseNumber } from '../support/refusedNumbers';

import { type Sandbox, startSandbox } from '../../sandbox';

let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
	sandbox = await startSandbox();
	engine = await startEngine(sandboxCredential(sandbox.url));
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const track = {
	resource: 'shipment',
	operation: 'track',
	carrierCode: '={{ $json.carrier }}',
	packageNumber: '={{ $json.number }}',
};
const trackEvents = { ...track, output: 'events' };

interface Row {
	packageNumberCarrier: string;
}
interface TrackResponse {
	result: Row[];
}

const requests = () =>
	sandbox.requests.filter(({ operationId }) => operationId === 'trackShipments');
const numbersOf = (items: Array<{ json: { packageNumberCarrier?: unknown } }>) =>
	items.map(({ json }) => json.packageNumberCarrier);
const seedNumbers = (count: number, serviceType = 'ANT-HOME') =>
	sandbox
		.seedShipments(count, { serviceType })
		.map(({ packageNumberCarrier }) => packageNumberCarrier);
const ofAnt = (number: unknown) => ({ carrier: 'ANT', number: number as string });
const rewrite = (change: (rows: Row[]) => Row[]) =>
	sandbox.fault({
		operation: 'trackShipments',
		kind: 'body',
		rewrite: (response: TrackResponse) => ({ ...response, result: change(response.result) }),
	});

describe('Track shipments', () => {
	test('returns one item per shipment with the fields of the service', async () => {
		const [number = ''] = seedNumbers(1);
		sandbox.advance(24);
		const { items } = await engine.run({ parameters: track, items: [ofAnt(number)] });
		const json = items[0]?.json;
		expect(json).toMatchObject({
			packageNumberCarrier: number,
			carrierCode: 'ANT',
			statusCode: 200,
		});
		expect(number).toMatch(/^00/);
		expect(json?.events).toHaveLength(5);
		expect(Object.keys(json ?? {}).sort()).toEqual(announcedFields('shipment/track'));
	});

	test('takes three requests for 250 items, and each item gets its shipment', async () => {
		const numbers = seedNumbers(250);
		const { items } = await engine.run({ parameters: track, items: numbers.map(ofAnt) });
		expect(numbersOf(items)).toEqual(numbers);
		expect(linksOf(items)).toEqual(numbers.map((_, index) => index));
		const sizes = requests().map(({ body }) => (body as { packages: string[] }).packages.length);
		expect(sizes.sort((a, b) => b - a)).toEqual([100, 100, 50]);
	});

	test('takes one request per carrier and returns the results in input order', async () => {
		const [ant1 = '', ant2 = ''] = seedNumbers(2);
		const [dodo = ''] = seedNumbers(1, 'DODO-DAY');
		const input = [ofAnt(ant1), { carrier: 'DODO', number: dodo }, ofAnt(ant2)];
		const { items } = await engine.run({ parameters: track, items: input });
		expect(numbersOf(items)).toEqual([ant1, dodo, ant2]);
		expect(requests().map(({ path, body }) => [path, body])).toEqual([
			['/api/ANT/Tracking', { packages: [ant1, ant2] }],
			['/api/DODO/Tracking', { packages: [dodo] }],
		]);
	});

	test('requests each number once, also if several items contain it', async () => {
		const [first = '', second = ''] = seedNumbers(2);
		const input = [ofAnt(second), ofAnt(`${first}, ${second}`)];
		const { items } = await engine.run({ parameters: track, items: input });
		expect(numbersOf(items)).toEqual([second, first, second]);
		expect(linksOf(items)).toEqual([0, 1, 1]);
		expect(requests()[0]?.body).toEqual({ packages: [second, first] });
	});

	test('links reordered rows to the right items', async () => {
		const numbers = seedNumbers(3);
		rewrite((rows) => [...rows].reverse());
		const { items } = await engine.run({ parameters: track, items: numbers.map(ofAnt) });
		expect(numbersOf(items)).toEqual(numbers);
		expect(linksOf(items)).toEqual([0, 1, 2]);
	});

	test('keeps a long number with leading zeros unchanged', async () => {
		const number = '0012345678901234567890';
		rewrite((rows) => rows.map((row) => ({ ...row, statusCode: 200 })));
		const { items } = await engine.run({ parameters: track, items: [ofAnt(number)] });
		expect(requests()[0]?.body).toEqual({ packages: [number] });
		expect(numbersOf(items)).toEqual([number]);
	});
});

describe('One item per event', () => {
	test('contains the fields of the event, and the number and carrier of its shipment', async () => {
		const [number = ''] = seedNumbers(1);
		sandbox.addEvent(number, { carrierCode: 'X-7', name: 'Hledá se adresát', item: null });
		const { items } = await engine.run({ parameters: trackEvents, items: [ofAnt(number)] });
		expect(items).toHaveLength(2);
		expect(items[1]?.json).toMatchObject({
			name: 'Hledá se adresát',
			item: null,
			eventCarrierCode: 'X-7',
			eventGroup: 'inTransit',
			carrierCode: 'ANT',
			packageNumberCarrier: number,
		});
		expect(linksOf(items)).toEqual([0, 0]);
	});

	test('is not returned for a shipment without events or with null', async () => {
		const numbers = seedNumbers(2);
		rewrite((rows) => rows.map((row, index) => ({ ...row, events: index === 0 ? [] : null })));
		const { items, error } = await engine.run({
			parameters: trackEvents,
			items: numbers.map(ofAnt),
		});
		expect([items, error]).toEqual([[], undefined]);
	});
});

test('One Item per Shipment has no events for null, and accepts numbers as type and category', async () => {
	const numbers = seedNumbers(2);
	const event = { date: '2026-01-14T09:31:07', category: 22, type: 1, delivered: false };
	rewrite((rows) => rows.map((row, index) => ({ ...row, events: index === 0 ? null : [event] })));
	const { items } = await engine.run({ parameters: track, items: numbers.map(ofAnt) });
	expect(items.map(({ json }) => json.events)).toEqual([
		[],
		[{ ...event, eventCarrierCode: null, eventGroup: 'readyForPickup' }],
	]);
});

describe('Shipments that cannot be tracked', () => {
	let good: string[];
	let mixed: Array<{ carrier: string; number: string }>;
	const messages = [
		'The service said: Carrier ANT has no shipment 0000',
		'Shipment Number is empty',
		'Shipment Number is the number 12345678901234567000, which has lost digits',
		'Carrier is empty',
	];
	beforeEach(() => {
		good = seedNumbers(2);
		mixed = [
			ofAnt(good[0]),
			ofAnt('0000'),
			ofAnt(''),
			ofAnt(Number('12345678901234567000')),
			{ carrier: '', number: '1' },
			ofAnt(good[1]),
		];
	});

	test('stop the run without Continue, and the error names every invalid item', async () => {
		const { error, items } = await engine.run({ parameters: track, items: mixed });
		expect(error?.message).toBe('Shipment Number is empty');
		expect(error?.context).toMatchObject({ itemIndex: 2 });
		expect(error?.description).toContain('Item 3: Shipment Number is the number');
		expect(error?.description).toContain('Item 4: Carrier is empty');
		expect(items).toEqual([]);
		expect(requests()).toEqual([]);
	});

	test('stop the run with the message of the service', async () => {
		const { error } = await engine.run({
			parameters: track,
			items: [ofAnt(good[0]), ofAnt('0000')],
		});
		expect(error?.message).toBe(messages[0]);
		expect(error?.context).toMatchObject({ itemIndex: 1 });
	});

	test('stay in input order with Continue', async () => {
		const onError = 'continueRegularOutput';
		const { items } = await engine.run({ parameters: track, items: mixed, onError });
		expect(items.map(({ json }) => json.packageNumberCarrier ?? json.error)).toEqual([
			good[0],
			...messages,
			good[1],
		]);
		expect(linksOf(items)).toEqual([0, 1, 2, 3, 4, 5]);
		expect(items[1]?.json.details).toEqual({
			packageNumberCarrier: '0000',
			carrierCode: 'ANT',
			statusCode: 404,
			serviceMessage: 'Carrier ANT has no shipment 0000',
			correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
		});
	});

	test('go to the error output with Continue (using error output)', async () => {
		const onError = 'continueErrorOutput';
		const { items, errorItems } = await engine.run({ parameters: track, items: mixed, onError });
		expect(numbersOf(items)).toEqual(good);
		expect(linksOf(items)).toEqual([0, 5]);
		expect(errorItems.map(({ json }) => json.error)).toEqual(messages);
		expect(linksOf(errorItems)).toEqual([1, 2, 3, 4]);
	});

	test('are an error with everything that the service says about them', async () => {
		rewrite((rows) => [
			{
				...rows[0],
				statusCode: 400,
				message: 'Bad Request',
				errors: [{ errorCode: 16, message: 'Entity not found', reference: '0000' }],
			} as unknown as Row,
		]);
		const { error } = await engine.run({ parameters: track, items: [ofAnt('0000')] });
		expect(error?.message).toBe('The service said: Bad Request; Entity not found (0000)');
	});

	test('are an error if the response does not contain their number', async () => {
		rewrite((rows) => rows.slice(1));
		const { items, errorItems } = await engine.run({
			parameters: track,
			items: good.map(ofAnt),
			onError: 'continueErrorOutput',
		});
		expect(numbersOf(items)).toEqual([good[1]]);
		expect(linksOf(items)).toEqual([1]);
		expect(errorItems[0]?.json.error).toBe(
			`No tracking result for shipment ${good[0]} of carrier ANT`,
		);
	});
});

describe('A number that makes the whole request fail', () => {
	const refused = 'X-100-REFUSED';
	const onError = 'continueErrorOutput';

	test.each([
		['names the number', true, 2],
		['does not name it', false, 15],
	])('fails alone if the error %s', async (_, isNamed, maximum) => {
		const numbers = seedNumbers(99);
		refuseNumber(sandbox, refused, isNamed);
		const { items, errorItems } = await engine.run({
			parameters: track,
			items: [...numbers.slice(0, 50), refused, ...numbers.slice(50)].map(ofAnt),
			onError,
		});
		expect(numbersOf(items)).toEqual(numbers);
		expect(linksOf(errorItems)).toEqual([50]);
		expect(errorItems[0]?.json.error).toBe(
			isNamed
				? `The service said: Entity not found (${refused})`
				: 'The service said: Entity not found',
		);
		expect(errorItems[0]?.json.details).toMatchObject({
			packageNumberCarrier: refused,
			carrierCode: 'ANT',
			statusCode: 400,
		});
		expect(requests().length).toBeLessThanOrEqual(maximum);
	});

	test('stops the run without Continue, and the error belongs to its item', async () => {
		const numbers = seedNumbers(3);
		refuseNumber(sandbox, refused, false);
		const { error } = await engine.run({
			parameters: track,
			items: [...numbers, refused].map(ofAnt),
		});
		expect(error?.message).toBe('The service said: Entity not found');
		expect(error?.context).toMatchObject({ itemIndex: 3 });
	});

	test('is not looked for if the service refuses the credential or does not allow tracking', async () => {
		const numbers = seedNumbers(4);
		for (const status of [401, 403]) {
			sandbox.fault({ operation: 'trackShipments', kind: 'status', status });
			const asked = requests().length;
			await engine.run({ parameters: track, items: numbers.map(ofAnt), onError });
			expect(requests()).toHaveLength(asked + 1);
		}
	});

	test('is not found if the carrier refuses everything, after few requests', async () => {
		const numbers = seedNumbers(100);
		sandbox.fault({ operation: 'trackShipments', kind: 'status', status: 400, times: Infinity });
		const { items, errorItems } = await engine.run({
			parameters: track,
			items: numbers.map(ofAnt),
			onError,
		});
		expect([items.length, errorItems.length]).toEqual([0, 100]);
		expect(requests().length).toBeLessThan(12);
	});
});

describe('When requests fail', () => {
	test('temporary faults are retried', async () => {
		const numbers = seedNumbers(2);
		sandbox.fault({ operation: 'trackShipments', kind: 'rateLimit', retryAfter: '0' });
		sandbox.fault({ operation: 'trackShipments', kind: 'halfBody' });
		const { items } = await engine.run({ parameters: track, items: numbers.map(ofAnt) });
		expect(numbersOf(items)).toEqual(numbers);
		expect(requests()).toHaveLength(3);
	});

	test('a failed request affects only its own items', async () => {
		const ants = seedNumbers(2);
		const [dodo = ''] = seedNumbers(1, 'DODO-DAY');
		sandbox.fault({ operation: 'trackShipments', kind: 'html' });
		const { items, errorItems } = await engine.run({
			parameters: { ...track, options: { maxConcurrency: 1 } },
			items: [ofAnt(ants.join()), { carrier: 'DODO', number: dodo }, ofAnt(ants[1])],
			onError: 'continueErrorOutput',
		});
		expect(numbersOf(items)).toEqual([dodo]);
		expect(linksOf(errorItems)).toEqual([0, 2]);
		expect(errorItems[0]?.json.error).toContain('The service returned a web page instead of data');
	});

	test('nothing more is requested after a failure without Continue', async () => {
		const numbers = seedNumbers(250);
		sandbox.fault({ operation: 'trackShipments', kind: 'html' });
		const { error } = await engine.run({
			parameters: { ...track, options: { maxConcurrency: 1 } },
			items: numbers.map(ofAnt),
		});
		expect(error?.message).toContain('The service returned a web page instead of data');
		expect(requests()).toHaveLength(1);
	});
});
