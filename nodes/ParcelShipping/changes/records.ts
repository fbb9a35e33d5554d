import { isRefusal, ItemError } from '../transport/errors';
import type { Client } from '../transport/client';
import { listPieces, type PieceRecord, readPieces } from '../transport/shipments';

// What the records say of shipments that items name.

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
		`${carrierCode ? `Carrier ${carrierCode} has no` : 'No carrier has a'} shipment with ${name}`,
		"Check the number, and the carrier if the item has a 'carrierCode'. Your order number is neither an ID nor a tracking number: for that, choose 'By Order Number'.",
		carrierCode ? { carrierCode } : {},
		true,
	);
