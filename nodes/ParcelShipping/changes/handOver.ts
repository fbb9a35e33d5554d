import { attachProtocol, today } from '../files';
import { countOf, isSameCode } from '../lists';
import { endsWithError, type ItemResult, type NodeRun, runUntilFirstFailure } from '../run';
import type { Client } from '../transport/client';
import type { PastHandOver, ResponseOf } from '../transport/contract';
import { ItemError, reasonOf } from '../transport/errors';
import { Journal, type Outcome, type TargetOutcome } from '../writes/journal';
import { withLock } from '../writes/lock';
import { recall, type Known, type Verdict, type Write, writeOnce } from '../writes/writeOnce';
import {
	canceledError,
	type CarrierShipment,
	type HandOverItem,
	type HandOverPlan,
	planHandOvers,
} from './planHandOver';
import { type HandedOver, toResults } from './handOverOutput';
import { nameOfShipment, readStates, type ShipmentState } from './state';

// No shipment is handed over twice, and none is reported as handed over that is not:
// - What the records show as handed over is left out, so that the node can run again, as far as the records say what
//   was handed over.
// - The request always names its shipments: services take an empty list as all of them.
// - If the response was lost or says too little, the records of the service decide.

/**
 * How many of the newest hand-overs are read to find that of a request. More are not needed: if several are new, none of them
 * counts.
 */
const MAX_NEW_HAND_OVERS = 20;

export interface HandOverSettings {
	/** Day of the pickup, yyyy-mm-dd. Undefined: the carrier decides. */
	date: string | undefined;
	binaryField: string;
}

/** The shipments of one carrier are handed over together. */
interface HandOverAct {
	target: CarrierShipment;
	details: {
		carrierCode: string;
		/** The newest hand-over of the carrier before. Null if the list of hand-overs could not be read, or does not exist. */
		lastHandOverId: number | null;
	};
	response: ResponseOf<'handOverShipments'>;
	/** The state of a shipment, or a hand-over that is new. */
	record: { state: ShipmentState } | { handOver: PastHandOver };
	value: HandedOver;
}

/**
 * Also returns what earlier tries have handed over for items that are not among `items` now. Another execution of
 * this process waits until this one is over, so that both do not find the same shipments open. `failedBefore` are items
 * that failed when they were read.
 */
export async function handOverShipments(
	run: NodeRun,
	items: readonly HandOverItem[],
	settings: HandOverSettings,
	failedBefore: readonly ItemResult[] = [],
): Promise<ItemResult[]> {
	const lock = JSON.stringify(['handOver', run.client.address.origin]);
	const results = await withLock([lock], async () => handOver(run, items, settings, failedBefore));
	// A run that ends with an error has no files.
	if (endsWithError(run, [...failedBefore, ...results])) return results;
	const day = today(run.context);
	return await run.client.mapParallel(results, async (result) =>
		'json' in result
			? { ...result, ...(await attachProtocol(run, result, settings.binaryField, day)) }
			: result,
	);
}

