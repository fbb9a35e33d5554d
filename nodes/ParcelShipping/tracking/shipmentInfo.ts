import type { IDataObject } from 'n8n-workflow';

import { isSameCode, keepLatest } from '../lists';
import {
	carrierNumberOf,
	idOf,
	isCashOnDelivery,
	isRecord,
	mainIdOf,
	recipientOf,
} from '../records';
import { PAGE_LENGTH, type ShipmentDetail } from '../transport/endpoints';
import { ItemError } from '../transport/errors';
import { memoryOf } from './host';
import type { Poll, Watched } from './watch';

// What the records of the provider say about a shipment, for the items of its events.

type RecordFields = Readonly<Record<string, unknown>>;

/** So many shipments are remembered for each trigger node: about 10 MB. */
const MAX_REMEMBERED = 20_000;

/** Longer than it takes to read the whole list again. */
const REMEMBERED_MS = 45 * 60_000;

const keyOf = ({ watch }: Poll, id: number) => `${watch.account} ${id}`;

const infoIn = (poll: Poll, id: number) => memoryOf(poll.context).infos.get(keyOf(poll, id));

const isRecent = (known: ReturnType<typeof infoIn>, { nowMs }: Poll) =>
	known?.info !== undefined && nowMs - known.readAt <= REMEMBERED_MS;

/** Remembers what a record says. A record of a detail is all there is; one of the list may lack fields. */
export function noteRecord(poll: Poll, record: RecordFields, main?: RecordFields): void {
	const id = idOf(record);
	if (id === 0) return;
	const known = infoIn(poll, id);
	const info = main || isComplete(record) ? toInfo(record) : undefined;
	// What a detail has said stays known for its time.
	if (!info && known && isRecent(known, poll)) return;
	const mainId = (main ? idOf(main) : mainIdOf(record)) || known?.mainId || id;
	const noted = { info, mainId, readAt: poll.nowMs };
	keepLatest(memoryOf(poll.context).infos, keyOf(poll, id), noted, MAX_REMEMBERED);
}

/** The ID of its main shipment, whose detail has all pieces, or else its own. */
export const detailIdOf = ({ id }: Pick<Watched, 'id'>, poll: Poll) =>
	infoIn(poll, id)?.mainId ?? id;

/** The records of a shipment and its pieces, the main one first. */
export async function readPieces(
	{ carrier, id }: Pick<Watched, 'carrier' | 'id'>,
	poll: Poll,
): Promise<ShipmentDetail[]> {
	const detailId = detailIdOf({ id }, poll);
	const pieces = await poll.ask(async (limits) =>
		poll.client.getShipment(carrier, detailId, limits),
	);
	for (const piece of pieces) noteRecord(poll, piece, pieces[0]);
	return pieces;
}

/** What is remembered of the shipment, or else what the provider says, unless a failure before forbids to ask. */
export async function readInfo(
	shipment: Watched,
	poll: Poll,
	failureBefore: unknown,
): Promise<IDataObject> {
	const known = () => {
		const noted = shipment.id ? infoIn(poll, shipment.id) : undefined;
		return noted?.info && isRecent(noted, poll)
			? { ...noted.info, mainId: noted.mainId }
			: undefined;
	};
	const before = known();
	if (before) return before;
	if (failureBefore) throw failureBefore;
	if (!poll.hasTime()) throw new ItemError('The poll had no time left to read the shipment', '');
	// The list of the account is not read then, and a piece may have no detail of its own.
	const isSearched = shipment.id === 0 || poll.watch.selection.by === 'numbers';
	const id = isSearched ? await findId(shipment, poll) : shipment.id;
	const listed = known();
	if (listed) return listed;
	const pieces = await readPieces({ carrier: shipment.carrier, id }, poll);
	const own = pieces.find((piece) =>
		shipment.id ? idOf(piece) === shipment.id : carrierNumberOf(piece) === shipment.number,
	);
	const record = own ?? (shipment.id ? pieces[0] : undefined);
	if (!record || !pieces[0]) throw notListed(shipment);
	if (own) shipment.id = idOf(own);
	return { ...toInfo(record), mainId: idOf(pieces[0]) };
}

/** Searches the list for the number. */
async function findId(shipment: Watched, poll: Poll): Promise<number> {
	const { carrier, number } = shipment;
	const filter = { search: number, onlyMaster: false };
	const { data } = await poll.ask(async ({ timeoutMs }) =>
		poll.client.findUncheckedShipments(filter, 0, PAGE_LENGTH, timeoutMs),
	);
	const ofCarrier = data.filter(({ carrierCode }) => isSameCode(String(carrierCode), carrier));
	const [found] = ofCarrier
		.filter((record) => carrierNumberOf(record) === number)
		// A canceled shipment can have the number, too.
		.sort((a, b) => Number(a.canceled === true) - Number(b.canceled === true) || b.id - a.id);
	// Some lists have no numbers. The detail then says whether it is this shipment.
	const unnumbered = ofCarrier.filter((record) => carrierNumberOf(record) === '');
	const candidate = found ?? (unnumbered.length === 1 ? unnumbered[0] : undefined);
	if (!candidate) throw notListed(shipment);
	noteRecord(poll, candidate);
	if (found) shipment.id = idOf(found);
	return idOf(candidate);
}

const notListed = ({ carrier, number }: Watched) =>
	new ItemError(`The provider does not list shipment ${number} of carrier ${carrier}`, '');

/** The fields of items that come from a record. Providers put the recipient in different places. */
export function toInfo(record: RecordFields): IDataObject {
	const { codPrice, codCurrency, orderId } = record;
	const isCod = isCashOnDelivery(record);
	const amount = Number(codPrice ?? NaN);
	return {
		packageNumberCustom: textOf(record.packageNumberCustom),
		recipientName: textOf(recipientOf(record)),
		recipientEmail: textOf(recipientPart(record, 'Email')),
		recipientPhone: textOf(recipientPart(record, 'Phone')),
		carrierName: textOf(record.carrierName),
		trackingUrl: textOf(record.trackingUrl),
		orderId: typeof orderId === 'number' ? orderId || null : textOf(orderId),
		cod: {
			amount: isCod && Number.isFinite(amount) ? amount : null,
			currency: isCod ? textOf(codCurrency) : null,
		},
	};
}

/** Whether the record has all fields, so that no request is needed. Their values may be empty. */
function isComplete(record: RecordFields): boolean {
	const fields = ['packageNumberCustom', 'trackingUrl', 'orderId', 'codPrice'];
	return (
		fields.every((field) => record[field] !== undefined) &&
		(recipientOf(record) ?? recipientPart(record, 'Name')) !== undefined &&
		recipientPart(record, 'Email') !== undefined &&
		recipientPart(record, 'Phone') !== undefined
	);
}

function recipientPart(record: RecordFields, part: 'Name' | 'Email' | 'Phone'): unknown {
	const address = isRecord(record.recAddress) ? record.recAddress : {};
	const own = record[`rec${part}`];
	// Null if it is empty, undefined if the record does not have it.
	return own ?? address[part.toLowerCase()] ?? own;
}

function textOf(value: unknown): string | null {
	const isText = typeof value === 'string' || typeof value === 'number';
	return isText ? String(value).trim() || null : null;
}
