import { keepLatest } from '../../nodes/ParcelShipping/lists';

describe('A map that keeps the latest keys', () => {
	const keysAfter = (sets: string[], max: number) => {
		const map = new Map<string, number>();
		for (const [at, key] of sets.entries()) keepLatest(map, key, at, max);
		return [...map];
	};

	test.each([
		{ sets: ['a', 'b'], max: 2, left: ['a', 'b'] },
		{ sets: ['a', 'b', 'c'], max: 2, left: ['b', 'c'] },
		{ sets: ['a', 'b', 'a', 'c'], max: 2, left: ['a', 'c'] },
		{ sets: ['a', 'a', 'a'], max: 2, left: ['a'] },
	])('$sets with room for $max leaves $left', ({ sets, max, left }) => {
		expect(keysAfter(sets, max).map(([key]) => key)).toEqual(left);
	});

	test('the value set last is the one that is kept', () => {
		expect(keysAfter(['a', 'b', 'a'], 2)).toEqual([
			['b', 1],
			['a', 2],
		]);
	});

	test('thousands of keys do not fill it', () => {
		const sets = Array.from({ length: 5_000 }, (_, at) => String(at));
		expect(keysAfter(sets, 300).map(([key]) => key)).toEqual(sets.slice(-300));
	});
});
