import type { IDataObject, INodeExecutionData, WorkflowActivateMode } from 'n8n-workflow';

import type { eventGroups } from '../../nodes/ParcelShipping/tracking/eventGroups';
import type { SandboxShipment } from '../../sandbox';
import type { TrackingEvent } from '../../contract/types.generated';
import { DAY_MS, localSecond, localToMs } from '../../sandbox/domain/clock';
import type { Exchange } from './network';
import { ODD, type Service } from './services';
import { rulesOf, type Simulation } from './simulation';
import type { TriggerHistory } from './trigger';

// The promises of the trigger, in terms of what the provider has and what the workflow got, without
// anything about how the trigger decides. Where that is open, an event may come, but never twice.

/** A selection of groups and of a category. */
export const MOVING = ['handedOver', 'TransitOnTheWay', 'readyForPickup'];

export const MINUTE_MS = 60_000;

/** The groups of events as documented, except those that the event says by a flag. */
type Group = Exclude<keyof typeof eventGroups, 'canceled'>;

const GROUP_OF_CATEGORY: Readonly<Record<string, Group>> = {
	...{ Created: 'created', Ordered: 'created', TransitCarrier: 'handedOver' },
	...{ TransitOnTheWay: 'inTransit', TransitReady: 'readyForPickup' },
	...{ transitready: 'readyForPickup', DeliveredPickup: 'readyForPickup' },
	...{ Delivered: 'delivered', ErrorRecepient: 'problem' },
	...{ DeliveringBack: 'returning', DeliveredBack: 'returned' },
};

/** Their events say that the shipment is not at a pickup point. */
const ELSEWHERE = new Set<string | null>([
	...['handedOver', 'inTransit', 'delivered', 'returning', 'returned', 'canceled'],
]);

/** The longest pace, 60 minutes, and what a failed request may cost. */
const LATEST_MS = 75 * MINUTE_MS;

/** It occurs twice, so that dates in it have two meanings. */
const HOUR_TWICE = '2026-10-25T02';

interface Entry {
	event: TrackingEvent;
	group: Group | 'canceled' | null;
	/** -Infinity without a date. */
	dateMs: number;
	/** When the provider had it at a poll for the first time. */
	appearedMs: number;
	/** By one of the selections since then, and by all of them. */
	isSelected: { once: boolean; always: boolean };
	/** The trigger has read and saved it, so that later selections do not apply to it. */
	isSettled: boolean;
	timesEmitted: number;
	/** The number of its shipment has changed since then. */
	mayStayOut?: true;
}

/** A piece of a shipment at the provider. */
interface Piece {
	shipment: SandboxShipment;
	createdMs: number;
	/** When the provider had it. */
	addedMs: number;
	/** Undefined if the provider does not say enough about it. */
	isWatched: boolean | undefined;
	/** When it was selected: the publishing of that began, and succeeded. */
	startMs: number;
	startedMs: number;
	/** It was selected later than others: its existing events do not come. Undefined if nobody knows. */
	isReselected: boolean | undefined;
	/** The trigger has read its events then. */
	isRead: boolean;
	/** The provider has left out some of its events in a response. */
	isShortened: boolean;
	/** Since when it has a number that the provider accepts. */
	freeMs: number;
	entries: Entry[];
	periods: Period[];
	/** The numbers that it had before. */
	earlierNumbers: string[];
	/** Events that are dated until then may count as known. */
	knownUntilMs: number;
}

/** Shipments are watched for so many days after their creation. */
const WATCHED_DAYS = 30;

interface Period {
	type: 'noMovement' | 'waitingForPickup';
	sinceMs: number;
	/** The tracking number that it came with. After a change, it may come again. */
	number?: unknown;
}

type Selection = TriggerHistory['selection'];

export class TriggerRules {
	/** Rules that are broken, and what was seen. */
	readonly broken: string[] = [];

	readonly fail = rulesOf(
		{
			due: 'every event comes in time',
			once: 'an event comes once',
			selected: 'only new events come that the form asks for',
			period: 'No Movement and Waiting for Pickup are true when they come',
			exists: 'every event exists at the provider',
			fields: 'an event has the fields of its shipment',
			flags: 'an event says correctly whether it is the first of its group and the latest',
			order: 'an execution has events, in the order of their dates',
			test: 'a test event exists, and is of a watched shipment',
			activation: 'only what the user can correct keeps a workflow from being published',
			cause: 'every error comes from the provider or the form',
			pause: 'a poll sends nothing after the provider has asked for a pause',
			time: 'a poll ends within the time that n8n gives it',
		},
		(broken) => {
			this.broken.push(broken);
			this.world.note(`BROKEN: ${broken}`);
		},
	);

