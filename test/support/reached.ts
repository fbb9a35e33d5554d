/**
 * Counts how often random runs reach each interesting case, so that a generator that no longer
 * produces one of them is noticed.
 */
export class Reached<Case extends string> {
	private readonly counts: Map<Case, number>;

	constructor(cases: readonly Case[]) {
		this.counts = new Map(cases.map((each) => [each, 0]));
	}

	note(reached: Case, isReached = true): void {
		if (isReached) this.counts.set(reached, (this.counts.get(reached) ?? 0) + 1);
	}

	/** Prints the counts. Fewer runs than the ordinary suite has may miss a case. */
	expectAll({ runs, ordinaryRuns }: { runs: number; ordinaryRuns: number }): void {
		const counts = [...this.counts].map(([name, count]) => `${name}: ${count}`);
		console.log(`Reached in ${runs} runs. ${counts.join(', ')}`);
		if (runs < ordinaryRuns) return;
		const missing = [...this.counts].filter(([, count]) => count === 0).map(([name]) => name);
		expect(missing).toEqual([]);
	}
}
