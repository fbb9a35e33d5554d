import type { IDataObject } from 'n8n-workflow';

import { codesOf, errorOf, eventAt, startTrigger } from '../../support/polling';

// When shipments are requested, and what comes of refusals and failures.

/** A trigger that watches numbers of ANT and BEAVER, with no event in the last hour. */
function watchNumbers(...numbers: string[]) {
	const trigger = startTrigger();
	trigger.provider.shipments = numbers.map((packageNumberCarrier, at) => ({
		id: numbers.length - at,
		carrierCode: packageNumberCarrier.startsWith('B') ? 'BEAVER' : 'ANT',
		packageNumberCarrier,
	}));
	for (const number of numbers) trigger.provider.events[number] = [eventAt('10T09:00', number)];
	return trigger;
}

/** Adds an event to the numbers. */
const addTo = ({ provider }: ReturnType<typeof startTrigger>, ...numbers: string[]) => {
	for (const number of numbers) {
		const events = provider.events[number] as IDataObject[];
		provider.events[number] = [...events, eventAt('10T11:00', `new ${number}`)];
	}
};

const names = (count: number, first = 'N') =>
	Array.from({ length: count }, (_, at) => `${first}${at + 100}`);

test('numbers are spread after the first response, and fill requests that have room', async () => {
	const trigger = watchNumbers(...names(1_000));
	await trigger.poll();
	const counts: number[] = [];
	for (let polls = 0; polls < 30; polls++) {
		await trigger.poll();
		counts.push(trigger.tracked.length);
	}
	expect(Math.max(...counts)).toBeLessThanOrEqual(2);
	const sizes = trigger.tracked.map((each) => each.split(' ').length - 1);
	expect(sizes.every((size) => size === 100)).toBe(true);
});

describe('A number that is refused', () => {
	/** Refuses each request with one of these numbers. */
	const refuse = (
		{ provider }: ReturnType<typeof startTrigger>,
		status: number,
		...bad: string[]
	) => {
		provider.fail = (_, asked) =>
			bad.some((number) => asked.split(' ').includes(number)) ? errorOf(status) : undefined;
	};

	test.each([400, 500])(
		'with status %i is found by halving, and requested alone once an hour',
		async (status) => {
			const trigger = watchNumbers(...names(20));
			await trigger.poll();
			refuse(trigger, status, 'N107');
			addTo(trigger, 'N103', 'N112');
			expect(codesOf(await trigger.poll(11)).sort()).toEqual(['new N103', 'new N112']);
			expect(trigger.warnings).toContainEqual(
				expect.stringContaining('The provider refuses to track shipment N107 of carrier ANT'),
			);
			const asked: string[] = [];
			for (let polls = 0; polls < 59; polls++) {
				await trigger.poll();
				asked.push(...trigger.tracked);
			}
			expect(asked.join(' ')).not.toContain('N107');
			await trigger.poll();
			expect(trigger.tracked).toContain('ANT N107');
			// When it is accepted, it is requested together with others again.
			refuse(trigger, status);
			addTo(trigger, 'N107');
			expect(codesOf(await trigger.poll(60))).toEqual(['new N107']);
			await trigger.poll(10);
			expect(trigger.tracked.join(' ')).toMatch(/N107 N|N\d+ N107/);
		},
	);

	test('does not count as refused while its carrier responds to no other', async () => {
		const trigger = watchNumbers(...names(2), 'B1');
		await trigger.poll();
		refuse(trigger, 400, ...names(2));
		await trigger.poll(11);
		expect(trigger.warnings).not.toContainEqual(expect.stringContaining('refuses to track'));
		refuse(trigger, 400);
		addTo(trigger, ...names(2));
		expect(codesOf(await trigger.poll()).sort()).toEqual(['new N100', 'new N101']);
	});

	test('by a provider that always fails (500) is split once in ten minutes', async () => {
		const trigger = watchNumbers(...names(100));
		await trigger.poll();
		refuse(trigger, 500, ...names(100));
		const counts: number[] = [];
		for (let polls = 0; polls < 13; polls++) {
			await trigger.poll(polls === 0 ? 11 : 1).catch(() => []);
			counts.push(trigger.tracked.length);
		}
		expect(counts.filter((count) => count > 2)).toHaveLength(2);
	});
});

