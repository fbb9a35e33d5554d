import { groupBy } from '../lists';
import { carrierNumberOf, isAdditional, mainIdOf } from '../records';
import type { Client, IsEnough, ListOptions, ShipmentFilter } from './client';
import { type ListedShipment, PAGE_LENGTH, type ShipmentDetail } from './endpoints';
import { isMissingEndpoint, isNotFound, isRefusal, isServiceError, ItemError } from './errors';

// Lists and details say the same in different ways. Here, their records become pieces that mean the same for each provider.

/** A piece as the provider's list or detail shows it. */
export interface PieceRecord {
	id: number;
	carrierCode: string;
	/** '' if it has none. */
	reference: string;
	/** '' as long as the carrier has not assigned one. */
	number: string;
	isCanceled: boolean;
	/** Undefined if the provider does not say it, like `handedOver`. */
	printed: boolean | undefined;
	handedOver: boolean | undefined;
	/** The ID of its main shipment, if it was read as a part of that one. */
	mainId?: number;
	record: Partial<ShipmentDetail> & {
		created?: string | null;
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
}

export const isActive = ({ pieces }: FoundShipment) => pieces.some(({ isCanceled }) => !isCanceled);

/** The pieces of the shipment that has this ID or a piece with it, main piece first. Empty without a detail. */
export async function readPieces(
	client: Client,
	carrierCode: string,
	id: number,
): Promise<PieceRecord[]> {
	const pieces = await client.getShipment(carrierCode, id).catch((thrown: unknown) => {
		if (isNotFound(thrown)) return [];
		throw thrown;
	});
	return pieces.map((piece) => toPiece(piece, carrierCode));
}

/** A shipment of which nobody knows whether it is the wanted one. */
export const noDetailError = ({ id, carrierCode }: Pick<PieceRecord, 'id' | 'carrierCode'>) =>
	new ItemError(
		`The provider lists shipment ${id} of ${carrierCode}, which may be the wanted one, and has no detail of it`,
		"Run the workflow again later, or choose 'By ID'.",
		{ carrierCode, shipmentId: id },
	);

/** What the details of these shipments and pieces say now. An ID is missing if there is no detail of it. */
export async function readPiecesOf(
	client: Client,
	of: ReadonlyArray<{ id: number; carrierCode?: string | undefined }>,
): Promise<Map<number, PieceRecord>> {
	const pieces = new Map<number, PieceRecord>();
	await client.mapParallel(of, async ({ id, carrierCode = '' }) => {
		// A detail contains all pieces of its shipment.
		if (pieces.has(id)) return;
		for (const piece of await readPieces(client, carrierCode, id)) pieces.set(piece.id, piece);
	});
	return pieces;
}

export async function listPieces(
	client: Client,
	filter: ShipmentFilter,
	options: ListOptions<ListedShipment> = {},
): Promise<PieceRecord[]> {
	const records = await client.list('findShipments', filter, undefined, options);
	return records.map((record) => toPiece(record, record.carrierCode));
}

export function toPiece(record: ListedShipment | ShipmentDetail, carrierCode: string): PieceRecord {
	const { packageNumberCustom: reference, canceled, printed, submittedCarrier } = record;
	return {
		id: Number(record.id),
		carrierCode,
		record,
		// Some providers write numbers where others write text.
		reference: String(reference ?? '').trim(),
		number: carrierNumberOf(record),
		isCanceled: canceled === true,
		printed: typeof printed === 'boolean' ? printed : undefined,
		handedOver: typeof submittedCarrier === 'boolean' ? submittedCarrier : undefined,
	};
}

/** Whether a list with so many pieces of a shipment may lack some of them. */
export const mayLackPieces = ({ record: { pieceCount } }: PieceRecord, listedCount: number) =>
	listedCount < (pieceCount ?? Infinity);

/** Finds shipments by exact reference, with as few requests as possible. */
export class ShipmentRecords {
	/** References that were read from details. They never change. */
	private readonly references = new Map<number, string>();

