import { mapParallel } from '../transport/concurrency';
import { PAGE_LENGTH } from '../transport/contract';
import { asFound, type Found } from './found';
import type { FirstPage, ListedShipment, ShipmentFilter, ShippingService } from './service';

/**
 * Whether it takes fewer requests to read the whole list, whose first page is there already, than
 * to search for each label. Records that don't tell their label cost one more request each.
 */
export function isListCheaper(labels: number, total: number, tellLabels: boolean): boolean {
	const furtherPages = Math.ceil(total / PAGE_LENGTH) - 1;
	return furtherPages + (tellLabels ? 0 : total) <= labels;
}

/** Finds the shipments of one carrier by their exact labels, with as few requests as it can. */
export class LookUp {
	/** Set once the list turns out to hold the documented fields only, without labels. */
	private readsDetails = false;

	private readonly details = new Map<number, Found[]>();

	constructor(
		private readonly service: ShippingService,
		private readonly carrierCode: string,
		private readonly maxConcurrency: number,
	) {}

	/** Canceled ones included. */
	async find(labels: readonly string[], createdFrom: string): Promise<Found[]> {
		const wanted = new Set(labels);
		const candidates = await this.readCandidates([...wanted], createdFrom);
		const exact = candidates.filter(({ label }) => wanted.has(label));
		return [...new Map(exact.map((found) => [found.id, found])).values()];
	}

	/** The ids of everything since a day, or null where it is more than one page. */
	async snapshot(createdFrom: string): Promise<number[] | null> {
		const { rows, total } = await this.service.firstShipments(this.filter({ createdFrom }));
		return rows.length < total ? null : rows.map(({ id }) => id);
	}

	private async readCandidates(labels: string[], createdFrom: string): Promise<Found[]> {
		const filter = this.filter({ createdFrom });
		if (labels.length > 1) {
			const first = await this.service.firstShipments(filter);
			this.noteForm(first.rows);
			if (isListCheaper(labels.length, first.total, !this.readsDetails)) {
				return await this.read(filter, this.maxConcurrency, first);
			}
		}
		const hits = await mapParallel(labels, this.maxConcurrency, async (search) =>
			this.read({ ...filter, search }, 1),
		);
		return hits.flat();
	}

	private async read(
		filter: ShipmentFilter,
		maxConcurrency: number,
		first?: FirstPage,
	): Promise<Found[]> {
		if (!this.readsDetails) {
			const rows = await this.service.allShipments(filter, first);
			this.noteForm(rows);
			if (!this.readsDetails) return this.tellingOf(rows);
		}
		// Details are to be had of main shipments only, and hold their pieces.
		const mains = this.ownOf(await this.service.allShipments({ ...filter, onlyMaster: true }));
		const pieces = await mapParallel(mains, maxConcurrency, async ({ id }) => this.readDetails(id));
		return pieces.flat();
	}

	private async readDetails(id: number): Promise<Found[]> {
		const known = this.details.get(id);
		if (known) return known;
		const pieces = await this.service.piecesOf(this.carrierCode, id);
		const found = pieces.flatMap((piece) => asFound(piece) ?? []);
		this.details.set(id, found);
		return found;
	}

	private noteForm(rows: readonly ListedShipment[]): void {
		this.readsDetails ||= rows.some((row) => asFound(row) === undefined);
	}

	private tellingOf(rows: readonly ListedShipment[]): Found[] {
		return this.ownOf(rows).flatMap((row) => asFound(row) ?? []);
	}

	private ownOf(rows: readonly ListedShipment[]): ListedShipment[] {
		return rows.filter(({ carrierCode }) => carrierCode === this.carrierCode);
	}

	private filter(rest: Omit<ShipmentFilter, 'carrierCodes'>): ShipmentFilter {
		return { carrierCodes: [this.carrierCode], ...rest };
	}
}
