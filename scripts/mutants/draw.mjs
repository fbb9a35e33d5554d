// Draws changes at random from all files that are written by hand.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { Instrumenter } from '@stryker-mutator/instrumenter';

const silent = { debug() {}, info() {}, isDebugEnabled: () => false };

export const keyOf = ({ fileName, location, replacement }) =>
	JSON.stringify([path.relative('', fileName), location.start, location.end, replacement]);

/** The place of a change as in Stryker's option `mutate`, whose lines begin with 1. */
export const rangeOf = ({ fileName, location: { start, end } }) =>
	`${fileName}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`;

export async function drawMutants(folder, count, seed) {
	const files = readdirSync(folder, { recursive: true })
		.filter((name) => name.endsWith('.ts') && !name.endsWith('.generated.ts'))
		.map((name) => path.relative('', path.join(folder, name)))
		.map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') }));
	const options = { plugins: null, excludedMutations: [], ignorers: [] };
	const { mutants } = await new Instrumenter(silent).instrument(files, options);
	return mutants
		.map((mutant) => ({
			mutant,
			place: createHash('sha1')
				.update(seed + keyOf(mutant))
				.digest('hex'),
		}))
		.sort((a, b) => (a.place < b.place ? -1 : 1))
		.slice(0, count)
		.map(({ mutant }) => mutant);
}
