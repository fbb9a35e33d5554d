import { simplifyField, simplifyShipment, toOutputs } from '../../descriptions/listing';
import { readShipmentFields } from '../../descriptions/shipmentNumbers';
import { isAdditional } from '../../records';
import { runTasks } from '../../run';
import { readPieces } from '../../transport/shipments';
import { readItems, readNamed } from '../readItems';
import type { Operation } from '../operation';

const shipments = readShipmentFields('How to choose the shipments to retrieve');

export const operation: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get shipment',
	description: 'Retrieve a shipment with addresses, status, cash on delivery and pieces',
	fields: [...shipments, simplifyField],

	async execute(run) {
		const { context, client } = run;
		const { items, failed } = await readItems(run, shipments, ({ named, ...each }, ofOrders) => [
			...named.map((idOrNumber) => ({ ...each, idOrNumber })),
			...ofOrders.map(({ carrierCode, id }) => ({ ...each, carrierCode, idOrNumber: id })),
		]);
		const results = await runTasks(run, items, async ({ item, carrierCode, idOrNumber }) => {
			// The shipment with all of its pieces, also of the ID or number of one piece.
			const pieces = await client.once(`shipment ${carrierCode} ${idOrNumber}`, async () => {
				const found = await readNamed(client, idOrNumber, carrierCode);
				const [piece] = found;
				if (!piece || (typeof idOrNumber === 'number' && !isAdditional(piece.record))) return found;
				const whole = await readPieces(client, piece.carrierCode, piece.id);
				return whole.length > 0 ? whole : found;
			});
			return pieces.flatMap(({ record, carrierCode: code }) =>
				toOutputs(context, item, [record], (each) =>
					simplifyShipment({ ...each, carrierCode: code }),
				),
			);
		});
		return [...failed, ...results];
	},
};
