import type { INodeParameters } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../sandbox';
import { sandboxCredential } from '../support/credentials';
import type { PollHost } from '../support/poll';
import { SERVICE_KINDS, SERVICES } from '../support/services';
import { setStage } from '../support/triggerStage';

const stage = setStage();

const order = {
	packageNumberCustom: 'WEB-1042',
	recName: 'Jana Nováková',
	recEmail: 'jana@example.com',
	recPhone: '+420777123456',
	cod: true,
	codPrice: 1290.5,
	codCurrency: 'CZK',
	vs: '1042',
	orderId: 501,
	hoursAgo: 20,
};
const customer = {
	packageNumberCustom: 'WEB-1042',
	recipientName: 'Jana Nováková',
	recipientEmail: 'jana@example.com',
	recipientPhone: '+420777123456',
};
const included = (number: string) => ({
	...customer,
	carrierName: 'Ant Express',
	trackingUrl: expect.stringContaining(number),
	orderId: 501,
	cod: { amount: 1290.5, currency: 'CZK' },
});
const listOf = (...numbers: string[]) => ({
	watch: 'list',
	shipments: { carriers: numbers.map((each) => ({ carrierCode: 'ANT', packageNumbers: each })) },
});
const nobody = { id: 0, number: '' };

describe.each(SERVICE_KINDS)('With a service of the kind %s, an event has its shipment', (kind) => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		const clock = { now: () => new Date(stage.clock.nowMs) };
		sandbox = await startSandbox({ ...SERVICES[kind], clock });
	});
	beforeEach(() => sandbox.reset());
	afterAll(async () => sandbox.close());

	const publish = async (parameters: INodeParameters = {}) => {
		const host = await stage.newHost('default');
		host.credential.data = sandboxCredential(sandbox.url);
		await host.publish(parameters);
		sandbox.requests.length = 0;
		return host;
	};
	const seed = (pieceCount = 1) => {
		sandbox.seedShipments(3, { hoursAgo: 30 });
		const pieces = sandbox.seedShipments(1, { ...order, pieceCount });
		return pieces.map(({ id, packageNumberCarrier }) => ({ id, number: packageNumberCarrier }));
	};
	/** How many requests read shipments for events. */
	const reads = () =>
		sandbox.requests.filter(({ operationId, status, body }) => {
			const isDetail = /^getShipment/.test(operationId ?? '') && status === 200;
			return isDetail || (body as { search?: string } | null)?.search;
		}).length;
	const pollEvents = async (host: PollHost, ...numbers: string[]) => {
		const from = host.events.length;
		for (const number of numbers) sandbox.addEvent(number, { code: '701' });
		await stage.poll(host);
		return host.events.slice(from);
	};

	test('if the trigger watches a list of numbers, and later events need fewer requests', async () => {
		const [{ id, number } = nobody] = seed();
		const host = await publish(listOf(number));
		const event = { shipmentId: id, pieceId: id, shipment: included(number) };
		expect(await pollEvents(host, number)).toMatchObject([event]);
		sandbox.requests.length = 0;
		sandbox.addEvent(number, { code: '702' });
		await stage.poll(host);
		expect(host.events[1]).toMatchObject(event);
		expect(reads()).toBe(0);
		sandbox.addEvent(number, { code: '703' });
		await stage.poll(host, 60);
		expect(host.events[2]).toMatchObject(event);
		expect(reads()).toBe(1);
	});

	test('if the trigger watches the account, with the link of its own piece, with one request at most', async () => {
		const [main = nobody, , third = nobody] = seed(3);
		const events = await pollEvents(await publish(), main.number, third.number);
		expect(events.map(({ pieceId, shipmentId }) => [pieceId, shipmentId]).sort()).toEqual([
			[main.id, main.id],
			// One kind of service does not say which shipment a piece belongs to.
			[third.id, kind === 'rich' ? third.id : main.id],
		]);
		for (const event of events) {
			expect(event.shipment).toEqual(included(String(event.packageNumberCarrier)));
			expect(event).not.toHaveProperty('shipmentNotRead');
		}
		expect(reads()).toBe(kind === 'fewFields' ? 1 : 0);
	});

	test('also in a list of numbers of pieces, as far as the service says to which shipment a piece belongs', async () => {
		const [main = nobody, { id, number } = nobody] = seed(2);
		const [event] = await pollEvents(await publish(listOf(number)), number);
		expect(event).toMatchObject(
			// Neither the list has the number of the piece, nor is there a detail of it.
			kind === 'fewFields'
				? { shipmentId: null, shipmentNotRead: expect.any(String) }
				: {
						shipmentId: kind === 'documented' ? main.id : id,
						pieceId: id,
						shipment: included(number),
					},
		);
	});

	test('and with Simplify, what happened, the order, the recipient and the carrier come first', async () => {
		const [{ id, number } = nobody] = seed();
		const { trackingUrl, carrierName, cod, orderId } = included(number);
		const [event = {}] = await pollEvents(await publish({ simplify: true }), number);
		const text = expect.any(String);
		const expected = {
			...{ eventGroup: 'inTransit', eventName: text, dateTime: text, ...customer },
			...{ carrierCode: 'ANT', carrierName, packageNumberCarrier: number, trackingUrl },
			...{ isFirstOfGroup: false, isLatest: true, delivered: false, cod, orderId },
			...{ shipmentId: id, pieceId: id },
			...{ eventId: text, eventCategory: 'TransitOnTheWay', eventNameSystem: text },
		};
		expect(event).toEqual(expected);
		expect(Object.keys(event)).toEqual(Object.keys(expected));
	});

	test('unless Include Shipment is off', async () => {
		const [{ number } = nobody] = seed();
		const [event] = await pollEvents(await publish({ includeShipment: false }), number);
		expect(event).toMatchObject({ code: '701' });
		expect(event).not.toHaveProperty('shipment');
		expect(reads()).toBe(0);
	});

	test('or says why not, if the service fails, and is neither lost nor repeated', async () => {
		const [{ number } = nobody] = seed();
		const host = await publish(listOf(number));
		for (const operation of ['findShipments', 'getShipment', 'getShipmentShort'] as const) {
			sandbox.fault({ operation, kind: 'status', status: 500, times: Infinity });
		}
		expect(await pollEvents(host, number)).toMatchObject([
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

test('a shipment with the same characters in its number is not taken for another one', async () => {
	const [number = ''] = stage.seed(2);
	const host = await stage.publish('default', listOf(number));
	const wrong = { id: 1002, carrierCode: 'ANT', packageNumberCarrier: '', recName: 'Wrong' };
	stage.rewrite('findShipments', (body) => Object.assign(body.result, { data: [wrong], total: 1 }));
	stage.add(number, '701');
	await stage.poll(host);
	expect(host.events).toMatchObject([
		{
			shipmentId: null,
			shipment: { recipientName: null },
			shipmentNotRead: `The service does not list shipment ${number} of carrier ANT`,
		},
	]);
});

describe('If the list does not say which shipment a piece belongs to', () => {
	/** Adds an event to the second piece of a shipment. */
	const start = async () => {
		const pieces = stage.sandbox.seedShipments(1, { hoursAgo: 20, pieceCount: 3 });
		const host = await stage.publish('default');
		const [main, second] = pieces;
		const add = (code: string) => stage.add(second?.packageNumberCarrier, code);
		add('701');
		return { host, pieces, mainId: main?.id, secondId: second?.id, add };
	};

	test.each([
		['the shipment with its pieces', (pieces: object[]) => pieces],
		['the piece, with the ID of its shipment', (pieces: object[]) => pieces.slice(1, 2)],
	])('the detail of the piece says it, which contains %s', async (_, select) => {
		const { host, pieces, mainId, secondId } = await start();
		const details = pieces.map(({ id, packageNumberCarrier }) => ({
			id,
			packageNumberCarrier,
			masterId: id === mainId ? null : mainId,
		}));
		for (const result of [select(details), details]) {
			const body = { result, correlationId: 'c' };
			stage.sandbox.fault({ operation: 'getShipment', kind: 'status', status: 200, body });
		}
		await stage.poll(host);
		expect(host.events).toMatchObject([{ shipmentId: mainId, pieceId: secondId }]);
	});

	test.each<[string, object[], number]>([
		['refuses the detail, the piece keeps its own ID', [], 1],
		['does not respond, the next event asks again', [{ status: 500, times: 1 }], 2],
	])('and the service %s', async (_, faults, requests) => {
		const { host, secondId, add } = await start();
		for (const fault of faults) {
			stage.sandbox.fault({ operation: 'getShipment', kind: 'status', ...fault });
		}
		await stage.poll(host);
		add('702');
		await stage.poll(host);
		expect(host.events).toMatchObject([
			{ code: '701', shipmentId: secondId, pieceId: secondId },
			{ code: '702', shipmentId: secondId, pieceId: secondId },
		]);
		expect(host.events[0]).not.toHaveProperty('shipmentNotRead');
		expect(stage.asked('getShipment')).toHaveLength(requests);
	});
});

describe('If the list says which shipment a piece belongs to', () => {
	// Its clock replaces the one of the other tests, so this comes last.
	const documented = setStage({ dialect: 'documented' });

	test('an event of a piece has the ID of that, also if it is not listed and if two have one reference', async () => {
		const shipments = [21, 20].map((hoursAgo) =>
			documented.sandbox.seedShipments(1, { hoursAgo, pieceCount: 3, packageNumberCustom: 'P' }),
		);
		const mainIds = shipments.map(([main]) => main?.id);
		documented.rewrite('findShipments', ({ result }) => {
			result.data = result.data.filter(({ id }) => !mainIds.includes(id as number)) as never;
		});
		const host = await documented.publish('default');
		for (const [at, [, , third]] of shipments.entries()) {
			const date = `2026-06-10T10:59:0${at}`;
			documented.add(third?.packageNumberCarrier, '701', { date });
		}
		await documented.poll(host);
		expect(host.events.map(({ shipmentId }) => shipmentId)).toEqual(mainIds);
	});
});
