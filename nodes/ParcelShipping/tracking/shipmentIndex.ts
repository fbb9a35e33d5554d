import { type InSteps, mapInSteps } from '../lists';
import { ShipmentRecords } from './shipmentInfo';
import { createShipment, type TriggerState, type WatchedShipment, without } from './state';
import type { Watch } from './watch';

/** A shipment as the list or the user's form describes it. */
export interface FoundShipment {
	/** 0 if unknown. */
	id: number;
	carrier: string;
	/** '' if unknown. */
	number: string;
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

	private constructor(
		private readonly state: TriggerState,
		private readonly watch: Watch,
		private readonly nowMs: number,
		readonly records: ShipmentRecords,
	) {
		this.rows = [...state.shipments];
	}

	static *of(
		state: TriggerState,
		watch: Watch,
		nowMs: number,
		records = new ShipmentRecords(),
	): InSteps<ShipmentIndex> {
		const index = new ShipmentIndex(state, watch, nowMs, records);
		yield* mapInSteps(index.rows, (_, at) => index.addToMaps(at));
		return index;
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
		const index = this.indexOf(found);
		const known = index === undefined ? undefined : this.rows[index];
		if (found.isUntrackable) {
			if (index !== undefined && known) this.rows[index] = { ...known, listed: 'no' };
			return;
		}
		if (index === undefined || !known) {
			if (found.awaitsNumber) return;
			const { id, carrier, number } = found;
			const created = createShipment({ id, carrier, number }, this.state, this.watch, this.nowMs);
			this.rows.push(found.hasEnded ? { ...created, endedAt: this.nowMs } : created);
			this.addToMaps(this.rows.length - 1);
			return;
		}
		const endsNow = found.hasEnded && known.endedAt === undefined;
		this.rows[index] = {
			...changeNumber(endsNow ? without(known, 'nextRequestAt') : known, found.number, this.nowMs),
			id: known.id || found.id,
			listed: 'now',
			...(endsNow ? { endedAt: this.nowMs } : {}),
		};
		this.addToMaps(index);
	}

	/** Sets the number of a shipment whose list record had none. */
	setNumber(id: number, number: string): void {
		const index = this.byId.get(id);
		const known = index === undefined ? undefined : this.rows[index];
		if (index === undefined || !known || number === '' || known.number !== '') return;
		const rest = without(known, 'nextRequestAt');
		// Two IDs with one number: requesting both would emit each event twice.
		const isDuplicate = this.byNumber.has(carrierAndNumber(known.carrier, number));
		this.rows[index] = isDuplicate ? { ...rest, isFinished: true } : { ...rest, number };
		this.addToMaps(index);
	}

	/** Sets the main piece of a further piece, 0 if it is not known which one that is. */
	setMain(id: number, mainId: number): void {
		const index = this.byId.get(id);
		const known = index === undefined ? undefined : this.rows[index];
		if (index !== undefined && known && !known.mainId) this.rows[index] = { ...known, mainId };
	}

	/** Requests the number of a shipment again later. */
	postpone(id: number, nextRequestAt: number): void {
		const index = this.byId.get(id);
		const known = index === undefined ? undefined : this.rows[index];
		if (index !== undefined && known) this.rows[index] = { ...known, nextRequestAt };
	}

	/** Call this at the end of the list: shipments that were missing are no longer watched. */
	finishList(): void {
		for (const [index, row] of this.rows.entries()) {
			this.rows[index] = { ...row, listed: row.listed === 'now' ? 'before' : 'no' };
		}
	}

	private indexOf({ id, carrier, number }: FoundShipment): number | undefined {
		const byId = id === 0 ? undefined : this.byId.get(id);
		if (byId !== undefined || number === '') return byId;
		return this.byNumber.get(carrierAndNumber(carrier, number));
	}

	private addToMaps(index: number): void {
		const row = this.rows[index];
		if (!row) return;
		if (row.id !== 0) this.byId.set(row.id, index);
		const key = carrierAndNumber(row.carrier, row.number);
		if (row.number !== '' && !this.byNumber.has(key)) this.byNumber.set(key, index);
	}
}

function carrierAndNumber(carrier: string, number: string): string {
	return `${carrier} ${number}`;
}

/** If the carrier changes the number of a shipment, its events start over under the new number. */
function changeNumber(known: WatchedShipment, number: string, nowMs: number): WatchedShipment {
	if (number === '' || number === known.number) return known;
	if (known.number === '') return { ...without(known, 'nextRequestAt'), number };
	const rest = without(known, 'nextRequestAt', 'endedAt', 'refusedSince', 'periods');
	return { ...rest, number, known: '', newSince: nowMs, isFinished: false };
}
