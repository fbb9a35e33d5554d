import type { IDataObject } from 'n8n-workflow';

import { forgetTries } from '../../../nodes/ParcelShipping/writes/sent';
import { contextOf, saved, type Try } from '../../support/tries';
import { done, notDone, openJournal, type Result, unknown, unmatched } from './letters';

/** The first try did A, does not know about B, and failed to do C. */
function firstTry(given?: Try): IDataObject {
	const store = {};
	const journal = openJournal(store, given);
	const request = journal.begin({ targets: ['A', 'B', 'C'] });
	journal.settle(request, [done('A'), unknown('B'), notDone('C')]);
	return saved(store);
}

const PERSON = { execution: '2' };

test('a later try knows what was done and what is pending, and nothing of what failed', () => {
	const journal = openJournal(firstTry());
	expect(journal.doneOutcomes).toMatchObject([done('A')]);
	expect(journal.pendingRequests.map(({ keys }) => keys)).toEqual([['B']]);
	expect(['A', 'B', 'C'].filter((key) => journal.isSendable(key))).toEqual(['C']);
	expect(['A', 'B', 'C'].filter((key) => journal.isDone(key))).toEqual(['A']);
});

test.each<[name: string, first: Try, next: Try]>([
	['n8n tries again with other items', {}, { input: 'B' }],
	['a person retries the execution', {}, PERSON],
	['a tool with the same input', { execution: '' }, { execution: '' }],
])('another try for the same items is %s', (_, first, next) => {
	expect(openJournal(firstTry(first), next).isSendable('A')).toBe(false);
});

test.each<[name: string, first: Try, next: Try]>([
	['the next round of a loop', {}, { runIndex: 1 }],
	['a tool with other input', { execution: '' }, { execution: '', input: 'B' }],
])('no other try for the same items is %s', (_, first, next) => {
	const journal = openJournal(firstTry(first), next);
	expect([journal.doneOutcomes, journal.pendingRequests]).toEqual([[], []]);
});

test('calls of a tool with other input in between do not make its retry forget', () => {
	const first = { execution: '', input: 'A' };
	const store = firstTry(first);
	openJournal(store, { execution: '', input: 'B' }).keepDone('B', '1');
	expect(openJournal(saved(store), first).doneOutcomes).toMatchObject([done('A')]);
});

test('what a retried execution left pending is retried by a person, what this one sends is not', () => {
	const store = firstTry();
	const ofPerson = (given: Try) => {
		const journal = openJournal(saved(store), given);
		return journal.pendingRequests.map((each) => journal.isRequestOfEarlierExecution(each));
	};
	expect(ofPerson({})).toEqual([false]);
	openJournal(store, PERSON).begin({ targets: ['D'] });
	expect(ofPerson(PERSON)).toEqual([true, false]);
});

test('what a retried execution has done stays its own, also if a retry changes what is kept of it', () => {
	const store = {};
	openJournal(store).keepDone('A', '1');
	expect(openJournal(store).isTargetOfEarlierExecution('A')).toBe(false);
	const retry = openJournal(store, PERSON);
	retry.keepDone('A', '1');
	retry.keepDone('B', '1');
	expect(
		['A', 'B'].map((key) => openJournal(store, PERSON).isTargetOfEarlierExecution(key)),
	).toEqual([true, false]);
});

test('a request is pending from its beginning until it is known what came of all of it', () => {
	const store = {};
	const request = openJournal(store).begin({ targets: ['A', 'B'] });
	expect(openJournal(saved(store)).isSendable('B')).toBe(false);
	const journal = openJournal(store);
	journal.settle(request, [unknown('A', 'B')]);
	expect(journal.pendingRequests[0]?.keys).toEqual(['A', 'B']);
	journal.settle(request, [unmatched('A', 'B')]);
	expect(journal.pendingRequests[0]?.keys).toEqual(['A', 'B']);
	journal.settle(request, [done('A'), notDone('B')]);
	expect(journal.pendingRequests).toEqual([]);
	expect(openJournal(saved(store)).isSendable('B')).toBe(true);
});

test('the ID of what is done is known in the same try and a later one', () => {
	const store = {};
	const journal = openJournal(store);
	journal.keepDone('A', '1');
	expect([1, 2].map((id) => journal.isDoneId(id))).toEqual([true, false]);
	expect([1, 2].map((id) => openJournal(saved(store)).isDoneId(id))).toEqual([true, false]);
});

test('what is done, or pending and not repeatable, is not sendable', () => {
	const journal = openJournal(firstTry());
	journal.keepDone('D', '1');
	expect(journal.notSendableTargets).toEqual(['A', 'D', 'B']);
	journal.markRepeatable(['B', 'D']);
	expect(journal.notSendableTargets).toEqual(['A', 'D']);
});

test('what is kept of a done thing replaces what was kept of it before', () => {
	const store = {};
	const journal = openJournal(store);
	journal.keepDone('A', '1');
	journal.keepDone('B', '1');
	journal.keepDone('A', '2');
	const changed: Result = { targets: ['A'], outcome: { state: 'done', value: '2' } };
	expect(openJournal(saved(store)).doneOutcomes).toMatchObject([changed, done('B')]);
});

test('the tries for some items are forgotten, and the others are not', () => {
	const store = firstTry();
	openJournal(store, { runIndex: 1 }).keepDone('A', '1');
	forgetTries(contextOf(store));
	expect(openJournal(store).isSendable('A')).toBe(true);
	expect(openJournal(store, { runIndex: 1 }).isSendable('A')).toBe(false);
});
