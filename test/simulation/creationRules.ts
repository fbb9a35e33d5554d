import { omit, partition } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { parseJson } from '../../nodes/ParcelShipping/records';
import type { CreatedShipment } from '../../nodes/ParcelShipping/transport/endpoints';
import type { SandboxShipment } from '../../sandbox';
import { type CreationOrder, itemOf } from './creation';
import { type Exchange, isClean, isDoneLate } from './network';
import { itemsOf, linksOf, names, type OutputRow, shipmentsIn } from './outputs';
import { chainOf, type CreationRun, PrintRules, READS } from './printRules';
import { ODD } from './services';
import { rulesOf } from './simulation';

// The promises of creation, in terms of what the provider has and what was output, without anything
// about how the node keeps them.

const fail = rulesOf({
	shipped: 'every valid order ends with a shipment',
	living: 'an order has one active shipment',
	both: 'if two shipments of an order remain, both are named',
	kept: 'what a clerk or a later run has created is not canceled',
	exchange: 'no shipment of an exchange is canceled',
	named: 'a request to cancel names its shipments',
	ids: 'no request has an ID that nobody knows',
	found: 'the last run outputs each shipped order with all of its pieces',
	differs: 'an order whose shipment differs fails, or its output says so',
	item: 'every item has an output or an error',
	created: 'a run names every shipment that it has created',
	response: 'a run names every shipment that a response has named',
	exists: 'every shipment in the output exists and is not canceled',
	own: 'a shipment is linked only to its own order',
	output: 'the output of an order is one shipment, with each piece once',
	cash: 'the cash on delivery of an order is output once',
	unknown: 'an order is reported as unknown while its outcome is unknown, and no longer',
	creator: 'the output says correctly whether the run has created a shipment',
	duplicate: 'what the output says of a duplicate is true',
	label: 'the label of a shipment that a clerk has canceled is not printed',
	count: 'a hint counts what the output has',
});

/** Whether a fault can keep the node from seeing or canceling a duplicate. */
const isHindrance = ({ fault }: Exchange) => /^(list|detail|cancel)$/.test(fault?.at ?? '');

const CREATIONS = /^createShipments/;

export class CreationRules extends PrintRules {
	private readonly createdByHand = new Set<number>();

	/** A clerk cancels the shipments of an order at the provider. */
	cancelByHand(reference: string): void {
		for (const { id, canceled } of this.shipmentsOf(reference)) {
			if (canceled) continue;
			this.world.service.cancelShipment(id);
			this.canceledByHand.set(id, Date.now());
		}
		this.observe();
	}

	/** A clerk creates one more shipment of an order at the provider. */
	createByHand(item: IDataObject): void {
		for (const { id } of this.world.service.seedShipments(1, omit(item, 'carrierCode')))
			this.createdByHand.add(id);
		this.observe();
	}

	/** What each run has output, once all of them are over. */
	checkRuns(): void {
		this.observe();
		for (const { url, body, sender } of this.world.network.exchanges) {
			if (/NaN|Infinity|undefined/.test(url) || /\[(.*,)?(null|0)[,\]]/.test(body))
				fail.ids(`${sender.run} sends ${url} ${body}`);
		}
		for (const run of this.runs) {
			if (!run.result) continue;
			const { rows } = shipmentsIn(run);
			for (const row of rows) this.checkRow(run, row);
			const ids = rows.map(({ id }) => id);
			if (new Set(ids).size < ids.length) fail.output(`${run.name} outputs ${ids.join()}`);
			for (const item of run.asked.keys()) this.checkItem(run, item);
			this.checkCreated(run);
			this.checkCanceledByHand(run);
			this.checkCancellations(run);
			this.checkUnknown(run);
			this.checkHints(run);
		}
	}

	/** Whether the run, or the one that it retries, got no response for the order. A shipment may then be its own. */
	private hasLostRequest(run: CreationRun, { packageNumberCustom }: SandboxShipment): boolean {
		return this.creationsBy(run, packageNumberCustom).some((each) => !isClean(each));
	}