	/** Of shipments that come next: when publishing them began, when it succeeded, and whether others were selected before. */
	private readonly next = { startMs: Infinity, startedMs: Infinity, isReselected: false };
	private watch: TriggerHistory['watch'];

	/** When something went wrong last. */
	private troubleMs = -Infinity;
	private readonly pieces: Piece[] = [];
	private readonly eventIds = new Set<unknown>();
	private selection: Selection;

	/** Polls that were running when the selection changed may still apply it. */
	private before: { selection?: Selection; untilMs: number } = { untilMs: -Infinity };

	constructor(
		private readonly history: TriggerHistory,
		private readonly world: Simulation,
	) {
		this.selection = history.selection;
		this.watch = history.watch;
	}

	add(shipment: SandboxShipment, createdMs: number): void {
		this.pieces.push({
			...{ ...this.next, isRead: false, isShortened: false, shipment, createdMs },
			...{ isWatched: this.isWatched(shipment), addedMs: Date.now(), freeMs: -Infinity },
			...{ entries: [], periods: [], earlierNumbers: [], knownUntilMs: -Infinity },
		});
	}

	private pieceOf(id: number): Piece {
		return this.pieces.find(({ shipment }) => shipment.id === id) as Piece;
	}

	private isWatched({ id, mainId, carrierCode }: SandboxShipment): boolean | undefined {
		const { watch, history } = this;
		const isMatch = watch === 'account' || carrierCode === 'ANT';
		if (!isMatch || id === mainId) return isMatch;
		if (history.form.oncePerOrder) return false;
		const { dialect, habits } = history.service;
		const hidesMain = dialect === 'interface' || habits.some((habit) => ODD.includes(habit));
		const isHidden = hidesNumbers(history.service) && hidesMain;
		return isHidden || habits.includes('listsOnlyMain') ? undefined : true;
	}

	/** Notes what the provider has now. */
	note(pieces = this.pieces): void {
		const appearedMs = Date.now();
		const { selection, untilMs } = this.before;
		for (const { shipment, entries } of pieces) {
			for (const event of this.world.service.events(shipment.id)) {
				const { date, code } = event;
				if (entries.some((each) => each.event.date === date && each.event.code === code)) continue;
				const always = isOf(event, this.selection);
				const once = always || (appearedMs < untilMs && isOf(event, selection));
				const dateMs = date === '' ? -Infinity : localToMs(date);
				entries.push({
					...{ event, dateMs, group: groupOf(event), appearedMs },
					...{ isSelected: { once, always }, isSettled: false, timesEmitted: 0 },
				});
			}
		}
	}

	readExchange(exchange: Exchange): void {
		if (exchange.operation !== 'trackShipments') return;
		const asked = this.pieces.filter((piece) => isAsked(piece, exchange.body));
		this.note(asked);
		for (const piece of asked) piece.isShortened ||= exchange.fault?.how === 'events missing';
	}

	/** Publishing has succeeded, perhaps with other shipments. */
	readStart(startMs: number, exchanges: readonly Exchange[]): void {
		const { next } = this;
		if (next.startedMs < Infinity) return;
		Object.assign(next, { startMs, startedMs: Date.now() });
		const read = exchanges.filter(({ got, fault }) => got === 200 && !fault);
		for (const piece of this.pieces.filter(({ startedMs }) => startedMs === Infinity)) {
			piece.startMs = Math.min(piece.startMs, startMs);
			piece.startedMs = next.startedMs;
			piece.isRead = read.some(({ body }) => isAsked(piece, body));
		}
	}

