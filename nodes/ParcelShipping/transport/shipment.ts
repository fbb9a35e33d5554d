import { mainIdOf } from '../records';
import type { Client } from './client';
import type { ShipmentDetail } from './contract';

/**
 * A main shipment and its pieces, the main one first. Some services return the detail of an additional
 * piece without its main shipment, which is then read by the ID in `masterId`.
 */
export async function readShipment(
	client: Pick<Client, 'getShipment'>,
	carrierCode: string,
	id: number,
	timeoutMs?: number,
): Promise<{ result: ShipmentDetail[]; correlationId: string }> {
	const read = async (ofId: number) => {
		const { result, correlationId } = await client.getShipment(carrierCode, ofId, timeoutMs);
		return { result: [result].flat(), correlationId };
	};
	const shipment = await read(id);
	const mainId = shipment.result[0] && mainIdOf(shipment.result[0]);
	if (!mainId || shipment.result.some((piece) => piece.id === mainId)) return shipment;
	return await read(mainId).catch(() => shipment);
}
