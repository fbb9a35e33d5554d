import { mapParallel } from '../transport/concurrency';
import { type Decision, lookForExisting, type LookingSettings } from './existing';
import type { Finding } from './finding';
import type { Ledger } from './ledger';
import { whileAlone } from './lock';
import { LookUp } from './lookUp';
import { labelOf, type Order } from './order';
import { type Lane, planLanes } from './plan';
import { RequestSender, type SenderSettings } from './sendRequest';
import type { ShippingService, Surroundings } from './service';

export interface CreationSettings extends LookingSettings, SenderSettings {
	/** Where the orders go: the same label at another service is another shipment. */
	serviceOrigin: string;
	batchSize: number;
	/** Nothing is sent if one item can't be. */
	isAllOrNothing: boolean;
	/** Items that were refused before they became orders. */
	hasRefusedItems: boolean;
}

/**
 * Creates each order once. What keeps it from being created twice, step by step:
 * 1. nobody else in this process looks for or sends the same label meanwhile (`lock.ts`);
 * 2. what this execution has settled comes from its ledger and is not sent again (`ledger.ts`);
 * 3. what an earlier try left open is looked for and not sent again (`readBack.ts`);
 * 4. what exists at the service is used and not sent (`existing.ts`);
 * 5. a request is never repeated once it may have been carried out: its outcome is read back
 *    (`sendRequest.ts`).
 * What keeps it from being lost: a request stands in the ledger before it is sent, and each of its
 * orders and rows ends as a finding: pieces that exist, or a failure that names the order.
 */
export async function createOrders(
	orders: readonly Order[],
	settings: CreationSettings,
	service: ShippingService,
	surroundings: Surroundings,
	ledger: Ledger,
): Promise<Finding[]> {
	const { isAllOrNothing, hasRefusedItems, batchSize, maxConcurrency } = settings;
	const fresh = orders.filter(({ itemIndex }) => !ledger.knows(itemIndex));
	const reopened = ledger.openRequests().flatMap((request) => request.orders);
	const lookUpOf = prepareLookUps(service, maxConcurrency);
	const sender = new RequestSender(service, lookUpOf, settings, surroundings, ledger);
	const lockKeys = [...fresh, ...reopened].map((order) => lockKeyOf(settings.serviceOrigin, order));

	return await whileAlone(lockKeys, async () => {
		const earlier = await sender.recall();
		if (isAllOrNothing && hasRefusedItems) return earlier;

		const decisions = await lookForExisting(fresh, lookUpOf, settings, surroundings.nowMs());
		const decided = decisions.flatMap((decision) => settleDecision(decision, ledger));
		const isBlocked = isAllOrNothing && decided.some((finding) => 'failure' in finding);
		if (isBlocked) return [...earlier, ...decided];

		const toSend = decisions.flatMap((decision) => ('canceled' in decision ? decision : []));
		const known = toSend.flatMap(({ canceled }) => canceled.map(({ id }) => id));
		const lanes = planLanes(
			toSend.map(({ order }) => order),
			batchSize,
		);
		const sent = await mapParallel(lanes, maxConcurrency, async (lane) =>
			sendLane(lane, known, sender),
		);
		return [...earlier, ...decided, ...sent.flat()];
	});
}

/** One look-up per carrier. */
export function prepareLookUps(
	service: ShippingService,
	maxConcurrency: number,
): (carrierCode: string) => LookUp {
	const lookUps = new Map<string, LookUp>();
	return (carrierCode) => {
		const lookUp = lookUps.get(carrierCode) ?? new LookUp(service, carrierCode, maxConcurrency);
		lookUps.set(carrierCode, lookUp);
		return lookUp;
	};
}

function lockKeyOf(serviceOrigin: string, order: Order): string {
	return JSON.stringify([serviceOrigin, order.carrierCode, labelOf(order)]);
}

function settleDecision(decision: Decision, ledger: Ledger): Finding[] {
	if ('canceled' in decision) return [];
	const orders = [decision.order];
	if ('failure' in decision) return [{ orders, failure: decision.failure }];
	ledger.settle(decision.order, { pieces: decision.existing, refused: [] });
	return [{ orders, pieces: decision.existing }];
}

/** One request after another. A refusal that would meet the next one as well ends the lane. */
async function sendLane(
	lane: Lane,
	canceled: readonly number[],
	sender: RequestSender,
): Promise<Finding[]> {
	const findings: Finding[] = [];
	const known = await sender.knownBefore(lane.carrierCode, canceled);
	let refusal: unknown;
	for (const request of lane.requests) {
		if (refusal !== undefined) {
			const failure = refusal;
			findings.push(...request.map((order) => ({ orders: [order], failure })));
			continue;
		}
		const sent = await sender.send(lane.carrierCode, request, known);
		findings.push(...sent.findings);
		refusal = sent.endsLane;
	}
	return findings;
}
