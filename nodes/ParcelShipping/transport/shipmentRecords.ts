import { groupBy, isSameCode } from '../lists';
import { carrierNumberOf, mainIdOf } from '../records';
import type { Client, Page, ShipmentFilter } from './client';
import { type ListedShipment, PAGE_LENGTH, type ShipmentDetail } from './contract';
import { isNotFound } from './errors';

// Services leave out different things: lists ignore the carrier filter, contain main shipments only,
// or lack references, numbers and what belongs together. Here, their records become shipments that
// mean the same for each service.

/** A piece as the service's list or detail shows it. */
export interface PieceRecord {
	id: number;
	carrierCode: string;
	/** '' if it has none. */
	reference: string;
	/** '' as long as the carrier has not assigned one. */
	number: string;
	isCanceled: boolean;
	/** Undefined if the service does not say it, like `handedOver`. */
	printed: boolean | undefined;
	handedOver: boolean | undefined;
	/** The ID of its main shipment, if it was read as a part of that one. */
	mainId?: number;
	record: Partial<ShipmentDetail> & {
		serviceCode?: string | null;
		pieceCount?: number | null;
		pieceIndex?: number | null;
		recAddress?: Partial<Record<'name' | 'zip' | 'country', string | null>> | null;
	};
}

/** A main record with its pieces. */
export interface FoundShipment {
	/** Of its main piece. */
	id: number;
	carrierCode: string;
	reference: string;
	/** The main piece comes first. */
	pieces: PieceRecord[];
	/** Whether nothing but their order says that these pieces belong together. */
	isGuessed: boolean;
}

export const isLiving = ({ pieces }: FoundShipment) => pieces.some(({ isCanceled }) => !isCanceled);

/** The pieces of the shipment that has this ID or a piece with it, main piece first. Empty without a detail. */
export async function readPieces(
	client: Client,
	carrierCode: string,
	id: number,
): Promise<PieceRecord[]> {
	const { result } = await client.getShipment(carrierCode, id).catch((thrown: unknown) => {
		if (isNotFound(thrown)) return { result: [] };
		throw thrown;
	});
	return result.map((piece) => toPiece(piece, carrierCode));
}

/** What the details of the shipments say now. An ID is missing if there is no detail of it. */
export async function readPiecesOf(
	client: Client,
	carrierCode: string,
	ids: readonly number[],
	onFailure = (_: number, failure: unknown): PieceRecord[] => {
		throw failure;
	},
): Promise<Map<number, PieceRecord>> {
	const pieces = new Map<number, PieceRecord>();
	await client.mapParallel(ids, async (id) => {
		// A detail contains all pieces of its shipment.
		if (pieces.has(id)) return;
		const reading = readPieces(client, carrierCode, id);
		const own = await reading.catch((failure: unknown) => onFailure(id, failure));
		for (const piece of own) pieces.set(piece.id, piece);
	});
	return pieces;
}

export async function listPieces(client: Client, filter: ShipmentFilter): Promise<PieceRecord[]> {
	const records = await listRecords(client, filter);
	return records.map((record) => toPiece(record, record.carrierCode));
}

/** Some services ignore the carriers in the filter. */
async function listRecords(
	client: Client,
	filter: ShipmentFilter,
	firstPage?: Page<ListedShipment>,
): Promise<ListedShipment[]> {
	const { carrierCodes: codes } = filter;
	const records = await client.list('findShipments', filter, undefined, { firstPage });
	return records.filter(
		(each) => codes?.some((code) => isSameCode(code, each.carrierCode)) ?? true,
	);
}

/** The number of pieces that shipments with each reference should have; undefined if it is not known. */
type WantedReferences = ReadonlyMap<string, number | undefined>;

/** Finds shipments by exact reference, with as few requests as possible. */
export class ShipmentRecords {
	/** The carriers in the filter of lists that have no references, so that these must be read from the details. */
	private readonly listsWithoutReference = new Set<string | undefined>();

	/** References that were read from details. They never change. */
	private readonly references = new Map<number, string>();

	/** Shipments of which neither the list nor a detail says the reference, by ID: they may be of any order. */
	readonly unread = new Map<number, ListedShipment>();

