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
