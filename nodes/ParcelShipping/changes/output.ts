import type { IDataObject } from 'n8n-workflow';

import { countOf, groupBy, isSameCode } from '../lists';
import type { FailedResult, ItemResult } from '../run';
import type { CarrierShipment, HandOverItem, HandOverPlan } from './planHandOver';

/** One hand-over: what the response said of it, the same for all of its shipments. */
export interface HandedOver {
	handOverId: number | null;
	protocolUrl: string | null;
	labelsUrl: string | null;
	recovered: boolean;
	correlationId: string | null;
	/** Why the protocol is missing, or may not list all of them. */
	doubt?: string;
}

/** The outcome of a shipment that was sent. */
export type HandOverResult = { shipment: CarrierShipment } & (
	| { done: HandedOver }
	| { failure: unknown }
);

const NO_HAND_OVER: HandedOver = {
	handOverId: null,
	protocolUrl: null,
	labelsUrl: null,
	recovered: false,
	correlationId: null,
};

interface Output {
	carrierCode: string | null;
	shipments: CarrierShipment[];
	alreadyHandedOver: CarrierShipment[];
	/** Undefined if nothing was handed over. */
	handOver?: HandedOver;
}

type Planned = { plans: readonly HandOverPlan[]; failed: readonly FailedResult[] };

/**
 * One output item for each hand-over; one for each carrier of the items that have nothing to hand over; and each error
 * once for each of its items.
 */
export function toResults(
	items: readonly HandOverItem[],
	{ plans, failed }: Planned,
	results: readonly HandOverResult[],
): ItemResult[] {
	const notDone = results.filter((each) => 'failure' in each);
	const failures = [...failed];
	for (const [failure, group] of groupBy(notDone, (each) => each.failure)) {
		const failedItems = new Set(group.flatMap(({ shipment }) => shipment.items));
		failures.push(...[...failedItems].map((item) => ({ items: [item], failure })));
	}
	const handedOver = results.filter((each) => 'done' in each);
	const byHandOver = groupBy(handedOver, ({ shipment, done }) =>
		JSON.stringify([shipment.carrierCode.toUpperCase(), done]),
	);
	const outputs = [...byHandOver.values()].map((group): Output => {
		const [{ shipment, done: handOver }] = group;
		const shipments = group.map((each) => each.shipment);
		const { carrierCode } = shipment;
		return { carrierCode, handOver, shipments, alreadyHandedOver: [] };
	});
	for (const { carrierCode, alreadyHandedOver } of plans) {
		const last = outputs.findLast((each) => isSameCode(each.carrierCode, carrierCode));
		if (last) last.alreadyHandedOver = alreadyHandedOver;
		else outputs.push({ carrierCode, shipments: [], alreadyHandedOver });
	}
	return linkToItems(items, failures, outputs, describe);
}

/** *Dry Run*: what each carrier would get. */
export function toPreview(
	items: readonly HandOverItem[],
	{ plans, failed }: Planned,
): ItemResult[] {
	return linkToItems(items, failed, plans, ({ carrierCode, shipments: { length } }, shown) => {
		const what = length === 0 ? 'Nothing' : countOf(length, 'shipment');
		const message = `${what} would be handed over${toCarrier(carrierCode)}`;
		return { dryRun: true, carrierCode, message, ...shown };
	});
}

/** Links the outputs to the items of their shipments. Items without one get one for their carrier, without shipments. */
function linkToItems(
	items: readonly HandOverItem[],
	failures: readonly FailedResult[],
	outputs: readonly Output[],
	describeOutput: (output: Output, shown: IDataObject) => IDataObject,
): ItemResult[] {
	const toResult = (output: Output, linked: number[]): ItemResult => {
		const shown = {
			packagesCount: output.shipments.length,
			shipmentIds: output.shipments.map(({ id }) => id),
			alreadyHandedOver: output.alreadyHandedOver.map(({ id }) => id),
		};
		return { items: linked, json: describeOutput(output, shown) };
	};
	const results: ItemResult[] = [...failures];
	for (const output of outputs) {
		const ofShipments = [...output.shipments, ...output.alreadyHandedOver];
		const linked = new Set(ofShipments.flatMap((each) => each.items));
		const inInputOrder = [...linked].sort((a, b) => a - b);
		if (linked.size > 0) results.push(toResult(output, inInputOrder));
	}
	const hasOutput = new Set(results.flatMap((result) => result.items));
	const withoutResult = items.filter(({ item }) => !hasOutput.has(item));
	for (const [carrierCode, group] of groupBy(withoutResult, (each) => each.carrierCode ?? null)) {
		const nothing = { carrierCode, shipments: [], alreadyHandedOver: [] };
		const linked = group.map(({ item }) => item);
		results.push(toResult(nothing, linked));
	}
	return results;
}

const toCarrier = (carrierCode: string | null) =>
	carrierCode === null ? '' : ` to ${carrierCode}`;

function describe(
	{ carrierCode, handOver, shipments, alreadyHandedOver }: Output,
	shown: IDataObject,
): IDataObject {
	const to = toCarrier(carrierCode);
	const { length } = handOver ? shipments : alreadyHandedOver;
	const message =
		length > 0
			? `${countOf(length, 'shipment', 'was')} handed over${to}${handOver ? '' : ' before'}`
			: `Nothing to hand over${to}. Skipped: already handed over, canceled, or older than 30 days`;
	const { doubt, handOverId, ...more } = handOver ?? NO_HAND_OVER;
	const text = doubt ? `${message}. ${doubt}` : message;
	return { carrierCode, message: text, handOverId, ...shown, ...more };
}
