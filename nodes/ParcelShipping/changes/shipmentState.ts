import { carrierNumberOf, isSameCode } from '../records';
import { readShipment } from '../transport/shipment';
import type { Client } from '../transport/client';
import { type ListedShipment, PAGE_LENGTH } from '../transport/contract';
import { describeError, isNotFound, ItemError } from '../transport/errors';

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

/** The shipment with this ID, which may also be the ID of an additional piece if the service has a detail of that. */
export async function readState(
	client: Pick<Client, 'getShipment'>,
	carrierCode: string,
	id: number,
): Promise<ShipmentState> {
	const { result } = await readShipment(client, carrierCode, id);
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
	carrierCode: string,
	number: string,
): Promise<boolean | undefined> {
	const filter = { search: number, packageNumberCarrier: number, onlyMaster: false };
	const { rows } = await client.findShipments(
		{ ...filter, carrierCodes: [carrierCode] },
		0,
		PAGE_LENGTH,
	);
	for (const row of rows) {
		if (!isSameCode(row.carrierCode, carrierCode)) continue;
		// Some services only have the number in the detail of a shipment, which has all of its pieces. An
		// additional piece may have no detail of its own. It is that of the number if no other row was found.
		const listed = { number: rows.length === 1 ? number : '', canceled: row.canceled === true };
		const pieces =
			row.packageNumberCarrier === undefined
				? await readState(client, carrierCode, row.id).then(
						(state) => state.pieces,
						async (failure: unknown) =>
							isNotFound(failure) ? [listed] : await Promise.reject(failure),
					)
				: [{ number: carrierNumberOf(row), canceled: row.canceled === true }];
		const piece = pieces.find((each) => each.number === number);
		if (piece) return piece.canceled;
	}
	return undefined;
}

/** The state that a list record shows; undefined if it does not say enough. */
export function stateOfRecord(record: ListedShipment): ShipmentState | undefined {
	const { id, canceled, submittedCarrier, pieceCount = 1 } = record;
	if (canceled === undefined || submittedCarrier === undefined) return undefined;
	const piece = { id, number: carrierNumberOf(record), canceled };
	return { id, pieces: Array(pieceCount).fill(piece), canceled, handedOver: submittedCarrier };
}

/**
 * Reads again until `isSettled`, because a service may finish a request after its answer was lost.
 * The last attempt counts.
 */
export async function readBack<State>(
	client: Client,
	maxWaitMs: number,
	read: () => Promise<State>,
	isSettled: (state: State) => boolean,
): Promise<{ state: State } | { problem: string }> {
	const waitMs = Math.min(maxWaitMs, 4_000);
	let outcome: { state: State } | { problem: string } = { problem: 'The workflow was stopped' };
	for (const pauseMs of waitMs > 0 ? [0, waitMs / 4, (waitMs * 3) / 4] : [0]) {
		if (client.isStopped) break;
		if (pauseMs > 0) await client.pause(pauseMs);
		outcome = await read().then(
			(state) => ({ state }),
			(thrown: unknown) => ({ problem: describeError(thrown).message }),
		);
		if ('state' in outcome && isSettled(outcome.state)) break;
	}
	return outcome;
}
