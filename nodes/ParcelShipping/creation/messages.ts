import { captions, sentFieldNames } from '../orders/fields';
import { describeError, ItemError, isServiceError, reword } from '../transport/errors';
import { toSentence } from '../transport/response';
import type { PieceName } from '../writes/sent';
import { idOf } from '../records';
import { idsOfPieces } from './shipments';
import { type Order, pieceCountOf, referenceOf, showValue } from '../orders/order';
import type { BatchInfo, Difference, OpenOrder, Piece, Row, Shipment } from './types';

const nameOfOrder = (order: Order) => `order ${JSON.stringify(referenceOf(order))}`;

const listNames = (names: readonly PieceName[]) =>
	names.map(({ id, number }) => (id > 0 ? `ID ${id}` : `${number}, without an ID`)).join(', ');

const detailsOf = (order: Order) => ({
	carrierCode: order.carrierCode,
	packageNumberCustom: referenceOf(order),
});

/** Some services refuse an order number with this code and no reason. */
const REFERENCE_REFUSED = /packagenumbercustom\.invalid/i;

/** What the carrier or the service says of a refused piece. */
const saidOf = ({ carrierErrors, message }: Row) =>
	toSentence(carrierErrors) ?? toSentence(message) ?? '';

/** What services say of an order number that a shipment has already. Their words are not documented. */
export const saysDuplicate = (text: string) =>
	/duplic[ai]t|already exists|(?<!\p{L})existuje/iu.test(text);

/** The name of a field. In lower case only at the start: in "Recipient name: maximum length exceeded", `length` is none. */
const FIELD_NAME = /(?<=^|; |\d: )[a-z]+\b|\b[a-z]+[A-Z]\w*/g;

/** A reason with the captions of the form. */
const withCaptions = (text: string) =>
	text.replace(FIELD_NAME, (word) => {
		const name = sentFieldNames.find((each) => each === word);
		return name ? captions[name] : word;
	});

export function refusedError(
	order: Order,
	row: Row,
	batch: BatchInfo | null,
	created?: readonly Piece[],
): ItemError {
	const { carrierCode } = order;
	const packageNumberCustom = referenceOf(order);
	const { carrierErrors, statusCode, id } = row;
	const said = saidOf(row);
	const isReference = REFERENCE_REFUSED.test(said);
	const allowed = isReference
		? "An 'Order Number' may have at most 30 characters: letters, digits, -, / and _. "
		: '';
	const next = created
		? `The other pieces exist (ID ${idsOfPieces(created).join(', ')}). Cancel the shipment with Shipment: Cancel, correct the values, and run the workflow again.`
		: 'Correct the values of the item and run the workflow again. Shipments that were created are not created again.';
	return new ItemError(
		isReference
			? `Invalid Order Number: ${showValue(packageNumberCustom)} (${said})`
			: withCaptions(said) || `${carrierCode} refused the shipment`,
		`${carrierCode} did not accept this shipment. ${allowed}${next}`,
		{
			carrierErrors: carrierErrors ?? null,
			statusCode: statusCode ?? null,
			correlationId: batch?.correlationId ?? null,
			carrierCode,
			packageNumberCustom,
			batchId: batch?.batchId ?? null,
			...(idOf(row) > 0 ? { shipmentId: id } : {}),
		},
	);
}

/** The error of a whole request, for one of its orders. */
export const toOrderError = (order: Order, error: unknown) =>
	isServiceError(error)
		? reword(error, { details: { ...error.details, packageNumberCustom: referenceOf(order) } })
		: error;

/** A person retries an execution, and somebody has canceled what it has output. */
export function canceledSinceError(order: Order, shipment: Shipment): ItemError {
	const ids = idsOfPieces(shipment.pieces);
	return new ItemError(
		`The shipment of ${nameOfOrder(order)} has been canceled since the execution first ran (ID ${ids.join(', ')})`,
		'A retry of the execution does not create it again. To ship the order, or to get its other shipment, run the workflow again with this item.',
		{ ...detailsOf(order), shipmentIds: ids },
	);
}

