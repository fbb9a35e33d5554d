import { groupBy, isSameCode } from '../lists';
import { type CreationOptions, type Order, pieceCountOf, referenceOf } from '../orders/order';
import { searchStart } from '../records';
import type { NodeRun } from '../run';
import {
	isActive,
	type FoundShipment,
	readPieces,
	type ShipmentRecords,
} from '../transport/shipments';
import { compareWithOrder } from './differences';
import type { Sent } from '../writes/sent';
import type { OrderNotes } from './notes';
import { canceledSinceError, existsError, unknownError } from './messages';
import {
	idsOfPieces,
	isCreated,
	isFromResponse,
	lowestFirst,
	withMissingPieces,
	withNamed,
	withNotRead,
	toPieces,
} from './shipments';
import type { Duplicate, OpenOrder, OrderResult, Piece, Shipment } from './types';

/** What the stations of a creation share. */
export interface CreationRun extends NodeRun {
	records: ShipmentRecords;
	notes: OrderNotes;
	options: CreationOptions;
}

/** How far back a list of many orders is read. An order number that is searched alone is found however old it is. */
export const lookbackDaysFor = (orderCount: number) => (orderCount === 1 ? Infinity : 30);

/**
 * What exists or must not be sent, what this execution has sent and no record shows yet, and what is left to send.
 * `refused`: the provider has refused to create them because they exist. `after`: this execution has just sent them.
 */
export async function lookUp(
	orders: readonly Order[],
	run: CreationRun,
	when: 'before' | 'refused' | 'after' = 'before',
) {
	const { client, notes } = run;
	const lookbackDays = { before: lookbackDaysFor(orders.length), refused: 365, after: 0 }[when];
	const look = await tryToFind(orders, lookbackDays, run);
	const found: OrderResult[] = [];
	const open: OpenOrder[] = [];
	const toSend: Order[] = [];
	await client.mapParallel(orders, async (order) => {
		const sent = notes.of(order);
		const { mayBe } = sent ?? {};
		const isRetriedByPerson = notes.isOfEarlierExecution(order);
		if (sent?.done) {
			const done = isRetriedByPerson
				? await confirm(order, sent.done, look(order), run)
				: judge(order, sent.done, run);
			found.push(done);
			return;
		}
		const lately = client.http.memory.sent.get(referenceOf(order));
		const { ofOrder, problem } = lately?.id
			? await withUnlisted(order, look(order), lately.carrierCode, lately.id, run)
			: look(order);
		const active = ofOrder.filter(isActive).sort(lowestFirst);
		// What only a refusal has led to is certainly none of this execution.
		const own = sent && when !== 'refused' ? ofSent(sent, active) : [];
		const isMissing = sent && own.length === 0;
		const [first, ...others] = own.length > 0 ? own : active;
		if (isMissing && !isRetriedByPerson) {
			open.push({ order, mayBe, problem });
		} else if (isMissing && (mayBe || problem !== undefined)) {
			found.push({ order, error: unknownError({ order, mayBe, problem }) });
		} else if (first) {
			const via = own.length > 0 ? 'records' : 'existing';
			found.push(await judgeFound(order, [first, ...others], run, via));
		} else if (problem !== undefined) {
			found.push({ order, error: problem });
		} else if (lately && lately.id === undefined && !isRetriedByPerson) {
			// A person who retries the execution that has sent it decides to send it again.
			found.push({ order, error: unknownError({ order }) });
		} else {
			toSend.push(order);
		}
	});
	return { found, open, toSend };
}

/**
 * The shipments of which the first one may be what was sent, by its carrier, and by what a response has named. None as long
 * as it is not there: then another one is that of another process.
 */
function ofSent(
	{ target, mayBe = [] }: Sent<Order, Shipment>,
	active: readonly FoundShipment[],
): FoundShipment[] {
	const ids = mayBe.map((named) => named.id).filter((id) => id > 0);
	const numbers = mayBe.map((named) => (named.id > 0 ? '' : named.number));
	const isOwn = ({ carrierCode, pieces }: FoundShipment) =>
		isSameCode(carrierCode, target.carrierCode) &&
		(mayBe.length === 0 ||
			pieces.some(
				({ id, number }) =>
					// A list may have no numbers.
					ids.includes(id) || (number === '' ? ids.length === 0 : numbers.includes(number)),
			));
	const own = active.filter(isOwn);
	return own.length > 0 ? [...own, ...active.filter((each) => !isOwn(each))] : [];
}

/** What was found for an order, canceled shipments included, or why it is not known. */
interface Found {
	ofOrder: FoundShipment[];
	problem?: unknown;
}

