import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import { announcedFields, linksOf } from '../support/outputs';

import { type Sandbox, startSandbox } from '../../sandbox';
import { stillClock } from '../sandbox/client';

let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
	sandbox = await startSandbox({ clock: stillClock('2026-11-20T12:00:00Z') });
	engine = await startEngine(sandboxCredential(sandbox.url));
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const getMany = { resource: 'shipment', operation: 'getAll', returnAll: true };

const requests = () =>
	sandbox.requests.filter(({ operationId }) => operationId === 'findShipments');
const labelsOf = (items: Array<{ json: { packageNumberCustom?: unknown } }>) =>
	items.map(({ json }) => json.packageNumberCustom);

describe('Get many shipments', () => {
	test('returns all of 250 shipments with three requests, newest first', async () => {
		const seeded = sandbox.seedShipments(250, { spreadHours: 100, hoursAgo: 100 });
		const { items } = await engine.run({ parameters: getMany });
		expect(items.map(({ json }) => json.id)).toEqual(seeded.map(({ id }) => id).reverse());
		expect(linksOf(items)).toEqual(new Array(250).fill(0));
		expect(requests()).toHaveLength(3);
	});

	test('takes two requests for a limit of 120 and reads no more records', async () => {
		sandbox.seedShipments(250);
		const { items } = await engine.run({
			parameters: { ...getMany, returnAll: false, limit: 120 },
		});
		expect(items).toHaveLength(120);
		expect(requests().map(({ body }) => body)).toEqual([
			{ start: 0, length: 100 },
			{ start: 100, length: 20 },
		]);
	});

	test('returns ten flat fields, with leading zeros of numbers', async () => {
		const [seeded] = sandbox.seedShipments(1, { vs: '0000012' });
		const { items } = await engine.run({ parameters: getMany });
		const json = items[0]?.json;
		expect(json?.packageNumberCarrier).toBe(seeded?.packageNumberCarrier);
		expect(json?.packageNumberCarrier).toMatch(/^0012345\d{15}$/);
		expect(json?.status).toBe('The shipment was created');
		expect(Object.keys(json ?? {}).sort()).toEqual(announcedFields('shipment/getAll'));
	});

	test('returns the records of the service without Simplify, unknown fields included', async () => {
		sandbox.seedShipments(1, { recZip: '01001' });
		let sent: unknown;
		const rewrite = (response: { result: { data: object[] } }) => {
			response.result.data = response.result.data.map((row) => ({
				...row,
				colour: { shade: 'blue' },
			}));
			sent = response.result.data[0];
			return response;
		};
		sandbox.fault({ operation: 'findShipments', kind: 'body', rewrite });
		const { items } = await engine.run({ parameters: { ...getMany, simplify: false } });
		expect(items[0]?.json).toEqual(sent);
		expect(items[0]?.json).toMatchObject({ recZip: '01001', colour: { shade: 'blue' } });
	});

	test('returns no item if no shipment is found', async () => {
		const { items, error } = await engine.run({ parameters: getMany });
		expect([items, error]).toEqual([[], undefined]);
	});

	test('returns nothing in either output if no shipment is found', async () => {
		const onError = 'continueErrorOutput';
		const { items, errorItems } = await engine.run({ parameters: getMany, onError });
		expect([items, errorItems]).toEqual([[], []]);
	});
});

