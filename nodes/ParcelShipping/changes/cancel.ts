import { chunk, groupBy } from '../lists';
import {
	endsWithError,
	type FailedResult,
	type ItemResult,
	type NodeRun,
	runUntilFirstFailure,
} from '../run';
import type { Client } from '../transport/client';
import { NUMBERS_PER_REQUEST } from '../transport/contract';
import { withDetails } from '../transport/errors';
import { withNewer } from '../transport/groupPieces';
import { type FoundShipment, type PieceRecord, readPieces } from '../transport/pieces';
import type { Journal, Outcome, TargetOutcome, WriteRequest } from '../writes/journal';
import { recall, writeOnce } from '../writes/writeOnce';
import {
	type CancelAct,
	type Cancellation,
	cancelJournal,
	type CancelTarget,
	keyOfCanceled,
} from './cancelAct';
import { noNumberError, noPieceError } from './cancelMessages';
import { cancelWrite } from './cancelWrite';
import { noShipmentError, orderOf } from './shipmentState';

/** The shipments that one input item cancels. */
export type CancelItem = { item: number; carrierCode: string } & (
	| { numbers: string[] }
	| {
			shipmentIds: number[];
			/** By ID, if they were found by their order numbers. */
			found?: ReadonlyMap<number, FoundShipment>;
	  }
);

/** A shipment has a number for each of its pieces. */
const SHIPMENTS_PER_REQUEST = NUMBERS_PER_REQUEST;

/**
 * Without a lock, because canceling twice does no harm. Also returns what earlier tries have canceled for items that are
 * not among `items` now. `failedBefore` are items that failed when they were read.
 */
export async function cancelShipments(
	run: NodeRun,
	items: readonly CancelItem[],
	failedBefore: readonly ItemResult[] = [],
): Promise<ItemResult[]> {
	const { context, client } = run;
	const journal = cancelJournal(context);
	const write = cancelWrite(client);
	const { outcomes, sendable } = await recall(journal, write);
	const { targets, failed } = await findTargets(client, items, journal);
	const toCancel = targets.filter((target) => journal.isSendable(target));
	const canceledBefore = toCancel.filter(({ numbers }) => numbers.length === 0);
	outcomes.push(...canceledBefore.map((target) => keepCanceled(target, journal)));
	if (!endsWithError(run, failed)) {
		const toSend = toCancel.filter(({ numbers }) => numbers.length > 0);
		const queues = toRequests(toSend).map((request) => [request]);
		const cancel = async (request: CancelRequest) => writeOnce(journal, request, write);
		const isFailed = ({ outcome }: TargetOutcome<CancelAct>) => 'errors' in outcome;
		outcomes.push(...(await runUntilFirstFailure(run, queues, cancel, isFailed)));
	}
	// A new outcome replaces the earlier one.
	const outcomeOf = new Map(
		[...sendable, ...outcomes].map((each) => [keyOfCanceled(each.targets[0]), each.outcome]),
	);
	const resultsOf = (more: ReadonlyArray<TargetOutcome<CancelAct>>): ItemResult[] => {
		const all = groupBy([...targets, ...more.map((each) => each.targets[0])], keyOfCanceled);
		const results = [...all].flatMap(([key, [target]]) => toResults(target, outcomeOf.get(key)));
		return [...failed, ...results];
	};
	const results = resultsOf(outcomes);
	// What is not sent again because the run ends with an error is still unknown, also if no item names it now.
	return endsWithError(run, [...failedBefore, ...results])
		? resultsOf([...outcomes, ...sendable])
		: results;
}

type CancelRequest = WriteRequest<CancelAct>;

function toRequests(targets: readonly CancelTarget[]): CancelRequest[] {
	const byCarrier = groupBy(targets, ({ carrierCode }) => carrierCode);
	return [...byCarrier].flatMap(([carrierCode, own]) =>
		chunk(own, SHIPMENTS_PER_REQUEST).map((part) => ({ carrierCode, targets: part })),
	);
}

/** Without a request, so that a retry knows as well that it was canceled before. */
function keepCanceled(target: CancelTarget, journal: Journal<CancelAct>): TargetOutcome<CancelAct> {
	const value: Cancellation = { via: 'existing', correlationId: null };
	journal.keepDone(target, value);
	return { targets: [target], outcome: { state: 'done', value } };
}

/** One shipment number or ID of an item. */
type Wanted = {
	item: number;
	carrierCode: string;
	/** The shipment with this ID, if it was found by its order number. */
	found?: FoundShipment | undefined;
} & ({ number: string } | { id: number });

function wantedOf(each: CancelItem): Wanted[] {
	const { item, carrierCode } = each;
	return 'numbers' in each
		? each.numbers.map((number) => ({ item, carrierCode, number }))
		: each.shipmentIds.map((id) => ({ item, carrierCode, id, found: each.found?.get(id) }));
}

