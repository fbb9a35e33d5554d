import type { DialectName } from './dialects/dialect';
import type { Clock } from './domain/clock';
import type { SignInSettings } from './domain/seed';
import type { Habits } from './domain/tracking';

export type CredentialMethod = 'header' | 'bearer' | 'basic' | 'query' | 'signIn';

/** What a provider leaves out, or does in its own way. */
type Flag =
	| `lists${'OnlyMain' | `Without${'References' | 'Numbers' | 'PieceCount' | 'States'}`}`
	| 'recordsWithoutMain'
	| `detailsWithout${'Pieces' | 'Printed'}`
	| 'withoutExtras'
	| 'ignoresCarrierFilter'
	| 'uncountedHandOver'
	| 'pathsWithoutSlash';

export interface SandboxOptions extends Habits, Partial<Record<Flag, boolean>> {
	port?: number;
	dialect?: DialectName;
	clock?: Clock;
	latencyMs?: number;
	/** An order number that an active shipment has is refused: its row, or the whole request. Default: created again. */
	refusesDuplicates?: 'row' | 'request';
	/** Accepted credential methods. Default: all. */
	accept?: CredentialMethod[];
	signIn?: Partial<SignInSettings>;
	/** other: serves label files from a second origin that requires no credential. */
	labelOrigin?: 'same' | 'other';
	/** Streams label files of this size instead of real ones. */
	labelFileBytes?: number;
}
