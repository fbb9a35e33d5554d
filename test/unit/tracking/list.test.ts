import {
	codesOf,
	errorOf,
	eventAt,
	type ProvidedShipment,
	startTrigger,
} from '../../support/polling';

// Which shipments the trigger watches, and which pages it reads.

const numbered = (...ids: number[]) =>
	ids.map((id) => ({ id, packageNumberCarrier: String(id).padStart(5, '0') }));
const from = (first: number, count: number) =>
	numbered(...Array.from({ length: count }, (_, at) => first - at));
const pagesOf = ({ asked }: { asked: string[] }) =>
	asked.filter((each) => each.startsWith('list')).map((each) => Number(each.split(' ')[1]));

/** A trigger after its first poll at a provider with these shipments. */
async function watch(
	shipments: ProvidedShipment[],
	changes: Parameters<typeof startTrigger>[0] = {},
) {
	const trigger = startTrigger(changes);
	trigger.provider.shipments = shipments;
	await trigger.poll();
	return trigger;
}

describe('The list', () => {
	test('is read as a whole by the first poll, whatever the provider says of its length', async () => {
		const trigger = await watch(from(1_000, 250));
		expect(pagesOf(trigger)).toEqual([0, 100, 200, 300, 400, 250]);
		expect(trigger.state.shipments).toHaveLength(250);
	});

	test('is read up to a page that fails, although several pages are requested at once', async () => {
		const trigger = startTrigger();
		const { provider } = trigger;
		provider.shipments = from(1_000, 450);
		provider.fail = (_, asked) => (asked === '300' ? errorOf(500) : undefined);
		await trigger.poll();
		expect(trigger.state.shipments).toHaveLength(300);
		provider.fail = undefined;
		await trigger.poll();
		expect(pagesOf(trigger).slice(0, 2)).toEqual([0, 300]);
		expect(trigger.state.shipments).toHaveLength(450);
	});

	test('is read until a page has no new shipment, and as a whole every half hour, over several polls', async () => {
		const trigger = await watch(from(5_000, 2_000));
		trigger.provider.shipments = [...from(5_150, 150), ...trigger.provider.shipments];
		await trigger.poll();
		expect(pagesOf(trigger)).toEqual([0, 100, 200]);
		await trigger.poll();
		expect(pagesOf(trigger)).toEqual([0]);
		const before = trigger.nowMs;
		const pages: number[][] = [];
		while (trigger.nowMs < before + 35 * 60_000) {
			await trigger.poll();
			pages.push(pagesOf(trigger));
		}
		const read = pages.filter(({ length }) => length > 1);
		expect(read).toHaveLength(3);
		expect(Math.max(...read.map(({ length }) => length))).toBeLessThanOrEqual(9);
		expect(new Set(read.flat())).toContain(2_150);
	});

	test.each([
		['ignores where a page begins', () => 0],
		['repeats the last page', (start: number) => Math.min(start, 100)],
	])('ends if the provider %s', async (_, startOf) => {
		const trigger = startTrigger();
		const { provider } = trigger;
		provider.tripMs = 1_000;
		const all = from(1_000, 150);
		Object.defineProperty(provider, 'shipments', {
			get: () => ({
				slice: (start: number) => all.slice(startOf(start), startOf(start) + 100),
			}),
		});
		await trigger.poll();
		expect(pagesOf(trigger).length).toBeLessThanOrEqual(6);
	});

	test('goes on in the next poll where it stopped, and leaves time for the events', async () => {
		const trigger = startTrigger();
		Object.assign(trigger.provider, { shipments: from(10_000, 3_000), tripMs: 10_000 });
		await trigger.poll();
		const [stoppedAt = 0] = pagesOf(trigger).slice(-1);
		expect(stoppedAt).toBe(1_600);
		expect(trigger.tracked.length).toBeGreaterThan(0);
		await trigger.poll();
		expect(pagesOf(trigger).slice(0, 3)).toEqual([0, 1_700, 1_800]);
	});

	test('may miss a shipment once, and a shipment that was missing twice is not requested', async () => {
		const trigger = startTrigger();
		const { provider } = trigger;
		const [first, second] = numbered(2, 1);
		provider.shipments = [first, second] as never;
		provider.events['00001'] = [eventAt('10T10:00', '1')];
		await trigger.poll();
		provider.shipments = [first] as never;
		const isAsked = async () => {
			await trigger.poll(61);
			return trigger.tracked.join(' ').includes('00001');
		};
		expect([await isAsked(), await isAsked()]).toEqual([true, false]);
		// Its known events do not come again.
		provider.shipments = [first, second] as never;
		provider.events['00001'] = [eventAt('10T10:00', '1'), eventAt('10T13:30', '2')];
		expect(codesOf(await trigger.poll(61))).toEqual(['2']);
	});
});

const ADDITIONAL = [
	{ id: 2, packageNumberCarrier: '00002', masterId: 1 },
	{ id: 3, packageNumberCarrier: '00003', isMaster: false },
];
const OF_BEAVER = [{ id: 2, carrierCode: 'BEAVER', packageNumberCarrier: '00002' }];

