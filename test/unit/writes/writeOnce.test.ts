import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ItemError, ServiceError } from '../../../nodes/ParcelShipping/transport/errors';
import { forgetWrites, Journal } from '../../../nodes/ParcelShipping/writes/journal';
import {
	recall,
	pausesBetweenSearches,
	type Seen,
	type Write,
	writeOnce,
} from '../../../nodes/ParcelShipping/writes/writeOnce';

/** One try of a node, as far as a journal asks n8n about it. */
interface Try {
	/** Empty in some tools. */
	execution?: string;
	runIndex?: number;
	input?: string;
}

/** `store` is what n8n saves. */
function contextOf(store: IDataObject, { execution = '1', runIndex = 0, input = 'A' }: Try = {}) {
	return {
		getContext: () => store,
		getExecutionId: () => execution || undefined,
		getInputData: () => [{ json: { order: input } }],
		getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
	} as unknown as IExecuteFunctions;
}

interface Letters {
	about: string;
	more: object;
	response: string;
	found: string;
	value: string;
}

const open = (store: IDataObject, given?: Try) =>
	new Journal<Letters>(contextOf(store, given), 'create', (about) => about);

/** n8n saves the store as JSON between two tries. */
const saved = (store: IDataObject) => JSON.parse(JSON.stringify(store)) as IDataObject;

type Result = Awaited<ReturnType<typeof writeOnce<Letters>>>[number];
const done = (...about: string[]): Result => ({ about, outcome: { kind: 'done', value: '1' } });
const unknown = (...about: string[]): Result => ({
	about,
	outcome: { kind: 'unknown', errors: [] },
});
const notDone = (...about: string[]): Result => ({
	about,
	outcome: { kind: 'notDone', errors: [] },
});

describe('The journal', () => {
	/** The first try did A, does not know about B, and failed to do C. */
	function firstTry(given?: Try): IDataObject {
		const store = {};
		const journal = open(store, given);
		const request = journal.begin({ about: ['A', 'B', 'C'] });
		journal.close(request, [done('A'), unknown('B'), notDone('C')]);
		return saved(store);
	}

	test.each<[name: string, first: Try, next: Try, keeps: boolean, isRetriedByPerson: boolean]>([
		['n8n tries again', {}, {}, true, false],
		['n8n tries again with other items', {}, { input: 'B' }, true, false],
		['a person retries the execution', {}, { execution: '2' }, true, true],
		['a person retries with other items', {}, { execution: '2', input: 'B' }, true, true],
		['the next round of a loop', {}, { runIndex: 1 }, false, false],
		['a tool with the same input', { execution: '' }, { execution: '' }, true, false],
		['a tool with other input', { execution: '' }, { execution: '', input: 'B' }, false, false],
		['a tool, later with an execution', { execution: '' }, {}, false, false],
	])('knows the first try or not: %s', (_, first, next, keeps, isRetriedByPerson) => {
		const journal = open(firstTry(first), next);
		expect(['A', 'B', 'C'].map((key) => journal.has(key))).toEqual([keeps, keeps, false]);
		expect(['A', 'B'].map((key) => journal.isDone(key))).toEqual([keeps, false]);
		expect(journal.done).toEqual(keeps ? [done('A')] : []);
		expect(journal.open.map(({ keys }) => keys)).toEqual(keeps ? [['B']] : []);
		const retried = journal.open.map((each) => journal.isRetriedByPerson(each));
		expect(retried).toEqual(keeps ? [isRetriedByPerson] : []);
	});

	test('knows which requests belong to the retry itself', () => {
		const store = firstTry();
		open(store, { execution: '2' }).begin({ about: ['D'] });
		const journal = open(saved(store), { execution: '2' });
		expect(journal.open.map((each) => journal.isRetriedByPerson(each))).toEqual([true, false]);
	});

	test('has a request open from its beginning until nothing of it is unknown', () => {
		const store = {};
		const request = open(store).begin({ about: ['A', 'B'] });
		expect(open(saved(store)).has('B')).toBe(true);
		const journal = open(store);
		journal.close(request, [unknown('A', 'B')]);
		expect(journal.open[0]?.keys).toEqual(['A', 'B']);
		journal.close(request, [done('A'), notDone('B')]);
		expect(journal.open).toEqual([]);
		expect(open(saved(store)).has('B')).toBe(false);
	});

	test('replaces what was written if a done thing changes', () => {
		const store = {};
		const journal = open(store);
		const changed: Result = { about: ['A'], outcome: { kind: 'done', value: '2' } };
		for (const each of [done('A'), done('B'), changed, done('C', 'D')]) journal.write(each);
		const later = open(saved(store));
		expect(later.done).toEqual([changed, done('B'), done('C', 'D')]);
		expect(later.isDone('D')).toBe(true);
	});

	test('forgets a run of the node, and keeps the others', () => {
		const store = firstTry();
		open(store, { runIndex: 1 }).write(done('A'));
		forgetWrites(contextOf(store));
		expect(open(store).has('A')).toBe(false);
		expect(open(store, { runIndex: 1 }).has('A')).toBe(true);
	});
});

