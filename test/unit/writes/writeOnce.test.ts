import type { IDataObject } from 'n8n-workflow';

import { ItemError, ServiceError } from '../../../nodes/ParcelShipping/transport/errors';
import { Journal } from '../../../nodes/ParcelShipping/writes/journal';
import {
	pausesBetweenSearches,
	recall,
	type Seen,
	type Write,
	writeOnce,
} from '../../../nodes/ParcelShipping/writes/writeOnce';
import { journalContext, type Try } from '../../support/journalContext';

interface Letters {
	about: string;
	more: object;
	response: string;
	found: string;
	value: string;
}

const open = (store: IDataObject, given?: Try) =>
	new Journal<Letters>(journalContext(store, given), 'create', (about) => about);

/** Sends letters, of which the response and the records have some. */
function writeWith({ found = [], ...more }: { found?: string[][] } & Partial<LetterWrite>) {
	const pauses: number[] = [];
	const searched: string[][] = [];
	const seen: Array<Seen<Letters>> = [];
	const write: LetterWrite = {
		client: { isStopped: false, pause: async (ms) => void pauses.push(ms) },
		maxWaitMs: 8_000,
		send: async ({ about }) => about.join(''),
		find: async (about) => {
			searched.push(about);
			return found[searched.length - 1] ?? [];
		},
		judge: (known) => {
			seen.push({ ...known });
			const { request, response = '' } = known;
			const isDone = (each: string) => response.includes(each) || known.found.includes(each);
			return {
				settled: request.about.map((each) => ({
					about: [each],
					outcome: isDone(each) ? { kind: 'done', value: each } : { kind: 'unknown', errors: [] },
				})),
				unsure: request.about.filter((each) => !isDone(each)),
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
const kindsOf = (settled: Awaited<ReturnType<typeof writeOnce<Letters>>>) =>
	settled.map(({ about, outcome }) => `${about.join()} ${outcome.kind}`);

test('the request is in the journal before it is sent', async () => {
	const store = {};
	let isOpen = false;
	const send = async () => {
		isOpen = open(JSON.parse(JSON.stringify(store))).has('A');
		return 'A';
	};
	const settled = await writeOnce(open(store), { about: ['A'] }, writeWith({ send }).write);
	expect(isOpen).toBe(true);
	expect(kindsOf(settled)).toEqual(['A done']);
	expect(open(store).open).toEqual([]);
});

const fact = (mayHaveActed: boolean) =>
	new ServiceError({ message: 'no', description: '', mayHaveActed } as never);

test.each([
	['certainly did nothing', fact(false), 'A notDone', false],
	['may have acted', fact(true), 'A unknown', true],
	['is any other', new ItemError('no', ''), 'A unknown', true],
])('an error that %s', async (_, error, expected, isKept) => {
	const store = {};
	const send = async () => {
		throw error;
	};
	const { write, searched } = writeWith({ send, maxWaitMs: 0 });
	expect(kindsOf(await writeOnce(open(store), { about: ['A'] }, write))).toEqual([expected]);
	expect(open(store).has('A')).toBe(isKept);
	expect(searched).toHaveLength(isKept ? 1 : 0);
});

test('the records are searched again for what is missing, until they have everything', async () => {
	const { write, searched, pauses } = writeWith({ send: lost, found: [['A'], [], ['B']] });
	const settled = await writeOnce(open({}), { about: ['A', 'B'] }, write);
	expect(kindsOf(settled)).toEqual(['A done', 'B done']);
	expect(searched).toEqual([['A', 'B'], ['B'], ['B']]);
	expect(pauses).toEqual([500, 1_000]);
});

test('a search that fails is repeated, and its reason is known until one succeeds', async () => {
	let searches = 0;
	const find = async () => (++searches < 2 ? lost() : []);
	const { write, seen } = writeWith({ send: lost, find, maxWaitMs: 1_000 });
	await writeOnce(open({}), { about: ['A'] }, write);
	expect(seen.slice(0, 3)).toMatchObject([
		{ searches: 0, failure: { message: 'reset' } },
		{ searches: 0, searchError: 'reset' },
		{ searches: 1 },
	]);
	expect(seen[2]).not.toHaveProperty('searchError');
});

test('stopping the workflow ends the search', async () => {
	const client = { isStopped: false, pause: async () => {} };
	let searches = 0;
	const find = async () => {
		client.isStopped = ++searches === 2;
		return [];
	};
	const { write } = writeWith({ send: lost, find, client });
	const settled = await writeOnce(open({}), { about: ['A'] }, write);
	expect([kindsOf(settled), searches]).toEqual([['A unknown'], 2]);
});

test('slow searches do not make the wait longer than twice', async () => {
	let now = 0;
	const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
	let searches = 0;
	const find = async () => {
		searches++;
		now += 9_000;
		return [];
	};
	await writeOnce(open({}), { about: ['A'] }, writeWith({ send: lost, find }).write);
	clock.mockRestore();
	expect(searches).toBe(2);
});

describe('In a later try', () => {
	/** A is done, B is lost, and n8n has saved it. */
	async function firstTry(): Promise<IDataObject> {
		const store = {};
		const { write } = writeWith({ send: async () => 'A', maxWaitMs: 0 });
		await writeOnce(open(store), { about: ['A', 'B'] }, write);
		return JSON.parse(JSON.stringify(store)) as IDataObject;
	}

	type Later = [
		name: string,
		next: Try,
		more: { find: LetterWrite['find'] | undefined },
		outcomes: string[],
		isFree: boolean,
	];
	const inRecords = async () => ['B'];
	const notThere = async () => [];
	const person = { execution: '2' };
	test.each<Later>([
		['n8n finds it in the records', {}, { find: inRecords }, ['A done', 'B done'], false],
		['n8n finds nothing', {}, { find: notThere }, ['A done', 'B unknown'], false],
		['n8n has no records', {}, { find: undefined }, ['A done', 'B unknown'], false],
		['a person finds it in the records', person, { find: inRecords }, ['A done', 'B done'], false],
		['a person finds nothing', person, { find: notThere }, ['A done'], true],
		['a person has no records', person, { find: undefined }, ['A done'], true],
		['a person cannot read the records', person, { find: lost }, ['A done', 'B unknown'], false],
	])('%s', async (_, next, { find }, outcomes, isFree) => {
		const journal = open(await firstTry(), next);
		const { write, pauses } = writeWith({ send: lost });
		if (find) write.find = find;
		else delete write.find;
		expect(kindsOf(await recall(journal, write))).toEqual(outcomes);
		expect(journal.has('B')).toBe(!isFree);
		// A person has waited already.
		if ('execution' in next) expect(pauses).toEqual([]);
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
