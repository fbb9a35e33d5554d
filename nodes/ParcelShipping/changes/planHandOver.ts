import { groupBy } from '../lists';
import { isInactive } from '../orders/offers';
import type { FailedResult } from '../run';
import type { Client } from '../transport/client';
import { canceledError, unclearError } from './messages';
import { readStates, type ShipmentState } from './state';

/** The shipments that one input item hands over. */
export interface HandOverItem {
	item: number;
	/** Undefined: all carriers of the account. */
	carrierCode?: string;
	/** Undefined: all shipments of the carrier that are not handed over yet. */
	shipmentIds?: number[];
}

/** A shipment, and the input items that hand it over. */
export type CarrierShipment = ShipmentState & { items: number[] };

/** What happens to the shipments of one carrier. */
export interface HandOverPlan {
	carrierCode: string;
	/** One request hands them over. */
	shipments: CarrierShipment[];
	alreadyHandedOver: CarrierShipment[];
}

type CarrierItem = HandOverItem & { carrierCode: string };

/** Reads the shipments of the items, and decides which of them are handed over. */
export async function planHandOvers(
	client: Client,
	items: readonly HandOverItem[],
): Promise<{ plans: HandOverPlan[]; failed: FailedResult[] }> {
	const failed: FailedResult[] = [];
	const fail = (of: readonly HandOverItem[]) => (failure: unknown) => {
		failed.push(...of.map(({ item }) => ({ items: [item], failure })));
		return [];
	};
	const ofAllCarriers = items.filter(({ carrierCode }) => carrierCode === undefined);
	const carriers =
		ofAllCarriers.length > 0 ? await client.carriers().catch(fail(ofAllCarriers)) : [];
	const active = carriers.filter((each) => !isInactive(each));
	const ofCarriers = items.flatMap(({ carrierCode, ...each }): CarrierItem[] =>
		carrierCode === undefined
			? active.map(({ code }) => ({ ...each, carrierCode: code }))
			: [{ ...each, carrierCode }],
	);
	const groups = groupBy(ofCarriers, ({ carrierCode }) => carrierCode.toUpperCase());
	const plans = await client.mapParallel([...groups.values()], async (group) => {
		const [{ carrierCode }] = group;
		const ids = group.flatMap(({ shipmentIds = [] }) => shipmentIds);
		const readsAll = group.some(({ shipmentIds }) => !shipmentIds);
		return await readStates(client, carrierCode, { ids, readsAll }).then((states) => {
			const { plan, failures } = planCarrier(group, states);
			failed.push(...failures);
			return [plan];
		}, fail(group));
	});
	return { plans: plans.flat(), failed };
}

export function planCarrier(
	items: readonly [CarrierItem, ...CarrierItem[]],
	states: ReadonlyMap<number, ShipmentState | { failure: unknown }>,
): { plan: HandOverPlan; failures: FailedResult[] } {
	const [{ carrierCode }] = items;
	const failures: FailedResult[] = [];
	const chosen = new Map<number, CarrierShipment>();
	// What another item names is no problem of an item without IDs: the other item hands it over, or has the error.
	const named = new Set(items.flatMap(({ shipmentIds = [] }) => shipmentIds));
	const unclear = [...states].flatMap(([id, state]) =>
		named.has(id) || 'failure' in state || state.canceled || state.handedOver !== undefined
			? []
			: id,
	);
	for (const { item, shipmentIds } of items) {
		const fail = (failure: unknown) => failures.push({ items: [item], failure });
		if (!shipmentIds && unclear.length > 0) fail(unclearError(carrierCode, unclear));
		for (const id of shipmentIds ?? states.keys()) {
			const state = states.get(id);
			if (!state || 'failure' in state) {
				if (shipmentIds || !named.has(id)) fail(state?.failure);
			} else if (state.canceled) {
				if (shipmentIds) fail(canceledError({ ...state, id }));
			} else if (shipmentIds || state.handedOver === false) {
				const known = chosen.get(state.id)?.items ?? [];
				chosen.set(state.id, { ...state, items: [...new Set([...known, item])] });
			}
		}
	}
	const all = [...chosen.values()];
	const plan = {
		carrierCode,
		shipments: all.filter(({ handedOver }) => handedOver !== true),
		alreadyHandedOver: all.filter(({ handedOver }) => handedOver === true),
	};
	return { plan, failures };
}
