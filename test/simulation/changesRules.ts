import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { SandboxShipment } from '../../sandbox';
import { Books, was } from './books';
import { errorsOf, itemsOf, linksOf, names, textOf } from './outputs';
import { ODD } from './services';
import { type Run, rulesOf } from './simulation';

// The promises of canceling, handing over, label files and printing, in terms of what the provider has
// and what was output, without anything about how the node keeps them.

const fail = rulesOf({
	asked: 'only what was asked for is changed',
	complete: 'everything that was asked for is done or named',
	changed: 'everything that a run has changed is named',
	named: 'every request names its shipments',
	again: 'what may have been carried out is not sent again',
	several: 'an order number with several active shipments changes none of them',
	open: 'nothing is handed over that was canceled or handed over before',
	failed: 'a run that fails because of a canceled shipment hands over nothing',
	dryRun: 'a dry run hands over nothing, and lists only what is open',
	state: 'the output says correctly what is canceled or handed over',
	who: 'the output says correctly who has canceled or handed over a shipment',
	handOver: 'the output names the right hand-over',
	printed: 'the output says correctly whether a label was printed',
	skipped: 'a label that was printed before is left out if the user wants that',
	once: 'a run and its retries print a label once',
	file: 'a label file has the labels of its shipments',
});

/** What a run was asked for. */
export interface Asked {
	operation: string;
	way: string;
	items: IDataObject[];
	skipsPrinted?: boolean;
	isDryRun?: boolean;
}

type ChangesRun = Run<Asked>;

/** A run may choose its items in several ways. */
const wayOf = ({ asked }: ChangesRun, item: IDataObject) => String(item.way ?? asked.way);

const listed = (value: unknown) => String(value ?? '').split(', ');

export const isOfLabels = ({ operation }: Pick<Asked, 'operation'>) =>
	/^(createFiles|sendToPrinter)$/.test(operation);

/** What the provider certainly has not carried out. */
const REFUSED = /^(40[01345]|429|ECONNREFUSED)$/;

export class ChangesRules extends Books<Asked> {
	/** What each run has done and output, once all of them are over. */
	checkRuns(): void {
		this.observe();
		for (const run of this.runs) {
			const { operation, isDryRun } = run.asked;
			this.checkRequests(run);
			if (operation === 'create') continue;
			this.checkOnlyAsked(run);
			if (!run.result) continue;
			if (!run.result.error) this.checkEachItem(run);
			this.checkNamed(run);
			if (operation === 'cancel') this.checkCanceled(run);
			else if (isDryRun) this.checkPreview(run);
			else if (operation === 'handOver') this.checkHandedOver(run);
			else this.checkLabels(run);
		}
	}

	private isAsked(run: ChangesRun, item: IDataObject, of: SandboxShipment): boolean {
		const way = wayOf(run, item);
		// Carriers cancel and take shipments with all of their pieces.
		return (isOfLabels(run.asked) ? [of] : this.piecesOf(of)).some((each) => {
			const { id, carrierCode, packageNumberCarrier, packageNumberCustom } = each;
			if (way === 'allCarriers' || way === 'notPrinted') return true;
			if (way === 'hash') return this.labels.get(String(item.hash))?.includes(id);
			if (way === 'orderNumbers') return listed(item.reference).includes(packageNumberCustom);
			if (item.carrierCode !== undefined && item.carrierCode !== carrierCode) return false;
			if (way === 'all') return true;
			if (way !== 'numbers') return listed(item.id).includes(String(id));
			return listed(item.number).includes(packageNumberCarrier);
		});
	}

	/** Whether it was handed over by then, or all of its pieces were canceled. */
	private wasOver(id: number, place: number): boolean {
		return was(this.handedOver, id, place) || this.wasCanceled(id, place);
	}

	private wasCanceled(id: number, place: number): boolean {
		const shipment = this.shipments.get(id);
		return (
			shipment !== undefined &&
			this.piecesOf(shipment).every((each) => was(this.canceled, each.id, place))
		);
	}

