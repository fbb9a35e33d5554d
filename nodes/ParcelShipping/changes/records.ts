import type { IDataObject } from 'n8n-workflow';

import { isSameCode } from '../lists';
import { mainIdOf, searchStart } from '../records';
import { DEFAULT_LOOKBACK_DAYS } from '../parameterValues';
import type { Client } from '../transport/client';
import { isRefusal, ItemError } from '../transport/errors';
import { listPieces, type PieceRecord, readPieces } from '../transport/shipments';

// What the records say of shipments that items name.

/** A shipment in a message, by its ID or number, with the order that it belongs to. */
export const nameOfShipment = (idOrNumber: string | number, reference: string) =>
	reference === '' ? `${idOrNumber}` : `${idOrNumber} of order ${reference}`;

export const orderOf = (reference: string): IDataObject =>
	reference === '' ? {} : { packageNumberCustom: reference };

/** The pieces with a tracking number. */
export async function piecesWithNumber(
	client: Client,
	number: string,
	carrierCode?: string,
): Promise<PieceRecord[]> {
	const filter = { search: number, packageNumberCarrier: number, onlyMaster: false };
	const ofCarrier = carrierCode === undefined ? {} : { carrierCodes: [carrierCode] };
	const listed = await listPieces(client, { ...filter, ...ofCarrier });
	const found = await client.mapParallel(listed, async (each) =>
		// Some providers only have the number in the detail of a shipment.
		each.number === '' ? readPieces(client, each.carrierCode, each.id) : [each],
	);
	const pieces = found.flat().filter((each) => each.number === number);
	return ofOneCarrier(`the tracking number ${number}`, pieces, carrierCode);
}

/** The pieces of the shipment with this ID, main piece first. The ID of an additional piece is that piece alone. */
export async function piecesWithId(
	client: Client,
	id: number,
	carrierCode?: string,
): Promise<PieceRecord[]> {
	const carriers = carrierCode === undefined ? await client.carriers('shared') : [];
	const codes = carrierCode === undefined ? carriers.map(({ code }) => code) : [carrierCode];
	const found = await client.mapParallel(codes, async (code) => {
		const pieces = await readPieces(client, code, id).catch((thrown: unknown) => {
			if (isRefusal(thrown) && carrierCode === undefined) return [];
			throw thrown;
		});
		return pieces[0]?.id === id ? pieces : pieces.filter((piece) => piece.id === id);
	});
	return ofOneCarrier(`ID ${id}`, found.flat(), carrierCode);
}

function ofOneCarrier(name: string, pieces: PieceRecord[], carrierCode = ''): PieceRecord[] {
	const carriers = [...new Set(pieces.map((each) => each.carrierCode))];
	if (carriers.length === 1) return pieces;
	if (carriers.length === 0) throw noShipmentError(name, carrierCode);
	throw new ItemError(
		`Several carriers have a shipment with ${name}: ${carriers.join(', ')}`,
		"Add the field 'carrierCode' to the item, or choose 'By Order Number'.",
		{ carriers },
		true,
	);
}

export const noShipmentError = (name: string, carrierCode: string) =>
	new ItemError(
		carrierCode
			? `Carrier ${carrierCode} has no shipment with ${name}`
			: `No carrier has a shipment with ${name}`,
		"Check the number, and the carrier if the item has a 'carrierCode'. Your order number is neither an ID nor a tracking number: for that, choose 'By Order Number'.",
		carrierCode ? { carrierCode } : {},
		true,
	);

/** A shipment that may be handed over. Plain JSON, because n8n saves it. */
export interface ShipmentState {
	carrierCode: string;
	/** The ID of the main shipment. */
	id: number;
	/** Its order number, '' if it is not known. */
	reference: string;
	/** Null if the records do not say it. */
	pieceCount: number | null;
	canceled: boolean;
	/** Undefined if the records do not say it. */
	handedOver: boolean | undefined;
}

export type Id = Pick<ShipmentState, 'carrierCode' | 'id'>;

export const keyOf = ({ carrierCode, id }: Id) => `${carrierCode.toUpperCase()} ${id}`;

/** More shipments than this are read from the list and not one by one. */
const MAX_DETAILS = 5;

/**
 * The states of these shipments by their keys, and of all main shipments of the last days that are asked for in `all`, of
 * a carrier or without one: from the list record if it says everything, otherwise from the detail.
 */
export async function readStates(
	client: Client,
	ids: readonly Id[],
	all: ReadonlyArray<{ carrierCode?: string | undefined }> = [],
): Promise<Map<string, ShipmentState | { failure: unknown }>> {
	const createdFrom = searchStart(Date.now(), DEFAULT_LOOKBACK_DAYS);
	const codes = [...new Set([...all, ...ids].map(({ carrierCode }) => carrierCode))];
	const carrierCodes = codes.flatMap((code) => code ?? []);
	const ofCarriers = carrierCodes.length === codes.length ? { carrierCodes } : {};
	const filter = { ...ofCarriers, createdFrom, onlyMaster: true };
	const isListed = all.length > 0 || ids.length > MAX_DETAILS;
	const listed = isListed ? await listPieces(client, filter) : [];
	// Some providers list additional pieces as well.
	const mains = listed.filter(({ id, record }) => mainIdOf({ ...record, id }) === undefined);
	const mainsByKey = new Map(mains.map((main) => [keyOf(main), main]));
	// The list also has the carriers of `ids`: of these, only what is named is wanted.
	const isAsked = (main: Id) =>
		all.some(({ carrierCode }) => isSameCode(carrierCode ?? main.carrierCode, main.carrierCode));
	const wanted = new Map([...mains.filter(isAsked), ...ids].map((each) => [keyOf(each), each]));
	const states = await client.mapParallel([...wanted], async ([key, each]) => {
		const read = readState(client, each, mainsByKey.get(key));
		return [key, await read.catch((failure: unknown) => ({ failure }))] as const;
	});
	return new Map(states);
}

/** Of the main piece alone: if other pieces are canceled, the carrier still takes the shipment. */
async function readState(
	client: Client,
	{ carrierCode, id: wanted }: Id,
	listed: PieceRecord | undefined,
): Promise<ShipmentState> {
	const isWhole = typeof listed?.record.canceled === 'boolean' && listed.handedOver !== undefined;
	const pieces = isWhole ? [listed] : await readPieces(client, carrierCode, wanted);
	const [main] = pieces;
	if (!main) throw noShipmentError(`ID ${wanted}`, carrierCode);
	const { id, reference, isCanceled: canceled, handedOver } = main;
	// Some providers leave additional pieces out of the detail.
	const pieceCount = listed?.record.pieceCount ?? (pieces.length > 1 ? pieces.length : null);
	return { carrierCode, id, reference, pieceCount, canceled, handedOver };
}
