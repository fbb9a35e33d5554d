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

/**
 * Sets the key to the value and removes the keys set longest ago, so that at most `max` are left and
 * a process that runs for months does not fill its memory.
 */
export function keepLatest<Key, Value>(
	map: Map<Key, Value>,
	key: Key,
	value: Value,
	max: number,
): void {
	// Setting a key that exists would leave it at its place.
	map.delete(key);
	map.set(key, value);
	for (const oldest of map.keys()) {
		if (map.size <= max) break;
		map.delete(oldest);
	}
}

/** Distinct texts, from text separated by commas or lines, a number, or a list of these. */
export function splitList(value: unknown, toText: (part: unknown) => string = String): string[] {
	const texts = [value].flat(Infinity).flatMap((part) => toText(part ?? '').split(/[,\n]/));
	return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
}

/** The texts as a message lists them, such as "A, B and 6 more". */
export function listTexts(texts: readonly string[], max: number): string {
	const listed = texts.slice(0, max).join(', ');
	return texts.length > max ? `${listed} and ${texts.length - max} more` : listed;
}

/** The text without case, accents and extra spaces, for comparing what people have typed. */
export function foldText(text: string): string {
	return text.normalize('NFD').replace(/\p{M}/gu, '').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** The service compares codes without case. */
export function isSameCode(a: string, b: string): boolean {
	return a.toUpperCase() === b.toUpperCase();
}

/** The entry with this code. One that matches exactly comes first. */
export function findByCode<Entry extends { code: string }>(
	entries: readonly Entry[],
	code: string,
): Entry | undefined {
	return (
		entries.find((entry) => entry.code === code) ??
		entries.find((entry) => isSameCode(entry.code, code))
	);
}
