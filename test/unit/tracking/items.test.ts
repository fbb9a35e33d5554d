import type { IDataObject } from 'n8n-workflow';

import { readZoneName } from '../../../nodes/ParcelShipping/tracking/poll';
import { errorOf, eventAt, type ProvidedShipment, startTrigger } from '../../support/polling';

// What the items of events have, and with how many requests.

/** A record that does not say everything. */
const POOR = { recPhone: undefined };

async function start(
	records: ProvidedShipment[],
	changes: Parameters<typeof startTrigger>[0] = {},
) {
	const trigger = startTrigger(changes);
	trigger.provider.shipments = records;
	await trigger.poll();
	/** The items after an event of each of these shipments. */
	const pollEvent = async (numbers: string[], minutes = 11) => {
		for (const number of numbers) {
			const events = (trigger.provider.events[number] ?? []) as IDataObject[];
			const code = `${events.length}`;
			trigger.provider.events[number] = [
				...events,
				eventAt('10T11:05', code, { carrierCode: 'X' }),
			];
		}
		return await trigger.poll(minutes);
	};
	const reads = () => trigger.tracked.filter((each) => /^detail/.test(each));
	return { trigger, pollEvent, reads };
}
const record = (id: number, more: object = {}) => ({ id, packageNumberCarrier: `N${id}`, ...more });

const idsOf = (items: IDataObject[]) =>
	items.map(({ pieceId, shipmentId }) => `${String(pieceId)} of ${String(shipmentId)}`).sort();

test('a shipment of which the list says too little is read once for all of its pieces', async () => {
	const { trigger, pollEvent, reads } = await start([
		record(2, { masterId: 1, ...POOR }),
		record(1, POOR),
	]);
	const { provider } = trigger;
	provider.details[1] = [record(1), record(2, { masterId: 1 })];
	const items = await pollEvent(['N1', 'N2']);
	expect(idsOf(items)).toEqual(['1 of 1', '2 of 1']);
	expect(reads()).toEqual(['detail 1']);
	// It is remembered for 45 minutes.
	await pollEvent(['N1'], 30);
	expect(reads()).toEqual([]);
	await pollEvent(['N1'], 30);
	expect(reads()).toEqual(['detail 1']);
});

test('a shipment that cannot be read does not delay its events, and further ones are not requested', async () => {
	const ids = [6, 5, 4, 3, 2, 1];
	const { trigger, pollEvent, reads } = await start(ids.map((id) => record(id, POOR)));
	trigger.provider.fail = (name) => (name === 'detail' ? errorOf(503) : undefined);
	const items = await pollEvent(ids.map((id) => `N${id}`));
	expect(items).toHaveLength(6);
	for (const item of items) {
		expect(item).toMatchObject({
			shipmentNotRead: 'Failed (503)',
			shipment: { recipientEmail: null },
		});
	}
	expect(reads().length).toBeLessThanOrEqual(4);
});

test('a shipment of which the list says all is not read, and a later node that changes an item changes no other', async () => {
	const { pollEvent, reads } = await start([record(1)]);
	const both = await pollEvent(['N1', 'N1']);
	expect([both.length, reads()]).toEqual([2, []]);
	expect(both[0]?.shipment).not.toBe(both[1]?.shipment);
});

test.each([
	['Central Europe Standard Time', 'Europe/Budapest'],
	['UTC', 'Etc/UTC'],
	[' Romance Standard Time ', 'Europe/Paris'],
	['Europe/Prague', 'Europe/Prague'],
	['Standard Time of the Moon', undefined],
	[null, undefined],
])('the time zone of an account that the provider calls %j is %s', (name, zone) => {
	expect(readZoneName(name)).toBe(zone);
});

test('the account is asked for its zone at the start, and every half hour until it has told it', async () => {
	const { trigger, pollEvent } = await start([record(1)], { timezone: '' });
	const isAsked = async (minutes: number) => {
		await trigger.poll(minutes);
		return trigger.asked.includes('account ');
	};
	expect(await isAsked(1)).toBe(false);
	const other = startTrigger({ timezone: '' });
	other.provider.fail = (name) => (name === 'account' ? errorOf(503) : undefined);
	await other.poll();
	expect(other.asked).toContain('account ');
	await other.pollTimes(29);
	expect(other.asked).not.toContain('account ');
	await other.poll();
	expect(other.asked).toContain('account ');
	expect((await pollEvent(['N1']))[0]?.dateTime).toBe('2026-06-10T11:05:00+02:00');
});
