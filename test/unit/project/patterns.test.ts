import ts from 'typescript';

import { filesIn, read } from '../../support/projectFiles';

/** Far more than any of them takes, also on a busy machine. With a square of steps, it is seconds. */
const MAX_MS = 50;

const SIGNS = ' \t\n\u00a0aAzZ09_-.,:;<>()[]{}/\\"\'+=@#€';
/** What long texts repeat. */
const UNITS = [...SIGNS, 'Kč', 'CZK ', '1 ', '0,', 'a.', '- '];

/** Every pattern in a file that is written as a literal. */
function patternsIn(file: string) {
	const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
	const found: Array<{ place: string; pattern: RegExp }> = [];
	const visit = (node: ts.Node): void => {
		if (ts.isRegularExpressionLiteral(node)) {
			const [, body = '', flags = ''] = /^\/(.*)\/(\w*)$/s.exec(node.text) ?? [];
			const { line } = source.getLineAndCharacterOfPosition(node.getStart());
			found.push({ place: `${file}:${line + 1} ${node.text}`, pattern: new RegExp(body, flags) });
		}
		node.forEachChild(visit);
	};
	visit(source);
	return found;
}

const patterns = ['nodes', 'credentials']
	.flatMap(filesIn)
	.filter((file) => file.endsWith('.ts') && !file.includes('.generated.'))
	.flatMap(patternsIn);

/** The words in a pattern, such as `<title`, and what its classes repeat. */
const wordsOf = ({ source }: RegExp) => source.match(/[<\p{L}\d>-]{2,}/gu) ?? [];

function textsFor(pattern: RegExp, length: number): string[] {
	const words = wordsOf(pattern);
	const units = [...UNITS, ...words];
	const starts = ['', ...words].slice(0, 4);
	return units.flatMap((unit) => {
		const long = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
		return starts.flatMap((start) => [`${start}${long}`, `${start}${long}\u0001`]);
	});
}

function msFor(pattern: RegExp, text: string): number {
	const started = performance.now();
	if (pattern.global) text.replace(pattern, '');
	else pattern.test(text);
	return performance.now() - started;
}

/** Longer and longer, so that a bad pattern is found before it takes minutes. */
test.each([500, 5_000, 50_000])('no pattern takes long for a text of %i characters', (length) => {
	expect(patterns.length).toBeGreaterThan(80);
	const slow = patterns.filter(({ pattern }) =>
		textsFor(pattern, length).some(
			// Three times, because something else may have taken the time.
			(text) => [1, 2, 3].every(() => msFor(pattern, text) > MAX_MS),
		),
	);
	expect(slow.map(({ place }) => place)).toEqual([]);
});
