// Stryker mutates ranges of the code, and a range has other changes inside: this leaves them out.
import { readFileSync } from 'node:fs';

import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';

import { keyOf } from './draw.mjs';

const passed = { status: 'passed' };
const notDrawn = { status: 'compileError', reason: 'Not drawn' };

function createChecker() {
	let drawn;
	return {
		async init() {
			drawn = new Set(JSON.parse(readFileSync(process.env.MUTANTS_DRAWN, 'utf8')).map(keyOf));
		},
		group: async (mutants) => [mutants.map(({ id }) => id)],
		check: async (mutants) =>
			Object.fromEntries(
				mutants.map((mutant) => [mutant.id, drawn.has(keyOf(mutant)) ? passed : notDrawn]),
			),
	};
}

export const strykerPlugins = [
	declareFactoryPlugin(PluginKind.Checker, 'onlyDrawn', createChecker),
];
