/** Takes a few milliseconds. */
const PART_LENGTH = 2_000;

/** Long work that stops after every part, so that n8n can do other work in between. */
export type InParts<Result> = Generator<undefined, Result, undefined>;

export function* mapInParts<Value, Result>(
	values: readonly Value[],
	work: (value: Value, index: number) => Result,
): InParts<Result[]> {
	const results: Result[] = [];
	for (const [index, value] of values.entries()) {
		if (index > 0 && index % PART_LENGTH === 0) yield;
		results.push(work(value, index));
	}
	return results;
}
