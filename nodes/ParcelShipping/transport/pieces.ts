import { carrierNumberOf } from '../records';
import type { Client, Page, ShipmentFilter } from './client';
import type { ListedShipment, ShipmentDetail } from './contract';
import { isNotFound } from './errors';

// Lists and details say the same in different ways. Here, their records become pieces that mean the same for each service.

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
	const pieces = await client.getShipment(carrierCode, id).catch((thrown: unknown) => {
		if (isNotFound(thrown)) return [];
		throw thrown;
	});
	return pieces.map((piece) => toPiece(piece, carrierCode));
}

/** What the details of the shipments say now. An ID is missing if there is no detail of it. */
export async function readPiecesOf(
	client: Client,
	carrierCode: string,
	ids: readonly number[],
): Promise<Map<number, PieceRecord>> {
	const pieces = new Map<number, PieceRecord>();
	await client.mapParallel(ids, async (id) => {
		// A detail contains all pieces of its shipment.
		if (pieces.has(id)) return;
		for (const piece of await readPieces(client, carrierCode, id)) pieces.set(piece.id, piece);
	});
	return pieces;
}

export async function listPieces(
	client: Client,
	filter: ShipmentFilter,
	firstPage?: Page<ListedShipment>,
): Promise<PieceRecord[]> {
	const records = await client.list('findShipments', filter, undefined, { firstPage });
	return records.map((record) => toPiece(record, record.carrierCode));
}

export function toPiece(record: ListedShipment | ShipmentDetail, carrierCode: string): PieceRecord {
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
