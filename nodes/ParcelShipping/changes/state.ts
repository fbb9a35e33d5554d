import type { IDataObject } from 'n8n-workflow';

import { mainIdOf, searchStart } from '../records';
import { DEFAULT_LOOKBACK_DAYS } from '../parameterValues';
import type { Client } from '../transport/client';
import { ItemError } from '../transport/errors';
import { listPieces, type PieceRecord, readPieces } from '../transport/shipments';

/** A shipment in a message, by its ID or number, with the order that it belongs to. */
export const nameOfShipment = (idOrNumber: string | number, reference = '') =>
	reference === '' ? `${idOrNumber}` : `${idOrNumber} of order ${reference}`;

export const orderOf = (reference = ''): IDataObject =>
	reference === '' ? {} : { packageNumberCustom: reference };

/** What the records of the service say about a shipment. `handedOver` is undefined if they do not say it. */
export interface ShipmentState {
	carrierCode: string;
	/** The ID of the main shipment. */
	id: number;
	/** Its order number, '' if it is not known. */
	reference: string;
	/** Null if they do not say it. */
	pieceCount: number | null;
	canceled: boolean;
	handedOver: boolean | undefined;
}

/** By ID. */
export type ShipmentStates = Map<number, ShipmentState>;

/** The shipment with this ID, which may also be the ID of one of its additional pieces. */
async function readState(client: Client, carrierCode: string, id: number): Promise<ShipmentState> {
	const pieces = await readPieces(client, carrierCode, id);
	const [main] = pieces;
	if (!main) throw noShipmentError(carrierCode, id);
	// Some services leave additional pieces out of the detail.
	return toState(carrierCode, main, pieces.length > 1 ? pieces.length : null);
}

/** Of the main piece alone, as in the list: other pieces may be canceled, and the carrier still takes the shipment. */
function toState(
	carrierCode: string,
	{ id, reference, isCanceled: canceled, handedOver }: PieceRecord,
	pieceCount: number | null,
): ShipmentState {
	return { carrierCode, id, reference, pieceCount, canceled, handedOver };
}

export const noShipmentError = (carrierCode: string, shipmentId: number) =>
	new ItemError(
		`Carrier ${carrierCode} has no shipment with ID ${shipmentId}`,
		"Check the ID and the carrier. The carrier's shipment number is not the ID. For a shipment with several pieces, use the ID of the main piece.",
		{ shipmentId, carrierCode },
		true,
	);

/** More shipments than this are read from the list and not one by one. */
const MAX_DETAILS = 5;

/**
 * The states of these shipments, and with `readsAll` of all main shipments of the carrier: from the list
 * record, if it has these fields, otherwise from the detail. A detail that does not say whether the
 * shipment was handed over is completed from the list.
 */
export async function readStates(
	client: Client,
	carrierCode: string,
	wanted: { ids: readonly number[]; readsAll?: boolean },
): Promise<Map<number, ShipmentState | { failure: unknown }>> {
	const { readsAll = false } = wanted;
	const createdFrom = searchStart(Date.now(), DEFAULT_LOOKBACK_DAYS);
	const readList = async () => {
		const filter = { carrierCodes: [carrierCode], createdFrom, onlyMaster: true };
		const records = await listPieces(client, filter);
		// Some services list additional pieces as well.
		const mains = records.filter(({ id, record }) => mainIdOf({ ...record, id }) === undefined);
		return new Map(mains.map((main) => [main.id, main]));
	};
	let list: ReturnType<typeof readList> | undefined;
	if (readsAll || wanted.ids.length > MAX_DETAILS) list = readList();
	const listed = await list;
	const read = async (id: number): Promise<ShipmentState> => {
		const main = listed?.get(id);
		const pieceCount = main?.record.pieceCount ?? null;
		if (typeof main?.record.canceled === 'boolean' && main.handedOver !== undefined) {
			return toState(carrierCode, main, pieceCount);
		}
		const detailed = await readState(client, carrierCode, id);
		const state = { ...detailed, pieceCount: pieceCount ?? detailed.pieceCount };
		if (state.handedOver !== undefined) return state;
		list ??= readList();
		return { ...state, handedOver: (await list).get(state.id)?.handedOver };
	};
	const ids = new Set([...(readsAll && listed ? listed.keys() : []), ...wanted.ids]);
	const states = await client.mapParallel([...ids], async (id) => {
		const state = await read(id).catch((failure: unknown) => ({ failure }));
		return [id, state] as const;
	});
	return new Map(states);
}