	private checkRequests(run: ChangesRun): void {
		const { name, asked, startPlace } = run;
		const sent = new Set<string>();
		// A shipment that items name in two ways may be canceled for each of them, which does no harm.
		const isMixed = new Set(asked.items.map((item) => wayOf(run, item))).size > 1;
		for (const exchange of this.sentBy([name], /^(cancel|handOver|printLabels)/)) {
			const { body, url, response, got, fault } = exchange;
			const { packages } = JSON.parse(body) as { packages: Array<number | string> };
			if (packages.length === 0 || packages.includes('')) fail.named(`${name}: ${url} ${body}`);
			if (exchange.operation === 'printLabels') continue;
			const again = packages.filter((each) => sent.has(`${url} ${each}`));
			const isCancellation = exchange.operation === 'cancelShipments';
			if (again.length > 0 && !(isCancellation && isMixed))
				fail.again(`${name} sends ${again.join()} to ${url} again`);
			const over = packages.find((id) => !isCancellation && this.wasOver(Number(id), startPlace));
			if (over) fail.open(`${name} hands over ${over}, which was canceled or handed over before`);
			const rows = isCancellation ? rowsOf(String(response?.body ?? '')) : [];
			const hasRows = rows.length > 0 && !/no rows|missing/.test(fault?.how ?? '');
			if (REFUSED.test(String(got)) && !hasRows) continue;
			const refused = rows.filter(({ successfull }) => successfull === false);
			const numbers = refused.map((row) => row.packageNumberCarrier);
			for (const each of packages) if (!numbers.includes(String(each))) sent.add(`${url} ${each}`);
		}
		if (sent.size > 0 && asked.operation === 'createFiles')
			fail.asked(`${name} has sent ${[...sent].join()}`);
	}

	private checkPreview({ name, result, startPlace }: ChangesRun): void {
		const [done] = this.changedBy(name, this.handedOver);
		if (done) fail.dryRun(`${name} has handed over ${done}`);
		for (const { json } of result?.items ?? []) {
			const wrong = ((json.shipmentIds ?? []) as number[]).find(
				(id) =>
					this.wasOver(id, startPlace) || this.shipments.get(id)?.carrierCode !== json.carrierCode,
			);
			if (wrong) fail.dryRun(`${name} would hand over ${wrong} to ${json.carrierCode}`);
		}
	}

	private checkOnlyAsked(run: ChangesRun): void {
		const { chain, asked, startPlace, endPlace } = run;
		const { operation, items } = asked;
		const ids = items
			.filter((item) => operation === 'handOver' && wayOf(run, item) === 'ids')
			.flatMap(({ id }) => listed(id).map(Number));
		const canceled = ids.find((id) => this.wasCanceled(id, startPlace));
		if (canceled && run.result?.error && this.sentBy([run.name], /^handOver/).length > 0)
			fail.failed(`${run.name} has handed over shipments although ${canceled} is canceled`);
		const printed = this.printedBy([run.name]).map(({ id }) => id);
		const changes = Object.entries({
			cancel: this.changedBy(run.name, this.canceled),
			handOver: this.changedBy(run.name, this.handedOver),
			sendToPrinter: printed,
		}).flatMap(([what, all]) => all.map((id) => ({ what, id })));
		for (const { what, id } of changes) {
			const shipment = this.shipments.get(id) as SandboxShipment;
			const asking = items.filter((item) => this.isAsked(run, item, shipment));
			if (operation !== what || asking.length === 0)
				fail.asked(`${run.name} (${operation}) was not asked to change ${id} (${what})`);
			const isByOrder = asking.every((item) => wayOf(run, item) === 'orderNumbers');
			if (!isByOrder || what === 'sendToPrinter') continue;
			// An order number means one shipment.
			const other = this.othersOf(shipment).find(
				(each) => was(this.created, each.id, 0) && !was(this.canceled, each.id, endPlace),
			);
			if (other && !this.isMissingInLists(run))
				fail.several(
					`${run.name} changed ${id}, and ${shipment.packageNumberCustom} also has ${other.id}`,
				);
		}
		// Within an execution and its retries, each label once, whatever its printer.
		const ofChain = this.printedBy(chain).map(({ id }) => id);
		const twice = printed.find((id) => ofChain.filter((each) => each === id).length > 1);
		if (twice) fail.once(`${chain.join(' and ')} printed ${twice} again`);
	}

