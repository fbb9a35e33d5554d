import { chunk, groupBy } from '../lists';
import { type FailedResult, type ItemResult, type NodeRun, runUntilFirstFailure } from '../run';
import type { Client } from '../transport/client';
import { NUMBERS_PER_REQUEST } from '../transport/contract';
import { ItemError, withDetails } from '../transport/errors';
import { withNewer } from '../transport/groupPieces';
import { type FoundShipment, type PieceRecord, readPieces } from '../transport/pieces';
import type { Outcome, TargetOutcome } from '../writes/journal';
import {
	type CancelAct,
	type Cancellation,
	type CancelTarget,
	keyOfCanceled,
	openCanceling,
} from './cancelAct';
import { nameOfShipment, noShipmentError, orderOf } from './shipmentState';

/** The shipments that one input item cancels. */
export type CancelItem = { item: number; carrierCode: string } & (
	| { numbers: string[] }
	| {
			shipmentIds: number[];
			/** By ID, if they were found by their order numbers. */
			found?: ReadonlyMap<number, FoundShipment>;
	  }
);

/** Also returns what earlier tries have canceled for items that are not among `items` now. */
export async function cancelShipments(
	run: NodeRun,
	items: readonly CancelItem[],
): Promise<ItemResult[]> {
	const { context, client } = run;
	const canceling = openCanceling(context, client);
	const { outcomes, sendable } = await canceling.recall();
	const before = canceling.doneOrPending();
	const failed: FailedResult[] = [];
	const finding = client.mapParallel(items.flatMap(wantedOf), async (wanted) => {
		const same = before.find((target) => keyOfCanceled(target) === keyOfCanceled(wanted));
		const known = same ?? before.find((target) => isOfSameOrder(target, wanted));
		const again = known ? [{ ...known, items: [wanted.item] }] : undefined;
		// What may be sent again is read again, because a piece may have got its number since.
		if (again && !(same && canceling.mayCancel(same))) return again;
		try {
			return [await toTarget(client, wanted)];
		} catch (thrown) {
			// It is sent again all the same, because canceling twice does no harm.
			if (again) return again;
			const failure = withDetails(thrown, orderOf(wanted.found?.reference));
			failed.push({ items: [wanted.item], failure });
			return [];
		}
	});
	const targets = joinEqual((await finding).flat());
	const open = targets.filter(canceling.mayCancel);
	const canceledBefore = open.filter(({ numbers }) => numbers.length === 0);
	outcomes.push(...canceledBefore.map(canceling.keepCanceled));
	if (failed.length === 0 || context.continueOnFail()) {
		const toSend = open.filter(({ numbers }) => numbers.length > 0);
		const byCarrier = groupBy(toSend, ({ carrierCode }) => carrierCode);
		const requests = [...byCarrier.values()].flatMap((group) => chunk(group, NUMBERS_PER_REQUEST));
		const queues = requests.map((request) => [request]);
		const isFailed = ({ outcome }: TargetOutcome<CancelAct>) => 'errors' in outcome;
		outcomes.push(...(await runUntilFirstFailure(run, queues, canceling.cancel, isFailed)));
	}
	const outcomeOf = new Map(
		[...sendable, ...outcomes].map((each) => [keyOfCanceled(each.targets[0]), each.outcome]),
	);
	const ofEarlierTries = outcomes.map((each) => each.targets[0]);
	const all = groupBy([...targets, ...ofEarlierTries], keyOfCanceled);
	const results = [...all].flatMap(([key, [target]]) => toResults(target, outcomeOf.get(key)));
	return [...failed, ...results];
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
		throw new ItemError(
			`Shipment ${nameOfShipment(id, reference)} has no shipment number of carrier ${carrierCode} yet`,
			'A shipment is canceled by the number that the carrier assigns. Run the workflow again later.',
			{ ...orderOf(reference), carrierCode, shipmentId: id },
			true,
		);
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
	throw new ItemError(
		`The service does not show piece ${id} of shipment ${main.id}`,
		`To cancel the whole shipment, enter the ID ${main.id}. To cancel only this piece, set 'Shipments' to 'By Shipment Number'.`,
		{ shipmentId: main.id, carrierCode },
		true,
	);
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