test.each<[string, ProvidedShipment[], Parameters<typeof watch>[1]]>([
	['of other carriers, although the provider ignores it', OF_BEAVER, { carrierCodes: ['ant'] }],
	['of additional pieces, with Once per Order', ADDITIONAL, { isOncePerOrder: true }],
])('shipments %s are left out', async (_, others, form) => {
	expect((await watch([...others, ...numbered(1)], form)).tracked).toEqual(['ANT 00001']);
});

describe('A shipment without a number', () => {
	test('is watched when the list has one', async () => {
		const trigger = await watch([{ id: 2, packageNumberCarrier: null }, ...numbered(1)]);
		expect(trigger.tracked).toEqual(['ANT 00001']);
		trigger.provider.shipments = numbered(2, 1);
		await trigger.poll();
		expect(trigger.tracked.join()).toContain('00002');
	});

	test('is read in the detail if the list has no numbers, every ten minutes and with its pieces', async () => {
		const trigger = startTrigger();
		const { provider } = trigger;
		provider.shipments = [{ id: 2, masterId: 1 }, { id: 1 }];
		provider.details[1] = [{ id: 1 }, { id: 2, masterId: 1 }];
		await trigger.poll();
		expect(trigger.tracked).toEqual(['detail 1']);
		await trigger.pollTimes(9);
		expect(trigger.tracked).toEqual([]);
		provider.details[1] = numbered(1, 2);
		await trigger.poll();
		expect(trigger.tracked).toEqual(['detail 1', 'ANT 00002 00001']);
	});
});

test('a shipment that cannot be tracked is not added, and stays watched if it was', async () => {
	const trigger = await watch([
		...numbered(2),
		{ id: 1, packageNumberCarrier: '00001', trackable: false },
	]);
	expect(trigger.tracked).toEqual(['ANT 00002']);
	trigger.provider.shipments = trigger.provider.shipments.map((each) => ({
		...each,
		trackable: false,
	}));
	await trigger.poll(61);
	expect(trigger.tracked).toEqual(['ANT 00002']);
});

describe('A number', () => {
	test('that the carrier changes brings only events after the latest known one', async () => {
		const trigger = startTrigger();
		const { provider } = trigger;
		const events = [eventAt('10T10:00', '1'), eventAt('10T10:30', '2')];
		provider.shipments = numbered(1);
		provider.events['00001'] = events;
		await trigger.poll();
		provider.shipments = [{ id: 1, packageNumberCarrier: 'X1' }];
		// For a moment, the carrier has no events of it.
		expect(await trigger.poll()).toEqual([]);
		provider.events.X1 = [...events, eventAt('10T11:30', '3')];
		expect(codesOf(await trigger.pollTimes(10))).toEqual(['3']);
	});

	test.each(['the list', 'the details'])(
		'that is used again has the record of the later one, from %s',
		async (source) => {
			const trigger = startTrigger();
			const { provider } = trigger;
			const list = (...ids: number[]) => {
				const records = ids.map((id) => ({
					id,
					packageNumberCarrier: 'N',
					packageNumberCustom: `W-${id}`,
				}));
				provider.shipments = source === 'the list' ? records : ids.map((id) => ({ id }));
				for (const record of records) provider.details[record.id] = [record];
			};
			list(1);
			const created = eventAt('10T10:00', '1', { category: 'Created' });
			const canceled = eventAt('10T10:30', '2', { category: 'CancelSender', canceled: true });
			provider.events.N = [created, canceled];
			await trigger.poll();
			list(2, 1);
			const again = eventAt('10T11:01', '3', { category: 'Created' });
			provider.events.N = [created, canceled, again, eventAt('10T11:02', '4')];
			const items = await trigger.pollTimes(2);
			expect(codesOf(items)).toEqual(['3', '4']);
			expect(items[0]).toMatchObject({ pieceId: 2, shipment: { packageNumberCustom: 'W-2' } });
			// It is not over, although the one before was canceled: its requests do not wait an hour.
			provider.events.N = [...(provider.events.N as []), eventAt('10T11:03', '5')];
			expect(codesOf(await trigger.poll())).toEqual(['5']);
		},
	);
});

test('a new credential of the same provider merges a shipment that comes with and without its number', async () => {
	const trigger = startTrigger();
	const { provider } = trigger;
	provider.shipments = [{ id: 1 }];
	provider.details[1] = numbered(1);
	provider.events['00001'] = [eventAt('10T10:00', '1')];
	await trigger.poll();
	trigger.watch.account = 'https://api.example.com/api 2';
	expect(await trigger.poll()).toEqual([]);
	provider.events['00001'] = [eventAt('10T10:00', '1'), eventAt('10T11:02', '2')];
	expect(codesOf(await trigger.pollTimes(11))).toEqual(['2']);
	expect(trigger.state.shipments).toHaveLength(1);
});
