import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { type CallExpression, type Expression, parseSync } from '@swc/core';
import { differenceWith, isEqual } from 'lodash';

const tests = path.resolve(__dirname, '../..');

/** The proofs in test/README.md, such as "`engine/creation` › one order of three pieces". */
const proofs = [
	...readFileSync(path.join(tests, 'README.md'), 'utf8').matchAll(/^ {2}`([\w/]+)` › (.+)$/gm),
].map(([, file = '', name = '']) => ({ file, name }));

/** What a call is a call of: `test` for `test('…')` and for `test.each(…)('…')`. */
function calledName(callee: CallExpression['callee'] | Expression): string {
	if (callee.type === 'Identifier') return callee.value;
	if (callee.type === 'CallExpression') return calledName(callee.callee);
	if (callee.type !== 'MemberExpression') return '';
	return calledName(callee.object);
}

function textsIn(node: unknown): string[] {
	if (typeof node !== 'object' || node === null) return [];
	const expression = node as Expression;
	if (expression.type === 'StringLiteral') return [expression.value];
	if (expression.type === 'TemplateLiteral') {
		return [expression.quasis.map(({ raw }) => raw).join('…')];
	}
	return Object.values(node).flatMap(textsIn);
}

/** The titles of tests and of their rows, and the names of the rules of the simulation. */
function titlesIn(node: unknown): string[] {
	if (typeof node !== 'object' || node === null) return [];
	const { type, callee, arguments: given } = node as CallExpression;
	const isTitled =
		type === 'CallExpression' && /(test|describe|rulesOf)$/i.test(calledName(callee));
	const own = isTitled
		? given.flatMap(({ expression }) =>
				/Function|Arrow/.test(expression.type) ? [] : textsIn(expression),
			)
		: [];
	return [...own, ...Object.values(node).flatMap(titlesIn)];
}

const titlesOf = (source: string) =>
	titlesIn(parseSync(readFileSync(path.join(tests, source), 'utf8'), { syntax: 'typescript' }));

test('every test and rule that test/README.md names exists', () => {
	expect(proofs.length).toBeGreaterThan(0);
	const missing = proofs.filter(({ file, name }) => {
		const isTest = !file.startsWith('simulation/');
		const source = `${file}${isTest ? '.test' : ''}.ts`;
		if (!existsSync(path.join(tests, source))) return true;
		return !titlesOf(source).some((title) => (isTest ? title.includes(name) : title === name));
	});
	expect(missing).toEqual([]);
});

test('test/README.md names every rule of the simulation', () => {
	const rules = readdirSync(path.join(tests, 'simulation')).flatMap((source) => {
		const file = `simulation/${path.parse(source).name}`;
		return source.endsWith('.ts') ? titlesOf(`${file}.ts`).map((name) => ({ file, name })) : [];
	});
	expect(rules.length).toBeGreaterThan(0);
	expect(differenceWith(rules, proofs, isEqual)).toEqual([]);
});