/** Sends letters, of which the response and the records have some. */
function writeWith({ found = [], ...more }: { found?: string[][] } & Partial<LetterWrite>) {
	const pauses: number[] = [];
	const searched: string[][] = [];
	const seen: Array<Seen<Letters>> = [];
	const write: LetterWrite = {
		client: { isStopped: false, pause: async (ms: number) => void pauses.push(ms) } as never,
		maxWaitMs: 8_000,
		send: async ({ about }) => about.join(''),
		find: async (about) => {
			searched.push(about);
			return found[searched.length - 1] ?? [];
		},
		judge: (known) => {
			seen.push({ ...known });
			const { request, response = '', found: records } = known;
			const isDone = (each: string) => response.includes(each) || records.includes(each);
			// A small letter in the response is refused.
			const isRefused = (each: string) => response.includes(each.toLowerCase());
			const outcomeOf = (each: string) => (isRefused(each) ? notDone(each) : unknown(each));
			return {
				settled: request.about.map((each) => (isDone(each) ? done(each) : outcomeOf(each))),
				unsure: request.about.filter((each) => !isDone(each) && !isRefused(each)),
			};
		},
		...more,
	};
	return { write, pauses, searched, seen };
}
type LetterWrite = Write<Letters>;

const lost = () => {
	throw new Error('reset');
};
const kindsOf = (settled: Result[]) =>
	settled.map(({ about, outcome }) => `${about.join()} ${outcome.kind}`);

/** Sends the letters once, and returns what happened. */
async function send(about: string[], given: Parameters<typeof writeWith>[0]) {
	const { write, ...log } = writeWith(given);
	const kinds = kindsOf(await writeOnce(open({}), { about }, write));
	return { kinds, ...log };
}

test('the request is in the journal before it is sent', async () => {
	const store = {};
	let isOpen = false;
	const sendA = async () => {
		isOpen = open(saved(store)).has('A');
		return 'A';
	};
	const { write, searched } = writeWith({ send: sendA });
	const settled = await writeOnce(open(store), { about: ['A'] }, write);
	expect([isOpen, kindsOf(settled), open(store).open]).toEqual([true, ['A done'], []]);
	expect(searched).toEqual([]);
});

const fact = (mayHaveActed: boolean) =>
	new ServiceError({ message: 'no', description: '', mayHaveActed } as never);

test.each([
	['certainly did nothing', fact(false), false],
	['may have acted', fact(true), true],
	['is any other', new ItemError('no', ''), true],
])('an error that %s', async (_, error, mayHaveActed) => {
	const store = {};
	const failing = async () => {
		throw error;
	};
	const { write, searched } = writeWith({ send: failing, maxWaitMs: 0 });
	const settled = await writeOnce(open(store), { about: ['A'] }, write);
	const refused = { about: ['A'], outcome: { kind: 'notDone', errors: [error] } };
	expect(settled).toEqual([mayHaveActed ? unknown('A') : refused]);
	expect([open(store).has('A'), searched]).toEqual([mayHaveActed, mayHaveActed ? [['A']] : []]);
});

test('the records are searched again for what is missing, until they have everything', async () => {
	const found = [['A'], [], ['B']];
	const { kinds, searched, pauses } = await send(['A', 'B'], { send: lost, found });
	expect(kinds).toEqual(['A done', 'B done']);
	expect(searched).toEqual([['A', 'B'], ['B'], ['B']]);
	expect(pauses).toEqual([500, 1_000]);
});

test('a search that fails is repeated, and its reason is known until one succeeds', async () => {
	let searches = 0;
	const find = async () => (++searches < 2 ? lost() : []);
	const { seen } = await send(['A'], { send: lost, find, maxWaitMs: 1_000 });
	expect(seen.slice(0, 3)).toMatchObject([
		{ searches: 0, found: [], failure: { message: 'reset' } },
		{ searches: 0, searchError: 'reset' },
		{ searches: 1 },
	]);
	expect(seen[2]).not.toHaveProperty('searchError');
});