describe('Filters', () => {
	test('are all sent to the service', async () => {
		const filters = {
			search: 'ORDER',
			carrierCodes: '={{ ["ANT", "DODO"] }}',
			cod: true,
			onlyMaster: true,
			orderId: '={{ "501" }}',
			createdFrom: '2026-11-01T00:00:00',
			createdTo: '2026-11-20T23:30:00',
			status: 'NotPicked',
		};
		await engine.run({ parameters: { ...getMany, filters } });
		expect(requests()[0]?.body).toEqual({
			search: 'ORDER',
			carrierCodes: ['ANT', 'DODO'],
			cod: true,
			onlyMaster: true,
			orderId: 501,
			createdFrom: '2026-11-01',
			createdTo: '2026-11-20',
			status: 'NotPicked',
			start: 0,
			length: 100,
		});
	});

	test('that are empty or turned off are not sent', async () => {
		const filters = {
			search: ' ',
			carrierCodes: [],
			onlyMaster: false,
			orderId: '',
			createdFrom: '',
			createdTo: '={{ null }}',
			status: '',
		};
		await engine.run({ parameters: { ...getMany, filters } });
		// Some services list only main shipments unless told otherwise.
		expect(requests()[0]?.body).toEqual({ onlyMaster: false, start: 0, length: 100 });
	});

	test('limit the result', async () => {
		const each = (index: number) => ({ packageNumberCustom: `S${index}` });
		sandbox.seedShipments(2, { each, hoursAgo: 48 });
		sandbox.seedShipments(1, {
			packageNumberCustom: 'COD',
			codPrice: 5,
			codCurrency: 'CZK',
			cod: true,
		});
		sandbox.seedShipments(1, { packageNumberCustom: 'D', serviceType: 'DODO-DAY', orderId: 502 });
		sandbox.seedShipments(1, { packageNumberCustom: 'P', pieceCount: 3 });
		const found = async (filters: object) =>
			labelsOf((await engine.run({ parameters: { ...getMany, filters: { ...filters } } })).items);
		expect(await found({})).toHaveLength(7);
		expect(await found({ search: 's1' })).toEqual(['S1']);
		expect(await found({ carrierCodes: 'DODO' })).toEqual(['D']);
		expect(await found({ cod: true })).toEqual(['COD']);
		expect(await found({ orderId: 502 })).toEqual(['D']);
		expect(await found({ onlyMaster: true })).toEqual(['P', 'D', 'COD', 'S1', 'S0']);
		expect(await found({ createdTo: '2026-11-19' })).toEqual(['S1', 'S0']);
		expect(await found({ createdFrom: '2026-11-20', onlyMaster: true })).toEqual(['P', 'D', 'COD']);
	});

	const cod = { cod: true, codPrice: 5, codCurrency: 'CZK' };

	test('with Cash on Delivery turned off return only shipments without it, even if the service ignores the filter', async () => {
		const wanted = sandbox
			.seedShipments(300, { each: (index) => (index % 3 === 0 ? {} : cod) })
			.filter((_, index) => index % 3 === 0)
			.map(({ id }) => id)
			.reverse();
		const filters = { cod: false };
		const limited = await engine.run({
			parameters: { ...getMany, returnAll: false, limit: 60, filters },
		});
		expect(limited.items.map(({ json }) => json.id)).toEqual(wanted.slice(0, 60));
		expect(requests()[0]?.body).toMatchObject({ cod: false, start: 0, length: 60 });
		expect(requests()).toHaveLength(3);
		const all = await engine.run({ parameters: { ...getMany, filters } });
		expect(all.items.map(({ json }) => json.id)).toEqual(wanted);
	});

	test('with Cash on Delivery turned off take one request if the service knows the filter', async () => {
		sandbox.seedShipments(80);
		const filters = { cod: false };
		const { items } = await engine.run({
			parameters: { ...getMany, returnAll: false, limit: 60, filters },
		});
		expect(items).toHaveLength(60);
		expect(requests()).toHaveLength(1);
	});

	test('with a status that the service refuses are an error that names it', async () => {
		const errors = [{ errorCode: 3, message: 'Unknown value', reference: null }];
		const refuse = () =>
			sandbox.fault({ operation: 'findShipments', kind: 'status', status: 400, body: { errors } });
		refuse();
		const own = await engine.run({
			parameters: { ...getMany, filters: { status: '={{ "Waiting" }}' } },
		});
		expect(own.error?.message).toBe('Status filter "Waiting": The service said: Unknown value');
		// A documented status is not blamed for an error that does not mention it.
		refuse();
		const documented = await engine.run({
			parameters: { ...getMany, filters: { status: 'NotPicked' } },
		});
		expect(documented.error?.message).toBe('The service said: Unknown value');
	});

	test.each([
		['$now', '={{ $now.set({ year: 2026, month: 11, day: 20, hour: 23 }) }}'],
		['a Luxon date and time', '={{ DateTime.fromISO("2026-11-20T12:00:00Z") }}'],
		['a JavaScript Date', '={{ new Date("2026-11-20T12:00:00Z") }}'],
		['text with a zone', '={{ "2026-11-20T12:00:00Z" }}'],
	])('accept %s from an expression as a date', async (_, createdFrom) => {
		await engine.run({ parameters: { ...getMany, filters: { createdFrom } } });
		expect(requests()[0]?.body).toMatchObject({ createdFrom: '2026-11-20' });
	});

	test('that are invalid are errors, and nothing is sent', async () => {
		const refusals: Array<[Record<string, string>, string]> = [
			[{ createdFrom: '20.11.2026' }, 'Invalid Created From: "20.11.2026"'],
			[
				{ createdFrom: '2026-11-21', createdTo: '2026-11-20' },
				'Created From (2026-11-21) is later than Created To (2026-11-20)',
			],
			[{ orderId: 'WEB-0501' }, 'Invalid Order ID: "WEB-0501"'],
		];
		for (const [filters, message] of refusals) {
			const { error } = await engine.run({ parameters: { ...getMany, filters } });
			expect(error?.message).toBe(message);
		}
		expect(requests()).toEqual([]);
	});

	const searches = {
		...getMany,
		filters: { search: '={{ $json.search }}', orderId: '={{ $json.order }}' },
	};

	test('of several items take one request per distinct filter, and results stay linked', async () => {
		sandbox.seedShipments(3, { each: (index) => ({ packageNumberCustom: `S${index}` }) });
		const input = [{ search: 'S2' }, { search: 'none' }, { search: 'S0' }, { search: 'S2' }];
		const { items } = await engine.run({ parameters: searches, items: input });
		expect(labelsOf(items)).toEqual(['S2', 'S0', 'S2']);
		expect(linksOf(items)).toEqual([0, 2, 3]);
		expect(requests()).toHaveLength(3);
	});

	test('that are invalid for one item do not affect the others with Continue', async () => {
		sandbox.seedShipments(1, { packageNumberCustom: 'S0' });
		const input = [{ search: 'S0' }, { order: 'x' }, { search: 'S0' }];
		const continued = await engine.run({
			parameters: searches,
			items: input,
			onError: 'continueRegularOutput',
		});
		expect(linksOf(continued.items)).toEqual([0, 1, 2]);
		expect(continued.items[1]?.json).toMatchObject({
			error: 'Invalid Order ID: "x"',
			details: { field: 'Order ID' },
		});
		const branched = await engine.run({
			parameters: searches,
			items: input,
			onError: 'continueErrorOutput',
		});
		expect(linksOf(branched.items)).toEqual([0, 2]);
		expect(linksOf(branched.errorItems)).toEqual([1]);
	});
});

