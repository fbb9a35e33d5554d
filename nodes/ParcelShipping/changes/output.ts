import { countOf, groupBy } from '../lists';
import type { FailedResult, ItemResult } from '../run';
import type { ShipmentState } from './records';

/** A shipment, and the input items that hand it over. Plain JSON, like `HandedOver`. */
export type ItemShipment = ShipmentState & { items: number[] };

/** One hand-over: what the response said of it, the same for all of its shipments. */
export interface HandedOver {
	handOverId: number | null;
	protocolUrl: string | null;
	labelsUrl: string | null;
	recovered: boolean;
	correlationId: string | null;
	/** Why the protocol is missing, or may not list all of them. */
	doubt: string;
}

/** A shipment that is neither done nor failed was handed over before. */
export type Outcome = { shipment: ItemShipment } & ({ done?: HandedOver } | { failure: unknown });

/**
 * One output item for each hand-over; one for each carrier of the items that have nothing to hand over; and each error
 * once for each of its items.
 */
export function toResults(
	items: ReadonlyArray<{ item: number; carrierCode?: string | undefined }>,
	outcomes: readonly Outcome[],
	failed: readonly FailedResult[],
	isDryRun: boolean,
): ItemResult[] {
	const results: ItemResult[] = [...failed];
	const notDone = outcomes.filter((each) => 'failure' in each);
	for (const [failure, group] of groupBy(notDone, (each) => each.failure)) {
		const failedItems = new Set(group.flatMap(({ shipment }) => shipment.items));
		results.push(...[...failedItems].map((item) => ({ items: [item], failure })));
	}
	const known = outcomes.flatMap((each) => ('failure' in each ? [] : each));
	for (const ofCarrier of groupBy(known, keyOfCarrier).values()) {
		const [{ shipment }] = ofCarrier;
		const before = ofCarrier.flatMap((each) => (each.done ? [] : each.shipment));
		const handedOver = ofCarrier.filter(({ done }) => done);
		const parts = [...groupBy(handedOver, ({ done }) => JSON.stringify(done)).values()];
		for (const [index, part] of (parts.length > 0 ? parts : [[]]).entries()) {
			const shipments = part.map((each) => each.shipment);
			const already = index < parts.length - 1 ? [] : before;
			const linked = [...new Set([...shipments, ...already].flatMap((each) => each.items))];
			const json = describe(shipment.carrierCode, shipments, already, part[0]?.done, isDryRun);
			results.push({ items: linked.sort((a, b) => a - b), json });
		}
	}
	const hasResult = new Set(results.flatMap((result) => result.items));
	const others = items.filter(({ item }) => !hasResult.has(item));
	for (const [carrierCode, group] of groupBy(others, (each) => each.carrierCode ?? null)) {
		const json = describe(carrierCode, [], [], undefined, isDryRun);
		results.push({ items: group.map(({ item }) => item), json });
	}
	return results;
}

const keyOfCarrier = ({ shipment }: Outcome) => shipment.carrierCode.toUpperCase();

function describe(
	carrierCode: string | null,
	shipments: readonly ItemShipment[],
	before: readonly ItemShipment[],
	handOver: HandedOver | undefined,
	isDryRun: boolean,
) {
	const to = carrierCode === null ? '' : ` to ${carrierCode}`;
	const { length } = handOver ? shipments : before;
	const done = `${countOf(length, 'shipment', 'was')} handed over${to}${handOver ? '' : ' before'}`;
	const nothing = `Nothing to hand over${to}. Skipped: already handed over, canceled, or older than 30 days`;
	const what = shipments.length > 0 ? countOf(shipments.length, 'shipment') : 'Nothing';
	const texts = isDryRun
		? [`${what} would be handed over${to}`]
		: [length > 0 ? done : nothing, handOver?.doubt];
	return {
		...(isDryRun ? { dryRun: true } : {}),
		carrierCode,
		message: texts.filter(Boolean).join('. '),
		handOverId: handOver?.handOverId ?? null,
		packagesCount: shipments.length,
		shipmentIds: shipments.map(({ id }) => id),
		alreadyHandedOver: before.map(({ id }) => id),
		protocolUrl: handOver?.protocolUrl ?? null,
		labelsUrl: handOver?.labelsUrl ?? null,
		recovered: !isDryRun && (handOver?.recovered ?? false),
		correlationId: handOver?.correlationId ?? null,
	};
}
