import { ACTIVE_MS } from './select';
import {
	dayOf,
	toMinute,
	type TriggerState,
	type Watch,
	type WatchedShipment,
	without,
} from './state';

/** A shipment as the list or the user's form describes it. */
export interface FoundShipment {
	/** 0 if unknown. */
	id: number;
	carrier: string;
	/** '' if unknown. */
	number: string;
	/** See `WatchedShipment`. */
	mainId?: number | undefined;
	/** Delivered or canceled. */
	hasEnded?: boolean;
	/** The service cannot track it (now). */
	isUntrackable?: boolean;
	/** The carrier has not assigned the number yet. */
	awaitsNumber?: boolean;
}

/** The watched shipments of one poll, found by ID or by carrier and number. */
export class ShipmentIndex {
	private readonly rows: WatchedShipment[];

	private readonly byId = new Map<number, number>();

	private readonly byNumber = new Map<string, number>();

	constructor(
		private readonly state: TriggerState,
		private readonly watch: Watch,
		private readonly nowMs: number,
	) {
		this.rows = [...state.shipments];
		for (const [at, row] of this.rows.entries()) this.set(at, row);
	}

	get shipments(): WatchedShipment[] {
		return [...this.rows];
	}

	/** Whether a shipment with this ID is watched. */
	has(id: number): boolean {
		return this.byId.has(id);
	}

	/** Marks a found shipment as listed; adds it if it is new and can be tracked. */
	upsert(found: FoundShipment): void {
		const { id, carrier, number, mainId, isUntrackable } = found;
		const ofId = id === 0 ? undefined : this.byId.get(id);
		const at = ofId ?? (number === '' ? undefined : this.byNumber.get(keyOf(carrier, number)));
		const known = at === undefined ? undefined : this.rows[at];
		if (at === undefined || !known) {
			if (!isUntrackable && !found.awaitsNumber) this.set(this.rows.length, this.create(found));
			return;
		}
		if (isUntrackable) {
			this.set(at, { ...known, listed: 'no' });
			return;
		}
		const endsNow = found.hasEnded && known.endedAt === undefined;
		this.set(at, {
			...changeNumber(endsNow ? without(known, 'nextRequestAt') : known, number, this.nowMs),
			id: known.id || id,
			listed: 'now',
			...(mainId === undefined || known.mainId ? {} : { mainId }),
			...(endsNow ? { endedAt: this.nowMs } : {}),
		});
	}

	private create({ id, carrier, number, mainId, hasEnded }: FoundShipment): WatchedShipment {
		const { since, list } = this.state;
		return {
			id,
			carrier,
			number,
			firstSeenDay: dayOf(this.nowMs),
			listed: 'now',
			newSince: this.watch.startFrom === 'existing' ? 0 : since,
			// Shipments that the complete list did not contain have just been created.
			...(list.wasCompleted ? { activeUntil: toMinute(this.nowMs + ACTIVE_MS) } : {}),
			...(mainId === undefined ? {} : { mainId }),
			...(hasEnded ? { endedAt: this.nowMs } : {}),
			known: '',
			isFinished: false,
		};
	}

	/** Sets the number of a shipment whose list record had none. */
	setNumber(id: number, number: string): void {
		this.change(id, (known) => {
			if (number === '' || known.number !== '') return known;
			const rest = without(known, 'nextRequestAt');
			// Two IDs with one number: requesting both would emit each event twice.
			const isDuplicate = this.byNumber.has(keyOf(known.carrier, number));
			return isDuplicate ? { ...rest, isFinished: true } : { ...rest, number };
		});
	}

	/** Sets the main shipment of an additional piece. */
	setMain(id: number, mainId: number): void {
		this.change(id, (known) => (known.mainId ? known : { ...known, mainId }));
	}

	/** Requests the number of a shipment again later. */
	postpone(id: number, nextRequestAt: number): void {
		this.change(id, (known) => ({ ...known, nextRequestAt }));
	}

	/** Call this at the end of the list: shipments that were missing are no longer watched. */
	finishList(): void {
		for (const [at, row] of this.rows.entries()) {
			this.rows[at] = { ...row, listed: row.listed === 'now' ? 'before' : 'no' };
		}
	}

	private change(id: number, change: (known: WatchedShipment) => WatchedShipment): void {
		const at = this.byId.get(id);
		const known = at === undefined ? undefined : this.rows[at];
		if (at !== undefined && known) this.set(at, change(known));
	}

	private set(at: number, row: WatchedShipment): void {
		this.rows[at] = row;
		if (row.id !== 0) this.byId.set(row.id, at);
		const key = keyOf(row.carrier, row.number);
		if (row.number !== '' && !this.byNumber.has(key)) this.byNumber.set(key, at);
	}
}

function keyOf(carrier: string, number: string): string {
	return `${carrier} ${number}`;
}

/** If the carrier changes the number of a shipment, its events start over under the new number. */
function changeNumber(known: WatchedShipment, number: string, nowMs: number): WatchedShipment {
	if (number === '' || number === known.number) return known;
	if (known.number === '') return { ...without(known, 'nextRequestAt'), number };
	const rest = without(known, 'nextRequestAt', 'endedAt', 'refusedSince', 'periods');
	return { ...rest, number, known: '', newSince: nowMs, isFinished: false };
}
