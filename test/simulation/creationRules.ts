import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { parseJson } from '../../nodes/ParcelShipping/records';
import type { CreatedShipment } from '../../nodes/ParcelShipping/transport/endpoints';
import type { SandboxShipment } from '../../sandbox';
import { type CreationOrder, itemOf } from './creation';
import { checkHints } from './hintRules';
import { type Exchange, isClean, isDoneLate } from './network';
import type { Run } from './n8n';
import { names, shipmentsIn, textOf } from './outputs';
import { type NotedRun, PrintRules, READS } from './printRules';
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
});

/** What can keep the node from seeing or canceling a duplicate. */
const HINDRANCES = /^(list|detail|cancel)$/;

const CREATIONS = /^createShipments/;

export class CreationRules extends PrintRules {
	private readonly createdByHand = new Set<number>();

	noteRun(run: Run, orders: CreationOrder[], retryOf?: Run): void {
		this.noted.push({ run, orders, retryOf });
	}

	ordersOf(run: Run): CreationOrder[] {
		return this.noted.find((each) => each.run === run)?.orders ?? [];
	}

	/** What each run has output, once all of them are over. */
	checkRuns(): void {
		this.observe();
		for (const { url, body, sender } of this.world.network.exchanges) {
			if (/NaN|Infinity|undefined/.test(url) || /\[(.*,)?(null|0)[,\]]/.test(body))
				fail.ids(`${sender.run} sends ${url} ${body}`);
		}
		for (const noted of this.noted) {
			if (!noted.run.result) continue;
			this.checkOutput(noted);
			this.checkCancellations(noted.run);
			this.checkRetry(noted);
			this.checkUnknown(noted);
			this.checkResponses(noted.run);
			checkHints(noted.run, this.printedNumbersOf(noted.run), this.history.form.isExchange);
		}
	}

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

	/** Whether the run, or the one that it retries, got no response for the order. A shipment may then be its own. */
	private hasLostRequest(run: Run, { packageNumberCustom }: SandboxShipment): boolean {
		return this.creationsBy(run, packageNumberCustom).some((each) => !isClean(each));
	}

	/** The requests of the run, or of the one that it retries, to create the order. */
	private creationsBy({ name }: Run, reference: string): Exchange[] {
		const creations = this.sentBy(this.chainOf(name), CREATIONS);
		return creations.filter(({ body }) => body.includes(`"${reference}"`));
	}