	/** The requests of the run, or of the one that it retries, to create the order. */
	private creationsBy(run: CreationRun, reference: string): Exchange[] {
		return this.sentBy(chainOf(run), CREATIONS).filter(({ body }) =>
			body.includes(`"${reference}"`),
		);
	}

	private checkRow(run: CreationRun, { id, items, json }: OutputRow): void {
		const { name, asked, settings, retryOf } = run;
		const shipment = this.shipments.get(id);
		if (!shipment) return fail.exists(`${name} outputs shipment ${id}, which does not exist`);
		const orders = items.map((item) => asked[item]);
		const { packageNumberCustom: reference, carrierCode, canceled, input } = shipment;
		const isOwn = orders.some((order) => order?.reference === reference);
		if (!isOwn && !this.isMisled(run, id))
			fail.own(`${name} outputs ${id} of ${reference} for item ${items.join()}`);
		if (items.length > 1) fail.own(`${name} links ${id} to several items`);
		const isKnown = this.canceledByHand.has(id) || this.isCanceledMeanwhile(run, id);
		if (canceled && !isKnown && !this.isHindered([shipment]))
			fail.exists(`${name} outputs shipment ${id}, which was canceled`);
		const creator = this.creationOf(id)?.sender.run;
		if (json.alreadyExisted === true && creator === name && !retryOf)
			fail.creator(`${name} says that ${id} already existed, and has created it`);
		if (json.alreadyExisted !== true) {
			const mayBeOwn = this.createdByHand.has(id) && this.hasLostRequest(run, shipment);
			if (creator === undefined && !mayBeOwn)
				fail.creator(`${name} says that it has created ${id}, which existed before`);
			if (!orders.some((order) => order?.carrierCode === carrierCode))
				fail.creator(`${name} says that it has created ${id} at ${carrierCode}`);
		}
		const streets = items.map((item) => (settings.items as IDataObject[])[item]?.recStreet);
		// What was read back may be the run's own.
		const mayDiffer =
			name === 'last run' || this.history.form.ifShipped === 'return' || json.recovered === true;
		const isSaid = mayDiffer && json.differences !== undefined;
		// If the records could not be read, nothing is compared.
		const isUnread = this.isUngrouped || this.sentBy([name]).some(isHindrance);
		if (!streets.includes(input.recStreet) && !isSaid && !isUnread)
			fail.differs(`${name} outputs ${id}, which goes to ${input.recStreet}`);
		this.checkLabel(run, json, shipment);
		const canceledOne = json.canceledDuplicate as { id: number } | undefined;
		if (canceledOne && !this.shipments.get(canceledOne.id)?.canceled)
			fail.duplicate(`${name} says that it has canceled ${canceledOne.id}, which lives`);
		// Who follows the outputs of two runs and cancels each duplicate must not cancel both.
		const first = json.duplicateOf as { id: number } | undefined;
		if (first && first.id > id)
			fail.duplicate(`${name} calls ${id} a duplicate of the later ${first.id}`);
	}

	private checkItem(run: CreationRun, item: number): void {
		const { name, result, asked } = run;
		const { rows } = shipmentsIn(run);
		const order = asked[item] as CreationOrder;
		const { reference } = order;
		const hasOutcome = itemsOf(run).some((output) => linksOf(output).includes(item));
		if (!result?.error && !hasOutcome) fail.item(`${name} leaves out ${item}`);
		const own = rows.filter(
			({ items, json }) => items.includes(item) && json.packageNumberCustom === reference,
		);
		if (own.some(({ id }) => this.isMisled(run, id) || this.isCanceledMeanwhile(run, id))) return;
		const amounts = own.flatMap(({ json }) => json.codPrice ?? []);
		if (amounts.length > 1) fail.cash(`${name} outputs ${amounts.length} for ${reference}`);
		if (this.isUngrouped) return;
		const times = this.history.form.isExchange ? 2 : 1;
		const { pieceCount = 1 } = itemOf(order) as { pieceCount?: number };
		const before = this.shipmentsOf(reference).filter(({ id }) => !this.creationOf(id)).length;
		const mains = new Set(own.map(({ id }) => this.shipments.get(id)?.mainId));
		if (own.length > Math.max(times * pieceCount, before) || mains.size > times) {
			const ids = own.map(({ id }) => id).join();
			fail.output(`${name} outputs ${ids} for the ${pieceCount} pieces of ${reference}`);
		}
	}