	/** Other filters apply from now on. What was selected before is open if it is not selected any more. */
	filter(watch: TriggerHistory['watch']): void {
		this.watch = watch;
		Object.assign(this.next, { startedMs: Infinity, isReselected: true });
		for (const piece of this.pieces) {
			if (this.isLeftOut(piece)) piece.knownUntilMs = Date.now();
			const isWatched = this.isWatched(piece.shipment);
			const isNew = piece.isWatched === false && isWatched !== false;
			// The trigger may not have found it yet.
			const isUnknown = piece.entries.every(({ timesEmitted }) => timesEmitted === 0);
			if (isNew) Object.assign(piece, { startMs: Date.now(), isReselected: true });
			else if (isUnknown && !piece.isReselected) piece.isReselected = undefined;
			if (isNew || isUnknown) Object.assign(piece, { startedMs: Infinity, isRead: false });
			if (isNew) piece.isWatched = isWatched;
			else if (piece.isWatched !== isWatched) piece.isWatched = undefined;
		}
	}

	/** Two readings of the list, half an hour apart, have left it out. */
	private isLeftOut({ shipment: { id } }: Piece): boolean {
		const readings = this.world.network.exchanges.filter(
			(each) => each.got === 200 && isOfPoll(each) && each.operation !== 'trackShipments',
		);
		const hasIt = ({ gotBody = '' }: Exchange) => new RegExp(`"id":"?${id}\\b`).test(gotBody);
		const since = readings.slice(readings.findLastIndex(hasIt) + 1);
		const [first, ...others] = since.filter(({ fault }) => fault?.how === 'some row missing');
		return others.some(({ sentMs }) => sentMs - Number(first?.sentMs) >= 30 * MINUTE_MS);
	}

	/** The same shipments are selected as if they were others: another account may be behind the credential. */
	selectAgain(): void {
		this.filter(this.watch);
		// The trigger may not know the new number of a shipment yet.
		for (const piece of this.pieces.filter(({ earlierNumbers }) => earlierNumbers.length > 0))
			for (const entry of piece.entries) entry.mayStayOut = true;
	}

	/** Whether a new selection applies is open for events that the trigger may not have read yet. */
	select(selection: Selection): void {
		this.before = { selection: this.selection, untilMs: Date.now() + 5 * MINUTE_MS };
		this.selection = selection;
		for (const { event, isSelected, isSettled } of this.pieces.flatMap(({ entries }) => entries)) {
			isSelected.always &&= isOf(event, selection);
			if (!isSettled) isSelected.once ||= isOf(event, selection);
		}
	}

	/** The trigger has read and saved all events that are due. */
	settle(): void {
		for (const piece of this.pieces.filter(({ isWatched }) => isWatched)) {
			for (const entry of piece.entries) entry.isSettled ||= this.isDue(entry, piece, Date.now());
		}
	}

	/** It has no number, or one that the provider refuses. */
	hinder(id: number): void {
		this.pieceOf(id).freeMs = Infinity;
	}

	free(): void {
		for (const piece of this.pieces) if (piece.freeMs === Infinity) piece.freeMs = Date.now();
	}

	/** Events until the latest known one come only once, under the earlier number. A period may come again. */
	changeNumber(id: number, number: string): void {
		const piece = this.pieceOf(id);
		this.note();
		this.noteTrouble();
		this.world.service.changeNumber(id, number);
		piece.earlierNumbers.push(piece.shipment.packageNumberCarrier);
		piece.shipment = { ...piece.shipment, packageNumberCarrier: number };
		piece.periods = [];
		for (const entry of piece.entries) entry.mayStayOut = true;
		piece.knownUntilMs = Math.max(...piece.entries.map(({ dateMs }) => dateMs));
	}

	hasChangedNumber(id: number): boolean {
		return this.pieceOf(id).earlierNumbers.length > 0;
	}

	noteTrouble(): void {
		this.troubleMs = Date.now();
	}

	/**
	 * Checks what the workflow got. What is lost is n8n's loss: it had saved the state, and not yet the
	 * execution, when it was killed.
	 */
	readExecution(execution: INodeExecutionData[], isLost: boolean): void {
		if (execution.length === 0) this.fail.order('An execution has no items');
		const items = execution.map(({ json }) => json);
		for (const item of items) this.readItem(item, isLost);
		const dates = items.map(momentOf).filter((ms) => ms !== -Infinity && !isTwice(ms));
		if (dates.some((ms, index) => ms < (dates[index - 1] ?? ms)))
			this.fail.order(`${items.map(nameOf).join(', ')} are not in the order of their dates`);
	}