	constructor(private readonly client: Client) {}

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
			return await this.groupPieces(group, canceled ?? [], wanted.get(reference));
		});
		return shipments.flat();
	}

	/** The shipment with the pieces and fields of its detail, as far as the service has one. */
	async withDetail(shipment: FoundShipment): Promise<FoundShipment> {
		const listed = new Map(shipment.pieces.map((piece) => [piece.id, piece]));
		const details = await this.readDetail(shipment);
		const pieces = details.flatMap((piece) => {
			const known = listed.get(piece.id);
			if (!known) return piece.isCanceled ? [] : [piece];
			listed.delete(piece.id);
			const number = known.number || piece.number;
			return [{ ...piece, ...known, number, record: { ...known.record, ...piece.record } }];
		});
		return { ...shipment, pieces: [...pieces, ...listed.values()] };
	}

	private async readDetail(main: { carrierCode: string; id: number }): Promise<PieceRecord[]> {
		const pieces = await readPieces(this.client, main.carrierCode, main.id);
		if (pieces[0]) this.references.set(main.id, pieces[0].reference);
		return pieces;
	}

	/**
	 * Pieces with one reference, grouped into shipments: by what the records say, by the details, and by guessing. If a
	 * shipment is canceled in part, its main piece may be among those that are `canceled`.
	 */
	private async groupPieces(
		found: readonly PieceRecord[],
		canceled: readonly PieceRecord[],
		pieceCount: number | undefined,
	): Promise<FoundShipment[]> {
		let pieces = found.toSorted((a, b) => a.id - b.id);
		const mainIds = mainIdsIn(pieces);
		const mains = pieces.filter(isMain);
		const unplaced = pieces.filter(({ id }) => !mainIds.has(id));
		const [main = pieces[0]] = mains;
		const listed = main?.record.pieceCount ?? undefined;
		const expected = Math.max(pieceCount ?? listed ?? pieces.length, listed ?? 1);
		if (main && mains.length === 1 && unplaced.every(isAdditional) && pieces.length <= expected) {
			for (const { id } of unplaced) mainIds.set(id, main.id);
		} else if (
			!pieces[0]?.isCanceled &&
			(unplaced.some(isAdditional) || (unplaced.length > 0 && expected > 1))
		) {
			const canceledMains = canceled.filter((piece) => !isAdditional(piece));
			const all = [...canceledMains, ...pieces];
			await this.placeByDetails(all, mainIds);
			pieces = all.slice(canceledMains.length);
		}
		const isCountKnown = pieceCount !== undefined || listed !== undefined;
		return groupByMain(pieces, mainIds, isCountKnown ? expected : undefined);
	}

	/** The detail of a main shipment contains its pieces, and is newer than the list. */
	private async placeByDetails(pieces: PieceRecord[], mainIds: MainIds): Promise<void> {
		const toRead = pieces.filter((piece) => isMain(piece) || !mainIds.has(piece.id));
		const mainsFirst = toRead.toSorted((a, b) => Number(isMain(b)) - Number(isMain(a)));
		for (const piece of mainsFirst) {
			if (mainIds.has(piece.id) && !isMain(piece)) continue;
			const together = await this.readDetail(piece);
			for (const detail of together) {
				if (together.length > 1) mainIds.set(detail.id, together[0]?.id ?? detail.id);
				const at = pieces.findIndex(({ id }) => id === detail.id);
				const listed = pieces[at];
				if (listed) pieces[at] = mergeDetail(listed, detail);
			}
		}
	}

	/** Reads the whole list if that takes fewer requests than a search for each reference. */
	private async readCandidates(
		wanted: WantedReferences,
		filter: ShipmentFilter,
	): Promise<PieceRecord[]> {
		const references = [...wanted.keys()];
		if (references.length > 1) {
			const first = await this.client.findShipments(filter, 0, PAGE_LENGTH);
			await this.noteMissingReferences(filter, first.data);
			const additionalPages = Math.ceil(first.total / PAGE_LENGTH) - 1;
			// Records without a reference cost one more request each.
			const details = this.hasReferences(filter) ? 0 : first.total;
			if (additionalPages + details <= references.length) {
				return await this.read(wanted, filter, first);
			}
		}
		// A search finds parts of numbers, so that two of them may find the same shipment.
		const details = new Map<number, Promise<PieceRecord[]>>();
		const hits = await this.client.mapParallel(references, async (search) =>
			this.read(wanted, { ...filter, search }, undefined, details),
		);
		return hits.flat();
	}

	private async read(
		wanted: WantedReferences,
		filter: ShipmentFilter,
		firstPage?: Page<ListedShipment>,
		details = new Map<number, Promise<PieceRecord[]>>(),
	): Promise<PieceRecord[]> {
		if (this.hasReferences(filter)) {
			const records = await listRecords(this.client, filter, firstPage);
			await this.noteMissingReferences(filter, records);
			if (this.hasReferences(filter)) {
				return records.map((record) => toPiece(record, record.carrierCode));
			}
		}
		// Only main shipments have a detail, and it contains their pieces.
		const mains = await listRecords(this.client, { ...filter, onlyMaster: true });
		const found = await this.client.mapParallel(mains, async (main) => {
			const reference = this.references.get(main.id);
			if (reference !== undefined && !wanted.has(reference)) return [];
			const reading = details.get(main.id) ?? this.readDetail(main);
			details.set(main.id, reading);
			// A detail is read once, and the list for each reference, so that the detail may be older.
			const isPrinted = ({ id, printed }: PieceRecord) =>
				id === main.id && main.printed === true ? true : printed;
			const pieces = await reading;
			const mayLive = main.canceled !== true && mainIdOf(main) === undefined;
			if (pieces.length === 0 && mayLive) this.unread.set(main.id, main);
			else this.unread.delete(main.id);
			return pieces.map((piece) => {
				return { ...piece, mainId: main.id, printed: isPrinted(piece) };
			});
		});
		return found.flat();
	}

	private async noteMissingReferences(
		filter: ShipmentFilter,
		records: readonly ListedShipment[],
	): Promise<void> {
		const carrier = filter.carrierCodes?.[0];
		const [first] = records.toSorted((a, b) => Number(a.id) - Number(b.id));
		// A single odd record does not mean that the list has none.
		if (!first || records.some((each) => (each.packageNumberCustom ?? null) !== null)) return;
		// Null means that a shipment has none, unless its detail has one.
		const isNull = records.some((each) => each.packageNumberCustom === null);
		const details = isNull ? await this.readDetail(first) : [];
		if (!isNull || details.some(({ reference }) => reference !== ''))
			this.listsWithoutReference.add(carrier);
	}

	private hasReferences({ carrierCodes }: ShipmentFilter): boolean {
		return !this.listsWithoutReference.has(carrierCodes?.[0]);
	}
}