	private checkCreated(run: CreationRun): void {
		const { text } = shipmentsIn(run);
		for (const id of this.changedBy(run.name, this.created)) {
			const shipment = this.shipments.get(id) as SandboxShipment;
			const exchange = this.creationOf(id) as Exchange;
			if (shipment.canceled) continue;
			if (!this.isRowNamed(shipment, exchange, text))
				fail.response(`${run.name} does not name ${id}, which a response has named: ${text}`);
			// Nobody can know what is created after the last look. The next run names it.
			const isLost = isDoneLate(exchange) || (!isClean(exchange) && this.has('listLagMs'));
			// How many rows an exchange has is not documented, so nobody knows that one is missing.
			if (isLost || (this.history.form.isExchange && exchange.fault)) continue;
			// If a row has no ID and no number yet, only its order says that it exists.
			const hasNoId = /without/.test(exchange.fault?.how ?? '');
			if (hasNoId && names(text, shipment.packageNumberCustom)) continue;
			const main = this.shipments.get(shipment.mainId) ?? shipment;
			if (isNamed(text, shipment) || isNamed(text, main)) continue;
			fail.created(`${run.name} created ${id} of ${shipment.packageNumberCustom} without a word`);
		}
	}

	/**
	 * Whether the text names the row of the shipment, as n8n got it. Without an ID, an error of its order is enough, and so
	 * is its main shipment, also if details have no pieces: what the records do not show is named as missing.
	 */
	private isRowNamed(shipment: SandboxShipment, { got, gotBody }: Exchange, text: string): boolean {
		const { result } = (parseJson(got === 200 ? String(gotBody) : '') ?? {}) as {
			result?: Array<CreatedShipment | null>;
		};
		const { id, mainId, packageNumberCarrier: number } = shipment;
		const row = result?.find((each) =>
			each?.id == null ? number && each?.packageNumberCarrier === number : Number(each.id) === id,
		);
		if (!row || row.statusCode > 299) return true;
		// Which shipments of an exchange the run has created, nothing says without IDs. The next run names all.
		const isUnknown =
			this.history.form.isExchange || hasErrorOf(text, shipment.packageNumberCustom);
		if (row.id == null && isUnknown) return true;
		const isMainEnough = row.id == null || this.isUngrouped;
		if (names(text, id) || (isMainEnough && names(text, mainId))) return true;
		return Boolean(row.packageNumberCarrier) && names(text, number);
	}

	/** Whether a run that could read all records takes a shipment for active that a clerk has canceled before. */
	private checkCanceledByHand(run: CreationRun): void {
		const { rows, text } = shipmentsIn(run);
		if (this.sentBy([run.name]).some(({ fault }) => fault)) return;
		// Neither the list nor the detail says of which order an additional piece is, or the list has none. If a
		// response leaves out the main piece, the records do not show what happened to the other pieces.
		const hidesPieces = this.has('listsOnlyMain', ...ODD);
		for (const [id, canceledMs] of this.canceledByHand) {
			if (canceledMs > run.startedMs) continue;
			if (this.printJobsOf(id).some(({ sender }) => sender.run === run.name))
				fail.label(`${run.name} prints the label of ${id}, which a clerk has canceled`);
			if (hidesPieces && this.shipments.get(id)?.mainId !== id) continue;
			const isSaidToExist = new RegExp(`These shipments exist.*\\(ID ${id},`).test(text);
			if (isSaidToExist || rows.some((row) => row.id === id))
				fail.exists(`${run.name} outputs shipment ${id}, which a clerk has canceled`);
		}
	}

