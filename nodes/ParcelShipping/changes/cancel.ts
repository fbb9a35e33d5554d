import type { IDataObject } from 'n8n-workflow';

import { chunk, groupBy, isNonEmpty } from '../lists';
import { type ItemResult, type NodeRun, runUntilFirstFailure } from '../run';
import type { Client } from '../transport/client';
import { NUMBERS_PER_REQUEST } from '../transport/contract';
import { describeError, type ErrorText, ItemError, reword, withDetails } from '../transport/errors';
import { withNewer } from '../transport/groupPieces';
import { type FoundShipment, isLiving } from '../transport/pieces';
import type { Outcome, TargetOutcome } from '../writes/journal';
import {
	type CancelAct,
	type NumberToCancel,
	type Cancellation,
	nameOfShipment,
	numberKeyOf,
	openCanceling,
	orderOf,
} from './cancelNumbers';
import { readState } from './shipmentState';

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
	const outcomes: Outcomes = new Map();
	const note = (noted: ReadonlyArray<TargetOutcome<CancelAct>>) => {
		for (const { targets, outcome } of noted) outcomes.set(numberKeyOf(targets[0]), outcome);
	};
	const recalled = await canceling.recall();
	note(recalled);
	const recalledNumbers = recalled.map(({ targets }) => targets[0]);
	const doneOrPending = canceling.doneOrPendingNumbers();
	const finding = client.mapParallel(items, async (item) =>
		shipmentsOf(client, item, recalledNumbers, doneOrPending),
	);
	const shipments = (await finding).flat();
	note(canceling.keepCanceled(shipments.flatMap((each) => (each.isCanceled ? each.numbers : []))));
	const hasFailed = shipments.some(({ failure }) => failure !== undefined);
	const numbers = shipments.flatMap((each) => each.numbers);
	if (!hasFailed || context.continueOnFail()) {
		const open = numbers.filter((each) => !outcomes.has(numberKeyOf(each)));
		const distinct = new Map(open.map((each) => [numberKeyOf(each), each]));
		const byCarrier = groupBy([...distinct.values()], ({ carrierCode }) => carrierCode);
		const requests = [...byCarrier.values()].flatMap((group) => chunk(group, NUMBERS_PER_REQUEST));
		const queues = requests.map((request) => [request]);
		const isFailed = ({ outcome }: TargetOutcome<CancelAct>) => 'errors' in outcome;
		note(await runUntilFirstFailure(run, queues, canceling.cancel, isFailed));
	}
	await confirmAll(client, shipments, outcomes);
	const reported = new Set(numbers.map(numberKeyOf));
	const others = recalledNumbers.filter((each) => !reported.has(numberKeyOf(each)));
	const byShipment = groupBy(others, ({ carrierCode, wantedId, number }) =>
		JSON.stringify([carrierCode, wantedId ?? number]),
	);
	const ofOthers = [...byShipment.values()].map((sent): ShipmentToCancel => {
		const [{ items: itemsBefore = [], pieceCount = 1 }] = sent;
		const isPart = sent.length < pieceCount;
		return { ...toShipment(sent, itemsBefore), failure: isPart ? partError(sent) : undefined };
	});
	return [...shipments, ...ofOthers].flatMap((each) => toResults(each, outcomes));
}

type Outcomes = Map<string, Outcome<Cancellation>>;

type Numbers = [NumberToCancel, ...NumberToCancel[]];

/** One output item: a shipment that an item names, or that only an earlier try has canceled. */
interface ShipmentToCancel {
	items: number[];
	/** What the output says about the shipment. */
	shipment: IDataObject;
	/** Empty if the carrier has assigned none, or if nothing of it was sent because of the failure. */
	numbers: NumberToCancel[];
	/** It was canceled before. */
	isCanceled?: boolean;
	/** Whether it has a piece without a number, so that only its records say that all of it is canceled. */
	mustConfirm?: boolean;
	/** Why it is not canceled, or only in part. */
	failure?: unknown;
}

const toShipment = (numbers: Numbers, items: number[]): ShipmentToCancel => {
	return { items, shipment: toOutput(numbers[0]), numbers };
};