	/** By order number, why the last look for it failed, which fails no other one. */
	readonly failed = new Map<string, unknown>();

	/** What the first look has listed. */
	private before: ReadonlySet<unknown> | undefined;

	constructor(private readonly client: Client) {}

	/**
	 * Canceled shipments included, of all carriers. After a creation, with the IDs of what was created, a list that begins
	 * with the newest is read only until a page that the first look had. In a retry, the first look has what was created.
	 */
	async find(
		wanted: ReadonlySet<string>,
		createdFrom: string,
		created?: readonly number[],
	): Promise<FoundShipment[]> {
		for (const orderNumber of wanted) this.failed.delete(orderNumber);
		const { before } = this;
		// A list that begins with the oldest has what was created at its end.
		const isEnough: IsEnough<ListedShipment> = (page, ids) =>
			created?.every((id) => ids.has(id) && !before?.has(id)) === true &&
			page.every(({ id }) => before?.has(id));
		// Some providers list only main shipments unless told otherwise.
		const filter = { createdFrom, onlyMaster: false };
		// What was created, and a page that the first look had.
		const atLeast = (created?.length ?? 0) + 1;
		const candidates = await this.readCandidates(wanted, filter, { isEnough, atLeast });
		this.before ??= new Set(candidates.map(({ id }) => id));
		const exact = candidates.filter(({ reference }) => wanted.has(reference));
		const pieces = [...new Map(exact.map((piece) => [piece.id, piece])).values()]
			// Of a shipment that is canceled in part, the active pieces come last and count.
			.toSorted((a, b) => Number(b.isCanceled) - Number(a.isCanceled));
		const groups = groupBy(pieces, ({ carrierCode: code, reference, isCanceled }) =>
			JSON.stringify([code, reference, isCanceled]),
		);
		const shipments = await this.client.mapParallel([...groups.values()], async (group) =>
			groupPieces(this.client, group).catch((failure: unknown) => {
				this.failed.set(group[0].reference, failure);
				return [];
			}),
		);
		return shipments.flat();
	}