	/** The pieces of other shipments with the same order number. */
	private othersOf({ mainId, packageNumberCustom }: SandboxShipment): SandboxShipment[] {
		return [...this.shipments.values()].filter(
			(each) => each.packageNumberCustom === packageNumberCustom && each.mainId !== mainId,
		);
	}

	/** Every item has an output or an error, which names everything that the item asks for. */
	private checkEachItem(run: ChangesRun): void {
		const { asked, endPlace } = run;
		const ofLabels = isOfLabels(asked);
		for (const [index, item] of asked.items.entries()) {
			const way = wayOf(run, item);
			const own = itemsOf(run).filter((output) => linksOf(output).includes(index));
			if (own.length === 0) fail.complete(`${run.name} says nothing of item ${index}`);
			if (own.some(({ json }) => json.error !== undefined) || /^all|notPrinted/.test(way)) continue;
			const text = JSON.stringify(own.map(({ json }) => json));
			const inLabels = [...this.labels].flatMap(([hash, ids]) => (text.includes(hash) ? ids : []));
			const wanted = [...this.shipments.values()].filter((each) => {
				if (!this.isAsked(run, item, each) || !was(this.created, each.id, 0)) return false;
				if (way !== 'orderNumbers') return ofLabels || listed(item.id).includes(String(each.id));
				return (
					(ofLabels || each.id === each.mainId) &&
					!was(this.canceled, each.id, endPlace) &&
					!this.isMissingInLists(run)
				);
			});
			for (const { id, mainId, packageNumberCarrier: number, packageNumberCustom } of wanted) {
				// Its main shipment has no detail, and the list does not show how many pieces it has.
				const isAdditional = ofLabels && id !== mainId;
				if (isAdditional && isIncomplete(run, packageNumberCustom)) continue;
				const isNamed = names(text, way === 'numbers' ? number : id);
				if (!isNamed && !inLabels.includes(id))
					fail.complete(`${run.name} says nothing of ${id} of ${index}`);
			}
		}
	}

	/**
	 * What lists do not show: new shipments, pieces of some providers, and a row that a fault removed. And what a missing
	 * detail does not show of records that do not say what belongs together.
	 */
	private isMissingInLists(run: ChangesRun): boolean {
		if (this.has('recordsWithoutMain') && this.hasFault(run, /not found/)) return true;
		return this.has('listLagMs', 'detailsWithoutPieces') || this.hasFault(run, /row/);
	}

	private hasFault({ name }: Run, how: RegExp): boolean {
		return this.sentBy([name]).some(({ fault }) => fault && how.test(fault.how));
	}

