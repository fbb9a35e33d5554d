import type { IDataObject } from 'n8n-workflow';

import { mainIdOf, searchStart } from '../records';
import type { Client } from '../transport/client';
import { ItemError } from '../transport/errors';
import { listPieces, type PieceRecord, readPieces } from '../transport/pieces';

/** A shipment in a message, by its ID or number, with the order that it belongs to. */
export const nameOfShipment = (idOrNumber: string | number, reference = '') =>
	reference === '' ? `${idOrNumber}` : `${idOrNumber} of order ${reference}`;

export const orderOf = (reference = ''): IDataObject =>
	reference === '' ? {} : { packageNumberCustom: reference };

/** What the records of the service say about a shipment. Undefined is what they do not say. */
export interface ShipmentState {
	/** The ID of the main shipment. */
	id: number;
	pieceCount: number | undefined;
	canceled: boolean;
	handedOver: boolean | undefined;
}

/** The shipment with this ID, which may also be the ID of one of its additional pieces. */
export async function readState(
	client: Client,
	carrierCode: string,
	id: number,
): Promise<ShipmentState & { pieces: PieceRecord[] }> {
	const pieces = await readPieces(client, carrierCode, id);
	const [main] = pieces;
	if (!main) throw noShipmentError(carrierCode, id);
	return {
		id: main.id,
		pieces,
		// Some services leave additional pieces out of the detail.
		pieceCount: pieces.length > 1 ? pieces.length : undefined,
		// Of the main piece alone, as in the list: other pieces may be canceled, and the carrier still takes the shipment.
		canceled: main.isCanceled,
		handedOver: main.handedOver,
	};
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
	wanted: { ids: readonly number[]; readsAll?: boolean; lookbackDays: number },
): Promise<Map<number, ShipmentState | { failure: unknown }>> {
	const { readsAll = false, lookbackDays } = wanted;
	const createdFrom = searchStart(Date.now(), lookbackDays);
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
		const { record, handedOver } = listed?.get(id) ?? {};
		const pieceCount = record?.pieceCount ?? undefined;
		if (typeof record?.canceled === 'boolean' && handedOver !== undefined) {
			return { id, pieceCount, canceled: record.canceled, handedOver };
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
