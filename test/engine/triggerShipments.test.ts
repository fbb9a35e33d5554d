import { type Sandbox, startSandbox } from '../../sandbox';
import { sandboxCredential } from '../support/credentials';
import { SERVICE_KINDS, SERVICES } from '../support/services';
import { setStage } from '../support/triggerStage';

// Which fields an event has.

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

describe.each(SERVICE_KINDS)('At a provider of the kind %s', (kind) => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		const clock = { now: () => new Date(stage.clock.nowMs) };
		sandbox = await startSandbox({ ...SERVICES[kind], clock });
	});
	afterAll(async () => sandbox.close());

	test('an event has with Simplify what happened, the order, the recipient and the carrier first', async () => {
		sandbox.seedShipments(3, { hoursAgo: 30 });
		const [shipment] = sandbox.seedShipments(1, order);
		const { id = 0, packageNumberCarrier = '' } = shipment ?? {};
		const host = await stage.newHost('default');
		host.credential.data = sandboxCredential(sandbox.url);
		await host.publish({ simplify: true });
		sandbox.addEvent(packageNumberCarrier, { code: '701' });
		await stage.poll(host);
		const text = expect.any(String);
		const expected = {
			...{ eventGroup: 'inTransit', eventName: text, dateTime: text, ...customer },
			...{ carrierCode: 'ANT', carrierName: 'Ant Express', packageNumberCarrier },
			trackingUrl: expect.stringContaining(packageNumberCarrier),
			...{ isFirstOfGroup: false, isLatest: true, delivered: false },
			...{ cod: { amount: 1290.5, currency: 'CZK' }, orderId: 501 },
			...{ shipmentId: id, pieceId: id },
			...{ eventId: text, eventCategory: 'TransitOnTheWay', eventNameSystem: text },
		};
		expect(host.events).toEqual([expected]);
		expect(Object.keys(host.events[0] ?? {})).toEqual(Object.keys(expected));
	});
});

test('what n8n saves of the account is its address and the ID of the credential, and no secret', async () => {
	const host = await stage.newHost('default');
	await host.publish({});
	const { account } = JSON.parse(host.savedState ?? '{}') as { account?: string };
	expect(account).toBe(`${stage.sandbox.url} 1`);
});