	private checkNamed(run: ChangesRun): void {
		const text = textWithDetails(run);
		for (const id of this.changedBy(run.name, this.canceled)) {
			const shipment = this.shipments.get(id) as SandboxShipment;
			// The main piece stands for all. Without this habit, the number of one piece cancels all of them.
			const isAlone = this.has('cancelsPiecesAlone');
			// If another run has canceled that one, the first active piece does.
			const hasLostMain = !this.changedBy(run.name, this.canceled).includes(shipment.mainId);
			const pieces = this.piecesOf(shipment).filter(
				(each) => !isAlone || hasLostMain || each.id === id || each.id === each.mainId,
			);
			const all = pieces.flatMap((each) => [each.id, each.packageNumberCarrier]);
			// If nothing says what belongs together, the pieces of one order number count as one shipment.
			if (this.has(...ODD)) all.push(shipment.packageNumberCustom);
			if (!all.some((each) => names(text, each)))
				fail.changed(`${run.name} canceled ${id} without a word`);
		}
		for (const id of this.changedBy(run.name, this.handedOver)) {
			const isMain = this.shipments.get(id)?.mainId === id;
			if (isMain && !names(text, id)) fail.changed(`${run.name} handed over ${id} without a word`);
		}
		for (const id of this.changedBy(run.name, this.handOvers)) {
			// Without its response, or in the next try, only the list of hand-overs has it.
			if (names(text, id) || this.handOvers.get(id)?.by?.fault) continue;
			if (/use Hand-Over: Get Many|may or may not have been handed over(?! with)/.test(text))
				continue;
			fail.handOver(`${run.name} does not name the hand-over ${id}, which it made`);
		}
		// Errors name labels by their items or orders.
		const [printedBefore = ''] =
			/Already printed: (item [\d, ]+(\([^)]*\))?(; )?)+/.exec(text) ?? [];
		const saidItems = [
			...printedBefore.matchAll(/item ([\d, ]+)/g),
			...text.matchAll(/ Items? ([\d, ]+): The labels?(?: of [\w, -]+)? may or may not/g),
		].flatMap(([, at = '']) => listed(at));
		const saidOrders = [...text.matchAll(/The labels? of order ([^":]+?) may or may not/g)].flatMap(
			([, orders]) => listed(orders),
		);
		for (const job of this.printedBy([run.name])) {
			const shipment = this.shipments.get(job.id) as SandboxShipment;
			const isSaid =
				saidOrders.includes(shipment.packageNumberCustom) ||
				saidItems.some((at) => this.isAsked(run, run.asked.items[Number(at)] ?? {}, shipment));
			if (names(text, job.hash) || names(text, job.id) || isSaid) continue;
			fail.changed(`${run.name} printed ${job.id} without a word`);
		}
	}

	private checkCanceled(run: ChangesRun): void {
		const { chain, startPlace } = run;
		const find = (number: unknown, carrierCode: unknown) =>
			[...this.shipments.values()].find(
				(each) => each.packageNumberCarrier === number && each.carrierCode === carrierCode,
			);
		for (const { json } of run.result?.items ?? []) {
			if (json.canceled !== true) continue;
			const { id, packageNumberCarrier: number, carrierCode, alreadyCanceled } = json;
			const shipment =
				id === undefined ? find(number, carrierCode) : this.shipments.get(Number(id));
			// The ID of a main shipment means all of its pieces, if the provider shows them.
			const isWhole = id === shipment?.mainId && !this.has('detailsWithoutPieces');
			const pieces = isWhole && shipment ? this.piecesOf(shipment) : [shipment];
			if (!shipment || !pieces.every((each) => each?.canceled))
				return fail.state(`${run.name} says that ${String(id ?? number)} is canceled`);
			const by = this.piecesOf(shipment).map((each) => this.canceled.get(each.id)?.by);
			const own = by.filter((each) => chain.includes(each?.sender.run ?? ''));
			// Another item of the run may have canceled it, by its ID instead of its number.
			const isSaid = run.result?.items.some(
				(each) => each.json.packageNumberCarrier === number && each.json.alreadyCanceled === false,
			);
			const isWrong = alreadyCanceled
				? own.some((each) => !each?.fault) && shipment.pieceCount === 1 && !isSaid
				: own.length === 0 && json.recovered === false;
			if (isWrong) fail.who(`${run.name} is wrong about who canceled ${shipment.id}`);
		}
		for (const { message, details } of errorsOf(run)) {
			const { id = 0 } = find(details.packageNumberCarrier, details.carrierCode) ?? {};
			const isOwn = this.canceled.get(id)?.by?.sender.run === run.name;
			const [left = '', done = ''] = message.split('Canceled with it:');
			const isSaid = /was not canceled|did not cancel/.test(left);
			if (
				isSaid &&
				!names(done, String(details.packageNumberCarrier)) &&
				(isOwn || was(this.canceled, id, startPlace))
			)
				fail.state(`${run.name} says that ${id} was not canceled, and it was`);
		}
	}

	private checkHandedOver(run: ChangesRun): void {
		const { chain, asked, startPlace, endPlace } = run;
		for (const { json } of run.result?.items ?? []) {
			if (json.error !== undefined) continue;
			const { handOverId, carrierCode, protocolUrl } = json;
			const ids = json.shipmentIds as number[];
			const already = json.alreadyHandedOver as number[];
			for (const id of [...ids, ...already]) {
				const { handedOver, carrierCode: own } = this.shipments.get(id) ?? {};
				if (!handedOver || own !== carrierCode)
					fail.state(`${run.name} says that ${carrierCode} has ${id}, and it does not`);
			}
			for (const id of already) {
				const { by } = this.handedOver.get(id) ?? {};
				if (by && !by.fault && chain.includes(by.sender.run))
					fail.who(`${run.name} says that ${id} was handed over before, and it did it`);
			}
			if (handOverId === null) continue;
			const handOvers = this.world.service.database.handOvers();
			const handOver = handOvers.find(({ id }) => id === handOverId);
			const isWhole =
				ids.every((id) => handOver?.shipmentIds.includes(id)) ||
				/protocol lists/.test(String(json.message)) ||
				this.has('handOverCountsPieces');
			const isOfCarrier = handOver?.carrierCode === carrierCode;
			if (isWhole && isOfCarrier && String(protocolUrl).endsWith(`/${handOverId}`)) continue;
			fail.handOver(`${run.name} names ${handOverId} for ${ids.join()} of ${carrierCode}`);
		}
		const errors = errorsOf(run);
		for (const { message, details } of errors) {
			const isCanceled = this.canceled.has(Number(details.shipmentId));
			if (/is canceled/.test(message) && !isCanceled) fail.state(`${run.name} says: ${message}`);
		}
		// Nothing that is open is left out without a word.
		const isSaid = errors.every(({ details }) => details.shipmentId !== undefined);
		if (run.result?.error || !isSaid || this.isMissingInLists(run)) return;
		const ofAll = asked.items.filter((item) => wayOf(run, item).startsWith('all'));
		const text = textWithDetails(run);
		for (const [id, shipment] of this.shipments) {
			const isOver = was(this.canceled, id, endPlace) || was(this.handedOver, id, endPlace);
			const isKnown = was(this.created, id, startPlace) && id === shipment.mainId;
			const isWanted = ofAll.some((item) => this.isAsked(run, item, shipment));
			if (!isOver && isKnown && isWanted && !names(text, id))
				fail.complete(`${run.name} says nothing of ${id}`);
		}
	}

	private checkLabels(run: ChangesRun): void {
		const { asked, chain, startPlace, endPlace } = run;
		const { items, way, skipsPrinted } = asked;
		const outputs = run.result?.items ?? [];
		const skipped = outputs.flatMap(({ json }) => (json.alreadyPrinted ?? []) as number[]);
		const wrong = skipped.find((id) => !was(this.markedPrinted, id, endPlace));
		if (wrong) fail.printed(`${run.name} says that ${wrong} was printed before, and it was not`);
		const first = this.runs.find(({ name }) => name === chain[0])?.startPlace ?? startPlace;
		const skips =
			skipsPrinted &&
			items.every((item) => wayOf(run, item) === 'orderNumbers') &&
			!this.has('detailsWithoutPrinted', ...ODD) &&
			!(this.has('listsWithoutStates') && this.hasFault(run, /not found/));
		for (const { id } of way === 'notPrinted' || skips ? this.printedBy([run.name]) : []) {
			if (was(this.markedPrinted, id, first))
				fail.skipped(`${run.name} prints ${id} again, which was printed before`);
		}
		const isPrinted = (hash: unknown, printerName: unknown, jobs = this.printed) =>
			jobs.some((job) => job.hash === hash && job.printerName === printerName);
		const isFileWhole = this.sentBy([run.name], /labelFile/).every(({ fault }) => !fault);
		for (const output of outputs) {
			const { hash, printed, printerName } = output.json;
			const ids = this.labels.get(String(hash)) ?? [];
			if (printed && !isPrinted(hash, printerName))
				fail.printed(`${run.name} says that ${ids.join()} were printed, and they were not`);
			const content = contentOf(output);
			if (content && isFileWhole && !content.includes(`of shipments ${ids.join()}\n`))
				fail.file(`${run.name} has a file for ${ids.join()} with: ${content}`);
		}
		for (const { message, details } of errorsOf(run)) {
			const isSaid = /(was|were) not printed on/.test(message);
			if (isSaid && isPrinted(details.hash, details.printerName, this.printedBy([run.name])))
				fail.printed(`${run.name} says: ${message}`);
		}
		const done = [...skipped, ...this.printedBy(chain).map(({ id }) => id)];
		for (const [index, item] of items.entries()) {
			const isFine = !run.result?.error && errorsOf(run, index).length === 0;
			const missing = listed(item.id).find((id) => !done.includes(Number(id)));
			if (missing && isFine && wayOf(run, item) === 'shipments')
				fail.complete(`${run.name} has not printed ${missing} of item ${index}`);
		}
	}

	/** `last` is a run for all shipments in good weather. */
	checkEnd(last: ChangesRun): void {
		this.checkRuns();
		const { operation, way, items } = last.asked;
		const isOffered = !this.has('withoutExtras');
		const numbers = new Map(this.world.service.state().shipments.map((each) => [each.id, each]));
		for (const shipment of this.shipments.values()) {
			const { id, mainId, canceled, handedOver } = shipment;
			const isWanted =
				/allCarriers|notPrinted/.test(way) ||
				items.some((item) => listed(item.id).includes(`${mainId}`));
			const isOfOrder = way === 'orderNumbers';
			if (!isWanted || (id !== mainId && !isOfOrder)) continue;
			// Which shipment an order number means, or which pieces belong to it, only a person can say.
			if (isOfOrder && (this.has(...ODD) || this.othersOf(shipment).length > 0)) continue;
			const isOpen = isOffered && !canceled && !handedOver;
			const isMissing =
				operation === 'cancel'
					? isOpen && numbers.get(id)?.packageNumberCarrier
					: operation === 'handOver'
						? isOpen && !this.refused.has(id)
						: operation === 'createFiles'
							? !this.markedPrinted.has(id)
							: way === 'notPrinted'
								? !canceled && !this.markedPrinted.has(id) && errorsOf(last).length === 0
								: !this.printed.some((job) => job.id === id);
			if (isMissing) fail.complete(`The last run (${operation}) has left out ${id}`);
		}
	}
}

/** Whether the run says that the provider may not show all pieces of the order. */
const isIncomplete = ({ result }: Run, reference: string) =>
	(result?.hints ?? []).some(
		(hint) => hint.includes('may not show all pieces of') && names(hint, reference),
	);

const textWithDetails = (run: Run) =>
	`${textOf(run)} ${JSON.stringify(run.result?.error?.context?.details ?? {})}`;

function rowsOf(body: string): Array<{ packageNumberCarrier: string; successfull: boolean }> {
	const { result } = JSON.parse(body || '{}') as { result?: unknown };
	return Array.isArray(result) ? result : [];
}

function contentOf({ binary }: INodeExecutionData): string | undefined {
	const [file] = Object.values(binary ?? {});
	return file && Buffer.from(file.data, 'base64').toString();
}
