import fc from 'fast-check';
import { setGlobalState } from 'n8n-workflow';

import * as changes from './changes';
import * as creation from './creation';
import { type Setting, Simulation } from './simulation';
import { randomOf, VirtualTime } from './time';
import * as trigger from './trigger';

/** What a simulation is about: how its histories are drawn and played. */
interface Kind {
	histories: fc.Arbitrary<Setting>;
	play(history: never, simulation: Simulation): Promise<void>;
}

const kinds: Readonly<Record<string, Kind>> = { creation, changes, trigger };
const kindOf = (name: string) => kinds[name] as Kind;

/** A history that broke a promise. */
export interface Failure {
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
const mix = (seed: number) => (randomOf(seed)() * 2 ** 32) | 0;

export const historyOf = (kind: string, seed: number): unknown =>
	fc.sample(kindOf(kind).histories, { seed: mix(seed), numRuns: 1 })[0];

/** Looks for a shorter history of the seed that breaks a promise as well. */
export async function shrink(kind: string, seed: number, folder: string) {
	let shortest: Failure | undefined;
	let tries = 0;
	const property = fc.asyncProperty(kindOf(kind).histories, async (history) => {
		const failure = tries++ > MAX_SHRINKS ? undefined : await findFailure(kind, history, folder);
		if (!failure) return;
		shortest = failure;
		throw new Error(failure.promise);
	});
	await fc.check(property, { seed: mix(seed), numRuns: 1 });
	return shortest;
}

/** Plays a history. Returns undefined if every promise holds. */
export async function findFailure(
	kind: string,
	history: unknown,
	folder: string,
): Promise<Failure | undefined> {
	const { promise, simulation } = await play(kind, history, folder);
	return promise === undefined ? undefined : { promise, history, story: simulation.story() };
}

/** Everything that happens in the history of a seed, whether or not a promise breaks. */
export const tellStory = async (kind: string, seed: number, folder: string) =>
	(await play(kind, historyOf(kind, seed), folder)).simulation.story();

async function play(kind: string, history: unknown, folder: string) {
	if (!isWarm) {
		isWarm = true;
		for (let seed = 1; seed <= WARM_UPS; seed++) await tellStory(kind, seed, folder);
	}
	const simulation = new Simulation(time, folder, history as Setting);
	try {
		await kindOf(kind).play(history as never, simulation);
		return { promise: undefined, simulation };
	} catch (thrown) {
		const { name, message, stack } = thrown as Error;
		return { promise: name === 'Error' ? message : (stack ?? message), simulation };
	}
}