/** What the items name, each once. */
async function findTargets(
	client: Client,
	items: readonly CancelItem[],
	journal: Journal<CancelAct>,
): Promise<{ targets: CancelTarget[]; failed: FailedResult[] }> {
	const before = journal.doneOrPendingTargets;
	const failed: FailedResult[] = [];
	const finding = client.mapParallel(items.flatMap(wantedOf), async (wanted) => {
		const earlier = earlierOf(wanted, before);
		const isSame = earlier && keyOfCanceled(earlier) === keyOfCanceled(wanted);
		// What may be sent again is read again, because a piece may have got its number since.
		if (earlier && !(isSame && journal.isSendable(earlier))) return [earlier];
		try {
			const target = await toTarget(client, wanted);
			const numbersBefore = [...(earlier?.numbersBefore ?? []), ...(earlier?.numbers ?? [])];
			const canceled = numbersBefore.filter((number) => !target.numbers.includes(number));
			return [canceled.length > 0 ? { ...target, numbersBefore: canceled } : target];
		} catch (thrown) {
			// It is sent again all the same, because canceling twice does no harm.
			if (earlier) return [earlier];
			const failure = withDetails(thrown, orderOf(wanted.found?.reference));
			failed.push({ items: [wanted.item], failure });
			return [];
		}
	});
	return { targets: joinEqual((await finding).flat()), failed };
}

/** What an earlier try has canceled, or may have, of what the item names, or else for its order. */
function earlierOf(wanted: Wanted, before: readonly CancelTarget[]): CancelTarget | undefined {
	const earlier =
		before.find((target) => keyOfCanceled(target) === keyOfCanceled(wanted)) ??
		before.find((target) => isOfSameOrder(target, wanted));
	return earlier && { ...earlier, items: [wanted.item] };
}

/**
 * Whether an earlier try has canceled this shipment for the order, or may have. If an item finds another one now, the order
 * was created again since, and the new shipment is not to be canceled as well.
 */
const isOfSameOrder = (target: CancelTarget, { found }: Wanted) =>
	target.isOfOrder && target.reference === found?.reference;

async function toTarget(client: Client, wanted: Wanted): Promise<CancelTarget> {
	const { carrierCode, item } = wanted;
	const items = [item];
	if ('number' in wanted) {
		const { number } = wanted;
		return { carrierCode, reference: '', isOfOrder: false, number, numbers: [number], items };
	}
	const { id, found } = wanted;
	const listed = found && !found.isGuessed ? found.pieces : [];
	// A list may have only the main piece. If that one is canceled, others may live.
	const pieces = listed.some(({ isCanceled }) => !isCanceled)
		? listed
		: await piecesWith(client, carrierCode, id, listed);
	const reference = found?.reference ?? pieces[0]?.reference ?? '';
	const numbered = pieces.filter(({ number }) => number !== '');
	const living = pieces.filter(({ isCanceled }) => !isCanceled);
	const numbers = living.flatMap(({ number }) => (number === '' ? [] : number));
	if (living.length > 0 && numbers.length === 0) {
		throw noNumberError(carrierCode, id, reference);
	}
	const hasAllNumbers = numbers.length === living.length;
	return {
		carrierCode,
		id,
		reference,
		isOfOrder: found !== undefined,
		number: numbered[0]?.number ?? '',
		numbers,
		...(hasAllNumbers ? {} : { pieceCount: pieces.length }),
		items,
	};
}

/**
 * All pieces of the shipment with this ID. The ID of an additional piece stands for that piece alone. `listed` says what the
 * detail leaves out.
 */
async function piecesWith(
	client: Client,
	carrierCode: string,
	id: number,
	listed: readonly PieceRecord[],
): Promise<readonly PieceRecord[]> {
	const pieces = await readPieces(client, carrierCode, id);
	const [main] = pieces;
	const own = main?.id === id ? pieces : pieces.filter((piece) => piece.id === id);
	const known = new Map(listed.map((piece) => [piece.id, piece]));
	if (own.length > 0) return own.map((piece) => withNewer(known.get(piece.id) ?? piece, piece));
	// Some pieces have no detail.
	if (listed.length > 0) return listed;
	if (!main) throw noShipmentError(carrierCode, id);
	throw noPieceError(carrierCode, id, main.id);
}

/** Those that several items name, once. The list and the detail may show different pieces of one. */
function joinEqual(targets: readonly CancelTarget[]): CancelTarget[] {
	return [...groupBy(targets, keyOfCanceled).values()].map((equal) => {
		const pieceCounts = equal.flatMap(({ pieceCount }) => pieceCount ?? []);
		return {
			...equal[0],
			isOfOrder: equal.some(({ isOfOrder }) => isOfOrder),
			numbers: [...new Set(equal.flatMap(({ numbers }) => numbers))],
			...(pieceCounts.length > 0 ? { pieceCount: Math.max(...pieceCounts) } : {}),
			items: [...new Set(equal.flatMap(({ items }) => items))],
		};
	});
}

/** One for each item that names the shipment. */
function toResults(target: CancelTarget, outcome?: Outcome<Cancellation>): ItemResult[] {
	// Without Continue, the run ended before its request.
	if (!outcome) return [];
	const { items, id, number, carrierCode, reference } = target;
	if ('errors' in outcome) {
		const failure = withDetails(outcome.errors[0], orderOf(reference));
		return items.map((item) => ({ items: [item], failure }));
	}
	const { via, correlationId } = outcome.value;
	const json = {
		...orderOf(reference),
		...(id === undefined ? {} : { id }),
		packageNumberCarrier: number || null,
		carrierCode,
		canceled: true,
		alreadyCanceled: via === 'existing',
		recovered: via === 'records',
		correlationId,
	};
	return items.map((item) => ({ items: [item], json }));
}
