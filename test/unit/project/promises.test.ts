import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const tests = path.resolve(__dirname, '../..');

/** The proofs in test/README.md, such as "`engine/creation` › one order of three pieces". */
const proofs = [
	...readFileSync(path.join(tests, 'README.md'), 'utf8').matchAll(/^ {2}`([\w/]+)` › (.+)$/gm),
].map(([, file = '', name = '']) => ({ file, name }));

test('every test that test/README.md names exists', () => {
	expect(proofs.length).toBeGreaterThan(0);
	const missing = proofs.filter(({ file, name }) => {
		const isTest = !file.startsWith('simulation/');
		const source = path.join(tests, `${file}${isTest ? '.test' : ''}.ts`);
		return !existsSync(source) || !readFileSync(source, 'utf8').includes(name);
	});
	expect(missing).toEqual([]);
});
