import type { DialectName } from './dialects/dialect';
import type { Clock } from './domain/clock';
import type { SignInSettings } from './domain/seed';

export type CredentialMethod = 'header' | 'bearer' | 'basic' | 'query' | 'signIn';

export interface SandboxOptions {
	/** 0 (default) selects a free port. */
	port?: number;
	/** How the service responds. Default: interface. */
	dialect?: DialectName;
	/** Responds with 404 or 405 at the endpoints that not every service has. */
	withoutExtras?: boolean;
	clock?: Clock;
	/** Delay before every response. */
	latencyMs?: number;
	/** For the interface dialect. rich (default): list records include the flat fields of the detail.
	 * documented: only the fields of the interface document. */
	listRecords?: 'rich' | 'documented';
	/** A reference that a living shipment has is refused: its row, or the whole request. Default: created again. */
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
	/** A number cancels only its own piece. By default, one number cancels all pieces of its shipment. */
	cancelsPiecesAlone?: boolean;
	/** The response to a hand-over has no packagesCount. */
	uncountedHandOver?: boolean;
	/** The packagesCount of a hand-over counts pieces. */
	handOverCountsPieces?: boolean;
	/** A page of Package/Find has at most so many records, whatever is requested. */
	maxPageLength?: number;
	/** How long a new shipment is missing from Package/Find, and its batch from the batches. */
	listLagMs?: number;
	/** How long a new shipment has no carrier number. */
	numbersAfterMs?: number;
	/** Accepted credential methods. Default: all. */
	accept?: CredentialMethod[];
	signIn?: Partial<SignInSettings>;
	/** Hours between two tracking events of a shipment. Default 6. */
	trackingStepHours?: number;
	/** Serves paths that end in a slash without it, too. */
	pathsWithoutSlash?: boolean;
	/** other: serves label files from a second origin that requires no credential. */
	labelOrigin?: 'same' | 'other';
	/** Streams label files of this size instead of real ones. */
	labelFileBytes?: number;
}
