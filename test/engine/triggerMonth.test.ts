import { setStage } from '../support/triggerStage';

const stage = setStage();

const HOUR_MS = 3_600_000;
const POLLS = Number(process.env.MONTH_POLLS ?? 40);

const SERVICES = ['ANT-HOME', 'BEAVER-PARCEL'];

/** Shipments created between two ages, the oldest first, as the service lists them. */
function seed(count: number, fromHours: number, toHours: number, services = SERVICES): string[] {
	const parts = services.length * 25;
	return Array.from({ length: parts }, (_, part) => {
		const hoursAgo = fromHours + ((toHours - fromHours) * part) / parts;
		const serviceType = services[part % services.length] as string;
		return stage.sandbox.seedShipments(count / parts, { serviceType, hoursAgo });
	})
		.flat()
		.map(({ packageNumberCarrier }) => packageNumberCarrier);
}

/** The service adds an event to a shipment every six hours until it is delivered after a day. */
function seedMonth(): void {
	const { sandbox, clock } = stage;
	seed(5_000, 30 * 24 - 1, 8 * 24);
	// This carrier reports nothing by itself.
	sandbox.setTracking('DODO', { lateHours: 100_000 });
	for (const number of seed(1_000, 8 * 24, 5 * 24, ['DODO-DAY'])) {
		const date = new Date(clock.nowMs - 4 * 24 * HOUR_MS).toISOString();
		sandbox.addEvent(number, { category: 'TransitCarrier', date });
	}
	seed(1_000, 5 * 24, 26);
	seed(2_500, 24, 6);
	seed(500, 6, 0);
}

test(
	'a month of 10,000 shipments takes at most 25 requests a poll, evenly spread',
	async () => {
		seedMonth();
		expect(stage.sandbox.database.shipments()).toHaveLength(10_000);
		const host = await stage.newHost('default');
		await host.publish({});
		const requests: number[] = [];
		const operations = new Map<string, number>();
		for (let polls = 0; polls < POLLS; polls++) {
			stage.sandbox.requests.length = 0;
			if (polls % 5 === 0)
				stage.sandbox.seedShipments(1, { serviceType: SERVICES[polls % 2] as string });
			await stage.poll(host);
			requests.push(stage.sandbox.requests.length);
			for (const { operationId } of stage.sandbox.requests) {
				const name = String(operationId);
				operations.set(name, (operations.get(name) ?? 0) + 1);
			}
		}
		const average = requests.reduce((sum, count) => sum + count) / requests.length;
		console.table({
			average,
			maximum: Math.max(...requests),
			events: host.events.length / POLLS,
			...Object.fromEntries([...operations].map(([name, count]) => [name, count / POLLS])),
		});
		expect(host.failures).toEqual([]);
		expect(average).toBeLessThanOrEqual(25);
		expect(Math.max(...requests)).toBeLessThanOrEqual(2 * average);
	},
	20 * 60_000,
);
