import { meetShipment, type WatchedShipment, type WatchState, without } from './state';
import type { Watch } from './watch';

/** A shipment as the list, its detail or the user names it. */
export interface Sighting {
	/** 0 where it is not known. */
	id: number;
	carrier: string;
	/** '' where it is not told. */
	number: string;
	/** Said to be delivered or canceled. */
	isOver?: boolean;
}

/** The watched shipments, found by id or by number. */
export class Roster {
	private readonly rows: WatchedShipment[];

	private readonly byId = new Map<number, number>();

	private readonly byNumber = new Map<string, number>();

	constructor(
		private readonly state: WatchState,
		private readonly watch: Watch,
		private readonly nowMs: number,
	) {
		this.rows = [...state.shipments];
		for (const place of this.rows.keys()) this.remember(place);
	}

	get shipments(): WatchedShipment[] {
		return [...this.rows];
	}

	/** The shipment is meant: one that is known is known to be there, another one is met. */
	meet(sighting: Sighting): void {
		const place = this.placeOf(sighting);
		const known = place === undefined ? undefined : this.rows[place];
		if (place === undefined || !known) {
			const { id, carrier, number } = sighting;
			const met = meetShipment({ id, carrier, number }, this.state, this.watch, this.nowMs);
			this.rows.push(sighting.isOver ? { ...met, overSince: this.nowMs } : met);
			this.remember(this.rows.length - 1);
			return;
		}
		const isOver = sighting.isOver && known.overSince === undefined;
		this.rows[place] = {
			...renumber(known, sighting.number, this.nowMs),
			id: known.id || sighting.id,
			listed: 'now',
			...(isOver ? { overSince: this.nowMs } : {}),
		};
		this.remember(place);
	}

	/** The number of a shipment whose list record lacked it. */
	learnNumber(id: number, number: string): void {
		const place = this.byId.get(id);
		const known = place === undefined ? undefined : this.rows[place];
		if (place === undefined || !known || number === '' || known.number !== '') return;
		const rest = without(known, 'dueAt');
		// Two ids with one number: the first is asked, the second would bring each event again.
		const isSecond = this.byNumber.has(keyOf(known.carrier, number));
		this.rows[place] = isSecond ? { ...rest, isResting: true } : { ...rest, number };
		this.remember(place);
	}

	/** The number can't be read now and is asked for again later. */
	postpone(id: number, dueAt: number): void {
		const place = this.byId.get(id);
		const known = place === undefined ? undefined : this.rows[place];
		if (place !== undefined && known) this.rows[place] = { ...known, dueAt };
	}

	/** The list has been read to its end: what was not in it is not meant any more. */
	endSweep(): void {
		for (const [place, row] of this.rows.entries()) {
			this.rows[place] = { ...row, listed: row.listed === 'now' ? 'before' : 'no' };
		}
	}

	private placeOf({ id, carrier, number }: Sighting): number | undefined {
		const byId = id === 0 ? undefined : this.byId.get(id);
		return byId ?? (number === '' ? undefined : this.byNumber.get(keyOf(carrier, number)));
	}

	private remember(place: number): void {
		const row = this.rows[place];
		if (!row) return;
		if (row.id !== 0) this.byId.set(row.id, place);
		const key = keyOf(row.carrier, row.number);
		if (row.number !== '' && !this.byNumber.has(key)) this.byNumber.set(key, place);
	}
}

function keyOf(carrier: string, number: string): string {
	return `${carrier} ${number}`;
}

/** A carrier that gives a shipment another number begins another history under it. */
function renumber(known: WatchedShipment, number: string, nowMs: number): WatchedShipment {
	if (number === '' || number === known.number) return known;
	if (known.number === '') return { ...without(known, 'dueAt'), number };
	const rest = without(known, 'dueAt', 'overSince');
	return { ...rest, number, known: '', since: nowMs, isResting: false };
}
