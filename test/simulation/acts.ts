import fc from 'fast-check';

import { withFaults } from './faults';
import { habitsOf, withHabits } from './services';

// What happens in several kinds of histories.

/** What an arbitrary draws. */
export type Of<Generator> = Generator extends fc.Arbitrary<infer Value> ? Value : never;

export const often = <Value>(weight: number, arbitrary: fc.Arbitrary<Value>) => ({
	weight,
	arbitrary,
});

/** When something happens, in milliseconds after the start. Often at the same moment. */
export const moment = fc.oneof(
	often(4, fc.constant(0)),
	often(3, fc.integer({ min: 0, max: 3_000 })),
	often(2, fc.integer({ min: 3_000, max: 120_000 })),
);

/**
 * Histories, a quarter of which have two or three of these things at once. Each is drawn by itself as well, but too seldom
 * to meet the others. Several of them can replace the same part of a history: then the last one counts.
 */
export const withCombinations = <History>(
	histories: fc.Arbitrary<History>,
	things: ReadonlyArray<(history: History) => Partial<History>>,
): fc.Arbitrary<History> =>
	fc.oneof(
		often(3, histories),
		often(
			1,
			fc
				.tuple(histories, fc.shuffledSubarray([...things], { minLength: 2, maxLength: 3 }))
				.map(([history, chosen]) =>
					chosen.reduce((changed, thing) => ({ ...changed, ...thing(changed) }), history),
				),
		),
	);

export const worker = fc.nat({ max: 1 });

/** A run by its number. */
const run = fc.nat({ max: 2 });

/** A person retries a failed execution. */
export const retry = fc.record({
	what: fc.constant('retry' as const),
	atMs: moment.map((ms) => ms + 5_000),
	...{ worker, run },
});

/** A process is killed, or a person stops a run. */
export const interruption = fc.record({
	what: fc.constantFrom('kill' as const, 'stop' as const),
	atMs: fc.integer({ min: 10, max: 5_000 }),
	...{ worker, run },
});

/** What histories of runs have in common. */
export const ofRuns = {
	/** Decides the time that each request takes. */
	luck: fc.nat({ max: 1_000_000 }),
	startsAt: fc.constantFrom('2026-06-10T09:00Z', '2026-06-10T21:59:58Z', '2026-03-28T22:59:30Z'),
	onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
	tries: fc.constantFrom(1, 2, 3),
};

/** A person retries the first failed execution at the end. */
const retriedAt =
	(minutes: number) =>
	<Act>({ acts }: { acts: Array<Act | Of<typeof retry>> }) => ({
		acts: [...acts, { what: 'retry' as const, atMs: minutes * 60_000, worker: 1, run: 0 }],
	});

/** What all histories of runs combine. */
export const thingsOfRuns = [
	...[retriedAt(5), retriedAt(50)],
	...habitsOf('listsWithoutReferences', 'listsWithoutNumbers', 'listLagMs', 'maxPageLength'),
	...habitsOf('recordsWithoutMain', 'detailsWithoutPrinted'),
	withHabits('listsOnlyMain', 'detailsWithoutPieces'),
	...withFaults('print', /^carried out: reset/, 1),
	...withFaults('list', /^refused: 403/, 3),
	...withFaults('list', /^IDs as text/, 9),
	() => ({ tries: 3 as const }),
	() => ({ onError: 'continueErrorOutput' as const }),
];