export async function tryToFind(
	orders: readonly Order[],
	lookbackDays: number,
	{ records }: Pick<CreationRun, 'records'>,
	created?: readonly number[],
): Promise<(order: Order) => Found> {
	try {
		const orderNumbers = new Set(orders.map(referenceOf));
		const createdFrom = searchStart(Date.now(), lookbackDays);
		const found = await records.find(orderNumbers, createdFrom, created);
		const byOrderNumber = groupBy(found, ({ reference }) => reference);
		return (order) => {
			const problem: unknown = records.failed.get(referenceOf(order));
			return { ofOrder: byOrderNumber.get(referenceOf(order)) ?? [], problem };
		};
	} catch (problem) {
		return () => ({ ofOrder: [], problem });
	}
}

/** What was found, with what this process created a moment ago and the list does not show yet. */
async function withUnlisted(
	order: Order,
	{ ofOrder, problem }: Found,
	carrierCode: string,
	id: number,
	{ client }: CreationRun,
): Promise<Found> {
	const listedIds = ofOrder.flatMap(({ pieces }) => pieces.map((piece) => piece.id));
	if (listedIds.includes(id)) return { ofOrder, problem };
	try {
		const pieces = await readPieces(client, carrierCode, id);
		const [main] = pieces;
		if (!main) {
			const mayBe = [{ id, number: '' }];
			return { ofOrder, problem: problem ?? unknownError({ order, mayBe }) };
		}
		const isListed = pieces.some((piece) => listedIds.includes(piece.id));
		// A sandbox that is reset uses the same IDs again.
		const isOfOrder = [referenceOf(order), ''].includes(main.reference);
		if (!isOfOrder || isListed) return { ofOrder, problem };
		return { ofOrder: [...ofOrder, { ...main, pieces }], problem };
	} catch (thrown) {
		return { ofOrder, problem: problem ?? thrown };
	}
}

/** The shipment of an order that the records show, with its differences. The first one counts, and the others are named. */
export async function judgeFound(
	order: Order,
	[first, ...others]: [FoundShipment, ...FoundShipment[]],
	run: CreationRun,
	via: Piece['via'],
	/** Another one, which was canceled because of it. */
	canceled?: Duplicate,
): Promise<OrderResult> {
	const { whole, differences } = await compared(order, first, run);
	const found = { pieces: toPieces(order, whole, via), differences };
	const shipment = withNamed(found, others, canceled);
	if (run.notes.of(order)) run.notes.done(order, shipment);
	return judge(order, shipment, run);
}

/** A shipment that exists is output, or an error. One that was or may have been created from the same values is no error. */
function judge(
	order: Order,
	shipment: Shipment,
	{ notes, options: { ifShipped } }: CreationRun,
): OrderResult {
	const existed = !isCreated(shipment);
	const isDifferent = shipment.differences !== undefined;
	const isRefused =
		(ifShipped === 'fail' && existed) ||
		(ifShipped !== 'return' && isDifferent && (existed || notes.isCorrected(order)));
	return isRefused ? { order, error: existsError(order, shipment) } : { order, shipment };
}

/**
 * What was created before a person retried, perhaps days ago. If somebody has canceled it since, the order fails, and no
 * retry creates it again. If the person has corrected the order, its shipment is judged like any other that exists.
 */
async function confirm(
	order: Order,
	shipment: Shipment,
	{ ofOrder, problem }: Found,
	run: CreationRun,
): Promise<OrderResult> {
	const ids = new Set(idsOfPieces(shipment.pieces));
	const isOwn = ({ pieces }: FoundShipment) => pieces.some(({ id }) => ids.has(id));
	const own = ofOrder.filter(isOwn);
	const listed = own.find(isActive);
	if (own.length > 0 && !listed) return { order, error: canceledSinceError(order, shipment) };
	const others = ofOrder.filter((each) => isActive(each) && !isOwn(each)).sort(lowestFirst);
	const confirmed =
		problem === undefined
			? withNamed(withMissingPieces(order, shipment, listed && toPieces(order, listed)), others)
			: withNotRead(shipment, problem);
	const isCorrected = run.notes.isCorrected(order);
	// What it differed in before says nothing about the corrected order.
	if (isCorrected) delete confirmed.differences;
	if (listed && (isCorrected || !isFromResponse(shipment)))
		confirmed.differences = (await compared(order, listed, run)).differences;
	return judge(order, confirmed, run);
}

/** How the shipment differs from the order, and with all that its detail has if the list lacks something. */
async function compared(order: Order, shipment: FoundShipment, { records }: CreationRun) {
	const { pieces } = shipment;
	const count = Math.max(pieceCountOf(order), pieces[0]?.record.pieceCount ?? 1);
	const isWhole =
		pieces.length >= count &&
		// Some lists have no numbers.
		pieces.every(({ number }) => number !== '') &&
		compareWithOrder(order, pieces).isComplete;
	const whole = isWhole ? shipment : await records.withDetail(shipment).catch(() => shipment);
	const active = whole.pieces.filter(({ isCanceled }) => !isCanceled);
	const { differences } = compareWithOrder(order, active);
	return { whole, differences: differences.length > 0 ? differences : undefined };
}
