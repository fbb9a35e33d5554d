import type fc from 'fast-check';

import type { Setting, Simulation } from './simulation';

/** What a simulation is about: how its histories are drawn and played. */
export interface Kind {
	histories: fc.Arbitrary<Setting>;
	play(history: never, simulation: Simulation): Promise<void>;
}

const kinds: Readonly<Record<string, () => Promise<Kind>>> = {
	creation: async () => import('./creation.js'),
	changes: async () => import('./changes.js'),
	trigger: async () => import('./trigger.js'),
};

export async function kindOf(name: string): Promise<Kind> {
	const load = kinds[name];
	if (!load) throw new Error(`Unknown kind ${name}. Use one of: ${Object.keys(kinds).join(', ')}`);
	return await load();
}