	/** What *Fetch Test Event* shows. */
	readSample(items: INodeExecutionData[]): void {
		for (const { json: item } of items) {
			const { piece, entry } = this.find(item);
			const name = `The test event ${nameOf(item)}`;
			if (piece?.isWatched === false) this.fail.test(`${name} is not watched`);
			const isExample = /^Example: /.test(String(item.name ?? item.eventName));
			if (!entry && !isExample && !isPeriod(item)) this.fail.test(`${name} does not exist`);
		}
	}

	/** A poll fails only if something has gone wrong, and sends nothing when it must pause. */
	checkTrouble(run: string, failures: readonly Error[], startedMs: number): void {
		const fromMs = startedMs - 15 * MINUTE_MS;
		const exchanges = this.world.network.exchanges.filter(({ sentMs }) => sentMs >= fromMs);
		const hasReason = exchanges.some(({ fault, got = 200 }) => fault ?? got !== 200);
		for (const { name, stack } of failures) {
			if (name !== 'NodeApiError' || !hasReason) this.fail.cause(`${run} threw ${stack}`);
		}
		for (const { fault, got, sender, url, body, sentMs, arrivedMs = sentMs } of exchanges) {
			const ofRun = exchanges.filter((each) => each.sender.run === sender.run);
			// While the provider fails for each number that is requested, others of the carrier wait for ten minutes.
			const isSplitInVain = () =>
				got === 500 &&
				body.includes('","') &&
				!ofRun.some((each) => each.got === 200 && each.url === url);
			if (fault ?? isSplitInVain()) this.troubleMs = Math.max(this.troubleMs, arrivedMs);
			if (got === 429 && ofRun.some((each) => isOfPoll(each) && each.sentMs > arrivedMs))
				this.fail.pause(`${sender.run} sent a request`);
		}
	}

	checkActivation(by: WorkflowActivateMode, { message }: Error, exchanges: readonly Exchange[]) {
		const isLasting = ({ got, fault }: Exchange) =>
			(Number(got) >= 300 && Number(got) < 500 && got !== 408 && got !== 429) ||
			(got === 200 && /: (page|nullResult)$/.test(fault?.how ?? ''));
		if (by !== 'activate') this.fail.activation(`${by} failed: ${message}`);
		else if (!exchanges.some(isLasting)) this.fail.activation(`Publishing failed: ${message}`);
	}

	/** Checks what had to come by the end of a poll that began then. */
	checkDue(nowMs = Date.now()): void {
		const { limits } = this.history;
		const watchedMs = WATCHED_DAYS * DAY_MS - LATEST_MS;
		for (const piece of this.pieces) {
			if (!piece.isWatched || nowMs > piece.createdMs + watchedMs) continue;
			for (const entry of piece.entries) {
				if (!this.mustCome(entry, piece) || !this.isDue(entry, piece, nowMs)) continue;
				const { category, code, date } = entry.event;
				const number = piece.shipment.packageNumberCarrier;
				this.fail.due(`${category} (${code}) of ${number} at ${date} has not come`);
			}
			if (limits) this.checkPeriods(piece, nowMs);
		}
	}

	/** The piece of an item, and its event: one that may come and has not, if several look alike. */
	private find(item: IDataObject): { piece?: Piece | undefined; entry?: Entry | undefined } {
		const { packageNumberCarrier: number, carrierCode, code, eventGroup } = item;
		const piece = this.pieces.find(
			(each) =>
				numbersOf(each).includes(String(number)) && each.shipment.carrierCode === carrierCode,
		);
		if (!piece) return {};
		const alike = piece.entries.filter(
			({ event, dateMs, group }) =>
				dateMs === momentOf(item) && group === eventGroup && (code ?? event.code) === event.code,
		);
		const next = alike.find((each) => each.timesEmitted === 0 && this.mayCome(each, piece));
		return { piece, entry: next ?? alike[0] };
	}

	private readItem(item: IDataObject, isLost: boolean): void {
		const name = nameOf(item);
		const { piece, entry } = this.find(item);
		if (!piece) return this.fail.exists(`${name} is of no shipment`);
		if (this.eventIds.has(item.eventId)) this.fail.once(`${name} came twice`);
		this.eventIds.add(item.eventId);
		if (!isLost) this.checkFields(item, piece);
		if (isPeriod(item)) return this.readPeriod(item, piece);
		if (!entry) return this.fail.exists(`${name} is not in the service`);
		if (++entry.timesEmitted > 1 && !mayRepeat(entry, piece)) this.fail.once(`${name} came twice`);
		else if (!this.mayCome(entry, piece)) this.fail.selected(`${name} must not come`);
		this.checkFlags(entry, item, piece);
	}

