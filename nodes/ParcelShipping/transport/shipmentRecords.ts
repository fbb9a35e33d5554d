import { groupBy } from '../lists';
import { isAdditional } from '../records';
import type { Client, Page, ShipmentFilter } from './client';
import { type ListedShipment, PAGE_LENGTH } from './contract';
import { isMissingEndpoint, isRefusal } from './errors';
import { groupPieces, withNewer } from './groupPieces';
import { type FoundShipment, listPieces, type PieceRecord, readPieces } from './pieces';

/** The number of pieces that shipments with each reference should have; undefined if it is not known. */
type WantedReferences = ReadonlyMap<string, number | undefined>;

/** Whether a list with so many pieces of a shipment may lack some of them. */
export const mayLackPieces = ({ record: { pieceCount } }: PieceRecord, listedCount: number) =>
	listedCount < (pieceCount ?? Infinity);

/** Finds shipments by exact reference, with as few requests as possible. */
export class ShipmentRecords {
	/** If not, references must be read from the details. Undefined until a list has records. */
	private listsHaveReferences: boolean | undefined;

	/** References that were read from details. They never change. */
	private readonly references = new Map<number, string>();

	/** Shipments of which neither the list nor a detail says the reference, by ID: they may be of any order. */
	readonly unread = new Map<number, PieceRecord>();

	/** With `failedSearches`, a search that the service refuses is put there by its reference, and fails no other. */
	constructor(
		private readonly client: Client,
		private readonly failedSearches?: Map<string, unknown>,
	) {}

	/** Canceled shipments included. Without a carrier code, those of all carriers. */
	async find(
		wanted: WantedReferences,
		createdFrom: string,
		carrierCode?: string,
	): Promise<FoundShipment[]> {
		const carrier = carrierCode === undefined ? {} : { carrierCodes: [carrierCode] };
		// Some services list only main shipments unless told otherwise.
		const filter = { ...carrier, createdFrom, onlyMaster: false };
		const candidates = await this.readCandidates(wanted, filter);
		const exact = candidates.filter(({ reference }) => wanted.has(reference));
		const pieces = [...new Map(exact.map((piece) => [piece.id, piece])).values()]
			// Of a shipment that is canceled in part, the living pieces come last and count.
			.toSorted((a, b) => Number(b.isCanceled) - Number(a.isCanceled));
		const groups = groupBy(pieces, ({ carrierCode: code, reference, isCanceled }) =>
			JSON.stringify([code, reference, isCanceled]),
		);
		const shipments = await this.client.mapParallel([...groups.values()], async (group) => {
			const [{ carrierCode: code, reference, isCanceled }] = group;
			const canceled = isCanceled ? undefined : groups.get(JSON.stringify([code, reference, true]));
			return await groupPieces(group, canceled ?? [], wanted.get(reference), async (piece) =>
				this.readDetail(piece),
			);
		});
		return shipments.flat();
	}

	/** The shipment with the pieces and fields of its detail, as far as the service has one. */
	async withDetail(shipment: FoundShipment): Promise<FoundShipment> {
		const details = await this.readDetail(shipment);
		const listed = new Map(shipment.pieces.map((piece) => [piece.id, piece]));
		const pieces = details.flatMap((detail) => {
			const known = listed.get(detail.id);
			if (!known) return detail.isCanceled ? [] : [detail];
			listed.delete(detail.id);
			// Callers have chosen the shipment because it lives, according to the list.
			return [{ ...withNewer(known, detail), isCanceled: known.isCanceled }];
		});
		return { ...shipment, pieces: [...pieces, ...listed.values()] };
	}

	private async readDetail(main: { carrierCode: string; id: number }): Promise<PieceRecord[]> {
		const pieces = await readPieces(this.client, main.carrierCode, main.id);
		if (pieces[0]) this.references.set(main.id, pieces[0].reference);
		return pieces;
	}

	/** Reads the whole list if that takes fewer requests than a search for each reference. */
	private async readCandidates(
		wanted: WantedReferences,
		filter: ShipmentFilter,
	): Promise<PieceRecord[]> {
		const references = [...wanted.keys()];
		if (references.length > 1) {
			const first = await this.client.findShipments(filter, 0, PAGE_LENGTH);
			const additionalPages = Math.ceil(first.total / PAGE_LENGTH) - 1;
			// Records without a reference cost one more request each.
			const details = this.noteReferences(first.data) ? 0 : first.total;
			if (additionalPages + details <= references.length) {
				return await this.read(wanted, filter, first);
			}
		}
		// A search finds parts of numbers, so that two of them may find the same shipment.
		const details = new Map<number, Promise<PieceRecord[]>>();
		const hits = await this.client.mapParallel(references, async (search) =>
			this.read(wanted, { ...filter, search }, undefined, details).catch((failure: unknown) => {
				if (!this.failedSearches || !isRefusal(failure) || isMissingEndpoint(failure))
					throw failure;
				this.failedSearches.set(search, failure);
				return [];
			}),
		);
		return hits.flat();
	}

	private async read(
		wanted: WantedReferences,
		filter: ShipmentFilter,
		firstPage?: Page<ListedShipment>,
		details = new Map<number, Promise<PieceRecord[]>>(),
	): Promise<PieceRecord[]> {
		if (this.listsHaveReferences !== false) {
			const pieces = await listPieces(this.client, filter, firstPage);
			if (this.noteReferences(pieces.map(({ record }) => record))) return pieces;
		}
		// Only main shipments have a detail, and it contains their pieces.
		const mains = await listPieces(this.client, { ...filter, onlyMaster: true });
		const found = await this.client.mapParallel(mains, async (main) => {
			const reference = this.references.get(main.id);
			if (reference !== undefined && !wanted.has(reference)) return [];
			const reading = details.get(main.id) ?? this.readDetail(main);
			details.set(main.id, reading);
			const pieces = await reading;
			const mayLive = !main.isCanceled && !isAdditional(main.record);
			if (pieces.length === 0 && mayLive) this.unread.set(main.id, main);
			else this.unread.delete(main.id);
			return pieces.map((piece) => {
				if (piece.id !== main.id) return { ...piece, mainId: main.id };
				const merged = withNewer(main, piece);
				// A detail is read once, and the list for each reference, so that the detail may be older.
				const printed = main.printed === true ? true : merged.printed;
				return { ...merged, mainId: main.id, printed };
			});
		});
		return found.flat();
	}

	/**
	 * Returns whether these records say their references. If every one is null or missing, the details may say them,
	 * also if other lists have references: a search may show only records that lack them.
	 */
	private noteReferences(
		records: ReadonlyArray<Pick<PieceRecord['record'], 'packageNumberCustom'>>,
	) {
		const hasReference = records.some((each) => (each.packageNumberCustom ?? null) !== null);
		if (hasReference) this.listsHaveReferences = true;
		else if (records.length > 0) this.listsHaveReferences ??= false;
		return hasReference || (records.length === 0 && this.listsHaveReferences !== false);
	}
}
