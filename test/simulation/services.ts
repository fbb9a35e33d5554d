import fc from 'fast-check';
import { difference } from 'lodash';

import type { SandboxOptions } from '../../sandbox';

/** What providers have been seen to leave out or to do in their own way. */
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
	refusesDuplicates: 'row',
	maxPageLength: 2,
	listLagMs: 2_000,
	numbersAfterMs: 60_000,
	handOverCountsPieces: true,
	cancelsPiecesAlone: true,
} satisfies SandboxOptions;

export type Habit = keyof typeof HABITS;

/**
 * Habits that no source shows. For them, the rules check only that nothing ships twice silently, nothing is lost silently and
 * nothing false is reported.
 */
export const ODD: readonly Habit[] = ['recordsWithoutMain', 'detailsWithoutPieces'];

/** They concern hand-overs and cancellations alone. */
const OF_CHANGES: readonly Habit[] = ['handOverCountsPieces', 'cancelsPiecesAlone'];

const all = Object.keys(HABITS) as Habit[];
const none = fc.constant<Habit[]>([]);
const upTo = (maxLength: number, habits: readonly Habit[]) =>
	fc.uniqueArray(fc.constantFrom(...habits), { maxLength });

/** A kind of provider: a dialect and some habits. */
export interface Service {
	dialect: 'interface' | 'documented';
	listRecords: 'rich' | 'documented';
	habits: Habit[];
	/** Hours between two events that a carrier adds by itself. */
	stepHours?: number;
}

const servicesWith = (some: fc.Arbitrary<Habit[]>): fc.Arbitrary<Service> =>
	fc.record({
		dialect: fc.constantFrom('interface', 'documented'),
		/** Lists of the interface dialect may have the fields of its document only. */
		listRecords: fc.constantFrom('rich', 'rich', 'documented'),
		habits: some,
	});

export const services = servicesWith(
	fc.oneof(
		{ weight: 3, arbitrary: none },
		{ weight: 2, arbitrary: upTo(3, difference(all, OF_CHANGES)) },
		// No record says which additional pieces exist.
		{ weight: 1, arbitrary: fc.constant<Habit[]>(['listsOnlyMain', 'detailsWithoutPieces']) },
	),
);

/** Drawn twice as often in changes. */
const often: Habit[] = ['ignoresCarrierFilter', 'listsWithoutPieceCount', 'listsWithoutStates'];

/** Providers that leave out more. */
export const servicesOfChanges = servicesWith(
	fc.oneof({ weight: 1, arbitrary: none }, { weight: 2, arbitrary: upTo(4, [...all, ...often]) }),
);

/** The history at a provider with these habits as well. */
export const withHabits =
	(...more: Habit[]) =>
	<History extends { service: Service }>({ service }: History) => ({
		service: { ...service, habits: [...new Set([...service.habits, ...more])] },
	});

/** One of these each. */
export const habitsOf = (...habits: Habit[]) => habits.map((habit) => withHabits(habit));

export function optionsOf(service: Service): SandboxOptions {
	const { dialect, listRecords, habits: own, stepHours } = service;
	return {
		dialect,
		listRecords,
		...(stepHours === undefined ? {} : { trackingStepHours: stepHours }),
		...Object.fromEntries(own.map((habit) => [habit, HABITS[habit]])),
		// A provider with short list records refuses the whole request.
		...(own.includes('refusesDuplicates') && listRecords === 'documented'
			? { refusesDuplicates: 'request' as const }
			: {}),
	};
}