	/** Whether each hint of the run counts what its output has. */
	private checkHints(run: CreationRun): void {
		const { hints = [], error } = run.result ?? {};
		// The last try may have failed before it says what the others have done.
		if (error) return;
		const compare = (words: RegExp, expected: number, most = expected) => {
			const found = hints.flatMap((hint) => [...hint.matchAll(words)]);
			const said = found.reduce((sum, [, count]) => sum + Number(count), 0);
			if (said < expected || said > most)
				fail.count(`${run.name} says ${said} and not ${expected} (${words}): ${hints.join(' ')}`);
		};
		const [failed, fine] = partition(itemsOf(run), ({ json }) => json.error !== undefined);
		// Also pieces without an ID.
		const rows = fine.map(({ json }) => json);
		const ordersOf = (is: (json: IDataObject) => unknown) =>
			new Set(rows.filter(is).map((json) => json.packageNumberCustom)).size;
		const existed = ordersOf((json) => json.alreadyExisted && !json.canceledDuplicate);
		// The second shipment of an exchange is no hint.
		const several = ordersOf(
			(json) => !this.history.form.isExchange && (json.duplicates ?? json.duplicateOf),
		);
		const noLabel = (json: IDataObject) =>
			Boolean(
				(json.error === undefined ? json : (json.details as IDataObject | undefined))
					?.labelNotPrinted,
			);
		const failedItems = new Set(failed.filter(({ json }) => !noLabel(json)).flatMap(linksOf)).size;
		compare(
			/(\d+) (?:shipments? )?created/g,
			ordersOf((json) => !json.alreadyExisted),
		);
		compare(/(\d+) (?:shipments? )?already existed/g, existed);
		compare(
			/^(\d+) existing shipments? differs?/g,
			ordersOf((json) => json.differences),
		);
		compare(
			/^(\d+) orders? (?:was|were) created twice/g,
			ordersOf((json) => json.canceledDuplicate),
		);
		compare(/^(\d+) orders? (?:has|have) more than one shipment/g, several);
		compare(/^(\d+) labels? (?:was|were) /g, rows.filter(noLabel).length);
		compare(/^(\d+) items? failed/g, failedItems);
		// Nobody knows all labels that were printed after a lost response. The last try may be unable to read a shipment whose
		// label an earlier one has printed.
		if (!this.sentBy([run.name], /sendToPrinter/).every(isClean)) return;
		const printed = new Set(this.printedBy([run.name]).map(({ id }) => id));
		const ofRows = rows.filter(({ id }) => printed.has(Number(id))).length;
		compare(/(\d+) labels? printed on/g, ofRows, printed.size);
	}

	/** What a run has canceled, or tried to cancel, because another run has created the order first. */
	private checkCancellations(run: CreationRun): void {
		const { rows, text } = shipmentsIn(run);
		const living = [...this.shipments.values()].filter((each) => !each.canceled);
		for (const { body } of this.sentBy([run.name], /^cancel/)) {
			const { packages } = JSON.parse(body) as { packages: string[] };
			if (packages.length === 0 || packages.includes('')) fail.named(`${run.name} sends ${body}`);
			for (const { id, packageNumberCarrier, packageNumberCustom } of living) {
				const isOutput = rows.some((row) => row.id === id);
				if (!isOutput || !packages.includes(packageNumberCarrier)) continue;
				const earlier = living.filter(
					(each) =>
						each.packageNumberCustom === packageNumberCustom &&
						each.id === each.mainId &&
						each.id < id,
				);
				if (earlier.length > 0 && !earlier.some((other) => isNamed(text, other)))
					fail.both(`${run.name} has not canceled ${id} or named ${earlier[0]?.id}`);
			}
		}
		for (const id of this.changedBy(run.name, this.canceled)) {
			const shipment = this.shipments.get(id) as SandboxShipment;
			// After a lost response, nothing tells what a clerk has created meanwhile from what the run has. It is named.
			const mayBeOwn = this.hasLostRequest(run, shipment) && names(text, shipment.mainId);
			if (this.createdByHand.has(id) && !mayBeOwn)
				fail.kept(`${run.name} cancels ${id}, which a clerk has created`);
			const creator = this.runs.find(({ name }) => name === this.creationOf(id)?.sender.run);
			const { endedMs: retriedMs = Infinity } = run.retryOf ?? {};
			if (!creator?.endedMs || creator.startedMs <= retriedMs) continue;
			if (creator.endedMs < run.startedMs)
				fail.kept(`${run.name} cancels ${id}, which ${creator.name} has created since`);
		}
	}