	/** The shipment with the pieces and fields of its detail, as far as the provider has one. */
	async withDetail(shipment: FoundShipment): Promise<FoundShipment> {
		const details = await readPieces(this.client, shipment.carrierCode, shipment.id);
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

	/** Reads the whole list if that takes fewer requests than a search for each reference. */
	private async readCandidates(
		wanted: ReadonlySet<string>,
		filter: ShipmentFilter,
		options: ListOptions<ListedShipment>,
	): Promise<PieceRecord[]> {
		const references = [...wanted];
		if (references.length > 1) {
			const body = { ...filter, start: 0, length: PAGE_LENGTH };
			const first = (await this.client.call('findShipments', { body })).result;
			const additionalPages = Math.ceil(first.total / PAGE_LENGTH) - 1;
			// Records without a reference cost one more request each.
			const details = sayOrderNumbers(first.data) ? 0 : first.total;
			if (additionalPages + details <= references.length) {
				return await this.read(wanted, filter, { ...options, firstPage: first });
			}
		}
		const hits = await this.client.mapParallel(references, async (search) =>
			this.read(wanted, { ...filter, search }).catch((failure: unknown) => {
				const isOfAll = !isRefusal(failure) || isMissingEndpoint(failure);
				if (isServiceError(failure) && isOfAll) throw failure;
				this.failed.set(search, failure);
				return [];
			}),
		);
		return hits.flat();
	}

	private async read(
		wanted: ReadonlySet<string>,
		filter: ShipmentFilter,
		options?: ListOptions<ListedShipment>,
	): Promise<PieceRecord[]> {
		const listed = await listPieces(this.client, filter, options);
		if (sayOrderNumbers(listed.map(({ record }) => record))) return listed;
		// Only main shipments have a detail, and it contains their pieces.
		const mains = await listPieces(this.client, { ...filter, onlyMaster: true });
		const found = await this.client.mapParallel(mains, async (main) => {
			const reference = this.references.get(main.id);
			if (reference !== undefined && !wanted.has(reference)) return [];
			const pieces = await readPieces(this.client, main.carrierCode, main.id);
			if (pieces[0]) this.references.set(main.id, pieces[0].reference);
			// It may be the wanted one.
			const mayLive = !main.isCanceled && !isAdditional(main.record);
			if (pieces.length === 0 && mayLive) throw noDetailError(main);
			return pieces.map((piece) => ({
				...(piece.id === main.id ? withNewer(main, piece) : piece),
				mainId: main.id,
			}));
		});
		return found.flat();
	}
}

/** If every order number is null or missing, the details may say them, also if other lists have some. */
const sayOrderNumbers = (records: ReadonlyArray<PieceRecord['record']>) =>
	records.length === 0 || records.some((each) => (each.packageNumberCustom ?? null) !== null);

/**
 * Groups the pieces of a carrier with one order number, all active or all canceled: by what the records say, or else by the
 * details of those that no record places. What nothing places belongs to the first shipment of its order number.
 */
async function groupPieces(
	client: Client,
	sameOrderNumber: readonly PieceRecord[],
): Promise<FoundShipment[]> {
	const pieces = new Map(sameOrderNumber.map((piece) => [piece.id, piece]));
	const ids = [...pieces.keys()].sort((a, b) => a - b);
	const mainIds = new Map<number, number>();
	for (const piece of sameOrderNumber) {
		const mainId = piece.mainId ?? (isMain(piece) ? piece.id : mainIdOf(piece.record));
		if (mainId) mainIds.set(piece.id, mainId);
	}
	const unplaced = sameOrderNumber.filter(({ id }) => !mainIds.has(id));
	// The others say that they are additional pieces, and there is only one shipment that they can be of.
	const isOneShipment =
		sameOrderNumber.filter(isMain).length === 1 &&
		unplaced.every(({ record }) => isAdditional(record));
	const mustRead = ids.length > 1 && unplaced.length > 0 && !isOneShipment;
	for (const id of mustRead ? ids : []) {
		const piece = pieces.get(id);
		if (!piece || piece.isCanceled || (mainIds.has(id) && !isMain(piece))) continue;
		const together = await readPieces(client, piece.carrierCode, id);
		// The pieces that nothing places may be its own.
		if (together.length === 0 && isMain(piece)) throw noDetailError(piece);
		for (const detail of together) {
			mainIds.set(detail.id, together[0]?.id ?? id);
			const known = pieces.get(detail.id);
			if (known) pieces.set(detail.id, withNewer(known, detail));
		}
	}
	const first = ids.map((id) => mainIds.get(id)).find((id) => id !== undefined) ?? ids[0];
	const groups = groupBy([...pieces.values()], ({ id }) => mainIds.get(id) ?? first ?? id);
	return [...groups].map(([id, group]) => {
		const [{ carrierCode, reference }] = group;
		const mainFirst = (a: PieceRecord, b: PieceRecord) =>
			Number(b.id === id) - Number(a.id === id) || a.id - b.id;
		return { id, carrierCode, reference, pieces: group.toSorted(mainFirst) };
	});
}

/** The detail counts, because it is newer. What it leaves out, the list says. */
export function withNewer(listed: PieceRecord, detail: PieceRecord): PieceRecord {
	return {
		...detail,
		number: detail.number || listed.number,
		reference: detail.reference || listed.reference,
		isCanceled: (detail.record.canceled ?? null) === null ? listed.isCanceled : detail.isCanceled,
		printed: detail.printed ?? listed.printed,
		handedOver: detail.handedOver ?? listed.handedOver,
		record: { ...listed.record, ...detail.record },
	};
}

/** Whether the record says so. */
function isMain({ record }: PieceRecord): boolean {
	const { isMaster, packageNumberOrder } = record as { isMaster?: unknown } & typeof record;
	return (isMaster === true || packageNumberOrder === 1) && !isAdditional(record);
}
