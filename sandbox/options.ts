import type { DialectName } from './dialects/dialect';
import type { Clock } from './domain/clock';
import type { SignInSettings } from './domain/seed';
import type { Habits } from './domain/tracking';

export type CredentialMethod = 'header' | 'bearer' | 'basic' | 'query' | 'signIn';

export interface SandboxOptions extends Habits {
	/** 0 (default) selects a free port. */
	port?: number;
	/** How the provider responds. Default: interface. */
	dialect?: DialectName;
	/** Responds with 404 or 405 at the endpoints that not every provider has. */
	withoutExtras?: boolean;
	clock?: Clock;
	/** Delay before every response. */
	latencyMs?: number;
	/** An order number that an active shipment has is refused: its row, or the whole request. Default: created again. */
	refusesDuplicates?: 'row' | 'request';
	/** Package/Find and Pickup/Find ignore the carriers in the filter. */
	ignoresCarrierFilter?: boolean;
	/** Package/Find has only main shipments, even with onlyMaster false. */
	listsOnlyMain?: boolean;
	/** List records have no packageNumberCustom. */
	listsWithoutReferences?: boolean;
	/** List records have no packageNumberCarrier. */
	listsWithoutNumbers?: boolean;
	/** List records have no pieceCount. */
	listsWithoutPieceCount?: boolean;
	/** List records have none of printed, submittedCarrier, sent and delivered. */
	listsWithoutStates?: boolean;
	/** Neither list records nor details say which piece is the main shipment. */
	recordsWithoutMain?: boolean;
	/** A detail has only the main shipment. */
	detailsWithoutPieces?: boolean;
	/** Neither details nor list records have `printed`. */
	detailsWithoutPrinted?: boolean;
	/** The response to a hand-over has no packagesCount. */
	uncountedHandOver?: boolean;
	/** Accepted credential methods. Default: all. */
	accept?: CredentialMethod[];
	signIn?: Partial<SignInSettings>;
	/** Serves paths that end in a slash without it, too. */
	pathsWithoutSlash?: boolean;
	/** other: serves label files from a second origin that requires no credential. */
	labelOrigin?: 'same' | 'other';
	/** Streams label files of this size instead of real ones. */
	labelFileBytes?: number;
}
