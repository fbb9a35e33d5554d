import { chunk, groupBy } from '../lists';
import { type FailedResult, type ItemResult, type NodeRun, runUntilFirstFailure } from '../run';
import type { Client } from '../transport/client';
import { NUMBERS_PER_REQUEST } from '../transport/contract';
import { ItemError, withDetails } from '../transport/errors';
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
	const outcomes = await canceling.recall();
	const before = canceling.doneOrPending();
	const failed: FailedResult[] = [];
	const finding = client.mapParallel(items.flatMap(wantedOf), async (wanted) => {
		const known = before.find((target) => isSame(target, wanted));
		if (known) return [{ ...known, items: [wanted.item] }];
		try {
			return [await toTarget(client, wanted)];
		} catch (thrown) {
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
	const outcomeOf = new Map(outcomes.map((each) => [keyOfCanceled(each.targets[0]), each.outcome]));
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
 * Whether an item means what an earlier try has canceled, or may have. That is also the other shipment of an order: the
 * order was created again since, and the new shipment is not to be canceled as well.
 */
function isSame(target: CancelTarget, wanted: Wanted): boolean {
	const isSameCarrier = target.carrierCode === wanted.carrierCode;
	if ('number' in wanted) {
		return isSameCarrier && target.id === undefined && target.number === wanted.number;
	}
	const { id, found } = wanted;
	if (isSameCarrier && target.id === id) return true;
	const isPiece = found?.pieces.some((piece) => piece.id === target.id);
	return found !== undefined && target.reference === found.reference && !isPiece;
}

async function toTarget(client: Client, wanted: Wanted): Promise<CancelTarget> {
	const { carrierCode, item } = wanted;
	const items = [item];
	if ('number' in wanted) {
		const { number } = wanted;
		return { carrierCode, reference: '', number, numbers: [number], items };
	}
	const { id, found } = wanted;
	const pieces =
		found && !found.isGuessed ? found.pieces : await piecesWith(client, carrierCode, id);
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
		number: numbered[0]?.number ?? '',
		numbers,
		...(hasAllNumbers ? {} : { pieceCount: pieces.length }),
		items,
	};
}

/** All pieces of the shipment with this ID. The ID of an additional piece stands for that piece alone. */
async function piecesWith(client: Client, carrierCode: string, id: number): Promise<PieceRecord[]> {
	const pieces = await readPieces(client, carrierCode, id);
	const [main] = pieces;
	if (!main) throw noShipmentError(carrierCode, id);
	const own = main.id === id ? pieces : pieces.filter((piece) => piece.id === id);
	if (own.length > 0) return own;
	throw new ItemError(
		`The service does not show piece ${id} of shipment ${main.id}`,
		`To cancel the whole shipment, enter the ID ${main.id}. To cancel only this piece, set 'Shipments' to 'By Shipment Number'.`,
		{ shipmentId: main.id, carrierCode },
		true,
	);
}

/** Those that several items name, once. */
function joinEqual(targets: readonly CancelTarget[]): CancelTarget[] {
	return [...groupBy(targets, keyOfCanceled).values()].map((equal) => ({
		...equal[0],
		items: [...new Set(equal.flatMap(({ items }) => items))],
	}));
}

function toResults(target: CancelTarget, outcome?: Outcome<Cancellation>): ItemResult[] {
	// Without Continue, the run ended before its request.
	if (!outcome) return [];
	const { items, id, number, carrierCode, reference } = target;
	if ('errors' in outcome) {
		return [{ items, failure: withDetails(outcome.errors[0], orderOf(reference)) }];
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
	return [{ items, json }];
}
