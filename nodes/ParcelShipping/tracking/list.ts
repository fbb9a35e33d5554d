import { groupBy, isSameCode } from '../lists';
import { carrierNumberOf, DAY_MS, idOf, mainIdOf, searchStart } from '../records';
import { type ListedShipment, PAGE_LENGTH } from '../transport/endpoints';
import { isNotFound } from '../transport/errors';
import { detailIdOf, noteRecord, readPieces } from './shipmentInfo';
import type { State } from './state';
import type { Poll, Watch, Watched } from './watch';

/** Shipments are watched for so many days after their creation. */
const WATCHED_DAYS = 30;

/** In which time the whole list is read again. */
const WHOLE_LIST_MS = 30 * 60_000;

/** So that the reading of the whole list is spread over polls. */
const PAGES_PER_MINUTE = 8;

/** A shipment may be missing from one reading of the whole list, because it moves to another page meanwhile. */
const LISTED_NOW = 3;

/** More would fill the memory of n8n, whatever a provider lists. */
const MAX_SHIPMENTS = 100_000;

/** A number that is missing after the first day may never come, for example that of a canceled shipment. */
const NUMBER_RETRY_MINUTES = { firstDay: 10, later: 60 };

/** In minutes since 1970. For a second shipment with a number, which is requested with the first. */
const NEVER = 1e9;

/** Shares of the time of a poll, so that each part goes on in each poll, even if slowly. */
const LIST_SHARE = 1 / 2;
const NUMBERS_SHARE = 3 / 4;

/** Users may write a carrier in lower case. */
export const keyOf = ({ carrier, number }: Pick<Watched, 'carrier' | 'number'>) =>
	`${carrier.toUpperCase()}\n${number}`;

/** What came of the requests for the list. */
interface Reading {
	failures: unknown[];
	hasResponse: boolean;
}

/** Marks the shipments that are watched now, those of the list or of the form, and adds new ones. */
export async function readList(state: State, poll: Poll): Promise<Reading> {
	const { selection } = poll.watch;
	const reading: Reading = { failures: [], hasResponse: false };
	const shipments = new Shipments(state, Math.floor(poll.nowMs / DAY_MS));
	if (selection.by === 'filters') {
		await readPages(state, selection, poll, shipments, reading);
		await readNumbers(state, poll, shipments, reading);
		return reading;
	}
	for (const each of state.shipments) each.listed = 0;
	for (const each of selection.shipments) shipments.note({ ...each, id: 0 });
	return reading;
}

interface Listed extends Pick<Watched, 'id' | 'carrier' | 'number'> {
	/** False if the provider cannot track it (now), or the carrier has not assigned the number yet. */
	canBeAdded?: boolean;
	/** Canceled or a piece, so that it does not replace another one with the same number. */
	isSecondary?: boolean;
}

/** The watched shipments, by ID and by carrier and number. */
class Shipments {
	private readonly byId: Map<number, Watched>;

	private readonly byNumber: Map<string, Watched>;

	constructor(
		private readonly state: State,
		private readonly today: number,
	) {
		const { shipments } = state;
		const numbered = shipments.filter(({ number }) => number !== '');
		this.byId = new Map(shipments.map((each) => [each.id, each]));
		this.byNumber = new Map(numbered.map((each) => [keyOf(each), each]));
	}

	/** Returns whether it is new. One that cannot be tracked any more stays watched: its last events may be unread. */
	note(listed: Listed): boolean {
		const { id, carrier, number, canBeAdded = true, isSecondary = false } = listed;
		const known =
			(id ? this.byId.get(id) : undefined) ??
			(number ? this.byNumber.get(keyOf(listed)) : undefined);
		if (!known) {
			const isFull = this.state.shipments.length >= MAX_SHIPMENTS;
			if (!canBeAdded || isFull) return false;
			const { since } = this.state;
			const unread = { listed: LISTED_NOW, askAt: 0, marks: '', latest: '', since };
			const added: Watched = { carrier, number, id, addedOn: this.today, ...unread };
			this.state.shipments.push(added);
			this.index(added);
			return true;
		}
		// Its number is not read any more.
		if (!canBeAdded && known.number === '') return false;
		known.listed = LISTED_NOW;
		if (known.id === id || id === 0) this.giveNumber(known, number, isSecondary);
		else if (known.id === 0 || (id > known.id && !isSecondary)) this.giveId(known, id);
		return false;
	}

	byIdOf(id: number): Watched | undefined {
		return this.byId.get(id);
	}

	giveNumber(shipment: Watched, number: string, isSecondary: boolean): void {
		if (number === '' || number === shipment.number) return;
		const other = this.byNumber.get(keyOf({ ...shipment, number }));
		this.byNumber.delete(keyOf(shipment));
		if (other) return this.merge(shipment, other, isSecondary);
		if (shipment.number !== '') {
			// Its events come under the other number again: those until the latest one are known.
			if (shipment.latest !== '') shipment.since ??= `${shipment.latest}~`;
			shipment.marks = '';
		}
		Object.assign(shipment, { number, askAt: 0 });
		this.index(shipment);
	}

	/** Two records have one number: an order was canceled and created again. It is requested once, with the newest ID. */
	private merge(shipment: Watched, other: Watched, isSecondary: boolean): void {
		other.listed = LISTED_NOW;
		// It was known by its number only.
		const isSame = other.id === 0;
		const { id } = other;
		if (isSame || (shipment.id > id && !isSecondary)) this.giveId(other, shipment.id);
		if (isSame) this.state.shipments = this.state.shipments.filter((each) => each !== shipment);
		else Object.assign(shipment, { number: '', askAt: NEVER });
	}