/** The order has a shipment, which may differ from it, and the user wants an error. */
export function existsError(order: Order, shipment: Shipment): ItemError {
	const { pieces, differences, duplicates } = shipment;
	const ids = idsOfPieces(pieces);
	const carrierCode = pieces[0]?.row.carrierCode ?? order.carrierCode;
	const number = referenceOf(order);
	const but = differences ? ` but differs. ${differences.map(describeDifference).join(', ')}` : '';
	// In the message, because of several errors of a run, only the first one has its description.
	const others = duplicates?.named.map(({ id, carrierCode: code }) => `ID ${id} at ${code}`) ?? [];
	const second = `If the customer needs a second parcel, give it a number of its own, such as "${number}-2".`;
	const corrected = `To ship the order as it is now, cancel the existing shipment with Shipment: Cancel, 'By Order Number' "${number}", and run the workflow again. If the carrier already has it, give the new parcel a number of its own, such as "${number}-2".`;
	return new ItemError(
		`A shipment of ${nameOfOrder(order)} already exists at ${carrierCode} (ID ${ids.join(', ')})${but}${others.length > 0 ? `. The order has another shipment (${others.join(', ')})` : ''}`,
		[
			duplicates?.canceled
				? `It was created at the same moment, and the shipment of this item was canceled (ID ${duplicates.canceled.id}).`
				: 'Nothing was created for this item.',
			differences ? corrected : second,
			"To output the existing shipment, set 'If Already Shipped' to 'Return It'.",
		].join(' '),
		{
			...detailsOf(order),
			carrierCode,
			shipmentIds: ids,
			packageNumbersCarrier: pieces.map(({ row }) => row.packageNumberCarrier ?? null),
			...(differences ? { differences } : {}),
		},
	);
}

/** For example "Cash on Delivery: none (order: 1290.00 CZK)". */
const describeDifference = ({ caption, ordered, existing }: Difference) =>
	`${caption}: ${existing ?? 'none'} (order: ${ordered ?? 'none'})`;

/** Neither that the shipment exists nor that it does not could be established. */
export function unknownError({ order, batch, reason, mayBe, problem }: OpenOrder): ItemError {
	const unsaid = batch
		? 'The response is inconclusive'
		: 'It was sent before, and the response was incomplete';
	const why = reason?.message ?? unsaid;
	const checked =
		problem === undefined
			? 'The records do not show it.'
			: `The records could not be read: ${describeError(problem).message}.`;
	const named = mayBe && mayBe.length > 0 ? `. It may be ${listNames(mayBe)}` : '';
	const next = mayBe
		? 'Look for the shipment at the provider before you send it again.'
		: 'It is safe to run the workflow again in five minutes: it looks for the shipment first and sends only what does not exist.';
	return new ItemError(
		`Could not confirm whether ${order.carrierCode} created the shipment of ${nameOfOrder(order)}${named}`,
		`${why.replace(/\.?$/, '.')} ${checked} Not retried automatically, to avoid a duplicate. ${next}`,
		{
			outcome: 'unknown',
			...detailsOf(order),
			reason: why,
			correlationId: batch?.correlationId ?? reason?.details.correlationId ?? null,
		},
	);
}

/** Whether the error says that an order was sent, and that its outcome is not known. */
export const isUnknown = (error: unknown) => describeError(error).details.outcome === 'unknown';

/** The response has created shipments of orders that its request does not have. */
export const surplusError = ({ carrierCode }: Order, names: readonly PieceName[]) =>
	new ItemError(
		`The response has shipments that belong to no order of the request: ${listNames(names)}`,
		'They are not in the output. Look for them at the provider, and cancel those that you do not need.',
		{ outcome: 'unknown', carrierCode, shipments: listNames(names) },
	);

/** Some pieces of a shipment exist, the others may or may not. */
export function missingPiecesError(order: Order, { pieces, mayBe = [] }: Shipment): ItemError {
	const ids = idsOfPieces(pieces);
	const named = mayBe.length > 0 ? `. The response also has ${listNames(mayBe)}` : '';
	return new ItemError(
		`Could not confirm whether ${order.carrierCode} created the shipment of ${nameOfOrder(order)} with all pieces: ${pieces.length} of ${pieceCountOf(order)} were confirmed${named}`,
		`Confirmed: ID ${ids.join(', ')}. Check the shipment with Shipment: Get. If pieces are missing, cancel it with Shipment: Cancel, and run the workflow again.`,
		{
			outcome: 'unknown',
			...detailsOf(order),
			shipmentIds: ids,
			correlationId: pieces[0]?.batch?.correlationId ?? null,
		},
	);
}
