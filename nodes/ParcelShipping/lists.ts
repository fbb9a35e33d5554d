import { sleep } from 'n8n-workflow';

/** Groups the values by key. Groups and their values keep the order of first appearance. */
export function groupBy<Value, Key>(values: readonly Value[], keyOf: (value: Value) => Key) {
	const groups = new Map<Key, [Value, ...Value[]]>();
	for (const value of values) {
		const key = keyOf(value);
		const group = groups.get(key);
		if (group) group.push(value);
		else groups.set(key, [value]);
	}
	return groups;
}

/** Splits the values into parts of `length`. The last part may be shorter. */
export function chunk<Value>(values: readonly Value[], length: number): Value[][] {
	const count = Math.ceil(values.length / length);
	return Array.from({ length: count }, (_, part) =>
		values.slice(part * length, (part + 1) * length),
	);
}

/** Sets the key to the value and removes the key set longest ago, so that at most `max` are left. */
export function keepLatest<Key, Value>(
	map: Map<Key, Value>,
	key: Key,
	value: Value,
	max: number,
): void {
	// Setting a key that exists would leave it at its place.
	map.delete(key);
	map.set(key, value);
	// Finding the oldest key takes as long as there are removed ones before it.
	if (map.size > max) map.delete(map.keys().next().value as Key);
}

/** Distinct texts, from text separated by commas or lines, a number, or a list of these. */
export function splitList(value: unknown, toText: (part: unknown) => string = String): string[] {
	const texts = [value].flat(Infinity).flatMap((part) => toText(part ?? '').split(/[,\n]/));
	return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
}

/** The texts as a message lists them, such as "A, B and 6 more". */
export function listTexts(texts: readonly string[], max = 20): string {
	const listed = texts.slice(0, max).join(', ');
	return texts.length > max ? `${listed} and ${texts.length - max} more` : listed;
}

const PLURALS = { was: 'were', is: 'are', has: 'have', differs: 'differ' };

/** For example "1 shipment" and "2 shipments", or "1 shipment was" and "2 shipments were". */
export function countOf(number: number, noun: string, verb?: keyof typeof PLURALS): string {
	const isOne = number === 1;
	const counted = `${number} ${noun}${isOne ? '' : 's'}`;
	return verb ? `${counted} ${isOne ? verb : PLURALS[verb]}` : counted;
}

/** The text without case, accents and extra spaces, for comparing what people have typed. */
export function foldText(text: string): string {
	return text.normalize('NFD').replace(/\p{M}/gu, '').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** Providers compare codes without case. */
export function isSameCode(a: string | null | undefined, b: string | null | undefined): boolean {
	return a === b || String(a ?? '').toUpperCase() === String(b ?? '').toUpperCase();
}

/**
 * Runs `work` for every item and returns the results in the order of the items. The first error ends
 * the run: no further work starts, and the error is thrown. So that it ends soon, no more work starts
 * at a time than can send a request at a time (`limit`). How many requests run is decided in
 * `transport/http.ts`, which all of them pass.
 */
export async function mapParallel<Item, Result>(
	items: readonly Item[],
	limit: number,
	work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = new Array<Result>(items.length);
	// One iterator for all: an error in one of the loops over it ends all of them.
	const entries = (function* () {
		yield* items.entries();
	})();
	const runNext = async () => {
		for (const [index, item] of entries) results[index] = await work(item, index);
	};
	await Promise.all(Array.from({ length: Math.min(Math.max(1, limit), items.length) }, runNext));
	return results;
}

/** Other executions of this process wait no longer than this. */
const LONGEST_TURN_MS = 15;

/** Like `items.map(work)`, with pauses in which other executions of this process go on. */
export async function mapWithPauses<Item, Result>(
	items: readonly Item[],
	work: (item: Item, index: number) => Result,
): Promise<Result[]> {
	const results: Result[] = [];
	let turnStart = performance.now();
	for (const [index, item] of items.entries()) {
		if (performance.now() - turnStart > LONGEST_TURN_MS) {
			await sleep(0);
			turnStart = performance.now();
		}
		results.push(work(item, index));
	}
	return results;
}
