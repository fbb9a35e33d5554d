import { piecesWithId, piecesWithNumber } from '../../changes/records';
import { simplifyField, simplifyShipment, toOutputs } from '../../descriptions/listing';
import { readShipmentFields } from '../../descriptions/shipmentNumbers';
import { isAdditional } from '../../records';
import { runTasks } from '../../run';
import type { Client } from '../../transport/client';
import { type PieceRecord, readPieces } from '../../transport/shipments';
import { readItems } from '../readItems';
import type { BulkOperation } from '../operation';

const shipments = readShipmentFields('How to choose the shipments to retrieve');

interface Named {
	item: number;
	carrierCode: string | undefined;
	idOrNumber: number | string;
}

export const operation: BulkOperation = {
	name: 'Get',
	value: 'get',
	action: 'Get shipment',
	description: 'Retrieve a shipment with addresses, status, cash on delivery and pieces',
	fields: [...shipments, simplifyField],

	async executeAll(run) {
		const { context, client } = run;
		const { items, failed } = await readItems<Named>(
			run,
			shipments,
			({ item, carrierCode, ids, numbers }, ofOrders) => [
				...[...ids, ...numbers].map((idOrNumber) => ({ item, carrierCode, idOrNumber })),
				...ofOrders.map((each) => ({ item, carrierCode: each.carrierCode, idOrNumber: each.id })),
			],
		);
		const results = await runTasks(run, items, async ({ item, carrierCode, idOrNumber }) => {
			const pieces = await client.once(`shipment ${carrierCode} ${idOrNumber}`, async () =>
				readWhole(client, idOrNumber, carrierCode),
			);
			return pieces.flatMap(({ record, carrierCode: code }) =>
				toOutputs(context, item, [record], (each) =>
					simplifyShipment({ ...each, carrierCode: code }),
				),
			);
		});
		return [...failed, ...results];
	},
};

/** The shipment with all of its pieces, also of the ID or number of one piece. */
async function readWhole(
	client: Client,
	idOrNumber: number | string,
	carrierCode?: string,
): Promise<PieceRecord[]> {
	const isId = typeof idOrNumber === 'number';
	const found = isId
		? await piecesWithId(client, idOrNumber, carrierCode)
		: await piecesWithNumber(client, idOrNumber, carrierCode);
	const [piece] = found;
	if (!piece || (isId && !isAdditional(piece.record))) return found;
	const whole = await readPieces(client, piece.carrierCode, piece.id);
	return whole.length > 0 ? whole : found;
}
