import { carrierNumberOf, searchStart } from '../records';
import type { Client } from '../transport/client';
import { type ListedShipment, PAGE_LENGTH } from '../transport/contract';
import { isNotFound, ItemError } from '../transport/errors';
import { isSameCode } from '../lists';

export interface CanceledNumber {
	carrierCode: string;
	number: string;
	/** The ID of its main shipment, if that is known. */
	shipmentId?: number;
}

/** What the records of the service say about a shipment and its pieces. */
export interface ShipmentState {
	/** The ID of the main shipment. */
	id: number;
	pieces: PieceState[];
	canceled: boolean;
	/** Undefined if the records do not say it. */
	handedOver: boolean | undefined;
}

interface PieceState {
	id: number;
	number: string;
	canceled: boolean;
}

/** The shipment with this ID, which may also be the ID of one of its additional pieces. */
export async function readState(
	client: Pick<Client, 'getShipment'>,
	carrierCode: string,
	id: number,
): Promise<ShipmentState> {
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
		canceled: pieces.every(({ canceled }) => canceled),
		handedOver: main.submittedCarrier,
	};
}

/** Whether the shipment with this number is canceled; undefined if there is no such shipment. */
export async function isNumberCanceled(
	client: Pick<Client, 'findShipments' | 'getShipment'>,
	{ carrierCode, number, shipmentId }: CanceledNumber,
): Promise<boolean | undefined> {
	// An additional piece may have no detail of its own.
	const readPieces = async (id: number) =>
		readState(client, carrierCode, id).then(
			({ pieces }) => pieces,
			async (failure: unknown) => (isNotFound(failure) ? [] : await Promise.reject(failure)),
		);
	const ofShipment = shipmentId === undefined ? [] : await readPieces(shipmentId);
	const known = ofShipment.find((piece) => piece.number === number);
	if (known) return known.canceled;

	const search = { search: number, packageNumberCarrier: number, onlyMaster: false };
	const filter = { ...search, carrierCodes: [carrierCode] };
	const { rows } = await client.findShipments(filter, 0, PAGE_LENGTH);
	for (const row of rows) {
		if (!isSameCode(row.carrierCode, carrierCode)) continue;
		// Some services only have the number in the detail of a shipment.
		const pieces =
			row.packageNumberCarrier === undefined
				? await readPieces(row.id)
				: [{ number: carrierNumberOf(row), canceled: row.canceled === true }];
		const piece = pieces.find((each) => each.number === number);
		if (piece) return piece.canceled;
	}
	return undefined;
}

/** More shipments than this are read from the list and not one by one. */
const MAX_DETAILS = 5;

type StateOrFailure = ShipmentState | { failure: unknown };

/**
 * The state of each ID, or of all main shipments of the carrier. From the list record, if it has these
 * fields, otherwise from the detail; a detail that does not say whether the shipment was handed over is
 * completed from the list.
 */
export async function readStates(
	client: Pick<Client, 'getShipment' | 'listShipments' | 'mapParallel'>,
	carrierCode: string,
	wanted: readonly number[] | 'all',
	lookbackDays: number,
): Promise<Map<number, StateOrFailure>> {
	const readList = async () => {
		const createdFrom = searchStart(Date.now(), lookbackDays);
		const filter = { carrierCodes: [carrierCode], onlyMaster: true, createdFrom };
		const records = await client.listShipments(filter);
		// Some services ignore the carrier filter.
		const own = records.filter((record) => isSameCode(record.carrierCode, carrierCode));
		return new Map(own.map((record) => [record.id, record]));
	};
	const isListFirst = wanted === 'all' || wanted.length > MAX_DETAILS;
	const listed = isListFirst ? await readList() : undefined;
	const ids = wanted === 'all' ? [...(listed?.keys() ?? [])] : wanted;
	const states = await client.mapParallel(ids, async (id): Promise<StateOrFailure> => {
		const record = listed?.get(id);
		const known = record && stateOfRecord(record);
		return known ?? readState(client, carrierCode, id).catch((failure: unknown) => ({ failure }));
	});
	const isOpen = (state: StateOrFailure) => 'pieces' in state && state.handedOver === undefined;
	const records = listed ?? (states.some(isOpen) ? await readList() : undefined);
	return new Map(
		states.map((state, index) => {
			const handedOver = 'pieces' in state && records?.get(state.id)?.submittedCarrier;
			const complete = isOpen(state) && typeof handedOver === 'boolean';
			return [ids[index] as number, complete ? { ...state, handedOver } : state];
		}),
	);
}

/** The state that a list record shows; undefined if it does not say enough. */
function stateOfRecord(record: ListedShipment): ShipmentState | undefined {
	const { id, canceled, submittedCarrier, pieceCount = 1 } = record;
	if (canceled === undefined || submittedCarrier === undefined) return undefined;
	const piece = { id, number: carrierNumberOf(record), canceled };
	return { id, pieces: Array(pieceCount).fill(piece), canceled, handedOver: submittedCarrier };
}
