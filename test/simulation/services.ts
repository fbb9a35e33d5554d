import fc from 'fast-check';

import type { SandboxOptions } from '../../sandbox';

/** What services have been seen to leave out or to do in their own way. */
const HABITS = {
	ignoresCarrierFilter: true,
	listsOnlyMain: true,
	listsWithoutReferences: true,
	listsWithoutNumbers: true,
	listsWithoutPieceCount: true,
	listsWithoutStates: true,
	recordsWithoutMain: true,
	detailsWithoutPieces: true,
	detailsWithoutPrinted: true,
	uncountedHandOver: true,
	withoutExtras: true,
	listLagMs: 2_000,
	numbersAfterMs: 60_000,
} satisfies SandboxOptions;

export type Habit = keyof typeof HABITS;
const habits = Object.keys(HABITS) as Habit[];

/** A kind of service: a dialect and some habits. */
export interface Service {
	dialect: 'interface' | 'documented';
	listRecords: 'rich' | 'documented';
	habits: Habit[];
}

export const services: fc.Arbitrary<Service> = fc.record({
	dialect: fc.constantFrom('interface', 'documented'),
	/** Lists of the interface dialect may have the fields of its document only. */
	listRecords: fc.constantFrom('rich', 'rich', 'documented'),
	habits: fc.oneof(
		{ weight: 3, arbitrary: fc.constant<Habit[]>([]) },
		{ weight: 2, arbitrary: fc.uniqueArray(fc.constantFrom(...habits), { maxLength: 3 }) },
	),
});

export function optionsOf({ dialect, listRecords, habits: own }: Service): SandboxOptions {
	return {
		dialect,
		listRecords,
		...Object.fromEntries(own.map((habit) => [habit, HABITS[habit]])),
	};
}
