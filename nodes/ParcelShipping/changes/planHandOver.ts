import type { Client } from '../transport/client';
import { searchStart } from '../creation/types';
import { canceledShipmentError } from './handOverMessages';
import { readState, type ShipmentState, stateOfRecord } from './shipmentState';
import { isSameCode } from '../records';

/** The shipments that one input item hands over. */
export interface HandOverItem {
	item: number;
	carrierCode: string;
	/** Undefined: all shipments of the carrier that are not handed over yet. */
	shipmentIds?: number[];
}

/** The shipments of one carrier: one request, and one output item. */
export interface HandOverPlan {
	carrierCode: string;
	items: number[];
	/** The items that contain the ID of a shipment, by the ID of its main piece. */
	itemsOf: Map<number, number[]>;
	toHandOver: ShipmentState[];
	alreadyHandedOver: number[];
}

export type FailedItem = { items: number[]; failure: unknown };

/** More shipments than this are read from the list and not one by one. */
const MAX_DETAILS = 5;

/** Reads the shipments of the items, and decides which of them are handed over. */
export async function planHandOver(
	client: Client,
	items: readonly [HandOverItem, ...HandOverItem[]],
	lookbackDays: number,
): Promise<{ plans: HandOverPlan[]; failed: FailedItem[] }> {
	const [{ carrierCode }] = items;
	const ids = new Set(items.flatMap(({ shipmentIds = [] }) => shipmentIds));
	const itemsForAll = items.filter(({ shipmentIds }) => !shipmentIds).map(({ item }) => item);
	const isForAll = itemsForAll.length > 0;

	const listed =
		isForAll || ids.size > MAX_DETAILS
			? await readList(client, carrierCode, searchStart(Date.now(), lookbackDays))
			: new Map<number, ShipmentState | undefined>();
	const relevant = new Set([...ids, ...(isForAll ? listed.keys() : [])]);
	const states = await readStates(client, carrierCode, [...relevant], listed);

	const failed: FailedItem[] = [];
	const chosen = new Map<number, ShipmentState>();
	const itemsOf = new Map<number, number[]>();
	for (const { item, shipmentIds = [] } of items) {
		for (const id of shipmentIds) {
			const state = states.get(id);
			if (!state || 'failure' in state) {
				failed.push({ items: [item], failure: state?.failure });
			} else if (state.canceled) {
				failed.push({ items: [item], failure: canceledShipmentError(carrierCode, id) });
			} else {
				chosen.set(state.id, state);
				itemsOf.set(state.id, [...(itemsOf.get(state.id) ?? []), item]);
			}
		}
	}
	for (const state of isForAll ? states.values() : []) {
		if ('failure' in state) failed.push({ items: itemsForAll, failure: state.failure });
		else if (!state.canceled && state.handedOver === false) chosen.set(state.id, state);
	}
	if (chosen.size === 0 && !isForAll) return { plans: [], failed };

	const isHandedOver = ({ handedOver }: ShipmentState) => handedOver === true;
	const shipments = [...chosen.values()];
	const plan: HandOverPlan = {
		carrierCode,
		items: [...new Set([...itemsForAll, ...[...itemsOf.values()].flat()])].sort((a, b) => a - b),
		itemsOf,
		toHandOver: shipments.filter((state) => !isHandedOver(state)),
		alreadyHandedOver: shipments.filter(isHandedOver).map(({ id }) => id),
	};
	return { plans: [plan], failed };
}

/** The main shipments of a carrier; undefined where the records do not say enough. */
async function readList(
	client: Client,
	carrierCode: string,
	createdFrom: string,
): Promise<Map<number, ShipmentState | undefined>> {
	const filter = { carrierCodes: [carrierCode], onlyMaster: true, createdFrom };
	const records = await client.listShipments(filter);
	return new Map(
		records
			// Some services ignore the carrier filter.
			.filter((record) => isSameCode(record.carrierCode, carrierCode))
			.map((record) => [record.id, stateOfRecord(record)]),
	);
}

/** The state of each ID, from the list as far as it says enough, otherwise from the details. */
export async function readStates(
	client: Client,
	carrierCode: string,
	ids: readonly number[],
	listed: ReadonlyMap<number, ShipmentState | undefined> = new Map(),
): Promise<Map<number, ShipmentState | { failure: unknown }>> {
	const states = await client.mapParallel(ids, async (id) => {
		const known = listed.get(id);
		if (known) return known;
		return await readState(client, carrierCode, id).catch((failure: unknown) => ({ failure }));
	});
	return new Map(states.map((state, index) => [ids[index] as number, state]));
}
