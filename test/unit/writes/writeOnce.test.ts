import type { IDataObject } from 'n8n-workflow';

import { ItemError, ServiceError } from '../../../nodes/ParcelShipping/transport/errors';
import { recall, type Write, writeOnce } from '../../../nodes/ParcelShipping/writes/writeOnce';
import { saved, type Try } from '../../support/tries';
import {
	done,
	type Letters,
	notDone,
	openJournal,
	type Result,
	unknown,
	unmatched,
} from './letters';

type LetterWrite = Write<Letters>;

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'], now: 0 }));
afterEach(() => void jest.useRealTimers());

/** Sends letters. Those in the response and the records are done, small ones in the response are refused. */
function writeWith({ found = [], ...more }: { found?: string[][] } & Partial<LetterWrite>) {
	const pauses: number[] = [];
	const searched: string[][] = [];
	const pause = async (ms: number) => {
		pauses.push(ms);
		jest.setSystemTime(Date.now() + ms);
	};
	const write: LetterWrite = {
		client: { isStopped: false, pause } as never,
		maxWaitMs: 8_000,
		send: async ({ targets }) => targets.join(''),
		find: async (targets) => {
			searched.push(targets);
			return found[searched.length - 1] ?? [];
		},
		judge: ({ request, response = '', records }) => {
			const isDone = (each: string) => response.includes(each) || records.includes(each);
			const isRefused = (each: string) => response.includes(each.toLowerCase());
			const outcomeOf = (each: string) => (isRefused(each) ? notDone(each) : unknown(each));
			return {
				outcomes: request.targets.map((each) => (isDone(each) ? done(each) : outcomeOf(each))),
				toSearch: request.targets.filter((each) => !isDone(each) && !isRefused(each)),
			};
		},
		...more,
	};
	return { write, pauses, searched };
}

const failWith = (error: Error) => async () => {
	throw error;
};
const lost = failWith(new Error('reset'));
const kindsOf = (outcomes: Result[]) =>
	outcomes.map(({ targets, outcome }) => `${targets.join()} ${outcome.state}`);

/** Sends the letters once, and returns what happened. */
async function send(targets: string[], given: Parameters<typeof writeWith>[0], store = {}) {
	const { write, ...log } = writeWith(given);
	const outcomes = await writeOnce(openJournal(store), { targets }, write);
	return { outcomes, kinds: kindsOf(outcomes), ...log };
}

test('the request is in the journal before it is sent', async () => {
	const store = {};
	let isPending = false;
	const sendA = async () => {
		isPending = !openJournal(saved(store)).isSendable('A');
		return 'A';
	};
	const { kinds, searched } = await send(['A'], { send: sendA }, store);
	expect([isPending, kinds, openJournal(store).pendingRequests]).toEqual([true, ['A done'], []]);
	expect(searched).toEqual([]);
});

test('after a lost response, the records are searched until they have everything', async () => {
	const found = [['A'], [], ['B']];
	const { kinds, searched, pauses } = await send(['A', 'B'], { send: lost, found });
	expect(kinds).toEqual(['A done', 'B done']);
	expect(searched).toEqual([['A', 'B'], ['B'], ['B']]);
	expect(pauses).toEqual([500, 1_000]);
});

const serviceError = (mayHaveActed: boolean) =>
	new ServiceError({ message: 'no', description: '', mayHaveActed } as never);

test('a request that certainly did nothing is over, and may be sent again', async () => {
	const store = {};
	const error = serviceError(false);
	const { outcomes, searched } = await send(['A'], { send: failWith(error) }, store);
	const outcome = { state: 'notDone', errors: [error] };
	expect(outcomes).toEqual([{ targets: ['A'], outcome }]);
	expect([openJournal(store).isSendable('A'), searched]).toEqual([true, []]);
});

test.each([
	['of the service', serviceError(true)],
	['of any other kind', new ItemError('no', '')],
])('a request that may have acted stays pending after an error %s', async (_, error) => {
	const store = {};
	const given = { send: failWith(error), maxWaitMs: 0 };
	const { outcomes, searched } = await send(['A'], given, store);
	expect(outcomes).toEqual([unknown('A')]);
	expect([openJournal(store).isSendable('A'), searched]).toEqual([false, [['A']]]);
});

