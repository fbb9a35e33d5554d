import { isSameCode } from '../lists';
import { carrierNumberOf, searchStart } from '../records';
import type { Client } from '../transport/client';
import type { ListedShipment } from '../transport/contract';
import { ItemError } from '../transport/errors';

/** What the records of the service say about a shipment. Undefined is what they do not say. */
export interface ShipmentState {
	/** The ID of the main shipment. */
	id: number;
	pieceCount: number | undefined;
	canceled: boolean;
	handedOver: boolean | undefined;
}

interface DetailedState extends ShipmentState {
	pieces: Array<{ id: number; number: string; canceled: boolean }>;
}

/** The shipment with this ID, which may also be the ID of one of its additional pieces. */
export async function readState(
	client: Client,
	carrierCode: string,
	id: number,
): Promise<DetailedState> {
	const { result } = await client.getShipment(carrierCode, id);
	const [main] = result;
	if (!main) {
		throw new ItemError(
			`Carrier ${carrierCode} has no shipment with ID ${id}`,
			"Check the ID and the carrier. The carrier's shipment number is not the ID.",
			{ shipmentId: id, carrierCode },
			true,
		);
	}
	const pieces = result.map((piece) => ({
		id: piece.id,
		number: carrierNumberOf(piece),
		canceled: piece.canceled === true,
	}));
	return {
		id: main.id,
		pieces,
		// Some services leave additional pieces out of the detail.
		pieceCount: pieces.length > 1 ? pieces.length : undefined,
		canceled: pieces.every(({ canceled }) => canceled),
		handedOver: main.submittedCarrier,
	};
}

/** More shipments than this are read from the list and not one by one. */
const MAX_DETAILS = 5;

/**
 * The states of these shipments, and with `isForAll` of all main shipments of the carrier: from the list
 * record, if it has these fields, otherwise from the detail. A detail that does not say whether the
 * shipment was handed over is completed from the list.
 */
export async function readStates(
	client: Client,
	carrierCode: string,
	wanted: { ids: readonly number[]; isForAll?: boolean; lookbackDays: number },
): Promise<Map<number, ShipmentState | { failure: unknown }>> {
	const { isForAll = false, lookbackDays } = wanted;
	let list: Promise<Map<number, ListedShipment>> | undefined;
	const readList = async () => {
		const createdFrom = searchStart(Date.now(), lookbackDays);
		const filter = { carrierCodes: [carrierCode], onlyMaster: true, createdFrom };
		const records = await client.listShipments(filter);
		// Some services ignore the carrier filter.
		const own = records.filter((record) => isSameCode(record.carrierCode, carrierCode));
		return new Map(own.map((record) => [record.id, record]));
	};
	if (isForAll || wanted.ids.length > MAX_DETAILS) list = readList();
	const listed = await list;
	const read = async (id: number): Promise<ShipmentState> => {
		const { canceled, submittedCarrier: handedOver, pieceCount } = listed?.get(id) ?? {};
		if (canceled !== undefined && handedOver !== undefined) {
			return { id, pieceCount: pieceCount ?? undefined, canceled, handedOver };
		}
		const detailed = await readState(client, carrierCode, id);
		const state = { ...detailed, pieceCount: pieceCount ?? detailed.pieceCount };
		if (state.handedOver !== undefined) return state;
		list ??= readList();
		return { ...state, handedOver: (await list).get(state.id)?.submittedCarrier };
	};
	const ids = new Set([...(isForAll && listed ? listed.keys() : []), ...wanted.ids]);
	const states = await client.mapParallel([...ids], async (id) => {
		const state = await read(id).catch((failure: unknown) => ({ failure }));
		return [id, state] as const;
	});
	return new Map(states);
}
