import type { INodeParameters } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../sandbox';
import { sandboxCredential } from '../support/credentials';
import type { PollHost } from '../support/poll';
import { SERVICE_KINDS, SERVICES } from '../support/services';
import { setStage } from '../support/triggerStage';

const stage = setStage();

const shop = {
	packageNumberCustom: 'WEB-1042',
	recName: 'Jana Nováková',
	recEmail: 'jana@example.com',
	recPhone: '+420777123456',
	cod: true,
	codPrice: 1290.5,
	codCurrency: 'CZK',
	vs: '1042',
	orderId: 501,
};
const included = (number: string) => ({
	packageNumberCustom: 'WEB-1042',
	recipientName: 'Jana Nováková',
	recipientEmail: 'jana@example.com',
	recipientPhone: '+420777123456',
	trackingUrl: expect.stringContaining(number),
	orderId: 501,
	cod: { amount: 1290.5, currency: 'CZK' },
	delivered: false,
});

describe.each(SERVICE_KINDS)('With a service of the kind %s, an event has its shipment', (kind) => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({
			...SERVICES[kind],
			clock: { now: () => new Date(stage.clock.nowMs) },
		});
	});
	beforeEach(() => sandbox.reset());
	afterAll(async () => sandbox.close());

	const watch = async (parameters: INodeParameters = {}) => {
		const host = await stage.newHost('default');
		host.credential.data = sandboxCredential(sandbox.url);
		await host.publish(parameters);
		sandbox.requests.length = 0;
		return host;
	};
	const seed = (pieceCount = 1) => {
		sandbox.seedShipments(3, { hoursAgo: 30 });
		const pieces = sandbox.seedShipments(1, { ...shop, hoursAgo: 20, pieceCount });
		return pieces.map(({ id, packageNumberCarrier }) => ({ id, number: packageNumberCarrier }));
	};
	const details = () =>
		sandbox.requests.filter(
			({ operationId, status }) => /^getShipment/.test(operationId ?? '') && status === 200,
		).length;
	const searches = () =>
		sandbox.requests.filter(({ body }) => (body as { search?: string } | null)?.search).length;
	const pollEvents = async (host: PollHost, ...numbers: string[]) => {
		const from = host.events.length;
		for (const number of numbers) sandbox.addEvent(number, { code: '701' });
		await stage.poll(host);
		return host.events.slice(from);
	};

	test('if the trigger watches the account, with at most one request', async () => {
		const [one = { id: 0, number: '' }] = seed();
		const host = await watch();
		const events = await pollEvents(host, one.number, one.number);
		expect(events).toMatchObject([
			{ code: '701', shipmentId: one.id, shipment: included(one.number) },
		]);
		expect(events[0]).not.toHaveProperty('shipmentNotRead');
		expect(details()).toBe(kind === 'fewFields' ? 1 : 0);
		expect(searches()).toBe(0);
	});

	test('if the trigger watches a list of numbers, by a search for the number', async () => {
		const [one = { id: 0, number: '' }] = seed();
		const carriers = [{ carrierCode: 'ANT', packageNumbers: one.number }];
		const host = await watch({ watch: 'list', shipments: { carriers } });
		expect(await pollEvents(host, one.number)).toMatchObject([
			{ shipmentId: one.id, pieceId: one.id, shipment: included(one.number) },
		]);
		expect(searches()).toBe(1);
		// The ID is known from then on, and for some time all the rest.
		sandbox.requests.length = 0;
		for (const [code, minutes, expected] of [
			['702', 1, 0],
			['703', 60, 1],
		] as const) {
			sandbox.addEvent(one.number, { code });
			await stage.poll(host, minutes);
			expect(host.events.at(-1)).toMatchObject({ code, shipment: included(one.number) });
			expect({ searches: searches(), details: details() }).toEqual({
				searches: 0,
				details: expected,
			});
		}
	});

	test('with the tracking link of its own piece, and one request for all pieces', async () => {
		const [main, , third] = seed(3) as [
			{ id: number; number: string },
			unknown,
			{ id: number; number: string },
		];
		const host = await watch();
		const events = await pollEvents(host, main.number, third.number);
		expect(events.map(({ pieceId, shipmentId }) => [pieceId, shipmentId]).sort()).toEqual([
			[main.id, main.id],
			// One kind of service does not say which shipment a piece belongs to.
			[third.id, kind === 'rich' ? third.id : main.id],
		]);
		for (const { packageNumberCarrier, shipment } of events) {
			expect(shipment).toEqual(included(String(packageNumberCarrier)));
		}
		expect(details()).toBe(kind === 'fewFields' ? 1 : 0);
	});

	test('also in a list of numbers of pieces, as far as the service says to which shipment a piece belongs', async () => {
		const [main, second] = seed(2) as [
			{ id: number; number: string },
			{ id: number; number: string },
		];
		const carriers = [{ carrierCode: 'ANT', packageNumbers: second.number }];
		const host = await watch({ watch: 'list', shipments: { carriers } });
		const events = await pollEvents(host, second.number);
		if (kind === 'fewFields') {
			// Neither the list has the number of the piece, nor is there a detail of it.
			expect(events).toMatchObject([{ shipmentId: null, shipmentNotRead: expect.any(String) }]);
			return;
		}
		expect(events).toMatchObject([
			{
				shipmentId: kind === 'documented' ? main.id : second.id,
				pieceId: second.id,
				shipment: included(second.number),
			},
		]);
	});

	test('in the output of one item per shipment, and in Fetch Test Event', async () => {
		const [one = { id: 0, number: '' }] = seed();
		const host = await watch({ output: 'shipment' });
		const [item] = await pollEvents(host, one.number);
		expect(item).toMatchObject({ events: [{ code: '701' }], shipment: included(one.number) });
		expect((item?.events as object[])[0]).not.toHaveProperty('shipment');
		const shown = (await host.fetchTestEvent({})) ?? [];
		expect(shown.at(-1)).toMatchObject({ code: '701', shipment: included(one.number) });
	});

	test('unless Include Shipment is off', async () => {
		const [one = { id: 0, number: '' }] = seed();
		const host = await watch({ includeShipment: false });
		const [event] = await pollEvents(host, one.number);
		expect(event).not.toHaveProperty('shipment');
		expect(details() + searches()).toBe(0);
	});

	test('or says why not, if the service fails, and is neither lost nor repeated', async () => {
		const [one = { id: 0, number: '' }] = seed();
		const carriers = [{ carrierCode: 'ANT', packageNumbers: one.number }];
		const host = await watch({ watch: 'list', shipments: { carriers } });
		for (const operation of ['findShipments', 'getShipment', 'getShipmentShort'] as const) {
			sandbox.fault({ operation, kind: 'status', status: 500, times: Infinity });
		}
		expect(await pollEvents(host, one.number)).toMatchObject([
			{
				code: '701',
				shipment: { recipientEmail: null, cod: { amount: null } },
				shipmentNotRead: expect.stringMatching(/^The service .*500/),
			},
		]);
		expect(host.warnings.join()).toContain('Some shipments could not be read for their events.');
		sandbox.clearFaults();
		await stage.poll(host);
		expect(host.events).toHaveLength(1);
	});
});

