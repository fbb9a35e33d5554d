import type { IDataObject } from 'n8n-workflow';

import { countOf, groupBy, isSameCode } from '../lists';
import type { ItemResult } from '../run';
import type { Outcome } from '../writes/journal';
import type { CarrierShipment, FailedItem, HandOverItem, HandOverPlan } from './planHandOver';

/** One hand-over: what the response said of it, the same for all of its shipments. */
export interface HandedOver {
	handOverId: number | null;
	protocolUrl: string | null;
	labelsUrl: string | null;
	recovered: boolean;
	correlationId: string | null;
	/** Why the protocol may not list all of them. */
	doubt?: string;
}

/** For output items of which nothing was handed over. */
export const NOT_HANDED_OVER: HandedOver = {
	handOverId: null,
	protocolUrl: null,
	labelsUrl: null,
	recovered: false,
	correlationId: null,
};

interface Output {
	carrierCode: string | null;
	handOver: HandedOver;
	shipments: CarrierShipment[];
	alreadyHandedOver: CarrierShipment[];
}

/** One output item for each hand-over and for what has nothing to hand over, and each error for each of its items. */
export function toResults(
	items: readonly HandOverItem[],
	{ plans, failed }: { plans: readonly HandOverPlan[]; failed: readonly FailedItem[] },
	outcomes: ReadonlyArray<{ targets: CarrierShipment[]; outcome: Outcome<HandedOver> }>,
	isDryRun = false,
): ItemResult[] {
	const byShipment = outcomes.flatMap(({ targets, outcome }) =>
		targets.map((shipment) => ({ shipment, outcome })),
	);
	const byError = groupBy(byShipment, ({ outcome }) => 'errors' in outcome && outcome.errors[0]);
	byError.delete(false);
	const failures = [...failed];
	for (const [failure, group] of byError) {
		const failedItems = new Set(group.flatMap(({ shipment }) => shipment.items));
		failures.push(...[...failedItems].map((item) => ({ items: [item], failure })));
	}
	const done = byShipment.flatMap(({ shipment, outcome }) =>
		outcome.state === 'done' ? { shipment, handOver: outcome.value } : [],
	);
	const byHandOver = groupBy(done, ({ shipment, handOver }) =>
		JSON.stringify([shipment.carrierCode.toUpperCase(), handOver]),
	);
	const outputs = [...byHandOver.values()].map((group): Output => {
		const [{ shipment, handOver }] = group;
		const shipments = group.map((each) => each.shipment);
		const { carrierCode } = shipment;
		return { carrierCode, handOver, shipments, alreadyHandedOver: [] };
	});
	const nothing = { handOver: NOT_HANDED_OVER, shipments: [], alreadyHandedOver: [] };
	for (const { carrierCode, alreadyHandedOver } of plans) {
		const last = outputs.findLast((each) => isSameCode(each.carrierCode, carrierCode));
		if (last) last.alreadyHandedOver = alreadyHandedOver;
		else if (alreadyHandedOver.length > 0)
			outputs.push({ ...nothing, carrierCode, alreadyHandedOver });
	}
	const results = [...failures, ...outputs.map((output) => toResult(output, isDryRun))];
	const hasOutput = new Set(results.flatMap((result) => result.items));
	const idle = items.filter(({ item }) => !hasOutput.has(item));
	for (const [carrierCode, group] of groupBy(idle, (each) => each.carrierCode ?? null)) {
		const idleItems = group.map(({ item }) => item);
		results.push({ ...toResult({ ...nothing, carrierCode }, isDryRun), items: idleItems });
	}
	return results;
}

function toResult(
	{ carrierCode, handOver, shipments, alreadyHandedOver }: Output,
	isDryRun: boolean,
): ItemResult {
	const { doubt, handOverId, ...more } = handOver;
	const to = carrierCode === null ? '' : ` to ${carrierCode}`;
	const count = shipments.length;
	const shown = {
		packagesCount: count,
		shipmentIds: shipments.map(({ id }) => id),
		alreadyHandedOver: alreadyHandedOver.map(({ id }) => id),
	};
	const toJson = (): IDataObject => {
		if (isDryRun) {
			const what = count === 0 ? 'Nothing' : countOf(count, 'shipment');
			const message = `${what} would be handed over${to}`;
			return { dryRun: true, carrierCode, message, ...shown };
		}
		const message =
			count === 0
				? `Nothing to hand over${to}. Shipments that are handed over or canceled, or older than 'Lookback Days', are left out`
				: `${countOf(count, 'shipment', 'was')} handed over${to}`;
		const text = doubt ? `${message}. ${doubt}` : message;
		return { carrierCode, message: text, handOverId, ...shown, ...more };
	};
	const linked = [...shipments, ...alreadyHandedOver].flatMap((each) => each.items);
	return { items: [...new Set(linked)].sort((a, b) => a - b), json: toJson() };
}