	private checkFields(item: IDataObject, piece: Piece): void {
		const { form, service } = this.history;
		const { shipment, createdMs, freeMs } = piece;
		const { id, mainId, packageNumberCustom, input } = shipment;
		const { pieceId, shipmentId, shipmentNotRead } = item;
		const check = (field: string, value: unknown, ...expected: unknown[]) => {
			if (!expected.includes(value)) this.fail.fields(`${nameOf(item)}: ${field} ${String(value)}`);
		};
		check('pieceId', pieceId, id, null);
		check('shipmentId', shipmentId, mainId, id, null);
		const info = (form.simplify ? item : item.shipment) as IDataObject;
		const unknown = shipmentNotRead === undefined ? [] : [null];
		check('packageNumberCustom', info.packageNumberCustom, packageNumberCustom, ...unknown);
		check('recipientEmail', info.recipientEmail, input.recEmail, ...unknown);
		const isHidden = id !== mainId && (service.habits.length > 0 || service.listRecords !== 'rich');
		const hadTrouble = this.world.network.exchanges.slice(-50).some(({ fault }) => fault);
		// Right after its creation, and until the poll after it got one, it has no number.
		const numberedMs = Math.max(createdMs + 10 * MINUTE_MS, freeMs + MINUTE_MS);
		if (isHidden || hadTrouble || numberedMs > Date.now()) return;
		check('shipmentNotRead', shipmentNotRead, undefined);
	}

	/** Checks what the item says of its place among the events of its piece. */
	private checkFlags(entry: Entry, item: IDataObject, piece: Piece): void {
		const { group, dateMs } = entry;
		const { isFirstOfGroup, isLatest } = item;
		const fail = (what: string) => this.fail.flags(`${nameOf(item)} ${what}`);
		const others = piece.entries.filter((other) => other !== entry);
		// The trigger may not have read the others, unless it has emitted them.
		const emitted = others.filter(({ timesEmitted }) => timesEmitted > 0);
		const isOfGroup = (other: Entry) => group !== null && other.group === group;
		// A response that lacks events, or a new number, can make one the first again.
		const mayBeFirstAgain = piece.isShortened || piece.earlierNumbers.length > 0;
		if (isFirstOfGroup === true && !mayBeFirstAgain && emitted.some(isOfGroup))
			fail('is not the first of its group');
		// After a new number, the trigger cannot date an earlier one of its group either.
		const isUnsure = isVague(entry) && piece.earlierNumbers.length > 0;
		if (isFirstOfGroup === false && !isUnsure && !others.some(isOfGroup))
			fail('is the first of its group');
		if (isFirstOfGroup !== true && this.history.form.oncePerOrder)
			this.fail.selected(`${nameOf(item)} is repeated`);
		if (dateMs === -Infinity && isLatest !== true) fail('has no date, and is not the latest');
		if (isVague(entry)) return;
		const isLater = (other: Entry) => !isVague(other) && other.dateMs > dateMs;
		const mayBeLater = (other: Entry) => isLater(other) || isVague(other);
		if (isLatest === true && emitted.some(isLater)) fail('is not the latest');
		if (isLatest === false && !others.some(mayBeLater)) fail('is the latest');
	}

	/** Whether the piece may have events that must not come, because they are from before the start. */
	private hasHistory({ createdMs, startedMs, isReselected }: Piece): boolean {
		// A time that occurs twice is read as the first of the two.
		const readMs = isTwice(createdMs) ? createdMs - 60 * MINUTE_MS : createdMs;
		const isFromNow = this.history.options.startFrom === 'now' || isReselected === true;
		return isFromNow && readMs <= startedMs;
	}

	/** It is not known whether the trigger had read the shipment before it was selected again. */
	private mayHaveHistory(piece: Piece): boolean {
		return this.hasHistory({ ...piece, isReselected: piece.isReselected !== false });
	}