async function handOver(
	run: NodeRun,
	items: readonly HandOverItem[],
	settings: HandOverSettings,
	failedBefore: readonly ItemResult[],
): Promise<ItemResult[]> {
	const { context, client } = run;
	const journal = new Journal<HandOverAct>(
		context,
		'handOver',
		({ carrierCode, id }) => `${carrierCode.toUpperCase()} ${id}`,
	);
	const write = handOverWrite(run, settings);
	// In `sendable`, `notDone` means canceled since. The plan reads that shipment again: an item that names it fails.
	const { outcomes, sendable } = await recall(journal, write);
	const planned = await planHandOvers(client, items);
	const { failed } = planned;
	// What is done or pending comes from `outcomes`, not from the plan.
	const isSendable = (shipment: CarrierShipment) => journal.isSendable(shipment);
	const plans = planned.plans.map((plan) => ({
		...plan,
		shipments: plan.shipments.filter(isSendable),
		alreadyHandedOver: plan.alreadyHandedOver.filter(isSendable),
	}));
	if (!endsWithError(run, failed)) {
		const queues = plans.filter(({ shipments }) => shipments.length > 0).map((plan) => [plan]);
		const sendPlan = async ({ carrierCode, shipments: targets }: HandOverPlan) => {
			const newest = await newestHandOvers(client, carrierCode, 1);
			const lastHandOverId = newest ? Number(newest[0]?.id ?? 0) : null;
			return await writeOnce(journal, { targets, carrierCode, lastHandOverId }, write);
		};
		const isFailed = ({ outcome }: TargetOutcome<HandOverAct>) => 'errors' in outcome;
		outcomes.push(...(await runUntilFirstFailure(run, queues, sendPlan, isFailed)));
	}
	const results = toResults(items, { plans, failed }, outcomes);
	if (!endsWithError(run, [...failedBefore, ...results])) return results;
	const left = sendable.filter(
		({ targets: [shipment], outcome: { state } }) =>
			state === 'unknown' && !journal.isRequestedInThisTry(shipment),
	);
	return toResults(items, { plans, failed }, [...outcomes, ...left]);
}

function handOverWrite({ client }: NodeRun, { date }: HandOverSettings): Write<HandOverAct> {
	return {
		client,
		maxWaitMs: Math.min(client.maxRetryWaitMs, 4_000),
		send: async ({ targets, carrierCode }, calls) =>
			calls.call('handOverShipments', {
				path: { carrier_code: carrierCode },
				body: { ...(date === undefined ? {} : { date }), packages: targets.map(({ id }) => id) },
			}),
		judge: judgeHandOver,
		find: async (targets, { carrierCode, lastHandOverId }) => {
			const wanted = { ids: targets.map(({ id }) => id) };
			const states = await readStates(client, carrierCode, wanted);
			const found = [...states.values()].flatMap((state) => ('failure' in state ? [] : { state }));
			if (lastHandOverId === null) return found;
			const newest = (await newestHandOvers(client, carrierCode, MAX_NEW_HAND_OVERS)) ?? [];
			// Some services ignore the carrier filter.
			const own = newest.filter((each) => isSameCode(each.carrierCode ?? carrierCode, carrierCode));
			const newHandOvers = own.filter(({ id }) => Number(id) > lastHandOverId);
			return [...found, ...newHandOvers.map((handOver) => ({ handOver }))];
		},
	};
}

/** Undefined if the list of hand-overs could not be read, or does not exist. */
async function newestHandOvers(client: Client, carrierCode: string, count: number) {
	const body = { carrierCode: [carrierCode], sortOrder: 'desc', start: 0, length: count };
	const reading = client.call('findHandOvers', { body });
	return await reading.then(({ result }) => result.data).catch(() => undefined);
}

function judgeHandOver(known: Known<HandOverAct>): Verdict<HandOverAct> {
	const { targets } = known.request;
	const states = known.records.flatMap((each) => ('state' in each ? each.state : []));
	const stateOf = new Map(states.map((state) => [state.id, state]));
	const isCanceled = ({ id }: CarrierShipment) => stateOf.get(id)?.canceled === true;
	// What the records do not say may have been handed over.
	const isRepeatable = ({ id }: CarrierShipment) => stateOf.get(id)?.handedOver === false;
	const isCounted = countsAll(known);
	const isConfirmed = (each: CarrierShipment) =>
		isCounted || (stateOf.get(each.id)?.handedOver === true && !isCanceled(each));
	const unconfirmed = targets.filter((each) => !isConfirmed(each) && !isCanceled(each));
	const value = toHandedOver(known, unconfirmed.length === 0);
	const error = unconfirmedError(unconfirmed, known, value, unconfirmed.every(isRepeatable));
	const outcomeOf = (target: CarrierShipment): Outcome<HandedOver> => {
		if (isConfirmed(target)) return { state: 'done', value };
		if (isCanceled(target)) return { state: 'notDone', errors: [canceledError(target)] };
		return { state: 'unknown', errors: [error], isRepeatable: isRepeatable(target) };
	};
	const outcomes = targets.map((each): TargetOutcome<HandOverAct> => {
		return { targets: [each], outcome: outcomeOf(each) };
	});
	return { outcomes, toSearch: unconfirmed };
}

