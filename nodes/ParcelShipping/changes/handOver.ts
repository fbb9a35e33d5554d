import { attachProtocol, today } from '../files';
import { groupBy } from '../lists';
import { endsWithError, type ItemResult, type NodeRun, runUntilFirstFailure } from '../run';
import type { Client } from '../transport/client';
import type { ResponseOf } from '../transport/contract';
import { withLock } from '../writes/lock';
import { lookAgain, sendOnce } from '../writes/sendOnce';
import { SentNotes } from '../writes/sent';
import { canceledError, unconfirmedError } from './messages';
import { type HandedOver, type HandOverResult, toResults } from './output';
import { type CarrierShipment, type HandOverItem, planHandOvers } from './planHandOver';
import { readStates, type ShipmentStates } from './state';

export interface HandOverSettings {
	/** Day of the pickup, yyyy-mm-dd. Undefined: the carrier decides. */
	date: string | undefined;
	binaryField: string;
}

type HandOverNotes = SentNotes<CarrierShipment, HandedOver>;

/** How long the records are read again. */
const MAX_WAIT_MS = 4_000;

const keyOf = ({ carrierCode, id }: CarrierShipment) => `${carrierCode.toUpperCase()} ${id}`;

/**
 * Another execution of this process waits until this one is over, so that both do not find the same shipments open.
 * `failedBefore` are items that failed when they were read.
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

/**
 * No shipment is handed over twice, and none is reported as handed over that is not:
 * 1. What an earlier try has sent is not sent again, unless a person retries and its record says that it was not handed
 *    over.
 * 2. Of the others, those are sent whose records do not show them as handed over. The request always names its shipments:
 *    providers take an empty list as all of them.
 * 3. What the response does not count, the records say.
 */
async function handOver(
	run: NodeRun,
	items: readonly HandOverItem[],
	{ date }: HandOverSettings,
	failedBefore: readonly ItemResult[],
): Promise<ItemResult[]> {
	const { client } = run;
	const notes: HandOverNotes = new SentNotes(run.context, 'handOver');
	const noted = await lookAtNoted(client, notes);
	const mayBeSent = (shipment: CarrierShipment) =>
		!notes.get(keyOf(shipment)) || noted.some((each) => each.isOpen && each.id === shipment.id);

	const planned = await planHandOvers(client, items);
	const { failed } = planned;
	const plans = planned.plans.map((plan) => ({
		...plan,
		shipments: plan.shipments.filter(mayBeSent),
		alreadyHandedOver: plan.alreadyHandedOver.filter((each) => !notes.get(keyOf(each))),
	}));

	const toSend = plans.filter(({ shipments }) => shipments.length > 0);
	const sent = endsWithError(run, [...failedBefore, ...failed])
		? []
		: await runUntilFirstFailure(
				run,
				toSend.map((plan) => [plan]),
				async ({ shipments }) => send(client, shipments, date, notes),
				(each) => 'failure' in each,
			);
	const isSentNow = ({ shipment }: HandOverResult) =>
		sent.some((each) => keyOf(each.shipment) === keyOf(shipment));
	const before = noted.flatMap(({ result }) => result ?? []).filter((each) => !isSentNow(each));
	return toResults(items, { plans, failed }, [...before, ...sent]);
}

/** What an earlier try has sent. */
interface Noted {
	id: number;
	/** A person has retried, and the record says that it was not handed over. */
	isOpen: boolean;
	/** Undefined if it was canceled: then an item that names it fails. */
	result?: HandOverResult;
}

async function lookAtNoted(client: Client, notes: HandOverNotes): Promise<Noted[]> {
	const byCarrier = groupBy(notes.all, ({ target }) => target.carrierCode.toUpperCase());
	const noted = await client.mapParallel([...byCarrier.values()], async (group) => {
		const unknown = group.flatMap(({ target, done }) => (done ? [] : target));
		const states = await readNow(client, unknown);
		return group.map(({ target: shipment, done }): Noted => {
			const { id } = shipment;
			const state = states.get(id);
			if (done) return { id, isOpen: false, result: { shipment, done } };
			if (state?.canceled) return { id, isOpen: false };
			if (state?.handedOver) {
				const result = { shipment, done: toHandedOver(undefined, [shipment], []) };
				notes.add(keyOf(shipment), { done: result.done });
				return { id, isOpen: false, result };
			}
			const isOpen = state?.handedOver === false && notes.isOfEarlierExecution(keyOf(shipment));
			const failure = unconfirmedError([shipment], { states, sentCount: 1 });
			return { id, isOpen, result: { shipment, failure } };
		});
	});
	return noted.flat();
}

