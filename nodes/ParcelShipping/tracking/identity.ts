import { hash } from 'crypto';

import type { TrackingEvent } from '../transport/contract';

/**
 * The same for the same event in every answer, on every server, for ever. Made of what stays when a
 * carrier rewords itself, so not of the texts; `delivered` and `canceled` are left out as well.
 */
export function eventIdOf(carrier: string, number: string, event: Partial<TrackingEvent>): string {
	const { date, code, category, item, carrierCode, type } = event;
	const parts = [carrier, number, date, code, category, item, carrierCode, type];
	// As JSON, so that no two parts can run into each other.
	const text = JSON.stringify(parts.map(textOf));
	return hash('sha256', text, 'base64url').slice(0, 22);
}

/** Of whatever the answer holds in the place of a text. */
function textOf(part: unknown): string {
	return (typeof part === 'object' && part ? JSON.stringify(part) : String(part ?? '')).trim();
}

/**
 * What the state keeps of an id: 6 of its characters, 36 bits, compared within one shipment only.
 * A new event of a shipment with ten known ones is taken for one of them once in 7 thousand
 * million; a shop with a million events a year would lose one in some thousand years.
 */
export const MARK_LENGTH = 6;

export function markOf(eventId: string): string {
	return eventId.slice(0, MARK_LENGTH);
}

/** `known` holds marks one after the other, each at a multiple of its length. */
export function isMarked(known: string, eventId: string): boolean {
	const mark = markOf(eventId);
	for (let at = 0; at < known.length; at += MARK_LENGTH) {
		if (known.startsWith(mark, at)) return true;
	}
	return false;
}
