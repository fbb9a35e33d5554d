import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { type CallExpression, type Expression, parseSync } from '@swc/core';

const tests = path.resolve(__dirname, '../..');

/** The proofs in test/README.md, such as "`engine/creation` › one order of three pieces". */
const proofs = [
	...readFileSync(path.join(tests, 'README.md'), 'utf8').matchAll(/^ {2}`([\w/]+)` › (.+)$/gm),
].map(([, file = '', name = '']) => ({ file, name }));

/** What a call is a call of: `test` for `test('…')` and for `test.each(…)('…')`, `fail` for `this.fail('…')`. */
function calledName(callee: CallExpression['callee'] | Expression): string {
	if (callee.type === 'Identifier') return callee.value;
	if (callee.type === 'CallExpression') return calledName(callee.callee);
	if (callee.type !== 'MemberExpression') return '';
	const { object, property } = callee;
	if (object.type !== 'ThisExpression') return calledName(object);
	return property.type === 'Identifier' ? property.value : '';
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

/** The titles of tests and of their rows, and what the rules of the simulation say if they are broken. */
function titlesIn(node: unknown): string[] {
	if (typeof node !== 'object' || node === null) return [];
	const { type, callee, arguments: given } = node as CallExpression;
	const isTitled = type === 'CallExpression' && /(test|describe|fail)$/i.test(calledName(callee));
	const own = isTitled
		? given.flatMap(({ expression }) =>
				/Function|Arrow/.test(expression.type) ? [] : textsIn(expression),
			)
		: [];
	return [...own, ...Object.values(node).flatMap(titlesIn)];
}

test('every test and rule that test/README.md names exists', () => {
	expect(proofs.length).toBeGreaterThan(0);
	const missing = proofs.filter(({ file, name }) => {
		const isTest = !file.startsWith('simulation/');
		const source = path.join(tests, `${file}${isTest ? '.test' : ''}.ts`);
		if (!existsSync(source)) return true;
		const titles = titlesIn(parseSync(readFileSync(source, 'utf8'), { syntax: 'typescript' }));
		return !titles.some((title) => title.includes(name));
	});
	expect(missing).toEqual([]);
});