	private mayCome(entry: Entry, piece: Piece): boolean {
		const { isSelected, appearedMs, dateMs } = entry;
		if (piece.isWatched === false || !isSelected.once) return false;
		const isOld = appearedMs <= piece.startMs && this.hasHistory(piece);
		if (!isOld || mayRepeat(entry, piece)) return true;
		return !piece.isRead && (piece.isShortened || dateMs >= toSecond(piece.startMs));
	}

	private isExpected(entry: Entry, piece: Piece): boolean {
		const { appearedMs, dateMs, isSelected, timesEmitted } = entry;
		const { isRead, startedMs } = piece;
		const mayBeOld = appearedMs <= startedMs || (!isRead && dateMs <= startedMs);
		const isOpen = this.mayHaveHistory(piece) && mayBeOld;
		return this.mayCome(entry, piece) && isSelected.always && !isOpen && timesEmitted === 0;
	}

	private mustCome(entry: Entry, piece: Piece): boolean {
		const mayBeKnown = ({ mayStayOut, dateMs }: Entry) =>
			mayStayOut ?? dateMs <= piece.knownUntilMs;
		const isWanted = (each: Entry) => this.isExpected(each, piece) && !mayBeKnown(each);
		const isOnlyFirst = this.history.form.oncePerOrder && entry.group !== null;
		const hasEarlier = piece.entries.some(
			(other) => other !== entry && other.group === entry.group && !isWanted(other),
		);
		return isWanted(entry) && !(isOnlyFirst && hasEarlier);
	}

	/** Whether it must have come, by what docs/trigger.md says. */
	private isDue(entry: Entry, piece: Piece, nowMs: number): boolean {
		const { freeMs, addedMs, entries } = piece;
		const visibleMs = Math.max(freeMs, this.troubleMs);
		const isUsual =
			Math.max(visibleMs, addedMs) + LATEST_MS > entry.appearedMs ||
			entries.some((each) => hasEnded(each) || isReturned(each));
		const latestMs = isUsual ? LATEST_MS : 30 * MINUTE_MS;
		return Math.max(entry.appearedMs, visibleMs) + latestMs <= nowMs;
	}

	private limitMs({ type, sinceMs }: Period): number {
		return sinceMs + (this.history.limits?.[type] ?? Infinity) * DAY_MS;
	}

	private readPeriod(item: IDataObject, piece: Piece): void {
		const { entries, periods, isWatched } = piece;
		const { eventGroup, since, isFirstOfGroup, packageNumberCarrier: number } = item;
		const sinceMs = Date.parse(String(since));
		const period = { type: eventGroup as Period['type'], sinceMs, number };
		const name = nameOf(item);
		const fail = (what: string) => this.fail.period(`${name} ${what}`);
		const earlier = periods.filter((each) => each.type === period.type && each.number === number);
		periods.push(period);
		if (earlier.some((each) => each.sinceMs === sinceMs)) this.fail.once(`${name} came twice`);
		// Periods that were over at the start count as known, like the events of that time.
		const mayBeSecond = this.mayHaveHistory(piece) || piece.earlierNumbers.length > 0;
		const isFirst = earlier.length === 0;
		const mayBeOther = isFirst ? mayBeSecond : piece.isShortened;
		if (isFirstOfGroup !== isFirst && !mayBeOther)
			this.fail.flags(`${name} is first: ${String(isFirstOfGroup)}`);
		if (this.limitMs(period) > Date.now()) fail('came early');

		const emitted = entries.filter(({ timesEmitted }) => timesEmitted > 0);
		if (isWatched === false) this.fail.selected(`${name} must not come`);
		// An end that is dated before the creation is of an earlier shipment with the number.
		const isOwnEnd = (entry: Entry) =>
			hasEnded(entry) && (entry.dateMs >= piece.createdMs || entry.dateMs === -Infinity);
		// A response that lacks an event says wrongly that a period goes on.
		if (!piece.isShortened && emitted.some(isOwnEnd)) fail('came after the end');
		if (entries.some(isVague)) return;
		const isQuiet = period.type === 'noMovement';
		const began = entries.filter(({ dateMs }) => dateMs === sinceMs);
		if (!began.some(isQuiet ? (each) => !isReturned(each) : isReady)) fail('began with no event');
		const later = emitted.filter(({ dateMs }) => dateMs > sinceMs);
		if (!piece.isShortened && later.some((each) => isQuiet || hasLeft(each)))
			fail('came although it was over');
	}

