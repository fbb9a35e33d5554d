import type { DialectName } from './dialects/dialect';
import type { Clock } from './domain/clock';
import type { Seed, SignInSettings, TrackingBehavior } from './domain/seed';

export type CredentialMethod = 'header' | 'bearer' | 'basic' | 'query' | 'signIn';

export interface SandboxOptions {
	/** 0 (default) selects a free port. */
	port?: number;
	/** A loopback address. Default 127.0.0.1. */
	host?: string;
	/** How the service responds. Default: interface. */
	dialect?: DialectName;
	/** The creation addresses that exist. Default: both; in the documented dialect, carrier. */
	createAddress?: 'package' | 'carrier' | 'both';
	/** Responds with 404 or 405 at the endpoints that not every service has. */
	withoutExtras?: boolean;
	/** Default: seed.yaml. */
	seed?: Seed;
	clock?: Clock;
	/** Delay before every response. */
	latencyMs?: number;
	/** For the interface dialect. rich (default): list records include the flat fields of the detail.
	 * documented: only the fields of the interface document. */
	listRecords?: 'rich' | 'documented';
	/** Accepted credential methods. Default: all. */
	accept?: CredentialMethod[];
	signIn?: Partial<SignInSettings>;
	/** Per carrier code. Merged with the settings in the seed. */
	trackingBehavior?: Record<string, TrackingBehavior>;
	/** Hours between two tracking events of a shipment. Default 6. */
	trackingStepHours?: number;
	/** pieceIndex of the first piece. Default 0; 1 in the documented dialect. */
	firstPieceIndex?: 0 | 1;
	/** Serves paths that end in a slash without it, too. */
	pathsWithoutSlash?: boolean;
	rateLimit?: { requests: number; perMs: number; retryAfterSeconds?: number };
	/** other: serves label files from a second origin that requires no credential. */
	labelOrigin?: 'same' | 'other';
	/** Streams label files of this size instead of real ones. */
	labelFileBytes?: number;
}
