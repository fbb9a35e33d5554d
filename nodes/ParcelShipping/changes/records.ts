import type { IDataObject } from 'n8n-workflow';

import { isSameCode } from '../lists';
import { isAdditional, searchStart } from '../records';
import { DEFAULT_LOOKBACK_DAYS } from '../parameterValues';
import type { Client } from '../transport/client';
import { isRefusal, ItemError } from '../transport/errors';
import { listPieces, noDetailError, type PieceRecord, readPieces } from '../transport/shipments';

// What the records say of shipments that items name.

/** How long the records are read again. */
export const patienceOf = ({ http }: Client) => Math.min(http.maxRetryWaitMs, 4_000);

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
	const found = await client.mapParallel(listed, async (each) => {
		if (each.number !== '') return [each];
		// Some providers only have the number in the detail of a shipment.
		const pieces = await readPieces(client, each.carrierCode, each.id);
		if (pieces.length === 0 && !isAdditional(each.record)) throw noDetailError(each);
		return pieces;
	});
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

function ofOneCarrier(name: string, pieces: PieceRecord[], carrierCode = 'any carrier') {
	const carriers = [...new Set(pieces.map((each) => each.carrierCode))];
	if (carriers.length === 1) return pieces as [PieceRecord, ...PieceRecord[]];
	throw new ItemError(
		carriers.length === 0
			? `No shipment of ${carrierCode} has ${name}`
			: `Several carriers have a shipment with ${name}: ${carriers.join(', ')}`,
		"Check the number, and the field 'carrierCode' of the item. For your order number, choose 'By Order Number'.",
	);
}

/** What items ask for: a shipment, also by the ID of a piece, or without an ID all of a carrier, or of all carriers. */
export interface Asked {
	carrierCode?: string | undefined;
	id?: number;
	items: number[];
}

/** A shipment that may be handed over. Plain JSON, because n8n saves it. */
export interface AskedShipment
	extends Pick<PieceRecord, 'id' | 'carrierCode' | 'reference' | 'isCanceled' | 'handedOver'> {
	/** As far as the records say it. */
	hasOnePiece: boolean;
	/** The input items that ask for it. */
	items: number[];
	/** Whether an item asks for it by its ID. */
	isNamed: boolean;
}

export const keyOf = ({ carrierCode = '', id }: Pick<Asked, 'carrierCode' | 'id'>) =>
	`${carrierCode.toUpperCase()} ${id}`;

/** More shipments than this are read from the list and not one by one. */
const MAX_DETAILS = 5;

/** What the records say: the list of the last days if it says everything, otherwise the details. */
export async function readShipments(client: Client, asked: readonly Asked[]) {
	const ids = asked.filter(({ id }) => id !== undefined);
	const createdFrom = searchStart(Date.now(), DEFAULT_LOOKBACK_DAYS);
	const isListed = ids.length < asked.length || ids.length > MAX_DETAILS;
	const listed = isListed ? await listPieces(client, { createdFrom, onlyMaster: true }) : [];
	// Some providers list additional pieces as well.
	const mains = listed.filter(({ record }) => !isAdditional(record));
	const mainsByKey = new Map(mains.map((main) => [keyOf(main), main]));
	const all = asked.filter(({ id }) => id === undefined);
	const ofAll = mains.flatMap(({ carrierCode, id }): Asked[] => {
		const own = all.filter((each) => isSameCode(each.carrierCode ?? carrierCode, carrierCode));
		return own.length > 0 ? [{ carrierCode, id, items: own.flatMap(({ items }) => items) }] : [];
	});
	const failed: Array<Asked & { failure: unknown }> = [];
	// The ID of a piece means its main shipment.
	const shipments = new Map<string, AskedShipment>();
	await client.mapParallel([...ids, ...ofAll], async (each) => {
		try {
			const main = await readMain(client, each, mainsByKey.get(keyOf(each)));
			const same = shipments.get(keyOf(main));
			const items = [...new Set([...(same?.items ?? []), ...each.items])];
			const isNamed = same?.isNamed === true || ids.includes(each);
			shipments.set(keyOf(main), { ...main, items, isNamed });
		} catch (failure) {
			failed.push({ ...each, failure });
		}
	});
	return { shipments: [...shipments.values()], failed };
}

/** Of the main piece alone: if other pieces are canceled, the carrier still takes the shipment. */
async function readMain(
	client: Client,
	{ carrierCode: code, id: wanted = 0 }: Asked,
	listed: PieceRecord | undefined,
): Promise<Omit<AskedShipment, 'items' | 'isNamed'>> {
	const isWhole = typeof listed?.record.canceled === 'boolean' && listed.handedOver !== undefined;
	const carrierCode = code ?? (await piecesWithId(client, wanted))[0]?.carrierCode ?? '';
	const read = isWhole ? [listed] : await readPieces(client, carrierCode, wanted);
	const [main] = ofOneCarrier(`ID ${wanted}`, read, carrierCode);
	const { id, reference, isCanceled, handedOver, record } = main;
	const hasOnePiece = (listed?.record.pieceCount ?? record.pieceCount) === 1;
	return { id, carrierCode, reference, isCanceled, handedOver, hasOnePiece };
}
