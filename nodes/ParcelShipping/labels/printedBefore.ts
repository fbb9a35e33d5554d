import type { Client } from '../transport/client';
import { isNotFound } from '../transport/errors';

interface Shipment {
	id: number;
	carrierCode: string;
}

/**
 * Whether the records of the shipments say that their labels were printed. A shipment whose record
 * does not say so, or that has no record of its own, is not in the result.
 */
export async function readPrinted(
	client: Client,
	shipments: readonly Shipment[],
): Promise<Map<number, boolean>> {
	const printed = new Map<number, boolean>();
	await client.mapParallel(shipments, async ({ carrierCode, id }) => {
		// A detail contains all pieces of its shipment.
		if (printed.has(id)) return;
		const { result } = await client.getShipment(carrierCode, id).catch((thrown: unknown) => {
			if (isNotFound(thrown)) return { result: [] };
			throw thrown;
		});
		for (const record of result) {
			if (typeof record.printed === 'boolean') printed.set(record.id, record.printed);
		}
	});
	return printed;
}