	private checkUnknown(run: CreationRun): void {
		const { name, asked, retryOf } = run;
		const { rows, text } = shipmentsIn(run);
		for (const { reference } of asked) {
			const isShipped =
				rows.some(({ json }) => json.packageNumberCustom === reference) ||
				new RegExp(`These shipments exist.* ${reference} \\(ID`).test(text);
			if (isShipped && isSaidUnknown(text, reference))
				fail.unknown(`${name} names the shipment of ${reference}, and that it is unknown`);
			// The order may have been sent by another run of the same process, and its memory ends after five minutes.
			if (isShipped || !retryOf) continue;
			if (!this.creationsBy(retryOf, reference).some(({ fault }) => fault)) continue;
			if (isSaidUnknown(shipmentsIn(retryOf).text, reference) && !names(text, reference))
				fail.unknown(`${name} does not name ${reference}, which was unknown: ${text}`);
		}
	}

	/** `last` is a run of all orders in good weather. */
	checkEnd(last: CreationRun): void {
		this.checkRuns();
		const { rows, text } = shipmentsIn(last);
		for (const { id } of rows) this.foundAtEnd.add(id);
		for (const order of this.history.orders) {
			const { reference } = order;
			const all = this.shipmentsOf(reference);
			const mains = all.filter(({ canceled, id, mainId }) => !canceled && id === mainId);
			if (mains.length === 0 && !order.isBad) fail.shipped(`${reference} has no shipment`);
			if (mains.length === 0) continue;
			const ids = rows.flatMap(({ id, json }) =>
				json.packageNumberCustom === reference ? id : [],
			);
			if (!this.shipments.has(ids[0] ?? 0))
				fail.found(`${reference} is not in the output of the last run: ${text}`);
			const mainIds = new Set(ids.map((id) => this.shipments.get(id)?.mainId));
			const pieces = all.filter(({ mainId }) => mainIds.has(mainId));
			if (pieces.length !== ids.length && !this.isUngrouped)
				fail.found(`${ids.join()} is output for ${reference}, not ${pieces.length} pieces`);
			this.checkDuplicates(order, mains, text);
			// Nothing says that the others belong to the same shipment. They are named.
			const known = this.isUngrouped ? pieces.filter(({ id }) => ids.includes(id)) : pieces;
			if (this.history.form.printerName === 'Warehouse Zebra') this.checkPrinted(order, known);
		}
		this.checkPrintedOnce();
	}

	/** Whether the response has named another order for the shipment, and no record that the run has read corrects it. */
	private isMisled(run: CreationRun, id: number): boolean {
		if (this.creationOf(id)?.fault?.how !== 'one reference') return false;
		const isUnread = this.sentBy(chainOf(run), READS).some(
			({ got, fault }) => got !== 200 || /carried out|missing|no rows/.test(fault?.how ?? ''),
		);
		// An exchange has two shipments, and the records do not say of which order the other one is.
		return isUnread || this.history.form.isExchange || this.isUngrouped || this.has('listLagMs');
	}

	/** Without IDs from a response, runs depend on a list that another one may change while they read its pages. */
	private isCanceledMeanwhile({ name }: CreationRun, id: number): boolean {
		const creation = this.creationOf(id);
		return this.canceled.get(id)?.by?.sender.run !== name && !!creation && !isClean(creation);
	}

	/** The kind of provider, or what went wrong, may have kept the node from looking or from canceling. */
	private isHindered(
		shipments: readonly SandboxShipment[],
		counts: (exchange: Exchange) => boolean = () => true,
	): boolean {
		const isNumberLate =
			this.world.setting.service.dialect === 'documented' &&
			shipments.some(({ carrierCode }) => carrierCode === 'CRANE');
		return (
			isNumberLate ||
			this.has('detailsWithoutPieces', 'listLagMs', 'numbersAfterMs', 'withoutExtras') ||
			this.world.network.exchanges.some(
				(each) =>
					(isDoneLate(each) && /createShipments|cancel/.test(each.operation ?? '')) ||
					(isHindrance(each) && counts(each)),
			)
		);
	}

