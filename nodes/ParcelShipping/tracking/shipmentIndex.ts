import { isSameCode } from '../lists';
import { carrierNumberOf, isCashOnDelivery, mainIdOf } from '../records';
import type { ListedShipment } from '../transport/contract';
import { toMinute } from './dates';
import { ACTIVE_MS } from './schedule';
import {
	dayOf,
	detailIdOf,
	isMainUnknown,
	isUnderWay,
	LISTED,
	mergeMainId,
	shipmentKey,
	type TriggerState,
	type WatchedShipment,
} from './state';
import type { SelectionByFilters } from './watch';

/** A shipment as the list or the user's form describes it. */
interface ListEntry extends Pick<WatchedShipment, 'id' | 'carrier' | 'number'> {
	mainId?: number | undefined;
	/** Delivered or canceled. */
	hasEnded?: boolean;
	/** False if the service cannot track it (now), or the carrier has not assigned the number yet. */
	canBeAdded?: boolean;
}

/** The shipments of a page that match the filters, without records that have no ID or no carrier. */
export function toListEntries(
	records: readonly ListedShipment[],
	{ cod, onlyMaster, carrierCodes = [] }: SelectionByFilters['filters'],
): ListEntry[] {
	// If the list has numbers, a shipment without one gets it later. If not, its detail has the number.
	const hasNumbers = records.some((record) => carrierNumberOf(record) !== '');
	return (
		records
			// A service may ignore a filter that it does not know.
			.filter((record) => cod !== false || !isCashOnDelivery(record))
			.filter((record) => onlyMaster !== true || mainIdOf(record) === undefined)
			.filter(
				({ carrierCode }) =>
					carrierCodes.length === 0 ||
					carrierCodes.some((code) => isSameCode(code, String(carrierCode))),
			)
			.map((record) => ({
				id: Number(record.id),
				carrier: String(record.carrierCode ?? ''),
				number: carrierNumberOf(record),
				mainId: mainIdOf(record),
				hasEnded: record.canceled === true || record.delivered === true,
				canBeAdded: record.trackable !== false && (!hasNumbers || carrierNumberOf(record) !== ''),
			}))
			.filter(({ carrier, id }) => carrier !== '' && Number.isSafeInteger(id) && id > 0)
	);
}

/**
 * Whether a later shipment has the number of one that has ended, because its carrier makes the number from the order, and
 * the order was canceled and created again. The pieces of a shipment can have one number as well.
 */
function isUsedAgain(ended: WatchedShipment, later: Pick<ListEntry, 'id' | 'mainId'>) {
	const isPiece = isMainUnknown(later.mainId) || detailIdOf(later) === detailIdOf(ended);
	return ended.id !== 0 && ended.endedAt !== undefined && later.id > ended.id && !isPiece;
}

/**
 * The main shipment of the carrier that was created last before this piece. If the service does not say which
 * one is that of the piece, it is likely this one.
 */
export function likelyMainOf(
	shipments: readonly WatchedShipment[],
	{ carrier, id }: Pick<WatchedShipment, 'carrier' | 'id'>,
): WatchedShipment | undefined {
	let main: WatchedShipment | undefined;
	for (const each of shipments) {
		const isBefore = each.id < id && each.id > (main?.id ?? 0);
		if (isBefore && each.carrier === carrier && each.mainId === undefined) main = each;
	}
	return main;
}

/** The watched shipments of one poll, by ID or by carrier and number. */
export class ShipmentIndex {
	readonly shipments: WatchedShipment[];

	/** The positions of the shipments. */
	private readonly byId = new Map<number, number>();

	private readonly byNumber = new Map<string, number>();

	constructor(
		private readonly state: TriggerState,
		private readonly nowMs: number,
	) {
		this.shipments = [...state.shipments];
		for (const [at, row] of this.shipments.entries()) this.set(at, row);
	}

	/**
	 * Marks a shipment as listed; adds it if it is new and can be tracked. A watched one that cannot be tracked any more
	 * stays watched: its last event, such as its delivery, may not have been read.
	 */
	upsert(entry: ListEntry): void {
		const { id, number, mainId, canBeAdded = true } = entry;
		const at = this.byId.get(id) ?? this.byNumber.get(shipmentKey(entry)) ?? this.shipments.length;
		const watched = this.shipments[at];
		if (!watched) {
			if (canBeAdded) this.set(at, this.create(entry));
			return;
		}
		// Requesting two shipments with one number would emit each event twice.
		if (watched.id !== 0 && id !== 0 && watched.id !== id) {
			const isOver = canBeAdded && isUsedAgain(watched, entry);
			const first = { ...watched, listed: 'inThisReading' as const };
			return this.set(at, isOver ? this.startOver(watched, entry) : first);
		}
		const numbered = this.giveNumber({ ...watched, listed: 'inThisReading' }, number);
		const endsNow = entry.hasEnded === true && isUnderWay(numbered);
		this.set(at, {
			...numbered,
			...(endsNow ? { endedAt: this.nowMs, nextRequestAt: undefined } : {}),
			id: numbered.id || id,
			mainId: mergeMainId(numbered.mainId, mainId),
		});
	}

