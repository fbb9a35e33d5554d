import type { ItemResult, NodeRun } from '../run';
import { type CarrierShipment, type HandOverItem, planHandOvers } from './planHandOver';

const idsOf = (shipments: readonly CarrierShipment[]) => shipments.map(({ id }) => id);

/** *Dry Run*: what would be handed over to each carrier. Sends nothing that changes anything. */
export async function previewHandOvers(
	{ client }: NodeRun,
	items: readonly HandOverItem[],
	lookbackDays: number,
): Promise<ItemResult[]> {
	const { plans, failed } = await planHandOvers(client, items, lookbackDays);
	const shown = plans.filter(({ shipments, isOneOfAll }) => shipments.length > 0 || !isOneOfAll);
	const hasOutput = new Set([...shown, ...failed].flatMap((each) => each.items));
	const idle = items.map(({ item }) => item).filter((item) => !hasOutput.has(item));
	const nothing = { carrierCode: null, shipments: [], alreadyHandedOver: [], items: idle };
	const previews = [...shown, ...(idle.length > 0 ? [nothing] : [])].map(
		({ carrierCode, shipments, alreadyHandedOver, items: of }): ItemResult => {
			const count = shipments.length;
			const what = `${count === 0 ? 'Nothing' : count === 1 ? '1 shipment' : `${count} shipments`} would be handed over`;
			const json = {
				dryRun: true,
				carrierCode,
				message: `${what}${carrierCode === null ? '' : ` to ${carrierCode}`}`,
				packagesCount: count,
				shipmentIds: idsOf(shipments),
				alreadyHandedOver: idsOf(alreadyHandedOver),
			};
			return { items: of, json };
		},
	);
	return [...previews, ...failed];
}
