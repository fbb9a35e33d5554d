import { piecesWithId, piecesWithNumber } from '../../changes/records';
import { simplifyField, simplifyShipment, toOutputs } from '../../descriptions/listing';
import { namedShipmentFields } from '../../descriptions/shipmentNumbers';
import { isAdditional } from '../../records';
import { type ItemResult, type NodeRun, runUntilFirstFailure } from '../../run';
import type { Client } from '../../transport/client';
import { type PieceRecord, readPieces } from '../../transport/shipments';
import { type NamedShipments, type OrderNumbers, readItems, readNamed } from '../readItems';
import type { BulkOperation } from '../operation';

export const operation: BulkOperation = {
	name: 'Get',
	value: 'get',
	action: 'Get shipment',
	description: 'Retrieve a shipment with addresses, status, cash on delivery and pieces',
	fields: [...namedShipmentFields('How to choose the shipments to retrieve'), simplifyField],

	async executeAll(run) {
		const { items, failed } = await readItems<NamedShipments, OrderNumbers>(
			run,
			(item) => readNamed(item, run),
			({ item }, shipments) =>
				shipments.map(({ carrierCode, id }) => ({ item, carrierCode, ids: [id], numbers: [] })),
		);
		const results = await runUntilFirstFailure(
			run,
			items.map((each) => [each]),
			async (each) => get(run, each),
			(result) => 'failure' in result,
		);
		return [...failed, ...results];
	},
};

async function get({ context, client }: NodeRun, named: NamedShipments): Promise<ItemResult[]> {
	const { item, carrierCode, ids, numbers } = named;
	const items = [item];
	try {
		const found = await client.mapParallel([...ids, ...numbers], async (each) =>
			client.once(`shipment ${carrierCode} ${each}`, async () =>
				readWhole(client, each, carrierCode),
			),
		);
		return found
			.flat()
			.flatMap(({ record, carrierCode: code }) =>
				toOutputs(context, item, [record], (each) =>
					simplifyShipment({ ...each, carrierCode: code }),
				).map((output) => ({ items, ...output })),
			);
	} catch (failure) {
		return [{ items, failure }];
	}
}

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