test.each([
	['after growing pauses for the wait', 8_000, 0, [500, 1_000, 2_000, 4_000, 500]],
	['for the wait also if they are slow', 8_000, 3_000, [500, 1_000]],
	['once if nothing may be waited for', 0, 1, []],
])('the records are searched %s', async (_, maxWaitMs, msOfSearch, expected) => {
	const find = async () => {
		jest.setSystemTime(Date.now() + msOfSearch);
		return [];
	};
	const { pauses } = await send(['A'], { send: lost, find, maxWaitMs });
	expect(pauses).toEqual(expected);
});

describe('In a later try', () => {
	/** A is done, B is lost, C is refused, and n8n has saved it. */
	async function firstTry(): Promise<IDataObject> {
		const store = {};
		await send(['A', 'B', 'C'], { send: async () => 'Ac', maxWaitMs: 0 }, store);
		return saved(store);
	}

	const inRecords = async () => ['B'];
	const notThere = async () => [];
	const PERSON = { execution: '2' };

	test.each<[string, Try, LetterWrite['find'] | undefined, outcomes: string[]]>([
		['n8n tries again, and the records show it: done', {}, inRecords, ['A done', 'B done']],
		[
			'n8n tries again, and the records do not show it: stays unknown',
			{},
			notThere,
			['A done', 'B unknown'],
		],
		[
			'n8n tries again, and the service has no records: stays unknown',
			{},
			undefined,
			['A done', 'B unknown'],
		],
		['a person retries, and the records show it: done', PERSON, inRecords, ['A done', 'B done']],
		[
			'a person retries, and the records cannot be read: stays unknown',
			PERSON,
			lost,
			['A done', 'B unknown'],
		],
		[
			'a person retries, and the records do not show it: may be sent again',
			PERSON,
			notThere,
			['A done'],
		],
		[
			'a person retries, and the service has no records: may be sent again',
			PERSON,
			undefined,
			['A done'],
		],
	])('%s', async (_, next, find, outcomes) => {
		const journal = openJournal(await firstTry(), next);
		const { write, pauses } = writeWith({ send: lost });
		if (find) write.find = find;
		else delete write.find;
		const recalled = await recall(journal, write);
		expect(kindsOf(recalled.outcomes)).toEqual(outcomes);
		expect(kindsOf(recalled.sendable)).toEqual(outcomes.length > 1 ? [] : ['B unknown']);
		// A person has waited already.
		if ('execution' in next || !find) expect(pauses).toEqual([]);
	});

	test.each<[string, outcomes: Result[]]>([
		['that may be what was created', [unmatched('A', 'B'), unknown('B')]],
		[
			'that the records do not rule out',
			[{ targets: ['B'], outcome: { state: 'unknown', errors: [], isRepeatable: false } }],
		],
	])('a person does not send again what %s', async (_, outcomes) => {
		const journal = openJournal(await firstTry(), PERSON);
		const { write } = writeWith({ judge: () => ({ outcomes, toSearch: ['B'] }), find: notThere });
		const recalled = await recall(journal, write);
		expect(recalled.outcomes).toHaveLength(1 + outcomes.length);
		expect([recalled.sendable, journal.isSendable('B')]).toEqual([[], false]);
	});

	test('what the records say was not done may be sent again', async () => {
		const journal = openJournal(await firstTry(), {});
		const outcome = { state: 'notDone' as const, errors: ['no'] };
		const judge = () => ({ outcomes: [{ targets: ['B'] as [string], outcome }], toSearch: [] });
		const recalled = await recall(journal, writeWith({ judge }).write);
		expect(kindsOf(recalled.outcomes)).toEqual(['A done']);
		expect(recalled.sendable).toEqual([{ targets: ['B'], outcome }]);
		expect(journal.isSendable('B')).toBe(true);
	});

	test('what a person may send again stays pending until it is sent', async () => {
		const store = await firstTry();
		const { write } = writeWith({ send: lost, find: notThere });
		const journal = openJournal(store, PERSON);
		const { sendable } = await recall(journal, write);
		expect([kindsOf(sendable), journal.isSendable('B')]).toEqual([['B unknown'], true]);
		// The run ended before it was sent, and the person retries once more.
		const next = openJournal(saved(store), { execution: '3' });
		const recalled = await recall(next, { ...write, find: inRecords });
		expect(kindsOf(recalled.outcomes)).toEqual(['A done', 'B done']);

		journal.begin({ targets: ['B', 'D'] });
		expect(journal.pendingRequests.map(({ keys }) => keys)).toEqual([['B', 'D']]);
	});
});
