import type { IDataObject } from 'n8n-workflow';

import { groupBy, isSameCode } from '../lists';
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
		const mayHaveIt = pieces.length === 0 && !isAdditional(each.record);
		if (carrierCode === undefined && mayHaveIt) throw noDetailError(each);
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
	const mains = listed.filter(({ record }) => !isAdditional(record));
	const mainsByKey = new Map(mains.map((main) => [keyOf(main), main]));
	const ofAll = mains.flatMap(({ carrierCode, id }) => {
		const own = all.filter((each) => isSameCode(each.carrierCode ?? carrierCode, carrierCode));
		return own.length > 0 ? [{ carrierCode, id, items: own.flatMap(({ items }) => items) }] : [];
	});
	const failed: Array<Asked & { failure: unknown }> = [];
	const read: AskedShipment[] = [];
	const wanted = groupBy([...ids, ...ofAll], keyOf);
	await client.mapParallel([...wanted], async ([key, asking]) => {
		const [first] = asking;
		const named = asking.filter((each) => ids.includes(each));
		const itemsOf = (of: Asked[]) => of.flatMap(({ items }) => items);
		await readMain(client, first, mainsByKey.get(key)).then(
			(main) => read.push({ ...main, items: itemsOf(asking), isNamed: named.length > 0 }),
			(failure: unknown) => {
				// An item for all does not fail with a shipment that another item names.
				const items = itemsOf(named.length > 0 ? named : asking);
				failed.push({ ...first, items, failure });
			},
		);
	});
	// The ID of a piece means its main shipment.
	const shipments = [...groupBy(read, keyOf).values()].map((same) => ({
		...same[0],
		items: [...new Set(same.flatMap(({ items }) => items))],
		isNamed: same.some(({ isNamed }) => isNamed),
	}));
	return { shipments, failed };
}

/** Of the main piece alone: if other pieces are canceled, the carrier still takes the shipment. */
async function readMain(
	client: Client,
	{ carrierCode: code, id: wanted = 0 }: Asked,
	listed: PieceRecord | undefined,
): Promise<Omit<AskedShipment, 'items' | 'isNamed'>> {
	const isWhole = typeof listed?.record.canceled === 'boolean' && listed.handedOver !== undefined;
	const carrierCode = code ?? (await piecesWithId(client, wanted))[0]?.carrierCode ?? '';
	const whole = isWhole ? [listed] : await readPieces(client, carrierCode, wanted);
	const [main] = whole;
	if (!main) throw noShipmentError(`ID ${wanted}`, carrierCode);
	const { id, reference, isCanceled, handedOver, record } = main;
	const hasOnePiece = (listed?.record.pieceCount ?? record.pieceCount) === 1;
	return { id, carrierCode, reference, isCanceled, handedOver, hasOnePiece };
}
