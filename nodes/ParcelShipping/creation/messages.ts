import { listTexts } from '../lists';
import { idOf } from '../records';
import { ItemError, isServiceError, reasonOf, reword } from '../transport/errors';
import { messageBeside, toSentence } from '../transport/serviceMessage';
import type { Known } from '../writes/writeOnce';
import { withCaptions } from './fieldsInReasons';
import { idsIn, idsOfPieces } from './shipments';
import {
	isExchange,
	type Order,
	pieceCountOf,
	PLAIN_REFERENCE,
	referenceOf,
	showValue,
} from '../orders/order';
import type { BatchInfo, CreateAct, Difference, Piece, Row, Shipment } from './types';

const nameOfOrder = (order: Order) => `order ${JSON.stringify(referenceOf(order))}`;

const detailsOf = (order: Order) => ({
	carrierCode: order.carrierCode,
	packageNumberCustom: referenceOf(order),
});

/** Some services refuse an order number with this code and no reason. */
const REFERENCE_REFUSED = /packagenumbercustom\.invalid/i;

/** What the carrier or the service says of a refused piece. */
const saidOf = ({ carrierErrors, message }: Row) =>
	toSentence(carrierErrors) ?? toSentence(message) ?? '';

export function refusedError(
	carrierCode: string,
	row: Row,
	{ batch, created }: { batch: BatchInfo | null; created?: readonly Piece[] },
): ItemError {
	const { carrierErrors, statusCode, packageNumberCustom, id } = row;
	const said = saidOf(row);
	const { reason, hasHidden } = withCaptions(said);
	const other = created
		? `The other pieces exist (ID ${idsOfPieces(created).join(', ')}). Cancel the shipment with Shipment: Cancel, correct the values, and run the workflow again.`
		: undefined;
	const again =
		'Correct the values of the item and run the workflow again. Shipments that were created are not created again.';
	const isReference = REFERENCE_REFUSED.test(said);
	const allowed = isReference
		? "An 'Order Number' may have at most 30 characters: letters, digits, -, / and _. "
		: '';
	const hidden = hasHidden ? "Fields that you do not see are under 'Add field to send'. " : '';
	return new ItemError(
		isReference
			? `Invalid Order Number: ${showValue(packageNumberCustom)} (${said})`
			: reason || `${carrierCode} refused the shipment`,
		`${carrierCode} did not accept this shipment. ${allowed}${hidden}${other ?? again}`,
		{
			carrierErrors: carrierErrors ?? null,
			statusCode: statusCode ?? null,
			correlationId: batch?.correlationId ?? null,
			carrierCode,
			packageNumberCustom: packageNumberCustom ?? null,
			batchId: batch?.batchId ?? null,
			...(idOf(row) > 0 ? { shipmentId: id } : {}),
		},
		true,
	);
}

/** The error of a whole request, for one of its orders. The number of the order may be the reason. */
export function toOrderError(order: Order, error: unknown): unknown {
	if (!isServiceError(error)) return error;
	const packageNumberCustom = referenceOf(order);
	const { status = null, details } = error.facts;
	if (REFERENCE_REFUSED.test(error.message) && !PLAIN_REFERENCE.test(packageNumberCustom)) {
		const message = String(details?.serviceMessage);
		const row = { statusCode: status, message, packageNumberCustom };
		return refusedError(order.carrierCode, row, { batch: null });
	}
	return reword(error, () => ({ details: { ...details, packageNumberCustom } }));
}

export function alreadyExistsError(order: Order, shipment: Shipment): ItemError {
	const { pieces } = shipment;
	const ids = idsOfPieces(pieces);
	const carrierCode = pieces[0]?.row.carrierCode ?? order.carrierCode;
	return new ItemError(
		`A shipment of ${nameOfOrder(order)} already exists at ${carrierCode} (ID ${ids.join(', ')})${nameOthers(order, shipment)}`,
		`${describeItsOwn(shipment)} To output the existing shipment instead, set 'If Already Shipped' to 'Return It'.`,
		{
			...detailsOf(order),
			carrierCode,
			shipmentIds: ids,
			packageNumbersCarrier: pieces.map(({ row }) => row.packageNumberCarrier ?? null),
		},
	);
}

type Unread = { id: number; carrierCode: string };

export const describeUnread = ({ id, carrierCode }: Unread) =>
	`the service lists shipment ${id} of ${carrierCode} without its order number, and has no detail of it`;

/** The service lists a shipment, and does not say of which order it is. */
export function unreadShipmentError(order: Order, unread: Unread): ItemError {
	return new ItemError(
		`Could not check whether a shipment of ${nameOfOrder(order)} already exists: ${describeUnread(unread)}`,
		"Nothing was created for this item. Run the workflow again later. If the error stays, ask the service's support for the detail of this shipment.",
		{ ...detailsOf(order), unreadShipmentId: unread.id },
	);
}