	/**
	 * A list that could not be read hinders nobody if the run reads all of these shipments later. What it reads before it
	 * prints does not count, and its items say so. Neither does what a person's retry reads: somebody may have created one
	 * of them on purpose, so the retry only names them.
	 */
	private isListedLater(
		{ fault, sender, arrivedMs = Infinity }: Exchange,
		shipments: readonly SandboxShipment[],
	): boolean {
		const run = this.runs.find(({ name }) => name === sender.run);
		const isSaid = run && shipmentsIn(run).text.includes('uncheckedDuplicate');
		if (fault?.at !== 'list' || isSaid) return false;
		return this.sentBy([sender.run], /findShipments/).some((each) => {
			const body = String(each.response?.body);
			const isIn = ({ id, packageNumberCustom: reference }: SandboxShipment) =>
				body.includes(`"id":${id},`) && body.includes(JSON.stringify(reference));
			return each.sentMs > arrivedMs && isClean(each) && shipments.every(isIn);
		});
	}

	private checkDuplicates(
		{ reference }: CreationOrder,
		living: readonly SandboxShipment[],
		text: string,
	): void {
		if (living.length <= 1) return;
		const ids = living.map(({ id }) => id).join();
		const unnamed = living.find(({ id }) => !names(text, id));
		if (unnamed)
			fail.both(`${ids} live for ${reference}, and the last run does not name ${unnamed.id}`);
		if (this.history.form.isExchange) {
			// Nothing tells the second shipment of an exchange from a duplicate, so none is canceled.
			const canceled = this.shipmentsOf(reference).find(({ id }) => this.canceled.get(id)?.by);
			if (canceled) fail.exchange(`A run has canceled ${canceled.id} of ${reference}`);
			return;
		}
		const own = living.filter(({ id }) => !this.createdByHand.has(id));
		if (own.length <= 1) return;
		const creations = own.map(({ id }) => this.creationOf(id));
		const isAnswered = creations.every((each) => each && isClean(each));
		const workers = new Set(creations.map((each) => each?.sender.worker));
		if (isAnswered && workers.size < own.length)
			fail.living(`${ids} live for ${reference}, and one process created two of them`);
		// The first one stays. The runs that have created the others must cancel them.
		const creators = creations.slice(1).map((each) => each?.sender.run ?? '');
		const runs = this.runs.filter(({ chain }) => chain.some((name) => creators.includes(name)));
		const counts = (exchange: Exchange) =>
			(creators.includes('') || runs.some(({ name }) => name === exchange.sender.run)) &&
			!this.isListedLater(exchange, own);
		// A run that was stopped or killed, and n8n's process with it, cancels nothing any more.
		const isInterrupted = runs.some(({ result }) => !result);
		// Who cannot confirm its shipment cannot cancel it either.
		const isUnknown = runs.some((run) =>
			/whether \w+ created the shipment of order/.test(shipmentsIn(run).text),
		);
		if (!isInterrupted && !isUnknown && !this.isHindered(own, counts))
			fail.living(`${ids} live for ${reference}, and nothing kept it from canceling`);
	}
}

/** Whether an error says that it could not confirm the shipment of the order, or not all of it. */
const hasErrorOf = (text: string, reference: string, from = '', to = '') =>
	new RegExp(`${from}created the shipment of order \\\\*"${reference}\\\\*"${to}`).test(text);

const isSaidUnknown = (text: string, reference: string) =>
	hasErrorOf(text, reference, 'Could not confirm whether \\w+ ', '(?! with all pieces)');

const isNamed = (text: string, shipment: SandboxShipment) =>
	names(text, shipment.id) ||
	hasErrorOf(text, shipment.packageNumberCustom, `whether ${shipment.carrierCode} `);
