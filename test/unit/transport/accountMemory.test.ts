import { accountMemoryOf } from '../../../nodes/ParcelShipping/transport/memory';

test('each account has a memory of its own, which every execution gets', () => {
	accountMemoryOf('A').workingPaths.set('Get', '/1');
	expect(accountMemoryOf('A').workingPaths.get('Get')).toBe('/1');
	expect(accountMemoryOf('B').workingPaths.get('Get')).toBeUndefined();
});

test('a process that has used many accounts forgets the first ones', () => {
	const first = accountMemoryOf('0');
	for (let account = 1; account < 1_000; account++) accountMemoryOf(String(account));
	expect(accountMemoryOf('0')).not.toBe(first);
	const last = accountMemoryOf('999');
	expect(accountMemoryOf('999')).toBe(last);
});
