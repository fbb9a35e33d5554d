import type { IDataObject } from 'n8n-workflow';

import { countOf, listTexts } from '../lists';
import { describeError, type ErrorText, ItemError, reasonOf } from '../transport/errors';
import type { PieceRecord } from '../transport/shipments';
import { nameOfShipment, orderOf, type ShipmentState, type ShipmentStates } from './state';
import type { Answers, CancelTarget, NumberAnswer } from './types';

export const noNumberError = (carrierCode: string, shipmentId: number, reference: string) =>
	new ItemError(
		`Shipment ${nameOfShipment(shipmentId, reference)} has no tracking number of carrier ${carrierCode} yet`,
		'A shipment is canceled by the number that the carrier assigns. Run the workflow again later.',
		{ ...orderOf(reference), carrierCode, shipmentId },
		true,
	);

/** What is known of a shipment that is not known to be canceled. */
interface Known {
	/** The pieces that are not. */
	left: CancelTarget['pieces'];
	answers: Answers;
	/** Undefined if they were not read. */
	records: readonly PieceRecord[] | undefined;
	/** Why they could not be read. */
	problem: string | undefined;
}

export function notCanceledError(target: CancelTarget, known: Known): unknown {
	const { id, reference, carrierCode } = target;
	const { left, answers } = known;
	const answerOf = ({ number }: { number: string }) => answers.get(number);
	const open = left.find((piece) => answerOf(piece)?.state === 'refused') ?? left[0];
	const { state, said, correlationId, error } = (open && answerOf(open)) ?? {};
	const openNumbers = left.flatMap(({ number }) => number || []);
	const canceled = target.pieces
		.map(({ number }) => number)
		.filter((number) => number !== '' && !openNumbers.includes(number));
	if (state === 'notSent' && canceled.length === 0) return error;
	const name = nameOfShipment(openNumbers.join(', ') || (id ?? target.number), reference);
	const [message, advice] = textOf(name, target, known, open && answerOf(open));
	const details: IDataObject = {
		...orderOf(reference),
		...(id === undefined ? {} : { shipmentId: id }),
		packageNumberCarrier: open?.number || target.number,
		carrierCode,
		...(correlationId ? { correlationId } : {}),
		...(said ? { serviceMessage: said } : {}),
		...(canceled.length > 0 ? { canceledNumbers: canceled } : {}),
	};
	// The message of a further error is all that n8n shows of it.
	const withIt = canceled.length > 0 ? `. Canceled with it: ${canceled.join(', ')}` : '';
	return new ItemError(message + withIt, advice, details, true);
}

function textOf(
	name: string,
	{ id, carrierCode }: CancelTarget,
	{ left, records, problem }: Known,
	answer: NumberAnswer | undefined,
): [message: string, advice: string] {
	const said = answer?.said ? `The provider said: ${answer.said}` : '';
	const [first] = left;
	const isShown = records?.some((each) =>
		id === undefined ? each.number === first?.number : each.id === first?.id,
	);
	if (answer?.state === 'refused' && isShown)
		return [
			[`Shipment ${name} was not canceled`, said].filter(Boolean).join('. '),
			'A shipment that the carrier has can no longer be canceled. Check it with Shipment: Get, and ask the carrier to stop or return it.',
		];
	if (answer?.state === 'refused' && records && id === undefined)
		return [
			`Could not cancel ${name}: the provider lists no shipment of carrier ${carrierCode} with this number`,
			[said, NO_TRACKING_NUMBER].filter(Boolean).join('. '),
		];
	const unanswered =
		first?.number === ''
			? 'A piece has no tracking number yet'
			: answer
				? 'The provider did not say whether it was canceled'
				: 'An earlier try has sent it, and its record shows no cancellation';
	const lost = answer?.error === undefined ? undefined : reasonOf(describeError(answer.error));
	const reasons = [said || (lost ?? unanswered), problem].filter(Boolean);
	return [
		`Could not confirm whether shipment ${name} was canceled`,
		`${reasons.join('. ')}. Check it with Shipment: Get before you cancel it again.`,
	];
}

const NO_TRACKING_NUMBER =
	"'Shipment Number' is the number that the carrier assigned (packageNumberCarrier), not your order number. To cancel the shipment of an order, set 'Shipments' to 'By Order Number'.";

export const unclearError = (carrierCode: string, shipmentIds: readonly number[]) =>
	new ItemError(
		`The provider does not say which shipments of ${carrierCode} were handed over: ${listTexts(shipmentIds.map(String))}`,
		"They are left out, because a second hand-over may order a second pickup. Choose the shipments with 'By ID' or 'By Order Number'.",
		{ carrierCode, shipmentIds: [...shipmentIds] },
		true,
	);

export const canceledError = ({
	carrierCode,
	id,
	reference,
}: Pick<ShipmentState, 'carrierCode' | 'id' | 'reference'>) =>
	new ItemError(
		`Shipment ${nameOfShipment(id, reference)} is canceled and cannot be handed over`,
		"Remove it from the items, or choose 'All Not Handed Over'.",
		{ ...orderOf(reference), carrierCode, shipmentId: id },
		true,
	);

/** What is known of a hand-over. */
interface HandOverKnown {
	states: ShipmentStates;
	sentCount: number;
	done?: { handOverId: number | null; protocolUrl: string | null } | undefined;
	lost?: ErrorText | undefined;
}

/** The records do not show these shipments of a carrier as handed over. */
export function unconfirmedError(
	left: readonly ShipmentState[],
	{ states, sentCount, done, lost }: HandOverKnown,
): ItemError {
	const { carrierCode = '' } = left[0] ?? {};
	const { handOverId = null, protocolUrl = null } = done ?? {};
	const shipmentIds = left.map(({ id }) => id);
	const names = left.map(({ id, reference }) => nameOfShipment(id, reference));
	const reason = lost
		? reasonOf(lost)
		: `${countOf(sentCount, 'shipment', 'was')} sent. The provider does not say which it handed over`;
	const protocol = protocolUrl && `The protocol is ${protocolUrl}`;
	const advice = left.every(({ id }) => states.get(id)?.handedOver === false)
		? 'Run the workflow again later: shipments that were handed over by then are left out.'
		: 'Check with the carrier what was handed over before you hand anything over again.';
	// The message of a further error is all that n8n shows of it.
	const withId = handOverId === null ? '' : ` with hand-over ${handOverId}`;
	return new ItemError(
		`Could not confirm that ${carrierCode} received ${left.length === 1 ? 'shipment' : 'shipments'} ${names.join(', ')}${withId}`,
		[reason, protocol, advice].filter(Boolean).join('. '),
		{ carrierCode, shipmentIds, ...(handOverId === null ? {} : { handOverId, protocolUrl }) },
		true,
	);
}
