import { attachProtocol, today } from '../files';
import { groupBy } from '../lists';
import { endsWithError, type ItemResult, type NodeRun, runUntilFirstFailure } from '../run';
import type { Client } from '../transport/client';
import type { ResponseOf } from '../transport/endpoints';
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

/** With what the response has said of its hand-over, if there was one. */
type HandOverNotes = SentNotes<CarrierShipment & { handOver?: HandedOver }, HandedOver>;

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
	const lock = JSON.stringify(['handOver', run.client.http.address.origin]);
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
	const isNoted = (shipment: CarrierShipment) => notes.get(keyOf(shipment)) !== undefined;
	const planned = await planHandOvers(client, items);
	const plans = planned.plans.map((plan) => ({
		...plan,
		shipments: plan.shipments.filter((each) => !isNoted(each) || noted.open.has(keyOf(each))),
		alreadyHandedOver: plan.alreadyHandedOver.filter((each) => !isNoted(each)),
	}));

	const toSend = plans.filter(({ shipments }) => shipments.length > 0);
	const sent = endsWithError(run, [...failedBefore, ...planned.failed])
		? []
		: await runUntilFirstFailure(
				run,
				toSend.map((plan) => [plan]),
				async ({ shipments }) => send(client, shipments, date, notes),
				(each) => 'failure' in each,
			);
	const sentKeys = new Set(sent.map(({ shipment }) => keyOf(shipment)));
	const before = noted.results.filter(({ shipment }) => !sentKeys.has(keyOf(shipment)));
	return toResults(items, { plans, failed: planned.failed }, [...before, ...sent]);
}

/** What the records say of what earlier tries have sent. `open`: a person may send it again. */
async function lookAtNoted(client: Client, notes: HandOverNotes) {
	const results: HandOverResult[] = [];
	const open = new Set<string>();
	const byCarrier = groupBy(notes.all, ({ target }) => target.carrierCode.toUpperCase());
	await client.mapParallel([...byCarrier.values()], async (group) => {
		const unknown = group.flatMap(({ target, done }) => (done ? [] : target));
		const states = await readNow(client, unknown);
		for (const { target: shipment, ...note } of group) {
			const key = keyOf(shipment);
			const { canceled, handedOver } = states.get(shipment.id) ?? {};
			const confirmed =
				handedOver && (shipment.handOver ?? toHandedOver(undefined, [shipment], []));
			const done = note.done ?? confirmed;
			// An item that names what was canceled since fails anyway.
			if (canceled) continue;
			if (done) {
				notes.add(key, { done });
				results.push({ shipment, done });
				continue;
			}
			if (handedOver === false && notes.isOfEarlierExecution(key)) open.add(key);
			const known = { states, sentCount: 1, done: shipment.handOver };
			results.push({ shipment, failure: unconfirmedError([shipment], known) });
		}
	});
	return { results, open };
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
		await lookAgain(client, Math.min(client.http.maxRetryWaitMs, MAX_WAIT_MS), async () => {
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
		if (left.includes(shipment)) {
			const note = notes.get(keyOf(shipment));
			if (note && response) note.target.handOver = done;
			return { shipment, failure };
		}
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
