import fc from 'fast-check';
import { setGlobalState } from 'n8n-workflow';

import { type Setting, Simulation } from './simulation';
import { VirtualTime } from './time';

/** What a simulation is about: how its histories are drawn and played. */
interface Kind {
	histories: fc.Arbitrary<Setting>;
	play(history: never, simulation: Simulation): Promise<void>;
}

const kinds: Readonly<Record<string, () => Promise<Kind>>> = {
	creation: async () => import('./creation.js'),
	changes: async () => import('./changes.js'),
	trigger: async () => import('./trigger.js'),
};

const loaded = new Map<string, Kind>();

async function kindOf(name: string): Promise<Kind> {
	const load = kinds[name];
	if (!load) throw new Error(`Unknown kind ${name}. Use one of: ${Object.keys(kinds).join(', ')}`);
	// Importing again asks the loader again, for each history.
	const kind = loaded.get(name) ?? (await load());
	loaded.set(name, kind);
	return kind;
}

/** A history that broke a promise. */
export interface Failure {
	kind: string;
	seed: number;
	promise: string;
	history: unknown;
	story: string[];
}

/** How many smaller histories are tried to make a story shorter. */
const MAX_SHRINKS = 400;

const time = new VirtualTime();

// Histories have many errors. With full stacks, they take a tenth longer.
Error.stackTraceLimit = 3;
// n8n reads the time for each value of a form, which takes longer in a time zone with summer time.
setGlobalState({ defaultTimezone: 'UTC' });

/** n8n loads some of its code when it is first used, which takes real time. */
const WARM_UPS = 5;
let isWarm = false;

/** Neighboring seeds would otherwise draw similar histories. */
function mix(seed: number): number {
	let mixed = Math.imul(seed ^ (seed >>> 16), 0x45d9f3b);
	mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
	return mixed ^ (mixed >>> 16);
}

/** Plays the history of a seed. Returns undefined if every promise holds. */
export async function playSeed(
	kind: string,
	seed: number,
	folder: string,
	shrinks = true,
): Promise<Failure | undefined> {
	const { histories } = await kindOf(kind);
	const history = await historyOf(kind, seed);
	const { promise, story } = await play(kind, history, folder);
	if (promise === undefined) return undefined;
	let last = { promise, story: story(), history };
	if (!shrinks) return { kind, seed, ...last };
	let tries = 0;
	await fc.check(
		fc.asyncProperty(histories, async (smaller) => {
			if (++tries > MAX_SHRINKS) return;
			const outcome = await play(kind, smaller, folder);
			if (outcome.promise === undefined) return;
			last = { promise: outcome.promise, story: outcome.story(), history: smaller };
			throw new Error(outcome.promise);
		}),
		{ seed: mix(seed), numRuns: 1 },
	);
	return { kind, seed, ...last };
}

/** Plays a history as it was kept. */
export async function playKept(kind: string, history: unknown, folder: string) {
	const { promise, story } = await play(kind, history as Setting, folder);
	return promise === undefined ? undefined : { kind, seed: 0, history, promise, story: story() };
}

/** Everything that happens in a history, whether or not a promise breaks. */
export async function tellStory(kind: string, seed: number, folder: string): Promise<string[]> {
	return (await play(kind, await historyOf(kind, seed), folder)).story();
}

async function historyOf(kind: string, seed: number): Promise<Setting> {
	const { histories } = await kindOf(kind);
	return fc.sample(histories, { seed: mix(seed), numRuns: 1 })[0] as Setting;
}

async function play(kind: string, history: Setting, folder: string) {
	await warmUp(kind, folder);
	const simulation = new Simulation(time, folder, history);
	const story = () => simulation.story();
	try {
		await (await kindOf(kind)).play(history as never, simulation);
		return { promise: undefined, story };
	} catch (thrown) {
		const { name, message, stack } = thrown as Error;
		const promise = name === 'Error' && 'constructor' in (thrown as object) ? message : stack;
		return { promise: promise ?? message, story };
	}
}

async function warmUp(kind: string, folder: string): Promise<void> {
	if (isWarm) return;
	isWarm = true;
	for (let seed = 1; seed <= WARM_UPS; seed++) await tellStory(kind, seed, folder);
}
