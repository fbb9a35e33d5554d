/** The values under each key, both in the order in which they first appear. */
export function groupBy<Value>(values: readonly Value[], keyOf: (value: Value) => string) {
	const groups = new Map<string, [Value, ...Value[]]>();
	for (const value of values) {
		const group = groups.get(keyOf(value));
		if (group) group.push(value);
		else groups.set(keyOf(value), [value]);
	}
	return groups;
}