test('stopping the workflow ends the search', async () => {
	const client = { isStopped: false, pause: async () => {} } as { isStopped: boolean };
	let searches = 0;
	const find = async () => {
		client.isStopped = ++searches === 2;
		return [];
	};
	const { kinds } = await send(['A'], { send: lost, find, client: client as never });
	expect([kinds, searches]).toEqual([['A unknown'], 2]);
});

test('slow searches do not make the wait longer than twice', async () => {
	let searches = 0;
	const clock = jest.spyOn(Date, 'now').mockImplementation(() => searches * 8_000);
	const find = async () => {
		searches++;
		return [];
	};
	await send(['A'], { send: lost, find });
	clock.mockRestore();
	expect(searches).toBe(3);
});

test('the records are searched once, although nothing may be waited for and time passes', async () => {
	let ms = 0;
	const clock = jest.spyOn(Date, 'now').mockImplementation(() => ms++);
	const { searched } = await send(['A'], { send: lost, maxWaitMs: 0 });
	clock.mockRestore();
	expect(searched).toEqual([['A']]);
});

describe('In a later try', () => {
	/** A is done, B is lost, C is refused, and n8n has saved it. */
	async function firstTry(): Promise<IDataObject> {
		const store = {};
		const { write } = writeWith({ send: async () => 'Ac', maxWaitMs: 0 });
		await writeOnce(open(store), { about: ['A', 'B', 'C'] }, write);
		return saved(store);
	}

	const inRecords = async () => ['B'];
	const notThere = async () => [];
	const person = { execution: '2' };
	test.each<[string, Try, LetterWrite['find'] | undefined, outcomes: string[], isFree: boolean]>([
		['n8n finds it in the records', {}, inRecords, ['A done', 'B done'], false],
		['n8n finds nothing', {}, notThere, ['A done', 'B unknown'], false],
		['n8n has no records', {}, undefined, ['A done', 'B unknown'], false],
		['a person finds it in the records', person, inRecords, ['A done', 'B done'], false],
		['a person finds nothing', person, notThere, ['A done'], true],
		['a person has no records', person, undefined, ['A done'], true],
		['a person cannot read the records', person, lost, ['A done', 'B unknown'], false],
	])('%s', async (_, next, find, outcomes, isFree) => {
		const journal = open(await firstTry(), next);
		const { write, pauses } = writeWith({ send: lost });
		if (find) write.find = find;
		else delete write.find;
		expect(kindsOf(await recall(journal, write))).toEqual(outcomes);
		expect(journal.has('B')).toBe(!isFree);
		// A person has waited already.
		if ('execution' in next || !find) expect(pauses).toEqual([]);
	});

	test('what was created for one of several is not free after a retry by a person', async () => {
		const journal = open(await firstTry(), person);
		const outcome = { kind: 'unknown' as const, errors: [], candidates: '7' };
		const settled = [{ about: ['A', 'B'], outcome }, unknown('B')];
		const { write } = writeWith({ judge: () => ({ settled, unsure: ['B'] }), find: notThere });
		expect(kindsOf(await recall(journal, write))).toEqual(['A done', 'A,B unknown', 'B unknown']);
		expect(journal.has('B')).toBe(true);
	});

	test('what may belong to several stays open, and what is done is returned once', async () => {
		const journal = open(await firstTry());
		const recallWith = async (...settled: Result[]) => {
			const { write } = writeWith({ judge: () => ({ settled, unsure: [] }) });
			return kindsOf(await recall(journal, write));
		};
		expect(await recallWith(unknown('A', 'B'))).toEqual(['A done', 'A,B unknown']);
		expect(await recallWith(done('A'), unknown('A', 'B'))).toEqual(['A done', 'A,B unknown']);
		expect(await recallWith(done('A', 'B'))).toEqual(['A done', 'A,B done']);
	});
});

test.each([
	[0, []],
	[80, [10, 20, 40, 10]],
	[8_000, [500, 1_000, 2_000, 4_000, 500]],
	[60_000, [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 14_500]],
])('the pauses between searches add up to %i ms', (maxWaitMs, pauses) => {
	expect(pausesBetweenSearches(maxWaitMs)).toEqual(pauses);
});