/** A person retries an execution, and somebody has canceled what it has output. */
export function canceledSinceError(order: Order, { pieces, duplicates }: Shipment): ItemError {
	const ids = idsOfPieces(pieces);
	const others = duplicates?.named.map(({ id, carrierCode }) => `ID ${id} at ${carrierCode}`) ?? [];
	const living = others.length > 0 ? `. The order has another shipment (${others.join(', ')})` : '';
	return new ItemError(
		`The shipment of ${nameOfOrder(order)} has been canceled since the execution first ran (ID ${ids.join(', ')})${living}`,
		living === ''
			? 'A retry of the execution does not create it again. To ship the order, run the workflow again with this item.'
			: 'To get the other shipment, run the workflow again with this item.',
		{ ...detailsOf(order), shipmentIds: ids },
	);
}

/** How an existing shipment differs from its order, and what can still be done about it. */
export function differsError(order: Order, shipment: Shipment): ItemError {
	const { pieces, differences = [] } = shipment;
	const ids = idsOfPieces(pieces);
	const carrierCode = pieces[0]?.row.carrierCode ?? order.carrierCode;
	const advice = `${adviceFor(order, shipment)} To use the existing shipment as it is, set 'If Already Shipped' to 'Return It'.`;
	return new ItemError(
		`A shipment of ${nameOfOrder(order)} already exists, but ${differences.map(describeDifference).join(', ')}${nameOthers(order, shipment)}`,
		`${describeItsOwn(shipment)} The existing shipment has ID ${ids.join(', ')} at ${carrierCode}. ${advice}`,
		{ ...detailsOf(order), carrierCode, shipmentIds: ids, differences },
	);
}

/** In the message, because of several errors of a run, only the first one has its description. */
function nameOthers(order: Order, { duplicates }: Shipment): string {
	const others = duplicates?.named.map(({ id, carrierCode }) => `ID ${id} at ${carrierCode}`) ?? [];
	if (others.length === 0) return '';
	// An exchange has a second shipment for the old goods.
	const advice = isExchange(order)
		? ''
		: '. Cancel the one that you do not need, unless its carrier already has it';
	return `. The order has another shipment (${others.join(', ')})${advice}`;
}

/** What was created for an item whose shipment exists already. */
function describeItsOwn(shipment: Shipment): string {
	const canceled = shipment.duplicates?.canceled;
	if (canceled) {
		return `It was created at the same moment, and the shipment of this item was canceled (ID ${canceled.id}).`;
	}
	return 'This execution has created nothing for this item.';
}

/** How to ship a corrected order. A shipment that the carrier has can no longer be canceled. */
function adviceFor(order: Order, { isWithCarrier }: Shipment): string {
	const reference = referenceOf(order);
	return isWithCarrier
		? `The carrier already has it, so it cannot be canceled. If the customer needs a second parcel, give the order a new number, such as "${reference}-2", and run the workflow again.`
		: `To ship the order as it is now, cancel the existing shipment with Shipment: Cancel, 'By Order Number' "${reference}", unless the carrier already has it, and run the workflow again.`;
}

/** For example "without Cash on Delivery 1290.00 CZK" or "with Service EXPRESS instead of STANDARD". */
function describeDifference({ caption, ordered, existing }: Difference): string {
	if (existing === null) return `without ${caption} ${ordered}`;
	if (ordered === null) return `with ${caption} ${existing}`;
	return `with ${caption} ${existing} instead of ${ordered}`;
}

interface Unconfirmed {
	correlationId: string | null;
	/** Records that may or may not come from this request. */
	possibleIds: number[];
	/** The created rows of the response that match no order for certain. */
	unmatched: readonly Row[];
	/** Created rows without an ID that are of the order, or may be. */
	withoutId: readonly Row[];
	/** Refused pieces of the order. */
	refused: readonly Row[];
}

/** Neither that the shipment exists nor that it does not could be established. */
export function unknownError(
	order: Order,
	known: Known<CreateAct>,
	{ correlationId, possibleIds, unmatched, withoutId, refused }: Unconfirmed,
): ItemError {
	const { request, searches, searchError } = known;
	const reason = reasonWithoutRow(order, known, { withoutId, refused });
	const unmatchedIds = idsIn(unmatched);
	const checked =
		searches === 0
			? `The records could not be read${searchError ? `: ${searchError}` : ''}.`
			: 'The records do not show it for certain.';
	const maybe =
		possibleIds.length > 0 ? `. It may be ID ${listTexts(possibleIds.map(String))}` : '';
	return new ItemError(
		`Could not confirm whether ${order.carrierCode} created the shipment of ${nameOfOrder(order)}${maybe}`,
		[
			`${reason.replace(/\.?$/, '.')} ${checked} This node never repeats a creation by itself.`,
			unmatchedIds.length > 0 &&
				`It may be one of the shipments ${unmatchedIds.join(', ')}, whose orders are not certain.`,
			unmatched.length > 0
				? 'Check the shipments of this response whose orders are not certain before you send it again.'
				: adviceWithoutRow(order, known, { withoutId }),
		]
			.filter(Boolean)
			.join(' '),
		{
			outcome: 'unknown',
			...detailsOf(order),
			reason,
			correlationId,
			checked: { createdFrom: request.since, searches, found: possibleIds },
		},
		true,
	);
}