	private giveId(shipment: Watched, id: number): void {
		// The one before was over, and was requested once an hour.
		if (shipment.id !== 0) shipment.askAt = 0;
		shipment.id = id;
		this.byId.set(id, shipment);
	}

	private index(shipment: Watched): void {
		if (shipment.id) this.byId.set(shipment.id, shipment);
		if (shipment.number) this.byNumber.set(keyOf(shipment), shipment);
	}
}

type Selection = Extract<Watch['selection'], { by: 'filters' }>;

/**
 * Reads the newest pages, until one has no new shipment. Every half hour, it reads all pages, over several polls if they are
 * many. The end is an empty page, or one that was seen in this poll: a provider may return the same page again and again.
 */
async function readPages(
	state: State,
	selection: Selection,
	poll: Poll,
	shipments: Shipments,
	reading: Reading,
): Promise<void> {
	const { list } = state;
	const { nowMs } = poll;
	// The clock may have been ahead.
	const isDue = list.next > 0 || Math.abs(nowMs - list.readAt) >= WHOLE_LIST_MS;
	const minutes = Math.max(1, (nowMs - state.savedAt) / 60_000);
	let pagesLeft = isDue ? minutes * PAGES_PER_MINUTE : 0;
	const seen = new Set<unknown>();
	let isNewest = true;
	for (let start = 0; isNewest || pagesLeft-- > 0; ) {
		const page = await readPage(start, selection, poll, reading);
		if (!page) return;
		if (page.every(({ id }) => seen.has(id))) {
			if (!isDue) return;
			for (const each of state.shipments) each.listed = Math.max(0, each.listed - 1);
			state.list = { readAt: nowMs, next: 0 };
			return;
		}
		for (const { id } of page) seen.add(id);
		for (const record of page) noteRecord(poll, record);
		const listed = toListed(page, selection);
		isNewest = listed.filter((each) => shipments.note(each)).length > 0 && isNewest;
		start += page.length;
		if (isDue) list.next = Math.max(start, list.next);
		if (!isNewest) start = list.next;
	}
}

/** `undefined` if there is no response, or no time for one. */
async function readPage(
	start: number,
	{ carrierCodes, isMainOnly }: Selection,
	poll: Poll,
	reading: Reading,
): Promise<ListedShipment[] | undefined> {
	if (!poll.mayAsk(LIST_SHARE)) return undefined;
	const carriers = carrierCodes.length > 0 ? { carrierCodes } : {};
	const createdFrom = searchStart(poll.nowMs, WATCHED_DAYS);
	const filter = { onlyMaster: isMainOnly, ...carriers, createdFrom };
	try {
		const { data } = await poll.ask(async ({ timeoutMs }) =>
			poll.client.findUncheckedShipments(filter, start, PAGE_LENGTH, timeoutMs),
		);
		reading.hasResponse = true;
		return data;
	} catch (failure) {
		reading.failures.push(failure);
		return undefined;
	}
}

/** The shipments of a page that can be watched. */
function toListed(records: readonly ListedShipment[], selection: Selection): Listed[] {
	const { carrierCodes, isMainOnly } = selection;
	// If the list has numbers, a shipment without one gets it later. If not, its detail has the number.
	const hasNumbers = records.some((record) => carrierNumberOf(record) !== '');
	return records.flatMap((record) => {
		const number = carrierNumberOf(record);
		const carrier = String(record.carrierCode ?? '');
		const [id, mainId, isCanceled] = [idOf(record), mainIdOf(record), record.canceled === true];
		// A provider may ignore a filter that it does not know.
		const isOfCarrier =
			carrierCodes.length === 0 || carrierCodes.some((code) => isSameCode(code, carrier));
		const isSelected = isOfCarrier && (mainId === undefined || !isMainOnly);
		if (!Number.isSafeInteger(id) || id === 0 || carrier === '' || !isSelected) return [];
		// No detail has the number of a piece whose main shipment is unknown.
		const mayGetNumber = !hasNumbers && mainId !== 0;
		const canBeAdded = record.trackable !== false && (number !== '' || mayGetNumber);
		return [{ id, carrier, number, canBeAdded, isSecondary: isCanceled || mainId !== undefined }];
	});
}

/** Reads numbers that the list does not have from the details. */
async function readNumbers(
	state: State,
	poll: Poll,
	shipments: Shipments,
	{ failures }: Reading,
): Promise<void> {
	const minute = Math.floor(poll.nowMs / 60_000);
	const isDue = ({ number, listed, askAt }: Watched) =>
		number === '' && listed > 0 && askAt <= minute;
	const due = state.shipments.filter(isDue).sort((a, b) => a.askAt - b.askAt);
	const failedCarriers = new Set<string>();
	// The detail of a main shipment has the numbers of its pieces.
	const groups = groupBy(due, (each) => `${each.carrier} ${detailIdOf(each, poll)}`);
	await poll.client.mapParallel([...groups.values()], async (group) => {
		const [{ carrier, id }] = group;
		if (failedCarriers.has(carrier) || !poll.mayAsk(NUMBERS_SHARE)) return;
		for (const each of group) {
			const isNew = each.addedOn * DAY_MS > poll.nowMs - DAY_MS;
			each.askAt = minute + NUMBER_RETRY_MINUTES[isNew ? 'firstDay' : 'later'];
		}
		try {
			for (const piece of await readPieces({ carrier, id }, poll)) {
				const own = shipments.byIdOf(idOf(piece));
				const isSecondary = piece.canceled === true || mainIdOf(piece) !== undefined;
				if (own) shipments.giveNumber(own, carrierNumberOf(piece), isSecondary);
			}
		} catch (failure) {
			if (isNotFound(failure)) return;
			failures.push(failure);
			failedCarriers.add(carrier);
		}
	});
}