test('after a failure, no further shipment of the carrier is requested in the same poll', async () => {
	const shipments = stage.sandbox.seedShipments(30, { hoursAgo: 20 });
	const carriers = shipments.map(({ packageNumberCarrier }) => ({
		carrierCode: 'ANT',
		packageNumbers: packageNumberCarrier,
	}));
	const host = await stage.newHost('default');
	await host.publish({ watch: 'list', shipments: { carriers } });
	for (const { packageNumberCarrier } of shipments)
		stage.sandbox.addEvent(packageNumberCarrier, {});
	stage.sandbox.fault({ operation: 'findShipments', kind: 'status', status: 503, times: Infinity });
	await stage.poll(host);
	expect(host.events).toHaveLength(30);
	expect(host.events.every(({ shipmentNotRead }) => shipmentNotRead)).toBe(true);
	expect(stage.asked('findShipments').length).toBeLessThanOrEqual(4);
});

test('if the service has no time left for it, the events say so and come anyway', async () => {
	const shipments = stage.sandbox.seedShipments(30, { hoursAgo: 20 });
	const carriers = shipments.map(({ packageNumberCarrier }) => ({
		carrierCode: 'ANT',
		packageNumbers: packageNumberCarrier,
	}));
	const host = await stage.newHost('durable');
	host.budgetMs = 36_000;
	const parameters = { watch: 'list', shipments: { carriers }, options: { maxConcurrency: 1 } };
	await host.publish(parameters);
	for (const { packageNumberCarrier } of shipments)
		stage.sandbox.addEvent(packageNumberCarrier, {});
	stage.sandbox.fault({
		operation: 'findShipments',
		kind: 'body',
		times: Infinity,
		rewrite: (body: unknown) => {
			stage.clock.nowMs += 3_000;
			return body;
		},
	} as never);
	const startedMs = stage.clock.nowMs;
	await stage.poll(host);
	expect(stage.clock.nowMs - startedMs).toBeLessThanOrEqual(60_000 + 36_000);
	expect(host.events).toHaveLength(30);
	const reasons = new Set(host.events.map(({ shipmentNotRead }) => shipmentNotRead));
	expect([...reasons].sort()).toEqual([
		'The poll had no time left to read the shipment',
		undefined,
	]);
});

test('a shipment with the same characters in its number is not taken for another one', async () => {
	const [one, other] = stage.sandbox.seedShipments(2, { hoursAgo: 20 });
	const rewrite = (body: { result: { data: object[] } }) => {
		const wrong = { id: other?.id, carrierCode: 'ANT', packageNumberCarrier: '', recName: 'Wrong' };
		return { ...body, result: { data: [wrong], total: 1 } };
	};
	const packageNumbers = one?.packageNumberCarrier ?? '';
	const host = await stage.newHost('default');
	await host.publish({
		watch: 'list',
		shipments: { carriers: [{ carrierCode: 'ANT', packageNumbers }] },
	});
	stage.sandbox.fault({ operation: 'findShipments', kind: 'body', rewrite, times: 9 } as never);
	stage.sandbox.addEvent(packageNumbers, {});
	await stage.poll(host);
	expect(host.events).toMatchObject([
		{
			shipmentId: null,
			shipment: { recipientName: null },
			shipmentNotRead: `The service does not list shipment ${packageNumbers} of carrier ANT`,
		},
	]);
});

test('what the list leaves out or has empty is read from the detail', async () => {
	const [one] = stage.sandbox.seedShipments(1, { ...shop, hoursAgo: 20 });
	const number = one?.packageNumberCarrier ?? '';
	const rewrite = (body: { result: { data: Array<Record<string, unknown>> } }) => {
		for (const row of body.result.data) {
			delete row.orderId;
			row.trackingUrl = null;
		}
		return body;
	};
	stage.sandbox.fault({ operation: 'findShipments', kind: 'body', rewrite, times: 9 } as never);
	const host = await stage.newHost('default');
	await host.publish({});
	stage.sandbox.addEvent(number, {});
	await stage.poll(host);
	expect(host.events).toMatchObject([{ shipment: included(number) }]);
	expect(stage.asked('getShipment')).toHaveLength(1);
});