/** Whether a row is the order's own, and not only one that may be. */
const isOwn = (order: Order, { request }: Known<CreateAct>, { packageNumberCustom }: Row) =>
	packageNumberCustom === referenceOf(order) ||
	(!packageNumberCustom && request.targets.length === 1);

/** The carrier's numbers of the rows, in brackets. */
function numbersOf(rows: readonly Row[]): string {
	const numbers = rows.flatMap(({ packageNumberCarrier }) => packageNumberCarrier || []);
	return numbers.length > 0 ? ` (${numbers.join(', ')})` : '';
}

/** What to do about an order without a row whose outcome is unknown. */
function adviceWithoutRow(
	order: Order,
	known: Known<CreateAct>,
	{ withoutId }: Pick<Unconfirmed, 'withoutId'>,
): string {
	if (withoutId.some((row) => isOwn(order, known, row))) {
		return 'The service has created it. Look for it by its number before you send it again.';
	}
	if (withoutId.length > 0) {
		return 'Look for these shipments by their numbers before you send the order again.';
	}
	return 'It is safe to run the workflow again: it looks for the shipment first and sends only what does not exist. If the service is slow, wait until it has caught up.';
}

/** Why an order without a row has an unknown outcome. */
function reasonWithoutRow(
	order: Order,
	known: Known<CreateAct>,
	{ withoutId, refused }: Pick<Unconfirmed, 'withoutId' | 'refused'>,
): string {
	const { response, failure } = known;
	if (!response) {
		return failure ? reasonOf(failure) : 'The node was interrupted before the response arrived';
	}
	const own = withoutId.filter((row) => isOwn(order, known, row));
	const others = withoutId.filter((row) => !own.includes(row));
	if (withoutId.length > 0) {
		return [
			own.length > 0 && `The response has its shipment${numbersOf(own)}, but without an ID`,
			others.length > 0 &&
				`The response has shipments without an ID${numbersOf(others)}, and one may be its own`,
			...new Set(refused.map((row) => refusedText(order, row))),
		]
			.filter(Boolean)
			.join('. ');
	}
	const message = messageBeside(response);
	return `The response of the service does not contain it${message ? `. The service said: ${message}` : ''}`;
}

function refusedText({ carrierCode }: Order, row: Row): string {
	const { reason } = withCaptions(saidOf(row));
	return `${carrierCode} refused another piece${reason ? `: ${reason}` : ''}`;
}

/** The response has a shipment without an ID, and these orders have all of theirs. */
export function withoutIdError(
	carrierCode: string,
	rows: readonly Row[],
	batch: BatchInfo | null,
): ItemError {
	return new ItemError(
		`The response has another shipment${numbersOf(rows)}, without an ID`,
		'The service has created it, and it is not in the output. Look for it by its number. If you do not need it, cancel it with Shipment: Cancel.',
		{
			outcome: 'unknown',
			carrierCode,
			packageNumbersCarrier: rows.map(({ packageNumberCarrier }) => packageNumberCarrier ?? null),
			correlationId: batch?.correlationId ?? null,
		},
		true,
	);
}

/** Some pieces of a shipment exist, the others may or may not. */
export function missingPiecesError(order: Order, { pieces, withoutId = [] }: Shipment): ItemError {
	const ids = idsOfPieces(pieces);
	const isOne = withoutId.length === 1;
	const pieceWithoutId = isOne ? 'a piece without an ID' : 'pieces without an ID';
	const others =
		withoutId.length > 0 ? `. The response has ${pieceWithoutId}${numbersOf(withoutId)}` : '';
	const lookFirst =
		withoutId.length > 0
			? ` First look for ${isOne ? 'it by its number' : 'them by their numbers'}.`
			: '';
	return new ItemError(
		`Could not confirm whether ${order.carrierCode} created the shipment of ${nameOfOrder(order)} with all pieces: ${pieces.length} of ${pieceCountOf(order)} were confirmed${others}`,
		`Confirmed: ID ${ids.join(', ')}. Check the shipment with Shipment: Get.${lookFirst} If pieces are missing, cancel it with Shipment: Cancel, and run the workflow again.`,
		{
			outcome: 'unknown',
			...detailsOf(order),
			shipmentIds: ids,
			correlationId: pieces[0]?.batch?.correlationId ?? null,
		},
		true,
	);
}
