import type fc from 'fast-check';

import { creationHistories, playCreation } from './creation';
import type { Setting, Simulation } from './simulation';

/** What a simulation is about: how its histories are drawn and played. */
interface Kind<History extends Setting> {
	histories: fc.Arbitrary<History>;
	play(history: History, simulation: Simulation): Promise<void>;
}

export const kinds = {
	creation: { histories: creationHistories, play: playCreation },
} as unknown as Readonly<Record<string, Kind<Setting>>>;