	/** Only for shipments whose events leave no doubt about when the period began. */
	private checkPeriods(piece: Piece, nowMs: number): void {
		const entries = piece.entries.toSorted((a, b) => a.dateMs - b.dateMs);
		const last = entries.at(-1);
		const isUnclear = (entry: Entry) =>
			!this.isDue(entry, piece, nowMs) || isVague(entry) || hasEnded(entry) || isReturned(entry);
		if (!last || entries.some(isUnclear)) return;
		const check = (type: Period['type'], { dateMs: sinceMs }: Entry) => {
			const limitMs = this.limitMs({ type, sinceMs });
			const { startFrom } = this.history.options;
			const isFromNow = startFrom === 'now' || piece.isReselected !== false;
			if ((isFromNow && limitMs <= piece.startedMs) || limitMs <= piece.knownUntilMs) return;
			if (Math.max(limitMs, this.troubleMs, piece.freeMs) + LATEST_MS > nowMs) return;
			const reported = piece.periods.filter((each) => each.type === type);
			if (reported.some((each) => each.sinceMs >= sinceMs)) return;
			// A period that was over at the start was the first one.
			const wasFirst = reported.length > 0 || this.hasHistory(piece);
			if (this.history.form.oncePerOrder && wasFirst) return;
			const number = piece.shipment.packageNumberCarrier;
			this.fail.due(`${type} of ${number} since ${localSecond(sinceMs)} has not come`);
		};
		const leftMs = entries.findLast(hasLeft)?.dateMs ?? -Infinity;
		const arrival = entries.find((entry) => isReady(entry) && entry.dateMs >= leftMs);
		// In the same second as a departure, it may be the later or the earlier one.
		if (arrival && arrival.dateMs > leftMs) check('waitingForPickup', arrival);
		check('noMovement', last);
	}
}

const nameOf = ({ eventGroup, packageNumberCarrier, dateTime, since }: IDataObject) =>
	`${String(eventGroup)} of ${String(packageNumberCarrier)} at ${String(since ?? dateTime)}`;
/** Whether lists have no numbers of carriers. */
export const hidesNumbers = ({ dialect, listRecords, habits }: Service) =>
	(dialect === 'interface' && listRecords === 'documented') ||
	habits.includes('listsWithoutNumbers');

const numbersOf = ({ shipment, earlierNumbers }: Piece) => [
	shipment.packageNumberCarrier,
	...earlierNumbers,
];
const toSecond = (ms: number) => Math.floor(ms / 1000) * 1000;
const momentOf = ({ dateTime }: IDataObject) =>
	dateTime === null ? -Infinity : toSecond(Date.parse(String(dateTime)));
const isPeriod = ({ eventGroup }: IDataObject) =>
	eventGroup === 'noMovement' || eventGroup === 'waitingForPickup';

const isAsked = ({ shipment }: Piece, body: string) =>
	body.includes(`"${shipment.packageNumberCarrier}"`);
/** Not one that completes events, or of *Fetch Test Event*. */
const isOfPoll = ({ operation, body, sender }: Exchange) =>
	!sender.run.startsWith('test') &&
	(operation === 'trackShipments' || body.includes('createdFrom'));

/** If the carrier leaves out events when it changes the number, they look new later. */
const mayRepeat = (entry: Entry, piece: Piece) =>
	(piece.isShortened || isVague(entry)) && piece.earlierNumbers.length > 0;

function groupOf({ category, delivered, canceled }: TrackingEvent): Entry['group'] {
	const group = GROUP_OF_CATEGORY[category] ?? null;
	if (group === 'returning' || group === 'returned') return group;
	if (delivered) return 'delivered';
	return canceled ? 'canceled' : group;
}
const isOf = (event: TrackingEvent, selection: Selection | undefined) =>
	selection === 'all' ||
	[event.category, groupOf(event)].some((each) => MOVING.includes(each ?? ''));

const isTwice = (ms: number) => localSecond(ms).startsWith(HOUR_TWICE);
const isVague = ({ dateMs }: Entry) => dateMs === -Infinity || isTwice(dateMs);
const hasEnded = ({ event }: Entry) => event.delivered || event.canceled;
const isReturned = ({ group }: Entry) => group === 'returned';
const isReady = ({ group }: Entry) => group === 'readyForPickup';
const hasLeft = ({ group }: Entry) => ELSEWHERE.has(group);
