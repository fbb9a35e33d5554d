import type { IDataObject } from 'n8n-workflow';

import { forgetTries, SentNotes } from '../../../nodes/ParcelShipping/writes/sent';
import { contextOf, saved, type Try } from '../../support/tries';

const PERSON = { execution: '2' };

const notesOf = (store: IDataObject, given?: Try) =>
	new SentNotes<string, number>(contextOf(store, given), 'create');

/** The first try has sent A. */
function firstTry(given?: Try): IDataObject {
	const store = {};
	notesOf(store, given).sending('A', 'street 1');
	return saved(store);
}

test.each<[name: string, first: Try, next: Try]>([
	['n8n tries again with other items', {}, { input: 'B' }],
	['a person retries the execution', {}, PERSON],
	['a tool with the same input', { execution: '' }, { execution: '' }],
])('another try for the same items is %s', (_, first, next) => {
	expect(notesOf(firstTry(first), next).get('A')?.target).toBe('street 1');
});

test.each<[name: string, first: Try, next: Try]>([
	['the next round of a loop', {}, { runIndex: 1 }],
	['a tool with other input', { execution: '' }, { execution: '', input: 'B' }],
])('no other try for the same items is %s', (_, first, next) => {
	expect(notesOf(firstTry(first), next).all).toEqual([]);
});

test('calls of a tool with other input in between do not make its retry forget', () => {
	const first = { execution: '', input: 'A' };
	const store = firstTry(first);
	notesOf(store, { execution: '', input: 'B' }).sending('B', '');
	expect(notesOf(saved(store), first).get('A')).toBeDefined();
});

test('what was sent is known as it was sent, with its outcome', () => {
	const store = firstTry();
	notesOf(store).add('A', { done: 7 });
	notesOf(store).add('A', { mayBe: ['8'] });
	notesOf(store).add('B', { done: 9 });
	const sent = { execution: '1', target: 'street 1', done: 7, mayBe: ['8'] };
	expect(notesOf(saved(store)).all).toEqual([sent]);
});

test('what an earlier execution has sent is its own until a person sends it again', () => {
	const notes = notesOf(firstTry(), PERSON);
	expect(notes.isOfEarlierExecution('A')).toBe(true);
	notes.sending('A', 'street 2');
	expect(notes.isOfEarlierExecution('A')).toBe(false);
	expect(notes.isOfEarlierExecution('B')).toBe(false);
});

test('what had no effect is forgotten, and the note of an earlier try comes back', () => {
	const store = firstTry();
	const notes = notesOf(store, PERSON);
	for (const key of ['A', 'A', 'B']) notes.sending(key, 'street 2');
	for (const key of ['A', 'B']) notes.forget(key);
	expect(notes.all).toEqual([{ execution: '1', target: 'street 1' }]);
});

test('the tries for some items are forgotten, and the others are not', () => {
	const store = firstTry();
	notesOf(store, { runIndex: 1 }).sending('A', '');
	forgetTries(contextOf(store));
	expect(notesOf(store).all).toEqual([]);
	expect(notesOf(store, { runIndex: 1 }).all).toHaveLength(1);
});

test('a key that objects have by themselves was not sent', () => {
	expect(notesOf({}).get('constructor')).toBeUndefined();
});