	/** Whether a run that could read all records takes a shipment for active that a clerk has canceled before. */
	private checkCanceledByHand(run: Run): void {
		const { rows, text } = shipmentsIn(run);
		if (this.sentBy([run.name]).some(({ fault }) => fault)) return;
		// Neither the list nor the detail says of which order an additional piece is, or the list has none. If a
		// response leaves out the main piece, the records do not show what happened to the other pieces.
		const hidesPieces = this.has('listsOnlyMain', 'odd');
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

	private checkRetry({ run, retryOf }: NotedRun): void {
		const { text } = shipmentsIn(run);
		for (const [id, { by }] of this.canceled) {
			const shipment = this.shipments.get(id);
			// After a lost response, nothing tells what a clerk has created meanwhile from what the run has. It is named.
			const mayBeOwn =
				shipment && this.hasLostRequest(run, shipment) && names(text, shipment.mainId);
			const isOwn = !this.createdByHand.has(id) || mayBeOwn;
			if (by?.sender.run === run.name && !isOwn)
				fail.kept(`${run.name} cancels ${id}, which a clerk has created`);
			const creator = this.creationOf(id)?.sender.run;
			const creating = this.noted.find((each) => each.run.name === creator)?.run;
			if (!retryOf?.endedMs || by?.sender.run !== run.name || !creating?.endedMs) continue;
			if (creating.startedMs > retryOf.endedMs && creating.endedMs < run.startedMs)
				fail.kept(`${run.name} cancels ${id}, which ${creating.name} has created since`);
		}
	}

	private checkUnknown({ run, orders, retryOf }: NotedRun): void {
		const { rows, text } = shipmentsIn(run);
		const before = retryOf ? shipmentsIn(retryOf).text : '';
		for (const { reference } of orders) {
			const isShipped =
				rows.some(({ json }) => json.packageNumberCustom === reference) ||
				new RegExp(`These shipments exist.* ${reference} \\(ID`).test(text);
			if (isShipped && isSaidUnknown(text, reference))
				fail.unknown(
					`${run.name} names the shipment of ${reference}, and says that it could not confirm it`,
				);
			// The order may have been sent by another run of the same process, and its memory ends after five minutes.
			const isOwn = retryOf && this.creationsBy(retryOf, reference).length > 0;
			if (!isShipped && isOwn && isSaidUnknown(before, reference) && !names(text, reference))
				fail.unknown(`${run.name} does not name ${reference}, which was unknown: ${text}`);
		}
	}

	/**
	 * Whether the output or an error has the ID of each row, as n8n got it. Without an ID, an error of its order is enough,
	 * and so is its main shipment, also if details have no pieces: what the records do not show is named as missing.
	 */
	private checkResponses(run: Run): void {
		const { text } = shipmentsIn(run);
		for (const { got, gotBody = '' } of this.sentBy([run.name], CREATIONS)) {
			if (got !== 200) continue;
			const { result } = (parseJson(gotBody) ?? {}) as { result?: Array<CreatedShipment | null> };
			for (const { id, packageNumberCarrier: number, statusCode } of (result ?? []).filter(
				(row) => row !== null,
			)) {
				const ofRow = [...this.shipments.values()].find((each) =>
					id == null ? number && each.packageNumberCarrier === number : each.id === Number(id),
				);
				if (statusCode > 299 || !ofRow || ofRow.canceled) continue;
				// Which shipments of an exchange the run has created, nothing says without IDs. The next run names all.
				if (id == null && (this.history.form.isExchange || hasErrorOf(text, ofRow))) continue;
				const key = id == null || this.isUngrouped ? ofRow.mainId : ofRow.id;
				if (!names(text, key) && !(number && names(text, number)))
					fail.response(`${run.name} does not name ${ofRow.id} (${number}): ${text}`);
			}
		}
	}

	/** The shipments whose labels the run has printed. Nobody knows all of them after a lost response. */
	private printedNumbersOf({ name }: Run): ReadonlySet<number> | undefined {
		if (!this.sentBy([name], /sendToPrinter/).every(isClean)) return undefined;
		return new Set(this.printedBy([name]).map(({ id }) => id));
	}

	/** What a run has tried to cancel, because another run has created the order first. */
	private checkCancellations(run: Run): void {
		const { rows, text } = shipmentsIn(run);
		const living = [...this.shipments.values()].filter((each) => !each.canceled);
		for (const { body } of this.sentBy([run.name], /^cancel/)) {
			const { packages } = JSON.parse(body) as { packages: string[] };
			if (packages.length === 0 || packages.includes('')) fail.named(`${run.name} sends ${body}`);
			for (const { id, packageNumberCarrier, packageNumberCustom } of living) {
				const isOutput = rows.some((row) => row.id === id);
				if (!isOutput || !packages.includes(packageNumberCarrier)) continue;
				const isEarlier = (each: SandboxShipment) => each.id === each.mainId && each.id < id;
				const others = living.filter(
					(each) => each.packageNumberCustom === packageNumberCustom && isEarlier(each),
				);
				const isSaid = others.length === 0 || others.some((other) => isNamed(text, other));
				if (!isSaid) fail.both(`${run.name} has not canceled ${id} or named ${others[0]?.id}`);
			}
		}
	}

	/** `last` is a run of all orders in good weather. */
	checkEnd(last: Run): void {
		this.checkRuns();
		const { orders, form } = this.history;
		const { rows, text } = shipmentsIn(last);
		for (const { id } of rows) this.foundAtEnd.add(id);
		for (const order of orders) {
			const { reference } = order;
			const all = this.shipmentsOf(reference);
			const mains = all.filter(({ canceled, id, mainId }) => !canceled && id === mainId);
			const ofOrder = rows.filter(({ json }) => json.packageNumberCustom === reference);
			const isShipped = mains.length > 0;
			if (!isShipped && !order.isBad) fail.shipped(`${reference} has no shipment at the end`);
			if (!isShipped) continue;
			const [first] = ofOrder;
			const main = this.shipments.get(Number(first?.id));
			if (!main) return fail.found(`${reference} is not in the output of the last run: ${text}`);
			const mainIds = new Set(ofOrder.map(({ id }) => this.shipments.get(id)?.mainId));
			const pieces = all.filter(({ mainId }) => mainIds.has(mainId));
			const isShown = !this.hidesPieces() && !this.isUngrouped;
			if (pieces.length !== ofOrder.length && isShown) {
				const ids = ofOrder.map(({ id }) => id);
				fail.found(`${ids.join()} is output for ${reference}, not ${pieces.length} pieces`);
			}
			this.checkDuplicates(order, mains, text);
			if (form.printerName === 'Warehouse Zebra' && !this.hidesPieces()) {
				// Nothing says that the others belong to the same shipment. They are named.
				const isOutput = (each: SandboxShipment) => ofOrder.some(({ id }) => id === each.id);
				this.checkPrinted(order, this.isUngrouped ? pieces.filter(isOutput) : pieces);
			}
		}
		this.checkPrintedOnce();
	}

	/** Neither lists nor details of this provider contain additional pieces. */
	private hidesPieces(): boolean {
		const { listRecords, dialect } = this.world.setting.service;
		const isListed =
			!this.has('listsOnlyMain', 'listsWithoutReferences') &&
			(listRecords === 'rich' || dialect === 'documented');
		return this.isUngrouped && !isListed;
	}

	private checkOutput({ run, orders, retryOf }: NotedRun): void {
		const { history, shipments } = this;
		const { rows, text, itemsWithOutcome } = shipmentsIn(run);
		const { result, name } = run;
		for (const { id, items, json } of rows) {
			const shipment = shipments.get(id);
			if (!shipment) return fail.exists(`${name} outputs shipment ${id}, which does not exist`);
			const own = items.map((item) => orders[item]?.reference);
			const isMisled = this.isMisled(run, id);
			if (!own.includes(shipment.packageNumberCustom) && !isMisled)
				fail.own(`${name} outputs ${id} of ${shipment.packageNumberCustom} for ${own.join()}`);
			if (items.length > 1) fail.own(`${name} links ${id} to several items`);
			const isHindered = () => this.isHindered([shipment], { counts: 'every fault' });
			const isKnown = this.canceledByHand.has(id) || this.isCanceledMeanwhile(run, id);
			if (shipment.canceled && !isKnown && !isHindered())
				fail.exists(`${name} outputs shipment ${id}, which was canceled`);
			const isOwn = this.creationOf(id)?.sender.run === name;
			if (json.alreadyExisted === true && isOwn && !retryOf)
				fail.creator(`${name} says that ${id} already existed, and has created it`);
			const mayBeOwn = this.createdByHand.has(id) && this.hasLostRequest(run, shipment);
			if (json.alreadyExisted !== true && !this.creationOf(id) && !mayBeOwn)
				fail.creator(`${name} says that it has created ${id}, which existed before`);
			const carriers = items.map((item) => orders[item]?.carrierCode);
			const isAtCarrier = carriers.some((each) => each === shipment.carrierCode);
			if (json.alreadyExisted !== true && !isAtCarrier)
				fail.creator(
					`${name} says that it has created ${id} at ${shipment.carrierCode}, not ${carriers.join()}`,
				);
			const ordered = run.settings.items as IDataObject[];
			const streets = items.map((item) => ordered[item]?.recStreet);
			// What was read back may be the run's own.
			const mayDiffer =
				name === 'last run' || history.form.ifShipped === 'return' || json.recovered === true;
			const isSaid = mayDiffer && json.differences !== undefined;
			if (
				!streets.includes(shipment.input.recStreet) &&
				!isSaid &&
				!this.mayMissDifferences(run) &&
				!this.isUngrouped
			)
				fail.differs(`${name} outputs ${id}, which goes to ${shipment.input.recStreet}`);
			this.checkLabel(run, json, shipment);
		}
		this.checkCanceledByHand(run);
		const ids = rows.map(({ id }) => id);
		if (new Set(ids).size < ids.length) fail.output(`${name} outputs ${ids.join()}`);
		for (const [item, order] of orders.entries()) {
			const ofItem = rows.filter(({ items, json }) => {
				const isOfOrder = json.packageNumberCustom === order.reference;
				return items.includes(item) && isOfOrder;
			});
			if (ofItem.some(({ id }) => this.isMisled(run, id) || this.isCanceledMeanwhile(run, id)))
				continue;
			const { pieceCount: ordered = 1 } = itemOf(order) as { pieceCount?: number };
			const pieceCount = history.form.isExchange ? 2 * ordered : ordered;
			const isMore = ofItem.length > Math.max(pieceCount, this.piecesBefore(order.reference));
			if (isMore && !this.isUngrouped) {
				const ofOrder = ofItem.map(({ id }) => id).join();
				fail.output(
					`${name} outputs ${ofOrder} for the ${pieceCount} pieces of ${order.reference}`,
				);
			}
			const amounts = ofItem.flatMap(({ json }) => json.codPrice ?? []);
			if (amounts.length > 1) fail.cash(`${name} outputs ${amounts.length} for ${order.reference}`);
			const mains = new Set(ofItem.map(({ id }) => shipments.get(id)?.mainId));
			const expected = history.form.isExchange ? 2 : 1;
			if (mains.size > expected && !this.isUngrouped)
				fail.output(`${name} outputs several shipments for ${order.reference}`);
			if (!result?.error && !itemsWithOutcome.has(item)) fail.item(`${name} leaves out ${item}`);
		}
		for (const id of this.changedBy(name, this.created)) {
			const shipment = shipments.get(id) as SandboxShipment;
			const exchange = this.creationOf(id) as Exchange;
			if (shipment.canceled) continue;
			// Nobody can know what is created after the last look. The next run names it.
			const isLost = !isClean(exchange) && this.has('listLagMs');
			if (isDoneLate(exchange) || isLost) continue;
			// How many rows an exchange has is not documented, so nobody knows that one is missing.
			if (history.form.isExchange && exchange.fault) continue;
			// If a row has no ID and no number yet, only its order says that it exists.
			const hasNoId = /without/.test(exchange.fault?.how ?? '');
			if (hasNoId && names(text, shipment.packageNumberCustom)) continue;
			if (isNamed(text, shipment) || isNamed(text, shipments.get(shipment.mainId))) continue;
			fail.created(`${name} created ${id} of ${shipment.packageNumberCustom} without a word`);
		}
		for (const { id: own, json } of rows) {
			const { id } = (json.canceledDuplicate ?? {}) as { id?: number };
			if (id !== undefined && !shipments.get(id)?.canceled)
				fail.duplicate(`${name} says that it has canceled ${id}, which lives`);
			// Who follows the outputs of two runs and cancels each duplicate must not cancel both.
			const { id: first = 0 } = (json.duplicateOf ?? {}) as { id?: number };
			if (first > own) fail.duplicate(`${name} calls ${own} a duplicate of the later ${first}`);
		}
	}

	/** Whether the response has named another order for the shipment, and no record that the run has read corrects it. */
	private isMisled({ name }: Run, id: number): boolean {
		if (this.creationOf(id)?.fault?.how !== 'one reference') return false;
		const isUnread = this.sentBy(this.chainOf(name), READS).some(
			({ got, fault }) => got !== 200 || /carried out|missing|no rows/.test(fault?.how ?? ''),
		);
		// An exchange has two shipments, and the records do not say of which order the other one is.
		const { isExchange } = this.history.form;
		return isUnread || isExchange || this.hidesPieces() || this.has('listLagMs');
	}

	/** Without IDs from a response, runs depend on a list that another one may change while they read its pages. */
	private isCanceledMeanwhile({ name }: Run, id: number): boolean {
		const { by } = this.canceled.get(id) ?? {};
		const creation = this.creationOf(id);
		return by?.sender.run !== name && creation !== undefined && !isClean(creation);
	}

	/** If the records could not be read, nothing is compared. */
	private mayMissDifferences({ name }: Run): boolean {
		return this.sentBy([name]).some(({ fault }) => HINDRANCES.test(fault?.at ?? ''));
	}

	private piecesBefore(reference: string): number {
		return this.shipmentsOf(reference).filter(({ id }) => !this.creationOf(id)).length;
	}

	/**
	 * Something has kept the node from looking, or from canceling, so that duplicates may remain. Faults count
	 * if they met a run that has created a shipment besides the one that stays, which this run must cancel.
	 */
	private isHindered(
		shipments: readonly SandboxShipment[],
		{ counts }: { counts: 'every fault' | 'what was not read later' },
	): boolean {
		const [, ...surplus] = shipments.toSorted((a, b) => a.id - b.id);
		const creators = surplus.map(({ id }) => this.creationOf(id)?.sender.run ?? '');
		const runs = this.withRetries(creators);
		const isConcerned = ({ sender }: Exchange) =>
			creators.length === 0 || runs.has('') || runs.has(sender.run);
		// A run that was stopped or killed, and n8n's process with it, cancels nothing any more.
		const isInterrupted = this.noted.some(({ run }) => !run.result && runs.has(run.name));
		// Who cannot confirm its shipment cannot cancel it either.
		const isUnknown = this.noted.some(
			({ run }) =>
				runs.has(run.name) &&
				/whether \w+ created the shipment of order/.test(shipmentsIn(run).text),
		);
		const isNumberLate =
			this.world.setting.service.dialect === 'documented' &&
			shipments.some((each) => each.carrierCode === 'CRANE');
		return (
			isNumberLate ||
			this.has('detailsWithoutPieces', 'listLagMs', 'numbersAfterMs', 'withoutExtras') ||
			isInterrupted ||
			isUnknown ||
			this.world.network.exchanges.some(
				(exchange) =>
					(isDoneLate(exchange) && /createShipments|cancel/.test(exchange.operation ?? '')) ||
					(HINDRANCES.test(exchange.fault?.at ?? '') &&
						isConcerned(exchange) &&
						(counts === 'every fault' || !this.isListedLater(exchange, shipments))),
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
		const isSaid = this.noted.some(
			({ run }) => run.name === sender.run && textOf(run).includes('uncheckedDuplicate'),
		);
		if (fault?.at !== 'list' || isSaid) return false;
		return this.sentBy([sender.run], /findShipments/).some(
			(each) =>
				each.sentMs > arrivedMs &&
				isClean(each) &&
				shipments.every(({ id, packageNumberCustom: reference }) => {
					const body = String(each.response?.body);
					return body.includes(`"id":${id},`) && body.includes(JSON.stringify(reference));
				}),
		);
	}

	private withRetries(runs: readonly string[]): Set<string> {
		const names = new Set(runs);
		for (const { run, retryOf } of this.noted) {
			if (retryOf && names.has(retryOf.name)) names.add(run.name);
		}
		return names;
	}

	private checkDuplicates(
		{ reference }: CreationOrder,
		scope: readonly SandboxShipment[],
		text: string,
	): void {
		const { isExchange } = this.history.form;
		if (scope.length <= 1) return;
		const unnamed = scope.filter(({ id }) => !new RegExp(`\\b${id}\\b`).test(text));
		const ids = scope.map(({ id }) => id).join();
		if (unnamed.length > 0)
			fail.both(`${ids} live for ${reference}, and the last run does not name ${unnamed[0]?.id}`);
		if (isExchange) return this.checkExchange(reference);
		const own = scope.filter(({ id }) => !this.createdByHand.has(id));
		if (own.length <= 1) return;
		const creations = own.map(({ id }) => this.creationOf(id));
		const isAnswered = creations.every((each) => each && isClean(each));
		const workers = new Set(creations.map((each) => each?.sender.worker));
		if (isAnswered && workers.size < own.length)
			fail.living(`${ids} live for ${reference}, and one process created two of them`);
		if (!this.isHindered(own, { counts: 'what was not read later' }))
			fail.living(`${ids} live for ${reference}, and nothing kept it from canceling`);
	}

	/** Nothing tells the second shipment of an exchange from a duplicate, so none is canceled. */
	private checkExchange(reference: string): void {
		const canceled = this.shipmentsOf(reference).find(({ id }) => this.canceled.get(id)?.by);
		if (canceled) fail.exchange(`A run has canceled ${canceled.id} of ${reference}`);
	}
}

const isSaidUnknown = (text: string, reference: string) =>
	new RegExp(
		`Could not confirm whether \\w+ created the shipment of order \\\\*"${reference}\\\\*"(?! with all pieces)`,
	).test(text);

/** Whether an error says that it could not confirm the shipment of the order, or not all of it. */
const hasErrorOf = (text: string, { packageNumberCustom: reference }: SandboxShipment) =>
	new RegExp(`created the shipment of order \\\\*"${reference}\\\\*"`).test(text);

function isNamed(text: string, shipment: SandboxShipment | undefined): boolean {
	if (!shipment) return false;
	const { id, packageNumberCustom: reference, carrierCode } = shipment;
	return (
		new RegExp(`\\b${id}\\b`).test(text) ||
		new RegExp(
			`whether ${carrierCode} created the shipment of order \\\\*"${reference}\\\\*"`,
		).test(text)
	);
}
