import type { IDataObject } from 'n8n-workflow';

import { isSameCode } from '../lists';
import { mainIdOf, searchStart } from '../records';
import { DEFAULT_LOOKBACK_DAYS } from '../parameterValues';
import type { Client } from '../transport/client';
import { isRefusal, ItemError } from '../transport/errors';
import { listPieces, type PieceRecord, readPieces } from '../transport/shipments';

// What the records say of shipments that items name.

/** How long the records are read again. */
export const MAX_WAIT_MS = 4_000;

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

const noShipmentError = (name: string, carrierCode: string) =>
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

/** What an item asks for: a shipment, also by the ID of a piece, or without an ID all of a carrier, or of all carriers. */
export interface Asked {
	carrierCode?: string | undefined;
	id?: number;
}

export const keyOf = ({ carrierCode = '', id }: Asked) => `${carrierCode.toUpperCase()} ${id}`;

export const asksForAll = (asked: Asked, { carrierCode }: Asked) =>
	asked.id === undefined && isSameCode(asked.carrierCode ?? carrierCode, carrierCode);

/** More shipments than this are read from the list and not one by one. */
const MAX_DETAILS = 5;

/**
 * The states of what is asked for, by key, or why they cannot be read: from the list record of the last days if it says
 * everything, otherwise from the detail.
 */
export async function readStates(
	client: Client,
	asked: readonly Asked[],
): Promise<Map<string, ShipmentState | { failure: unknown }>> {
	const all = asked.filter(({ id }) => id === undefined);
	const ids = asked.filter(({ id }) => id !== undefined);
	const codes = new Set(asked.map(({ carrierCode }) => carrierCode));
	const filter = {
		...(codes.has(undefined) ? {} : { carrierCodes: [...codes].map(String) }),
		createdFrom: searchStart(Date.now(), DEFAULT_LOOKBACK_DAYS),
		onlyMaster: true,
	};
	const isListed = all.length > 0 || ids.length > MAX_DETAILS;
	const listed = isListed ? await listPieces(client, filter) : [];
	// Some providers list additional pieces as well.
	const mains = listed.filter(({ id, record }) => mainIdOf({ ...record, id }) === undefined);
	const mainsByKey = new Map(mains.map((main) => [keyOf(main), main]));
	const ofAll = mains.filter((main) => all.some((each) => asksForAll(each, main)));
	const wanted = new Map([...ofAll, ...ids].map((each) => [keyOf(each), each]));
	const states = await client.mapParallel([...wanted], async ([key, each]) => {
		const reading = readState(client, each, mainsByKey.get(key));
		return [key, await reading.catch((failure: unknown) => ({ failure }))] as const;
	});
	return new Map(states);
}

/** Of the main piece alone: if other pieces are canceled, the carrier still takes the shipment. */
async function readState(
	client: Client,
	{ carrierCode: code, id: wanted = 0 }: Asked,
	listed: PieceRecord | undefined,
): Promise<ShipmentState> {
	const isWhole = typeof listed?.record.canceled === 'boolean' && listed.handedOver !== undefined;
	const carrierCode = code ?? (await piecesWithId(client, wanted))[0]?.carrierCode ?? '';
	const pieces = isWhole ? [listed] : await readPieces(client, carrierCode, wanted);
	const [main] = pieces;
	if (!main) throw noShipmentError(`ID ${wanted}`, carrierCode);
	const { id, reference, isCanceled: canceled, handedOver } = main;
	// Some providers leave additional pieces out of the detail.
	const pieceCount = listed?.record.pieceCount ?? (pieces.length > 1 ? pieces.length : null);
	return { carrierCode, id, reference, pieceCount, canceled, handedOver };
}
