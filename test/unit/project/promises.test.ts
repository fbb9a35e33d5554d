import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { differenceWith, isEqual } from 'lodash';

const tests = path.resolve(__dirname, '../..');

/** The proofs in test/README.md, such as "`engine/creation` › one order of three pieces". */
const proofs = [
	...readFileSync(path.join(tests, 'README.md'), 'utf8').matchAll(/`([\w/]+)` › (.+?) [·|]/g),
].map(([, file = '', name = '']) => ({ file, name }));

const sourceOf = (file: string) => readFileSync(path.join(tests, file), 'utf8');

const STRING = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;

/** The texts in a source, without what escapes their quotes, and with … for what is inserted. */
const textsOf = (source: string) =>
	[...source.matchAll(STRING)].map(([, single, double, template]) =>
		(single ?? double ?? template ?? '').replace(/\$\{[^}]*\}/g, '…').replace(/\\(.)/g, '$1'),
	);

/** The names of the rules of the simulation. */
const rules = readdirSync(path.join(tests, 'simulation'))
	.filter((name) => name.endsWith('.ts'))
	.flatMap((name) =>
		[...sourceOf(`simulation/${name}`).matchAll(/= rulesOf\(\s*\{(.*?)\}/gs)]
			.flatMap(([, names = '']) => textsOf(names))
			.map((rule) => ({ file: `simulation/${path.parse(name).name}`, name: rule })),
	);

test('every test and rule that test/README.md names exists', () => {
	expect(proofs.length).toBeGreaterThan(0);
	const missing = proofs.filter((proof) => {
		if (proof.file.startsWith('simulation/')) return !rules.some((rule) => isEqual(rule, proof));
		const file = `${proof.file}.test.ts`;
		if (!existsSync(path.join(tests, file))) return true;
		return !textsOf(sourceOf(file)).some((text) => text.includes(proof.name));
	});
	expect(missing).toEqual([]);
});

test('test/README.md names every rule of the simulation', () => {
	expect(rules.length).toBeGreaterThan(0);
	expect(differenceWith(rules, proofs, isEqual)).toEqual([]);
});
