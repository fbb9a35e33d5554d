import type { INodeParameters } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../sandbox';
import { sandboxCredential } from '../support/credentials';
import type { PollHost } from '../support/pollHost';
import { SERVICE_KINDS, SERVICES } from '../support/services';
import { setStage } from '../support/triggerStage';

// Which fields an event has, and with how many requests.

const stage = setStage();

const order = {
	...{ packageNumberCustom: 'WEB-1042', recName: 'Jana Nováková', recEmail: 'jana@example.com' },
	...{ recPhone: '+420777123456', cod: true, codPrice: 1290.5, codCurrency: 'CZK' },
	...{ vs: '1042', orderId: 501, hoursAgo: 18.7 },
};
const customer = {
	...{ packageNumberCustom: 'WEB-1042', recipientName: 'Jana Nováková' },
	...{ recipientEmail: 'jana@example.com', recipientPhone: '+420777123456' },
};
const included = (number: string) => ({
	...{ ...customer, carrierName: 'Ant Express', trackingUrl: expect.stringContaining(number) },
	...{ orderId: 501, cod: { amount: 1290.5, currency: 'CZK' } },
});
const nobody = { id: 0, number: '' };

describe.each(SERVICE_KINDS)('At a provider of the kind %s, an event has its shipment', (kind) => {
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
		return host;
	};
	const seed = (pieceCount = 1) => {
		sandbox.seedShipments(3, { hoursAgo: 30 });
		const pieces = sandbox.seedShipments(1, { ...order, pieceCount });
		return pieces.map(({ id, packageNumberCarrier }) => ({ id, number: packageNumberCarrier }));
	};
	/** The new events after some minutes, and how many requests read their shipments. */
	const pollEvents = async (host: PollHost, code: string, numbers: string[], minutes = 1) => {
		sandbox.requests.length = 0;
		const from = host.events.length;
		for (const number of numbers) sandbox.addEvent(number, { code });
		await stage.poll(host, minutes);
		const reads = sandbox.requests.filter(({ operationId, status, body }) => {
			const isDetail = /^getShipment/.test(operationId ?? '') && status === 200;
			return isDetail || (body as { search?: string } | null)?.search;
		});
		return { events: host.events.slice(from), reads: reads.length };
	};

	test('with the link of its own piece, without a request', async () => {
		const [main = nobody, , third = nobody] = seed(3);
		const { events, reads } = await pollEvents(await publish(), '701', [main.number, third.number]);
		expect(events.map(({ pieceId, shipmentId }) => [pieceId, shipmentId]).sort()).toEqual([
			[main.id, main.id],
			// One kind of provider does not say which shipment a piece belongs to.
			[third.id, kind === 'rich' ? third.id : main.id],
		]);
		for (const event of events) {
			expect(event.shipment).toEqual(included(String(event.packageNumberCarrier)));
			expect(event).not.toHaveProperty('shipmentNotRead');
		}
		expect(reads).toBe(0);
	});

	test('and with Simplify, what happened, the order, the recipient and the carrier come first', async () => {
		const [{ id, number } = nobody] = seed();
		const { trackingUrl, carrierName, cod, orderId } = included(number);
		const host = await publish({ simplify: true });
		const { events } = await pollEvents(host, '701', [number]);
		const text = expect.any(String);
		const expected = {
			...{ eventGroup: 'inTransit', eventName: text, dateTime: text, ...customer },
			...{ carrierCode: 'ANT', carrierName, packageNumberCarrier: number, trackingUrl },
			...{ isFirstOfGroup: false, isLatest: true, delivered: false, cod, orderId },
			...{ shipmentId: id, pieceId: id },
			...{ eventId: text, eventCategory: 'TransitOnTheWay', eventNameSystem: text },
		};
		expect(events).toEqual([expected]);
		expect(Object.keys(events[0] ?? {})).toEqual(Object.keys(expected));
	});
});