const countIn = ({ response }: Known<HandOverAct>) => Number(response?.result?.packagesCount ?? 0);

/** Whether the count in the response proves that all shipments were handed over. */
function countsAll(known: Known<HandOverAct>): boolean {
	const { targets } = known.request;
	const count = countIn(known);
	// Some services count pieces, so that a count of several shipments says nothing if one has several. A record with 0
	// pieces does not say how many there are.
	const pieceCounts = targets.map(({ pieceCount }) => Number(pieceCount) || NaN);
	const isSum = count === pieceCounts.reduce((sum, each) => sum + each, 0);
	return count > 0 && (isSum || targets.length === 1);
}

/** The hand-over of a request: that of the response, or the only one that is new. */
function toHandedOver(known: Known<HandOverAct>, areAllConfirmed: boolean): HandedOver {
	const { request, response, records } = known;
	const newHandOvers = records.flatMap((each) => ('handOver' in each ? each.handOver : []));
	// With several, it is not certain which of them it is.
	const isOnlyOne = new Set(newHandOvers.map(({ id }) => id)).size === 1;
	const handOver = response?.result ?? (isOnlyOne ? newHandOvers[0] : undefined);
	const { id = null, protocolUrl = null, labelsUrl = null } = handOver ?? {};
	// After a lost response, the only new hand-over can be another one. And if another run has handed one of
	// the shipments over, the hand-over may have one that is not confirmed instead.
	const isDoubtful =
		handOver && (!response || !areAllConfirmed || countIn(known) < request.targets.length);
	return {
		handOverId: id,
		protocolUrl,
		labelsUrl,
		recovered: !response,
		correlationId: response?.correlationId ?? null,
		...(isDoubtful ? { doubt: 'Check that the protocol lists all of them' } : {}),
		...(handOver ? {} : { doubt: UNKNOWN_HAND_OVER }),
	};
}

const UNKNOWN_HAND_OVER =
	"It is not known which hand-over this is. Look for the protocol in the service's administration";

/** The error for shipments that the records do not show as handed over. */
function unconfirmedError(
	group: readonly CarrierShipment[],
	{ request: { targets, carrierCode }, failure }: Known<HandOverAct>,
	{ handOverId, protocolUrl }: HandedOver,
	isRepeatable: boolean,
): ItemError {
	const shipmentIds = group.map(({ id }) => id);
	const names = group.map(({ id, reference }) => nameOfShipment(id, reference));
	const reason = failure
		? reasonOf(failure)
		: `${countOf(targets.length, 'shipment', 'was')} sent. The service does not say which it handed over`;
	// The message of a further error is all that n8n shows of it.
	const withId = handOverId === null ? '' : ` with hand-over ${handOverId}`;
	const protocol = protocolUrl && `The protocol is ${protocolUrl}`;
	const advice = isRepeatable
		? 'Run the workflow again later: shipments that were handed over by then are left out.'
		: "The records do not say what was handed over. Check it with the carrier or in the service's administration before you hand anything over again.";
	return new ItemError(
		`Could not confirm that ${carrierCode} received ${group.length === 1 ? 'shipment' : 'shipments'} ${names.join(', ')}${withId}`,
		[reason, protocol, advice].filter(Boolean).join('. '),
		{ carrierCode, shipmentIds, ...(handOverId === null ? {} : { handOverId, protocolUrl }) },
		true,
	);
}