/** Hands over shipments of one carrier together. */
async function send(
	client: Client,
	shipments: readonly CarrierShipment[],
	date: string | undefined,
	notes: HandOverNotes,
): Promise<HandOverResult[]> {
	const carrierCode = shipments[0]?.carrierCode ?? '';
	const noting = {
		sending: () => shipments.forEach((each) => notes.sending(keyOf(each), each)),
		forget: () => shipments.forEach((each) => notes.forget(keyOf(each))),
	};
	const outcome = await sendOnce(client, noting, async (calls) =>
		calls.call('handOverShipments', {
			path: { carrier_code: carrierCode },
			body: { ...(date === undefined ? {} : { date }), packages: shipments.map(({ id }) => id) },
		}),
	);
	if ('refused' in outcome)
		return shipments.map((shipment) => ({ shipment, failure: outcome.refused }));
	const response = 'response' in outcome ? outcome.response : undefined;

	let states: ShipmentStates = new Map();
	let left = countsAll(response, shipments) ? [] : shipments;
	if (left.length > 0)
		await lookAgain(client, Math.min(client.maxRetryWaitMs, MAX_WAIT_MS), async () => {
			states = new Map([...states, ...(await readNow(client, left))]);
			left = shipments.filter(({ id }) => {
				const { handedOver, canceled } = states.get(id) ?? {};
				return !handedOver && !canceled;
			});
			return left.length === 0;
		});
	const done = toHandedOver(response, shipments, left);
	const lost = 'lost' in outcome ? outcome.lost : undefined;
	const sentCount = shipments.length;
	const failure = unconfirmedError(left, { states, sentCount, done, lost });
	return shipments.map((shipment): HandOverResult => {
		if (left.includes(shipment)) return { shipment, failure };
		if (states.get(shipment.id)?.canceled) {
			notes.forget(keyOf(shipment));
			return { shipment, failure: canceledError(shipment) };
		}
		notes.add(keyOf(shipment), { done });
		return { shipment, done };
	});
}

/** Empty as far as the records cannot be read. */
async function readNow(
	client: Client,
	shipments: readonly CarrierShipment[],
): Promise<ShipmentStates> {
	const [first] = shipments;
	if (!first) return new Map();
	const ids = shipments.map(({ id }) => id);
	const states = await readStates(client, first.carrierCode, { ids }).catch(() => new Map());
	return new Map([...states].flatMap(([id, state]) => ('failure' in state ? [] : [[id, state]])));
}

type Response = ResponseOf<'handOverShipments'> | undefined;

/** Whether the count in the response proves that all shipments were handed over. */
function countsAll(response: Response, shipments: readonly CarrierShipment[]): boolean {
	const count = Number(response?.result?.packagesCount ?? 0);
	// Some services count pieces, so that a count of several shipments says nothing if one has several. A record with 0
	// pieces does not say how many there are.
	const pieceCounts = shipments.map(({ pieceCount }) => Number(pieceCount) || NaN);
	const isSum = count === pieceCounts.reduce((sum, each) => sum + each, 0);
	return count > 0 && (isSum || shipments.length === 1);
}

function toHandedOver(
	response: Response,
	shipments: readonly CarrierShipment[],
	left: readonly CarrierShipment[],
): HandedOver {
	const {
		id = null,
		protocolUrl = null,
		labelsUrl = null,
		packagesCount = 0,
	} = response?.result ?? {};
	// If another run has handed one of them over, the hand-over may have one that is not confirmed instead.
	const mayLack = left.length > 0 || Number(packagesCount) < shipments.length;
	return {
		handOverId: id,
		protocolUrl,
		labelsUrl,
		recovered: !response,
		correlationId: response?.correlationId ?? null,
		...(mayLack
			? { doubt: id === null ? FROM_LIST : 'Check that the protocol lists all of them' }
			: {}),
	};
}

const FROM_LIST = 'To get the protocol, use Hand-Over: Get Many';
