import type { IDataObject } from 'n8n-workflow';

import { forgetWrites, Journal } from '../../../nodes/ParcelShipping/writes/journal';
import { journalContext, type Try } from '../../support/journalContext';

interface Letters<Value> {
	about: string;
	more: object;
	response: string;
	found: string;
	value: Value;
}

const open = (store: IDataObject, given?: Try) =>
	new Journal<Letters<number>>(journalContext(store, given), 'create', (about) => about);
const done = (about: string[], value = 1) => ({ about, outcome: { kind: 'done' as const, value } });
const unknown = (about: string[]) => ({ about, outcome: { kind: 'unknown' as const, errors: [] } });
const notDone = (about: string[]) => ({ about, outcome: { kind: 'notDone' as const, errors: [] } });

/** n8n saves the store as JSON between two tries. */
const saved = (store: IDataObject) => JSON.parse(JSON.stringify(store)) as IDataObject;

/** The first try did A, does not know about B, and failed to do C. */
function firstTry(given?: Try): IDataObject {
	const store = {};
	const journal = open(store, given);
	const request = journal.begin({ about: ['A', 'B', 'C'] });
	journal.close(request, [done(['A']), unknown(['B']), notDone(['C'])]);
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
])('%s', (_, first, next, keeps, isRetriedByPerson) => {
	const journal = open(firstTry(first), next);
	expect(['A', 'B', 'C'].map((key) => journal.has(key))).toEqual([keeps, keeps, false]);
	expect(['A', 'B'].map((key) => journal.isDone(key))).toEqual([keeps, false]);
	expect(journal.done).toEqual(keeps ? [done(['A'])] : []);
	expect(journal.open.map(({ keys }) => keys)).toEqual(keeps ? [['B']] : []);
	for (const each of journal.open) {
		expect(journal.isRetriedByPerson(each)).toBe(isRetriedByPerson);
	}
});

test('a request of the retry itself belongs to its execution', () => {
	const store = firstTry();
	open(store, { execution: '2' }).begin({ about: ['D'] });
	const journal = open(saved(store), { execution: '2' });
	expect(journal.open.map((each) => journal.isRetriedByPerson(each))).toEqual([true, false]);
});

test('a request is open from its beginning, and closed once nothing of it is unknown', () => {
	const store = {};
	const request = open(store).begin({ about: ['A', 'B'] });
	expect(open(saved(store)).has('B')).toBe(true);
	const journal = open(store);
	journal.close(request, [unknown(['A', 'B'])]);
	expect(journal.open[0]?.keys).toEqual(['A', 'B']);
	journal.close(request, [done(['A']), notDone(['B'])]);
	expect(journal.open).toEqual([]);
	expect(open(saved(store)).has('B')).toBe(false);
});

test('what changes about a done thing replaces what was written', () => {
	const store = {};
	const journal = open(store);
	journal.write(done(['A'], 1));
	journal.write(done(['B'], 2));
	journal.write(done(['A'], 3));
	journal.write(done(['C', 'D'], 4));
	const later = open(saved(store));
	expect(later.done).toEqual([done(['A'], 3), done(['B'], 2), done(['C', 'D'], 4)]);
	expect(later.isDone('D')).toBe(true);
});

test('what is forgotten is free, other runs of the node are kept', () => {
	const store = firstTry();
	open(store, { runIndex: 1 }).write(done(['A']));
	forgetWrites(journalContext(store));
	expect(open(store).has('A')).toBe(false);
	expect(open(store, { runIndex: 1 }).has('A')).toBe(true);
});
