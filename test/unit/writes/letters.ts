// Writes are tested with letters: a request is for some of them, and each is done, not done, unknown or unmatched.
import type { IDataObject } from 'n8n-workflow';

import { Journal, type TargetOutcome } from '../../../nodes/ParcelShipping/writes/journal';
import { contextOf, type Try } from '../../support/tries';

export interface Letters {
	target: string;
	details: object;
	response: string;
	record: string;
	value: string;
}

export type Result = TargetOutcome<Letters>;

export const unknown = (...targets: [string, ...string[]]): Result => ({
	targets,
	outcome: { state: 'unknown', errors: [], isRepeatable: true },
});
export const notDone = (...targets: [string, ...string[]]): Result => ({
	targets,
	outcome: { state: 'notDone', errors: [] },
});
export const unmatched = (...targets: [string, ...string[]]): Result => ({
	targets,
	outcome: { state: 'unmatched', value: '1' },
});
export const done = (target: string): Result => ({
	targets: [target],
	outcome: { state: 'done', value: '1' },
});

export const openJournal = (store: IDataObject, given?: Try) =>
	new Journal<Letters>(
		contextOf(store, given),
		'create',
		(letter) => letter,
		(value) => [Number(value)],
	);