const toOutput = ({ wantedId: id, number, carrierCode, reference }: NumberToCancel) => ({
	...orderOf(reference),
	...(id === undefined ? {} : { id }),
	packageNumberCarrier: number || null,
	carrierCode,
});

/** Some numbers of a shipment are canceled or were sent, and it is not known that all of it is canceled. */
function partError(numbers: Numbers, reason = ''): ItemError {
	const [{ wantedId = '', carrierCode, reference }] = numbers;
	const known = numbers.map(({ number }) => number);
	return new ItemError(
		`Shipment ${nameOfShipment(wantedId, reference)} may be canceled only in part. Numbers that are canceled or were sent: ${known.join(', ')}`,
		`${reason}Check it with Shipment: Get, and run the workflow again to cancel the other pieces.`,
		{ ...orderOf(reference), carrierCode, shipmentId: wantedId, packageNumbersCarrier: known },
		true,
	);
}

/** Reads the shipments again of which some pieces have no number. */
async function confirmAll(
	client: Client,
	shipments: readonly ShipmentToCancel[],
	outcomes: Outcomes,
): Promise<void> {
	const isDone = (each: NumberToCancel) => outcomes.get(numberKeyOf(each))?.state === 'done';
	const toConfirm = shipments.filter((each) => each.mustConfirm && each.numbers.every(isDone));
	await client.mapParallel(toConfirm, async (each) => {
		const { numbers } = each;
		if (!isNonEmpty(numbers)) return;
		const [{ carrierCode, wantedId = 0, pieceCount = 1 }] = numbers;
		try {
			const { pieces } = await readState(client, carrierCode, wantedId);
			const canceled = pieces.filter(({ isCanceled }) => isCanceled);
			if (canceled.length >= Math.max(pieceCount, pieces.length)) return;
			each.failure = partError(numbers, 'A piece has no shipment number yet. ');
		} catch (thrown) {
			each.failure = partError(numbers, `${describeError(thrown).message}. `);
		}
	});
}

async function shipmentsOf(
	client: Client,
	wanted: CancelItem,
	recalled: readonly NumberToCancel[],
	doneOrPending: readonly NumberToCancel[],
): Promise<ShipmentToCancel[]> {
	const items = [wanted.item];
	if ('numbers' in wanted) {
		const { carrierCode } = wanted;
		return wanted.numbers.map((number) => toShipment([{ carrierCode, number, items }], items));
	}
	return await client.mapParallel(wanted.shipmentIds, async (shipmentId) => {
		const found = wanted.found?.get(shipmentId);
		const before = found && canceledBefore(found, doneOrPending);
		const { carrierCode, wantedId } = before ?? { ...wanted, wantedId: shipmentId };
		const known = recalled.filter((each) => each.wantedId === wantedId);
		const own = { carrierCode, wantedId, items };
		const finding = findById(client, own, before ? undefined : found, known);
		return await finding.catch((thrown: unknown): ShipmentToCancel => {
			if (!isNonEmpty(known)) {
				const failure = withDetails(thrown, orderOf(found?.reference));
				return { items, shipment: {}, numbers: [], failure };
			}
			// What was sent is named, whatever fails now.
			const failure = partError(known, `${describeError(thrown).message}. `);
			return { ...toShipment(known, items), failure };
		});
	});
}

/**
 * What an earlier try has canceled for the order, or may have, if that was another shipment. The order was created
 * again since, and this shipment is not to be canceled as well.
 */
function canceledBefore(found: FoundShipment, doneOrPending: readonly NumberToCancel[]) {
	const ofOrder = doneOrPending.filter(({ reference }) => reference === found.reference);
	const isOther = isLiving(found) && !ofOrder.some(({ wantedId }) => wantedId === found.id);
	return isOther
		? ofOrder.find((each): each is NumberToCancel & { wantedId: number } => 'wantedId' in each)
		: undefined;
}