describe('When requests fail', () => {
	test('temporary faults are retried and nothing is missing', async () => {
		sandbox.seedShipments(250);
		sandbox.fault({ operation: 'findShipments', kind: 'rateLimit', retryAfter: '0', skip: 1 });
		sandbox.fault({ operation: 'findShipments', kind: 'halfBody', skip: 2 });
		const { items } = await engine.run({ parameters: getMany });
		expect(new Set(items.map(({ json }) => json.id)).size).toBe(250);
		expect(requests()).toHaveLength(5);
	});

	test('a login page is an error', async () => {
		sandbox.fault({ operation: 'findShipments', kind: 'html' });
		const { error } = await engine.run({ parameters: getMany });
		expect(error?.message).toBe('List shipments: The service returned a web page instead of data');
		expect(error?.description).toContain('("Sign in")');
	});

	test('no more requests run in parallel than Max Concurrency', async () => {
		sandbox.seedShipments(250);
		sandbox.fault({ operation: 'findShipments', kind: 'latency', ms: 40, times: Infinity });
		const options = { maxConcurrency: 3 };
		const parameters = { ...getMany, filters: { search: '={{ $json.search }}' }, options };
		const input = ['S', 'SE', 'SEE', 'SEED'].map((search) => ({ search }));
		const { items } = await engine.run({ parameters, items: input });
		expect(items).toHaveLength(1000);
		expect(maxParallel()).toBeLessThanOrEqual(3);
		expect(maxParallel()).toBeGreaterThan(1);
	});
});

function maxParallel(): number {
	const spans = requests();
	return Math.max(
		...spans.map(
			({ at }) =>
				spans.filter((other) => other.at <= at && (other.finishedAt ?? Infinity) > at).length,
		),
	);
}

describe.each(['rich', 'documented'] as const)(
	'The exact Custom Shipment Number in a %s list',
	(listRecords) => {
		let service: Sandbox;
		const find = async (packageNumberCustom: string, more = {}) => {
			const own = await startEngine(sandboxCredential(service.url));
			const parameters = { ...getMany, filters: { packageNumberCustom }, ...more };
			return (await own.run({ parameters })).items.map(({ json }) => json.id);
		};
		beforeEach(async () => {
			service = await startSandbox({ listRecords });
			service.seedShipments(3, {
				each: (index) => ({ packageNumberCustom: index === 0 ? 'CSV-2002' : 'CSV-20' }),
			});
		});
		afterEach(() => service.close());

		test('finds all shipments with it, and none that only contains it', async () => {
			expect(await find('CSV-20')).toEqual([1003, 1002]);
			expect(await find('CSV-200')).toEqual([]);
		});

		test('is found behind other shipments although the limit is 1', async () => {
			expect(await find('CSV-2002', { returnAll: false, limit: 1 })).toEqual([1001]);
		});

		test('finds the pieces of a shipment', async () => {
			service.seedShipments(1, { packageNumberCustom: 'CSV-3', pieceCount: 2 });
			expect((await find('CSV-3')).sort()).toEqual([1004, 1005]);
		});
	},
);
