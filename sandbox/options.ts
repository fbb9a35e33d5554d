import type { Clock } from './domain/clock';
import type { Seed, SignInSettings, TrackingBehaviour } from './domain/seed';

export type CredentialForm = 'header' | 'bearer' | 'basic' | 'query' | 'signIn';

export interface SandboxOptions {
	/** 0, the default, takes a free one. */
	port?: number;
	/** A loopback address; 127.0.0.1 by default. */
	host?: string;
	/** What stands in seed.yaml by default. */
	seed?: Seed;
	clock?: Clock;
	/** Waited before every answer. */
	latencyMs?: number;
	/** rich (default): list records carry the flat fields of the detail; documented: only the
	 * fields the interface document names. */
	listRecords?: 'rich' | 'documented';
	/** Credential forms the service takes; all by default. */
	accept?: CredentialForm[];
	signIn?: Partial<SignInSettings>;
	/** By carrier code, on top of the seed's. */
	trackingBehaviour?: Record<string, TrackingBehaviour>;
	/** Hours between two movements of a shipment; 6 by default. */
	trackingStepHours?: number;
	/** Whether pieces are counted from 0 (default) or 1. */
	firstPieceIndex?: 0 | 1;
	rateLimit?: { requests: number; perMs: number; retryAfterSeconds?: number };
	/** other: label files come from a second origin that asks for no credential. */
	labelOrigin?: 'same' | 'other';
	/** Label files of this size instead of real ones, streamed. */
	labelFileBytes?: number;
}
