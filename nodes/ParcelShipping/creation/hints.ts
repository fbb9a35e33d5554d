import { countOf, listTexts } from '../lists';
import { isExchange, type Order, pieceCountOf, referenceOf, showValue } from '../orders/order';
import type { ItemResult } from '../run';
import { isCreated, shipmentOf } from './shipments';
import type { OrderOutcome, Piece, Shipment } from './types';

/** How many shipments a hint names. */
const MAX_LISTED = 5;
const MAX_LISTED_CLEANED = 3;

/** What the execution has done, for example "5 shipments created, 5 labels printed on Warehouse Zebra". */
function describeDone(created: number, printedOn: readonly string[]): string | false {
	const done = [
		created > 0 && `${countOf(created, 'shipment')} created`,
		printedOn.length > 0 &&
			`${countOf(printedOn.length, 'label')} printed on ${listTexts([...new Set(printedOn)], MAX_LISTED)}`,
	].filter((text) => text !== false);
	return done.length > 0 && `${done.join(', ')}.`;
}

/** Values that were rewritten before they were sent. Joined names and payment methods are no surprise. */
function describeCleaned(orders: readonly Order[]): string | false {
	const cleaned = orders.flatMap((order) => {
		const rewritten = Object.values(order.cleaned ?? {}).find(
			([from, to]) => !Array.isArray(from) && to !== null && typeof to !== 'boolean',
		);
		if (!rewritten) return [];
		const [from, to] = rewritten;
		return `${referenceOf(order)}: ${showValue(from)} to ${showValue(to)}`;
	});
	return (
		cleaned.length > 0 &&
		`Cleaned up the values of ${countOf(cleaned.length, 'order')}, for example ${listTexts(cleaned, MAX_LISTED_CLEANED)}. 'Dry Run' lists all of them.`
	);
}

interface RunFacts {
	/** Several can have the same items: one for each refused piece, or an unmatched row of several orders. */
	failures: ReadonlyArray<Pick<ItemResult, 'items'>>;
	/** The printer of each printed label. */
	printedOn: string[];
	/** Whether an execution that a person has retried has created the shipment of the order. */
	isOfEarlierExecution: (order: Order) => boolean;
}

/** What the execution has done, and what the user would not expect. */
export function hintsOf(
	outcomes: readonly OrderOutcome[],
	failedItems: string,
	{ failures, printedOn, isOfEarlierExecution }: RunFacts,
): string[] {
	const all = outcomes.flatMap((each) => {
		const shipment = shipmentOf(each);
		const [order] = each.targets;
		return shipment
			? [{ order, isUnmatched: each.outcome.state === 'unmatched', ...shipment }]
			: [];
	});
	const knownBy = (via: Piece['via']) =>
		all.filter(({ pieces }) => pieces.some((each) => each.via === via));
	const existed = knownBy('existing').filter(({ duplicates }) => !duplicates?.canceled);
	const different = all.filter(({ differences }) => differences);
	const uncompared = [...new Set(existed.flatMap((each) => each.uncompared ?? []))];
	const recovered = knownBy('records');
	const unmatched = all.filter(({ isUnmatched }) => isUnmatched);
	const fewer = all.filter(
		({ order, pieces, isUnmatched }) => !isUnmatched && pieces.length < pieceCountOf(order),
	);
	const canceled = all.filter(({ duplicates }) => duplicates?.canceled);
	// The second shipment of an exchange is wanted.
	const duplicated = all.filter(
		({ order, duplicates, isUnmatched }) =>
			duplicates && duplicates.named.length > 0 && !isUnmatched && !isExchange(order),
	);
	const [unchecked] = all.flatMap(({ duplicates }) => duplicates?.notRead ?? []);
	const created = all.filter(isCreated);
	const failedCount = new Set(failures.map(({ items: [first] }) => first)).size;
	const ofEarlierExecution = created.filter(({ order }) => isOfEarlierExecution(order));
	return [
		describeDone(created.length - ofEarlierExecution.length, printedOn),
		ofEarlierExecution.length > 0 &&
			`${countOf(ofEarlierExecution.length, 'shipment', 'was')} created before the retry, and not created again.`,
		existed.length > 0 &&
			`${countOf(existed.length, 'shipment')} already existed (alreadyExisted: true in the output). Nothing was created again. labelUrl is only known when a shipment is created: to get a label again, use Label: Create Label Files.`,
		different.length > 0 &&
			`${countOf(different.length, 'existing shipment', 'differs')} from the order. See differences in the output.`,
		uncompared.length > 0 &&
			`The service does not return every field of existing shipments, so these were not compared with the orders: ${listTexts(uncompared)}.`,
		recovered.length > 0 &&
			`The response was missing or incomplete for ${countOf(recovered.length, 'shipment')}. What was created was read back from the service and has recovered: true.`,
		unmatched.length > 0 &&
			`${countOf(unmatched.length, 'shipment')} could not be matched to a single item (unmatched: true in the output).`,
		fewer.length > 0 &&
			`${countOf(fewer.length, 'shipment', 'has')} fewer pieces than ordered: ${listTexts(fewer.map(describePieces), MAX_LISTED)}.`,
		canceled.length > 0 &&
			`${countOf(canceled.length, 'order', 'was')} created twice, by another run at the same moment or by an earlier request. Duplicates were canceled. See canceledDuplicate in the output.`,
		duplicated.length > 0 &&
			`${countOf(duplicated.length, 'order', 'has')} more than one shipment: ${listTexts(duplicated.map(describeDuplicate), MAX_LISTED)}. Cancel the ones that you do not need.`,
		unchecked !== undefined &&
			`The node could not check whether another run shipped the same orders at the same moment: ${unchecked}. To see existing shipments, run the workflow again.`,
		describeCleaned(created.map(({ order }) => order)),
		failedCount > 0 && `${countOf(failedCount, 'order')} failed. See ${failedItems}.`,
	].filter((hint) => hint !== false);
}

type OrderedShipment = Shipment & { order: Order };

/** For example "WEB-1 (also ID 1002)". */
function describeDuplicate({ order, duplicates }: OrderedShipment): string {
	const others = duplicates?.named.map(({ id }) => `ID ${id}`) ?? [];
	const reason = duplicates?.notCanceled ? `; not canceled: ${duplicates.notCanceled}` : '';
	return `${referenceOf(order)} (also ${listTexts(others, MAX_LISTED)}${reason})`;
}

/** For example "WEB-1 (2 of 3 pieces)". */
function describePieces({ order, pieces }: OrderedShipment): string {
	return `${referenceOf(order)} (${pieces.length} of ${pieceCountOf(order)} pieces)`;
}
