import type { Client } from '../transport/client';
import type { ShipmentDetail } from '../transport/contract';
import { describeError } from '../transport/errors';
import type { NewEvent } from './compare';
import type { Deadline } from './host';
import { isRefusal } from '../transport/refusals';
import type { ShipmentRecords } from './shipmentInfo';
import type { WatchedShipment } from './state';

/** Which of the numbers in a refusal are tried: the pieces of a shipment are created together. */
const MAX_NAMED = 2;
const MAX_DISTANCE = 100;

/** How many main shipments one poll looks for. */
const MAX_SHIPMENTS_PER_POLL = 20;

type Detail = { result: ShipmentDetail[]; correlationId: string };

/**
 * A shipment and its pieces, main piece first, also by the ID of a further piece if the service answers
 * with its shipment or names its main piece in the refusal.
 */
export async function readShipment(
	client: Pick<Client, 'getShipment'>,
	carrierCode: string,
	id: number,
	timeoutMs?: number,
): Promise<Detail> {
	const read = async (ofId: number): Promise<Detail> => {
		const { result, correlationId } = await client.getShipment(carrierCode, ofId, timeoutMs);
		return { result: [result].flat(), correlationId };
	};
	return await read(id).catch(async (refusal: unknown) => {
		for (const mainId of isRefusal(refusal) ? namedIds(refusal, id) : []) {
			const shipment = await read(mainId).catch(() => undefined);
			if (shipment?.result.some((piece) => piece.id === id)) return shipment;
		}
		return await Promise.reject(refusal);
	});
}

/** IDs in the service's message, the closest first. */
function namedIds(refusal: unknown, id: number): number[] {
	const message = String(describeError(refusal).details.serviceMessage ?? '');
	const distance = (each: number) => Math.abs(each - id);
	const ids = (message.match(/\d+/g) ?? []).map(Number).filter((each) => each > 0);
	return [...new Set(ids)]
		.filter((each) => each !== id && distance(each) <= MAX_DISTANCE)
		.sort((a, b) => distance(a) - distance(b))
		.slice(0, MAX_NAMED);
}

/**
 * Finds the main shipments of events whose piece is known to be a further one, if the list did not
 * show both pieces. An event whose main shipment cannot be read is emitted with the piece's ID.
 */
export async function findMainShipments(
	newEvents: readonly NewEvent[],
	shipments: readonly WatchedShipment[],
	records: ShipmentRecords,
	client: Client,
	deadline: Deadline,
): Promise<{ newEvents: NewEvent[]; shipments: WatchedShipment[] }> {
	const pieces = newEvents.map(({ shipment }) => shipment).filter(({ mainId }) => mainId === 0);
	if (pieces.length === 0) return { newEvents: [...newEvents], shipments: [...shipments] };

	const mainIds = new Map<number, number>();
	for (const { carrier, id } of [...new Set(pieces)].slice(0, MAX_SHIPMENTS_PER_POLL)) {
		if (deadline.hasPassed || mainIds.has(id)) continue;
		const found = await readShipment(client, carrier, id, deadline.requestTimeoutMs).catch(
			() => undefined,
		);
		const mainId = found?.result[0]?.id;
		for (const piece of found?.result ?? []) {
			records.add(piece);
			if (mainId) mainIds.set(piece.id, mainId);
		}
	}
	const withMain = (shipment: WatchedShipment): WatchedShipment => {
		const mainId = mainIds.get(shipment.id);
		return mainId === undefined ? shipment : { ...shipment, mainId };
	};
	return {
		newEvents: newEvents.map((found) => ({ ...found, shipment: withMain(found.shipment) })),
		shipments: shipments.map(withMain),
	};
}
