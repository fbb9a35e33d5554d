import { groupBy } from '../lists';
import type { CreationOptions } from '../orders/creationOptions';
import { itemsOf, type Order, pieceCountOf, referenceOf } from '../orders/order';
import { idOf, searchStart } from '../records';
import type { Client } from '../transport/client';
import { describeError } from '../transport/errors';
import { isLiving, type FoundShipment, readPieces } from '../transport/pieces';
import { notDone } from '../writes/journal';
import { compareWithOrder } from './differences';
import {
	idsOfPieces,
	isCreated,
	isFromResponse,
	lowestFirst,
	shipmentOf,
	toDuplicate,
	toRows,
	wantedOf,
	withMissingPieces,
	withNamed,
	withNotRead,
} from './shipments';
import {
	alreadyExistsError,
	canceledSinceError,
	differsError,
	unreadShipmentError,
} from './messages';
import type { CreateAct, CreationRun, OrderOutcome, Piece, Shipment } from './types';

interface LookUpResult {
	/** Orders without a living shipment. */
	toSend: Order[];
	/** Orders that exist already, or that could not be looked up. These must not be sent. */
	outcomes: OrderOutcome[];
}

/** How far back a shipment is looked for that is known to exist. */
export const KNOWN_SHIPMENT_LOOKBACK_DAYS = 365;

/** Living shipments of an order, lowest ID first. */
export type LivingShipments = [FoundShipment, ...FoundShipment[]];

/** Looks for the shipments of all orders and decides which orders are sent. */
export async function findExisting(
	orders: readonly Order[],
	{ client, records, options }: Pick<CreationRun, 'client' | 'records' | 'options'>,
): Promise<LookUpResult> {
	const { ifExists, lookbackDays } = options;
	if (ifExists === 'create') return { toSend: [...orders], outcomes: [] };
	try {
		const since = searchStart(Date.now(), lookbackDays);
		const shipments = await records.find(wantedOf(orders), since);
		const byReference = groupBy(shipments, ({ reference }) => reference);
		const [unread] = records.unread.values();
		const outcomes = await client.mapParallel(orders, async (order) => {
			const listed = byReference.get(referenceOf(order)) ?? [];
			let failure: unknown;
			const unlisted = await readUnlisted(order, listed, client).catch((thrown: unknown) => {
				failure = thrown;
				return [];
			});
			const living = [...listed, ...unlisted].filter(isLiving);
			const [lowest, ...others] = living.sort(lowestFirst);
			if (!lowest && failure !== undefined) return notCreated(order, failure);
			// An unread shipment may be that of the order.
			if (!lowest) return unread && notCreated(order, unreadShipmentError(order, unread));
			const compared =
				ifExists === 'reuse' ? await withComparedFields(order, lowest, records) : lowest;
			return judgeExisting(order, toExistingShipment(order, [compared, ...others]), options);
		});
		return {
			toSend: orders.filter((_, index) => !outcomes[index]),
			outcomes: outcomes.filter((each) => each !== undefined),
		};
	} catch (thrown) {
		// Nothing may be sent without knowing what exists.
		return { toSend: [], outcomes: notDone<CreateAct>(orders, thrown) };
	}
}

/** What this process created a moment ago, and the list does not show yet. */
async function readUnlisted(
	order: Order,
	listed: readonly FoundShipment[],
	client: Client,
): Promise<FoundShipment[]> {
	const created = client.createdLately(referenceOf(order));
	const listedIds = listed.flatMap(({ pieces }) => pieces.map(({ id }) => id));
	if (!created || listedIds.includes(created.id)) return [];
	const pieces = await readPieces(client, created.carrierCode, created.id);
	const isListed = pieces.some(({ id }) => listedIds.includes(id));
	// A sandbox that is reset uses the same IDs again.
	const isOfOrder = [referenceOf(order), ''].includes(pieces[0]?.reference ?? '');
	return pieces[0] && isOfOrder && !isListed ? [{ ...pieces[0], pieces, isGuessed: false }] : [];
}

/**
 * What was created before a person retried, perhaps days ago. If somebody has canceled the shipment since, the order fails,
 * and stays done in the journal, so that no retry creates it again. If the person has corrected the order, its shipment is
 * judged like one that the look-up finds. Nothing is canceled, because somebody may have wanted another shipment.
 */
export async function confirmEarlier(
	earlier: readonly OrderOutcome[],
	currentOrders: readonly Order[],
	run: CreationRun,
): Promise<OrderOutcome[]> {
	const { client, records, options } = run;
	if (earlier.length === 0 || options.ifExists === 'create') return [...earlier];
	const byItem = new Map(
		currentOrders.flatMap((order) => itemsOf([order]).map((item) => [item, order] as const)),
	);
	const orders = earlier.flatMap(({ targets }) => targets);
	// Not further back than the look-up: otherwise, an older shipment would count for the orders that are sent now.
	const look = await readShipmentsOf(orders, options.lookbackDays, records);
	return await client.mapParallel(earlier, async (each) => {
		const [order] = each.targets;
		const shipment = shipmentOf(each);
		const current = byItem.get(order.itemIndex) ?? order;
		return shipment ? await confirmShipment(order, shipment, current, look, run) : each;
	});
}

