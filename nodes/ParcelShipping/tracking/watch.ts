import type { IPollFunctions } from 'n8n-workflow';

import type { Client } from '../transport/client';
import type { PeriodType } from './eventGroups';

/** What a poll works with. */
export interface Poll {
	context: IPollFunctions;
	client: Client;
	watch: Watch;
	nowMs: number;
	/** Whether this share of the time of the poll is not over. */
	hasTime(share?: number): boolean;
	/** Whether another request may start: not if the provider has asked for a pause. */
	mayAsk(share?: number): boolean;
	ask<Result>(request: (limits: { timeoutMs: number }) => Promise<Result>): Promise<Result>;
	/** Whether n8n takes what the poll finds: not if another poll of the node has begun meanwhile. */
	isCurrent(): boolean;
}

/** What the user asked the trigger to watch and to output, read from its form. */
export interface Watch {
	/** Empty for all carriers. */
	carrierCodes: string[];
	/** Groups or categories of events to output; empty for all of carriers. */
	eventTypes: string[];
	startFrom: 'now' | 'existing';
	isSimple: boolean;
	/** Whether to watch only main shipments, and to output only the first event of each group. */
	isOncePerOrder: boolean;
	/** Which shipments these are, as a text. */
	selection: string;
	days: Record<PeriodType, number>;
	/** The zone of dates without an offset; '' for that of the account. */
	timezone: string;
	/** The address of the provider and the ID of n8n's credential. IDs of one account mean nothing in another one. */
	account: string;
}

/** A shipment in the state. */
export interface Watched {
	carrier: string;
	/** The carrier's number; '' until it is known. */
	number: string;
	/** 0 until the list of another credential has shown it. */
	id: number;
	/** The day on which it was found, in days since 1970. */
	addedOn: number;
	/** How many readings of the whole list may still miss it. 0 if it is not watched. */
	missesLeft: number;
	/** When it is requested next, in minutes since 1970. 0 for the next poll. */
	askAt: number;
	/** The marks of all known events, one after the other: those that existed before or were emitted. */
	marks: string;
	/** The latest local time of these events, without planned ones. '' if there is none. */
	latest: string;
	/** Until a response of its own that is up to date: only events from then on are new. See `State.newFrom`. */
	newFrom?: string | undefined;
	/** It makes requests fail, so it is requested alone. */
	isAlone?: true | undefined;
}