test('a poll with more than 5,000 new events leaves the others to the next one, and loses none', async () => {
	const numbers = names(700);
	const trigger = startTrigger({ startFrom: 'existing' });
	trigger.provider.shipments = numbers.map((packageNumberCarrier, at) => ({
		id: numbers.length - at,
		packageNumberCarrier,
	}));
	for (const number of numbers)
		trigger.provider.events[number] = Array.from({ length: 20 }, (_, at) =>
			eventAt('10T09:00', `${number} ${at}`),
		);
	const first = await trigger.poll();
	expect(first.length).toBeLessThan(14_000);
	const codes = codesOf([...first, ...(await trigger.poll())]);
	expect([codes.length, new Set(codes).size]).toEqual([14_000, 14_000]);
});

describe('If a request fails,', () => {
	test('the others of its carrier wait, and those of other carriers do not', async () => {
		const trigger = watchNumbers(...names(500), 'B1');
		const { provider } = trigger;
		provider.fail = (name) => (name === 'ANT' ? errorOf(503) : undefined);
		await trigger.poll().catch(() => []);
		expect(trigger.tracked.filter((each) => each.startsWith('ANT')).length).toBeLessThan(5);
		expect(trigger.tracked.join()).toContain('BEAVER B1');
	});

	test('each number gets its turn, although requests with some others always time out', async () => {
		const trigger = watchNumbers(...names(500));
		const { provider } = trigger;
		// As many as are sent at a time.
		const bad = ['N100', 'N200', 'N300', 'N400'];
		provider.fail = (_, asked) =>
			bad.some((number) => asked.includes(number)) ? errorOf(504) : undefined;
		const asked = new Set<string>();
		for (let polls = 0; polls < 3; polls++) {
			await trigger.poll().catch(() => []);
			for (const each of trigger.tracked) for (const number of each.split(' ')) asked.add(number);
		}
		expect(asked.size).toBe(1 + 500);
	});
});

describe('A row', () => {
	test.each<[string, IDataObject | null]>([
		['that refuses the number', null],
		['that says nothing', { events: null }],
	])('%s makes no old event new', async (_, row) => {
		const trigger = watchNumbers('N1', 'N2');
		const { N1 } = trigger.provider.events;
		trigger.provider.events.N1 = row;
		await trigger.poll();
		trigger.provider.events.N1 = [...(N1 as IDataObject[]), eventAt('10T11:05', '2')];
		expect(codesOf(await trigger.poll(10))).toEqual(['2']);
	});

	test('of a carrier that knows nothing yet makes all later events new', async () => {
		const trigger = watchNumbers('N1');
		trigger.provider.events.N1 = { statusCode: 200, events: null };
		await trigger.poll();
		trigger.provider.events.N1 = [eventAt('09T10:00', '1'), eventAt('10T11:05', '2')];
		expect(codesOf(await trigger.poll(10))).toEqual(['1', '2']);
	});
});

describe('An event that names another piece', () => {
	const named = (item: string, code: string) => eventAt('10T11:05', code, { item });

	test('comes once, with the response of the piece, which says whether it is the first of its group', async () => {
		const trigger = watchNumbers('N1', 'N2');
		await trigger.poll();
		const { events } = trigger.provider;
		const add = (number: string) => {
			events[number] = [...(events[number] as IDataObject[]), named('N2', 'x')];
		};
		add('N1');
		expect(await trigger.poll(11)).toEqual([]);
		add('N2');
		expect(await trigger.poll(11)).toMatchObject([
			{ code: 'x', packageNumberCarrier: 'N2', isFirstOfGroup: false },
		]);
	});

	test('comes under the number of the piece, although the provider cannot track the piece itself', async () => {
		const trigger = watchNumbers('N1', 'N2');
		trigger.provider.events.N2 = null;
		await trigger.poll();
		trigger.provider.events.N1 = [named('N2', 'x')];
		const items = await trigger.poll(11);
		expect(items.map((item) => [item.code, item.packageNumberCarrier])).toEqual([['x', 'N2']]);
		// It does not come again when the provider can.
		trigger.provider.events.N2 = [named('N2', 'x'), named('N2', 'y')];
		expect(codesOf(await trigger.poll(11))).toEqual(['y']);
	});
});

test('a shipment with 130,000 new events keeps no other one from its events', async () => {
	const trigger = watchNumbers('N1', 'N2');
	trigger.watch.eventTypes = ['delivered'];
	await trigger.poll();
	const events = Array.from({ length: 130_000 }, (_, at) => eventAt('10T11:00', `${at}`));
	trigger.provider.events.N1 = events;
	trigger.provider.events.N2 = [eventAt('10T11:00', 'D', { category: 'Delivered' })];
	expect(codesOf(await trigger.poll(10))).toEqual(['D']);
});