async function confirmShipment(
	order: Order,
	shipment: Shipment,
	current: Order,
	{ byReference, ...notRead }: Look,
	{ records, options }: CreationRun,
): Promise<OrderOutcome> {
	const ids = new Set(idsOfPieces(shipment.pieces));
	const ofOrder = byReference?.get(referenceOf(order)) ?? [];
	const isOwn = ({ pieces }: FoundShipment) => pieces.some(({ id }) => ids.has(id));
	const own = ofOrder.filter(isOwn);
	const listed = own.find(isLiving);
	const others = ofOrder.filter((each) => isLiving(each) && !isOwn(each)).sort(lowestFirst);
	if (own.length > 0 && !listed) {
		return notCreated(order, canceledSinceError(order, withNamed(shipment, others)));
	}
	const confirmed = byReference
		? withNamed(withMissingPieces(order, shipment, listed), others)
		: withNotRead(shipment, notRead);
	// An order number may be made of the time.
	const valuesOf = ({ carrierCode, body }: Order) =>
		JSON.stringify({ carrierCode, ...body, packageNumberCustom: undefined });
	const isCorrected = valuesOf(current) !== valuesOf(order);
	// What was read back may be of another process, so that its output names the differences.
	const mustCompare = isCorrected || !isFromResponse(shipment);
	const value =
		listed && mustCompare
			? {
					...confirmed,
					...comparedWith(current, await withComparedFields(current, listed, records)),
				}
			: // What it differed in before says nothing about the corrected order.
				{ ...confirmed, ...(isCorrected ? { differences: undefined } : {}) };
	return isCreated(value) && !isCorrected
		? { targets: [order], outcome: { state: 'done', value } }
		: judgeExisting(order, value, options);
}

/** The shipments of orders by reference, or why they could not be read. */
interface Look {
	byReference?: ReadonlyMap<string, FoundShipment[]>;
	notRead?: string;
}

export async function readShipmentsOf(
	orders: readonly Order[],
	lookbackDays: number,
	records: CreationRun['records'],
): Promise<Look> {
	try {
		const since = searchStart(Date.now(), lookbackDays);
		const shipments = await records.find(wantedOf(orders), since);
		return { byReference: groupBy(shipments, ({ reference }) => reference) };
	} catch (thrown) {
		return { notRead: describeError(thrown).message };
	}
}

/**
 * The shipment with all of its pieces and the fields that are compared, as far as the service has them.
 * If its detail cannot be read, they count as not compared.
 */
export async function withComparedFields(
	order: Order,
	shipment: FoundShipment,
	records: CreationRun['records'],
): Promise<FoundShipment> {
	const isCompared = compareWithOrder(order, shipment.pieces).uncompared.length === 0;
	if (isCompared && !lacksPieces(order, shipment)) return shipment;
	return await records.withDetail(shipment).catch(() => shipment);
}

/** Whether the shipment may have more pieces than the list shows. */
export function lacksPieces(order: Order, { pieces }: FoundShipment): boolean {
	return pieces.length < Math.max(pieceCountOf(order), pieces[0]?.record.pieceCount ?? 1);
}

/** The outcome of an order whose shipment exists: reused, or an error. One that was created fails only if it differs. */
export function judgeExisting(
	order: Order,
	value: Shipment,
	{ ifExists, ifDiffers }: Pick<CreationOptions, 'ifExists' | 'ifDiffers'>,
): OrderOutcome {
	const mustNotExist = ifExists === 'fail' && !isCreated(value);
	if (!mustNotExist && !(value.differences && ifDiffers === 'fail'))
		return { targets: [order], outcome: { state: 'done', value } };
	const error = mustNotExist ? alreadyExistsError(order, value) : differsError(order, value);
	return notCreated(order, error);
}

const notCreated = (order: Order, error: unknown): OrderOutcome => ({
	targets: [order],
	outcome: { state: 'notDone', errors: [error] },
});

/** Some carriers know of a shipment from the start, and it can be canceled anyway. */
const isWithCarrier = ({ pieces }: FoundShipment) =>
	pieces.some(
		({ record: { delivered, inTransit, canCancel, submittedCarrier } }) =>
			delivered || inTransit || canCancel === false || (submittedCarrier && canCancel !== true),
	);

/** The existing shipment of an order, and how it differs. Of several, the first one counts. */
export function toExistingShipment(order: Order, [shipment, ...others]: LivingShipments): Shipment {
	const living = shipment.pieces.filter(({ isCanceled }) => !isCanceled);
	const rows = toRows(order, living, 'The shipment already exists');
	const printed = new Map(living.map((piece) => [piece.id, piece.printed]));
	return {
		pieces: rows.map((row): Piece => {
			return { row, batch: null, via: 'existing', printed: printed.get(idOf(row)) };
		}),
		...comparedWith(order, shipment),
		...(others.length > 0 ? { duplicates: { named: others.map(toDuplicate) } } : {}),
	};
}

/** How the shipment differs from the order. */
export function comparedWith(
	order: Order,
	shipment: FoundShipment,
): Pick<Shipment, 'differences' | 'isWithCarrier' | 'uncompared'> {
	const { differences, uncompared } = compareWithOrder(
		order,
		shipment.pieces.filter(({ isCanceled }) => !isCanceled),
	);
	return {
		differences: differences.length > 0 ? differences : undefined,
		isWithCarrier: isWithCarrier(shipment),
		uncompared: uncompared.length > 0 ? uncompared : undefined,
	};
}