	/**
	 * The shipment with this number. If it had another number, or was finished, its events start over. If another shipment
	 * has the number, it takes that one's place if that has no ID, because it is the same, or has ended. Otherwise, it is
	 * finished.
	 */
	private giveNumber(watched: WatchedShipment, number: string): WatchedShipment {
		if (number === '' || number === watched.number) return watched;
		const { id, listed, mainId } = watched;
		const numbered = { ...watched, number, nextRequestAt: undefined };
		const key = shipmentKey(numbered);
		const at = this.byNumber.get(key);
		const other = at === undefined ? undefined : this.shipments[at];
		this.byNumber.delete(shipmentKey(watched));
		if (at === undefined || !other) {
			if (watched.number === '' && watched.status !== 'finished') return numbered;
			return {
				...numbered,
				marks: '',
				newSince: this.restartAt(watched),
				ownEndAfter: watched.latestAt,
				endedAt: undefined,
				status: 'usual',
			};
		}
		const isOver = isUsedAgain(other, watched);
		if (other.id !== 0 && !isOver) {
			this.shipments[at] = { ...other, listed: 'inThisReading' };
			return { ...numbered, number: '', status: 'finished' };
		}
		this.shipments[at] = { ...other, number: '', status: 'finished' };
		this.byNumber.delete(key);
		if (isOver) return { ...this.startOver(other, numbered), listed, endedAt: watched.endedAt };
		return { ...other, id, listed, mainId, nextRequestAt: undefined };
	}

	/** What is known of the one that has ended stays known: the carrier may still report its events. */
	private startOver(ended: WatchedShipment, entry: ListEntry): WatchedShipment {
		const { marks, latestAt, status, newSince, endedAt } = ended;
		return {
			...this.create(entry),
			marks,
			latestAt,
			noMovementReported: latestAt,
			ownEndAfter: endedAt,
			// A finished shipment has no known events.
			newSince: status === 'finished' ? this.restartAt(ended) : newSince,
		};
	}

	/** Since when events are new if the marks of the known ones are of no use: after all known dates. */
	private restartAt({ latestAt, newSince }: WatchedShipment): number {
		return latestAt === undefined ? (newSince ?? this.state.startedAt) : latestAt + 1000;
	}

	private create({ id, carrier, number, mainId, hasEnded }: ListEntry): WatchedShipment {
		const { areExistingNew, list, startedAt } = this.state;
		return {
			id,
			carrier,
			number,
			addedDay: dayOf(this.nowMs),
			listed: 'inThisReading',
			newSince: areExistingNew ? 0 : startedAt,
			// It was missing from the complete list, so it was created or can be tracked since then.
			activeUntil: list.wasCompleted ? toMinute(this.nowMs + ACTIVE_MS) : undefined,
			mainId,
			endedAt: hasEnded ? this.nowMs : undefined,
			marks: '',
			status: 'usual',
		};
	}

	/** Adds what a detail says about a shipment whose list record said less. */
	complete(id: number, number: string, mainId?: number): void {
		this.change(id, (watched) => {
			const known = { ...watched, mainId: mergeMainId(watched.mainId, mainId) };
			return known.number === '' ? this.giveNumber(known, number) : known;
		});
	}

	/**
	 * Call this at the end of the list: shipments that were missing twice in a row are no longer watched. One can be
	 * missing once, because it moves to another page while the list is read.
	 */
	finishList(): void {
		for (const [at, row] of this.shipments.entries()) {
			const listed = LISTED[LISTED.indexOf(row.listed) + 1] ?? 'unlisted';
			this.shipments[at] = { ...row, listed };
		}
	}

	/** Changes the shipment with this ID, if it is watched. */
	change(id: number, change: (watched: WatchedShipment) => WatchedShipment): void {
		const at = this.byId.get(id);
		const watched = at === undefined ? undefined : this.shipments[at];
		if (at !== undefined && watched) this.set(at, change(watched));
	}

	private set(at: number, row: WatchedShipment): void {
		this.shipments[at] = row;
		if (row.id !== 0) this.byId.set(row.id, at);
		const key = shipmentKey(row);
		if (row.number !== '' && !this.byNumber.has(key)) this.byNumber.set(key, at);
	}
}