/** The ID of the main shipment of each piece, as far as it is known. */
type MainIds = Map<number, number>;

function mainIdsIn(pieces: readonly PieceRecord[]): MainIds {
	const mainIds: MainIds = new Map();
	for (const piece of pieces) {
		const said = isMain(piece) ? piece.id : mainIdOf({ ...piece.record, id: piece.id });
		const mainId = piece.mainId ?? said;
		if (mainId) mainIds.set(piece.id, mainId);
	}
	return mainIds;
}

/**
 * A piece that nothing places belongs to the shipment before it, as long as that one lacks pieces.
 * `pieceCount` is undefined if nobody knows how many a shipment has.
 */
function groupByMain(
	pieces: readonly PieceRecord[],
	mainIds: MainIds,
	pieceCount: number | undefined,
): FoundShipment[] {
	const groups = new Map<number, [PieceRecord, ...PieceRecord[]]>();
	const guessed = new Set<number>();
	let lastId = 0;
	for (const piece of pieces) {
		const last = groups.get(lastId);
		// What the record of a shipment says counts more than what is expected of all of them.
		const limit = (last?.[0] ?? piece).record.pieceCount ?? pieceCount;
		// Its detail may have pieces that the list does not have.
		const placed = [...mainIds.values()].filter((id) => id === lastId).length;
		const length = Math.max(last?.length ?? 0, placed);
		const hasRoom =
			last !== undefined &&
			piece.record.pieceCount !== 1 &&
			length < (limit ?? (isAdditional(piece) ? Infinity : 0));
		const id = mainIds.get(piece.id) ?? (hasRoom ? lastId : piece.id);
		const group = groups.get(id);
		groups.set(id, group ? [...group, piece] : [piece]);
		const count = (group?.[0] ?? piece).record.pieceCount ?? pieceCount ?? pieces.length;
		if (!mainIds.has(piece.id) && count > 1 && pieces.length > 1) guessed.add(id);
		lastId = id;
	}
	return [...groups].map(([id, group]) => {
		const [{ carrierCode, reference }] = group;
		const ordered = group.toSorted((a, b) => Number(b.id === id) - Number(a.id === id));
		return { id, carrierCode, reference, pieces: ordered, isGuessed: guessed.has(id) };
	});
}

/** The detail counts, because it is newer. What it leaves out, the list says. */
function mergeDetail(listed: PieceRecord, detail: PieceRecord): PieceRecord {
	return {
		...detail,
		reference: detail.reference || listed.reference,
		number: detail.number || listed.number,
		isCanceled: (detail.record.canceled ?? null) === null ? listed.isCanceled : detail.isCanceled,
		printed: detail.printed ?? listed.printed,
		handedOver: detail.handedOver ?? listed.handedOver,
		record: { ...listed.record, ...detail.record },
	};
}

/** Whether the record says so. */
function isMain({ record }: PieceRecord): boolean {
	const { isMaster, packageNumberOrder } = record as { isMaster?: unknown } & typeof record;
	return isMaster === true || packageNumberOrder === 1;
}

/** Whether the record says that it is an additional piece, whatever its main shipment is. */
function isAdditional({ id, record }: PieceRecord): boolean {
	return mainIdOf({ ...record, id }) !== undefined;
}

function toPiece(record: ListedShipment | ShipmentDetail, carrierCode: string): PieceRecord {
	const { packageNumberCustom: reference, canceled, printed, submittedCarrier } = record;
	return {
		id: Number(record.id),
		carrierCode,
		record,
		// Some services write numbers where others write text.
		reference: String(reference ?? '').trim(),
		number: carrierNumberOf(record),
		isCanceled: canceled === true,
		printed: typeof printed === 'boolean' ? printed : undefined,
		handedOver: typeof submittedCarrier === 'boolean' ? submittedCarrier : undefined,
	};
}