/** `known` are its numbers that an earlier try has sent, or has found canceled. */
async function findById(
	client: Client,
	wanted: { carrierCode: string; wantedId: number; items: number[] },
	found: FoundShipment | undefined,
	known: NumberToCancel[],
): Promise<ShipmentToCancel> {
	const { carrierCode, wantedId: id, items } = wanted;
	const pieceCountBefore = known[0]?.pieceCount ?? 1;
	if (isNonEmpty(known) && known.length >= pieceCountBefore) return toShipment(known, items);
	const reading = readState(client, carrierCode, id);
	const { id: shipmentId, pieces: all } = await reading.catch((thrown: unknown) => {
		// What is left of a shipment that was canceled in part may be a piece without a detail.
		if (!found || found.isGuessed || !(thrown instanceof ItemError)) throw thrown;
		return { id, pieces: found.pieces };
	});
	const reference = found?.reference ?? all[0]?.reference ?? '';
	// The ID of an additional piece stands for that piece alone. Some details lack pieces that are listed.
	const listed = new Map(
		found && !found.isGuessed ? found.pieces.map((each) => [each.id, each]) : [],
	);
	const own = all.filter((piece) => shipmentId === id || piece.id === id);
	const newest = own.map((piece) => withNewer(listed.get(piece.id) ?? piece, piece));
	for (const piece of all) listed.delete(piece.id);
	const pieces = [...newest, ...listed.values()];
	if (pieces.length === 0) {
		throw new ItemError(
			`The service does not show piece ${id} of shipment ${shipmentId}`,
			`To cancel the whole shipment, enter the ID ${shipmentId}. To cancel only this piece, set 'Shipments' to 'By Shipment Number'.`,
			{ shipmentId, carrierCode },
			true,
		);
	}
	const pieceCount = pieces.length;
	const numbers = pieces
		.filter(({ number }) => number !== '')
		.map(({ number }) => ({ ...wanted, number, reference, shipmentId, pieceCount }));
	const isCanceled = pieces.every((piece) => piece.isCanceled);
	if (isCanceled && isNonEmpty(known)) {
		// A piece that an earlier try was to cancel as well may be listed as a shipment of its own by now.
		const failure = pieceCount < pieceCountBefore ? partError(known) : undefined;
		return { ...toShipment(known, items), failure };
	}
	if (isCanceled || numbers.length > 0) {
		const shipment = toOutput({ ...wanted, reference, number: numbers[0]?.number ?? '' });
		const mustConfirm = !isCanceled && numbers.length < pieces.length;
		return { items, shipment, numbers, isCanceled, mustConfirm };
	}
	throw new ItemError(
		`Shipment ${nameOfShipment(id, reference)} has no shipment number of carrier ${carrierCode} yet`,
		'A shipment is canceled by the number that the carrier assigns. Run the workflow again later.',
		{ ...orderOf(reference), carrierCode, shipmentId: id },
		true,
	);
}

function toResults(
	{ items, shipment, numbers, failure }: ShipmentToCancel,
	outcomes: Outcomes,
): ItemResult[] {
	const errors: unknown[] = [];
	const canceled: Array<NumberToCancel & Cancellation> = [];
	for (const number of numbers) {
		const outcome = outcomes.get(numberKeyOf(number));
		if (outcome?.state === 'done') canceled.push({ ...number, ...outcome.value });
		else if (outcome && 'errors' in outcome) errors.push(outcome.errors[0]);
	}
	if (errors.length > 0) {
		const error = withDetails(errors[0], orderOf(numbers[0]?.reference));
		const done = canceled.map(({ number }) => number).join(', ');
		// The message of a further error is all that n8n shows of it.
		const withDone = ({ message }: ErrorText) => ({
			message: `${message}. Canceled with it: ${done}`,
		});
		return [{ items, failure: done === '' ? error : reword(error, withDone) }];
	}
	if (canceled.length < numbers.length) {
		// Without Continue, the run ended before the request of the others.
		return isNonEmpty(canceled) ? [{ items, failure: partError(canceled) }] : [];
	}
	if (failure !== undefined) return [{ items, failure }];
	const json = {
		...shipment,
		canceled: true,
		alreadyCanceled: canceled.every(({ via }) => via === 'existing'),
		recovered: canceled.some(({ via }) => via === 'records'),
		correlationId: canceled[0]?.correlationId ?? null,
	};
	return [{ items, json }];
}
