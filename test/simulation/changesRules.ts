import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { SandboxShipment } from '../../sandbox';
import { Books, type Printed, was } from './books';
import type { Run } from './n8n';
import { errorsOf, itemsOf, linksOf, names, textOf } from './outputs';
import { rulesOf } from './simulation';

// The promises of canceling, handing over, label files and printing, in terms of what the service has
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
interface Asked {
	operation: string;
	way: string;
	items: IDataObject[];
	skipsPrinted?: boolean;
	isDryRun?: boolean;
}

interface NotedRun extends Asked {
	run: Run;
	/** The names of the run and of those that it retries. */
	chain: string[];
	/** Tracking numbers that several carriers had when it began. */
	sharedNumbers: ReadonlySet<string>;
	/** What the service had carried out by then. */
	startPlace: number;
	endPlace: number;
}

/** A run may choose its items in several ways. */
const wayOf = (asked: Asked, item: IDataObject) => String(item.way ?? asked.way);

const listed = (value: unknown) => String(value ?? '').split(', ');

/** What the service certainly has not carried out. */
const REFUSED = /^(40[01345]|429|ECONNREFUSED)$/;

export class ChangesRules extends Books {
	private readonly noted: NotedRun[] = [];

	noteRun(run: Run, asked: Asked, retryOf?: Run): void {
		const earlier = this.noted.find((each) => each.run === retryOf)?.chain ?? [];
		const chain = [...earlier, run.name];
		const carriers = new Map<string, Set<string>>();
		for (const { id, packageNumberCarrier } of this.world.service.state().shipments) {
			const number = String(packageNumberCarrier ?? '');
			const { carrierCode = '', createdMs = 0 } = this.shipments.get(id) ?? {};
			// Some carriers assign it minutes later.
			if (Date.now() - createdMs < 5 * 60_000) continue;
			carriers.set(number, (carriers.get(number) ?? new Set()).add(carrierCode));
		}
		const shared = [...carriers].flatMap(([number, { size }]) => (size > 1 ? number : []));
		const places = { startPlace: this.place, endPlace: Infinity };
		const noted = { ...asked, run, chain, sharedNumbers: new Set(shared), ...places };
		this.noted.push(noted);
		void run.over.then(() => (noted.endPlace = this.place));
	}

	askedBy(run: Run): NotedRun {
		return this.noted.find((each) => each.run === run) as NotedRun;
	}

	/** What each run has done and output, once all of them are over. */
	checkRuns(): void {
		this.observe();
		for (const noted of this.noted) {
			const { run, operation } = noted;
			this.checkRequests(noted);
			if (operation === 'create') continue;
			this.checkNothingSent(noted);
			this.checkOnlyAsked(noted);
			this.checkPrintedOnce(noted);
			if (!run.result) continue;
			if (!run.result.error) this.checkEachItem(noted);
			this.checkNamed(noted);
			if (operation === 'cancel') this.checkCanceled(noted);
			else if (noted.isDryRun) this.checkPreview(noted);
			else if (operation === 'handOver') this.checkHandedOver(noted);
			else if (/^(createFiles|sendToPrinter)$/.test(operation)) this.checkLabels(noted);
			else throw new Error(`Nothing checks what ${operation} outputs`);
		}
	}

	private isAsked(asked: NotedRun, item: IDataObject, of: SandboxShipment): boolean {
		const { operation } = asked;
		const way = wayOf(asked, item);
		const isOfLabels = operation === 'createFiles' || operation === 'sendToPrinter';
		// Carriers cancel and take shipments with all of their pieces.
		return (isOfLabels ? [of] : this.piecesOf(of)).some((each) => {
			const { id, carrierCode, packageNumberCarrier, packageNumberCustom } = each;
			if (way === 'allCarriers' || way === 'notPrinted') return true;
			if (way === 'hash') return this.labels.get(String(item.hash))?.includes(id);
			if (way === 'orderNumbers') return listed(item.reference).includes(packageNumberCustom);
			if (item.carrierCode !== undefined && item.carrierCode !== carrierCode) return false;
			if (way === 'all') return true;
			if (way !== 'numbers') return listed(item.id).includes(String(id));
			const isShared =
				item.carrierCode === undefined &&
				asked.sharedNumbers.has(packageNumberCarrier) &&
				!this.isMissingInLists(asked);
			return listed(item.number).includes(packageNumberCarrier) && !isShared;
		});
	}

	/** Whether all pieces of a shipment were. */
	private wasCanceled(id: number, place: number): boolean {
		const shipment = this.shipments.get(id);
		const pieces = shipment ? this.piecesOf(shipment) : [];
		return pieces.length > 0 && pieces.every((each) => was(this.canceled, each.id, place));
	}

	private checkRequests({ run: { name }, operation, startPlace }: NotedRun): void {
		const sent = new Set<string>();
		for (const exchange of this.world.network.exchanges) {
			const { body, url, response, got, sender, fault } = exchange;
			const change = /^(cancel|handOver|printLabels)/.exec(exchange.operation ?? '')?.[0];
			if (sender.run !== name || !change) continue;
			const { packages } = JSON.parse(body) as { packages: Array<number | string> };
			if (packages.length === 0 || packages.includes('')) fail.named(`${name}: ${url} ${body}`);
			if (change === 'printLabels') continue;
			const again = packages.filter((each) => sent.has(`${url} ${each}`));
			if (again.length > 0) fail.again(`${name} sends ${again.join()} to ${url} again`);
			for (const id of change === 'handOver' ? (packages as number[]) : []) {
				const isOver = was(this.handedOver, id, startPlace) || this.wasCanceled(id, startPlace);
				if (isOver) fail.open(`${name} hands over ${id}, which was canceled or handed over before`);
			}
			const rows = change === 'cancel' ? rowsOf(String(response?.body ?? '')) : [];
			const hasRows = rows.length > 0 && !/no rows|missing/.test(fault?.how ?? '');
			if (REFUSED.test(String(got)) && !hasRows) continue;
			const refused = rows.filter(({ successfull }) => successfull === false);
			const numbers = refused.map((row) => row.packageNumberCarrier);
			for (const each of packages) if (!numbers.includes(String(each))) sent.add(`${url} ${each}`);
		}
		if (sent.size > 0 && operation === 'createFiles')
			fail.asked(`${name} has sent ${[...sent].join()}`);
	}

	private checkNothingSent(noted: NotedRun): void {
		const { run, operation, items, startPlace } = noted;
		if (operation !== 'handOver' || !run.result?.error) return;
		const byId = items.filter((item) => wayOf(noted, item) === 'ids');
		const ids = byId.flatMap(({ id }) => listed(id)).map(Number);
		const canceled = ids.find((id) => this.wasCanceled(id, startPlace));
		const hasSent = this.world.network.exchanges.some(
			(each) => each.sender.run === run.name && each.operation === 'handOverShipments',
		);
		if (canceled !== undefined && hasSent)
			fail.failed(`${run.name} has handed over shipments although ${canceled} is canceled`);
	}

	private checkPreview({ run, startPlace }: NotedRun): void {
		for (const [id, { by }] of this.handedOver) {
			if (by?.sender.run === run.name) fail.dryRun(`${run.name} has handed over ${id}`);
		}
		for (const { json } of run.result?.items ?? []) {
			for (const id of (json.shipmentIds ?? []) as number[]) {
				const isOver = was(this.handedOver, id, startPlace) || this.wasCanceled(id, startPlace);
				const { carrierCode } = this.shipments.get(id) ?? {};
				if (isOver || carrierCode !== json.carrierCode)
					fail.dryRun(`${run.name} would hand over ${id} to ${json.carrierCode}`);
			}
		}
	}

	private checkOnlyAsked(noted: NotedRun): void {
		const { run, operation, items, endPlace } = noted;
		const changes = [
			['cancel', [...this.canceled]],
			['handOver', [...this.handedOver]],
			['sendToPrinter', this.printed.map((job) => [job.id, job] as const)],
		] as const;
		for (const [what, map] of changes) {
			for (const [id, { by }] of map) {
				const shipment = this.shipments.get(id) as SandboxShipment;
				if (by?.sender.run !== run.name) continue;
				const asking = items.filter((item) => this.isAsked(noted, item, shipment));
				if (operation !== what || asking.length === 0)
					fail.asked(`${run.name} (${operation}) was not asked to change ${id} (${what})`);
				const isByOrder = asking.every((item) => wayOf(noted, item) === 'orderNumbers');
				if (!isByOrder || what === 'sendToPrinter') continue;
				// An order number means one shipment.
				const { packageNumberCustom: reference, mainId } = shipment;
				const other = [...this.shipments.values()].find(
					(each) =>
						each.packageNumberCustom === reference &&
						each.mainId !== mainId &&
						was(this.created, each.id, 0) &&
						!was(this.canceled, each.id, endPlace) &&
						!this.isMissingInLists(noted),
				);
				if (other) fail.several(`${run.name} changed ${id}, and ${reference} also has ${other.id}`);
			}
		}
	}

	/** Every item has an output or an error, which names everything that the item asks for. */
	private checkEachItem(noted: NotedRun): void {
		const { run, items, operation, endPlace } = noted;
		const isOfLabels = operation === 'createFiles' || operation === 'sendToPrinter';
		for (const [index, item] of items.entries()) {
			const way = wayOf(noted, item);
			const own = itemsOf(run).filter((output) => linksOf(output).includes(index));
			if (own.length === 0) fail.complete(`${run.name} says nothing of item ${index}`);
			if (own.some(({ json }) => json.error !== undefined) || /^all|notPrinted/.test(way)) continue;
			const text = JSON.stringify(own.map(({ json }) => json));
			const inLabels = [...this.labels].flatMap(([hash, ids]) => (text.includes(hash) ? ids : []));
			const wanted = [...this.shipments.values()].filter((each) => {
				if (!this.isAsked(noted, item, each) || !was(this.created, each.id, 0)) return false;
				if (way !== 'orderNumbers') return isOfLabels || listed(item.id).includes(String(each.id));
				return (
					(isOfLabels || each.id === each.mainId) &&
					!was(this.canceled, each.id, endPlace) &&
					!this.isMissingInLists(noted)
				);
			});
			for (const { id, mainId, packageNumberCarrier: number, packageNumberCustom } of wanted) {
				// Its main shipment has no detail, and the list does not show how many pieces it has.
				const isAdditional = isOfLabels && id !== mainId;
				if (isAdditional && incompleteOrders(run).includes(packageNumberCustom)) continue;
				const isNamed = names(text, way === 'numbers' ? number : id);
				if (!isNamed && !inLabels.includes(id))
					fail.complete(`${run.name} says nothing of ${id} of ${index}`);
			}
		}
	}

	/** What lists do not show: new shipments, pieces of some services, and a row that a fault removed. */
	private isMissingInLists({ run }: NotedRun): boolean {
		const { habits } = this.world.setting.service;
		return (
			habits.some((habit) => /listLag|detailsWithoutPieces/.test(habit)) ||
			this.faultsOf(run).some(({ how }) => /row/.test(how))
		);
	}

	private faultsOf({ name }: Run) {
		const { exchanges } = this.world.network;
		return exchanges.flatMap(({ sender, fault }) => (sender.run === name && fault ? fault : []));
	}

	private checkNamed(noted: NotedRun): void {
		const { run, items } = noted;
		const text = textWithDetails(run);
		const by = (
			map: Iterable<readonly [number, { by?: { sender: { run: string } } | undefined }]>,
		) => [...map].flatMap(([id, happened]) => (happened.by?.sender.run === run.name ? id : []));
		for (const id of by(this.canceled)) {
			const shipment = this.shipments.get(id) as SandboxShipment;
			// The main piece stands for all. Without this habit, the number of one piece cancels all of them.
			const isAlone = this.world.setting.service.habits.includes('cancelsPiecesAlone');
			const pieces = this.piecesOf(shipment).filter(
				(each) => !isAlone || each.id === id || each.id === each.mainId,
			);
			const all = pieces.flatMap((each) => [each.id, each.packageNumberCarrier]);
			// If nothing says what belongs together, the pieces of one order number count as one shipment.
			const { habits } = this.world.setting.service;
			const isByOrder = items.some(
				(item) => wayOf(noted, item) === 'orderNumbers' && this.isAsked(noted, item, shipment),
			);
			const isUngrouped =
				habits.includes('detailsWithoutPieces') ||
				(habits.includes('recordsWithoutMain') && isByOrder);
			if (isUngrouped) all.push(shipment.packageNumberCustom);
			if (!all.some((each) => names(text, each)))
				fail.changed(`${run.name} canceled ${id} without a word`);
		}
		for (const id of by(this.handedOver)) {
			const isMain = this.shipments.get(id)?.mainId === id;
			if (isMain && !names(text, id)) fail.changed(`${run.name} handed over ${id} without a word`);
		}
		for (const id of by(this.handOvers)) {
			// Without its response, or in the next try, only the list of hand-overs has it.
			if (names(text, id) || this.handOvers.get(id)?.by?.fault) continue;
			if (text.includes('use Hand-Over: Get Many')) continue;
			fail.handOver(`${run.name} does not name the hand-over ${id}, which it made`);
		}
		const [printedItems = ''] =
			/Already printed: (item [\d, ]+(\([^)]*\))?(; )?)+/.exec(text) ?? [];
		const done = [...printedItems.matchAll(/item ([\d, ]+)/g)].map(([, at = '']) => at);
		// An error after the first one is named by its item.
		const further = [
			...text.matchAll(/ Items? ([\d, ]+): The labels?( of [\w, -]+)? may or may not/g),
		];
		const saidItems = [...done, ...further.map(([, at = '']) => at)]
			.filter(Boolean)
			.flatMap(listed);
		for (const job of this.printed.filter((each) => each.by?.sender.run === run.name)) {
			const shipment = this.shipments.get(job.id) as SandboxShipment;
			const isSaid = saidItems.some((at) => this.isAsked(noted, items[Number(at)] ?? {}, shipment));
			if (names(text, job.hash) || names(text, job.id) || isSaid) continue;
			fail.changed(`${run.name} printed ${job.id} without a word`);
		}
	}

	private checkCanceled(noted: NotedRun): void {
		const { run, chain, items, startPlace } = noted;
		const { habits, listRecords } = this.world.setting.service;
		const find = (number: unknown, carrierCode: unknown) =>
			[...this.shipments.values()].find(
				(each) => each.packageNumberCarrier === number && each.carrierCode === carrierCode,
			);
		const hasPieces = !habits.includes('detailsWithoutPieces');
		const isListed =
			items.every((item) => wayOf(noted, item) === 'orderNumbers') &&
			listRecords === 'rich' &&
			// Without the main piece, nothing says that the pieces of the list belong together.
			!habits.some((habit) =>
				/listLag|listsOnlyMain|listsWithoutReferences|recordsWithoutMain/.test(habit),
			) &&
			this.faultsOf(run).every(({ how }) => !/row/.test(how));
		for (const { json } of run.result?.items ?? []) {
			if (json.canceled !== true) continue;
			const { id, packageNumberCarrier: number, carrierCode, alreadyCanceled } = json;
			const shipment =
				id === undefined ? find(number, carrierCode) : this.shipments.get(Number(id));
			// The ID of a main shipment means all of its pieces, if the service shows them.
			const isWhole = id === shipment?.mainId && (hasPieces || isListed);
			const pieces = isWhole && shipment ? this.piecesOf(shipment) : [shipment];
			if (!shipment || !pieces.every((each) => each?.canceled))
				return fail.state(`${run.name} says that ${String(id ?? number)} is canceled`);
			const by = this.piecesOf(shipment).map((each) => this.canceled.get(each.id)?.by);
			const own = by.filter((each) => chain.includes(each?.sender.run ?? ''));
			const isWrong = alreadyCanceled
				? own.some((each) => !each?.fault) && shipment.pieceCount === 1
				: own.length === 0 && json.recovered === false;
			if (isWrong) fail.who(`${run.name} is wrong about who canceled ${shipment.id}`);
		}
		for (const { message, details } of errorsOf(run)) {
			const { id = 0 } = find(details.packageNumberCarrier, details.carrierCode) ?? {};
			const isOwn = this.canceled.get(id)?.by?.sender.run === run.name;
			if (
				!/was not canceled|did not cancel/.test(message) ||
				!(isOwn || was(this.canceled, id, startPlace))
			)
				continue;
			fail.state(`${run.name} says that ${id} was not canceled, and it was`);
		}
	}

	private checkHandedOver(noted: NotedRun): void {
		const { run, chain, items, startPlace, endPlace } = noted;
		const { habits } = this.world.setting.service;
		for (const { json } of run.result?.items ?? []) {
			if (json.error !== undefined) continue;
			const { handOverId, carrierCode, protocolUrl } = json;
			const ids = json.shipmentIds as number[];
			const already = json.alreadyHandedOver as number[];
			for (const id of [...ids, ...already]) {
				const { handedOver, carrierCode: own } = this.shipments.get(id) ?? {};
				if (handedOver && own === carrierCode) continue;
				fail.state(`${run.name} says that ${carrierCode} has ${id}, and it does not`);
			}
			for (const id of already) {
				const { by } = this.handedOver.get(id) ?? {};
				if (!by || by.fault || !chain.includes(by.sender.run)) continue;
				fail.who(`${run.name} says that ${id} was handed over before, and it did it`);
			}
			if (handOverId === null) continue;
			const handOver = this.handOver(handOverId);
			const missing = ids.filter((id) => !handOver?.shipmentIds.includes(id));
			const isOfCarrier = handOver?.carrierCode === carrierCode;
			const isSaid =
				/protocol lists/.test(String(json.message)) || habits.includes('handOverCountsPieces');
			const isRight = isOfCarrier && String(protocolUrl).endsWith(`/${handOverId}`);
			if (isRight && (missing.length === 0 || isSaid)) continue;
			fail.handOver(`${run.name} names ${handOverId} for ${ids.join()} of ${carrierCode}`);
		}
		const errors = errorsOf(run);
		for (const { message, details } of errors) {
			const isCanceled = this.canceled.has(Number(details.shipmentId));
			if (/is canceled/.test(message) && !isCanceled) fail.state(`${run.name} says: ${message}`);
		}
		// Nothing that is open is left out without a word.
		const isSaid = errors.every(({ details }) => details.shipmentIds !== undefined);
		const ofAll = items.filter((item) => wayOf(noted, item).startsWith('all'));
		if (run.result?.error || !isSaid || this.isMissingInLists(noted)) return;
		const text = textWithDetails(run);
		for (const [id, shipment] of this.shipments) {
			const isOpen = !was(this.canceled, id, endPlace) && !was(this.handedOver, id, endPlace);
			const isKnown = was(this.created, id, startPlace) && id === shipment.mainId;
			const isWanted = ofAll.some((item) => this.isAsked(noted, item, shipment));
			if (isOpen && isKnown && isWanted && !names(text, id))
				fail.complete(`${run.name} says nothing of ${id}`);
		}
	}

	private checkLabels(noted: NotedRun): void {
		const { run, operation, items, chain, way, skipsPrinted, startPlace, endPlace } = noted;
		const outputs = run.result?.items ?? [];
		const skipped = outputs.flatMap(
			({ json }) => (json.alreadyPrinted as number[] | undefined) ?? [],
		);
		const wrong = skipped.find((id) => !was(this.markedPrinted, id, endPlace));
		if (wrong) fail.printed(`${run.name} says that ${wrong} was printed before, and it was not`);
		const first = this.noted.find((each) => each.run.name === chain[0])?.startPlace ?? startPlace;
		const { habits } = this.world.setting.service;
		const skips =
			skipsPrinted &&
			operation === 'sendToPrinter' &&
			items.every((item) => wayOf(noted, item) === 'orderNumbers') &&
			!habits.includes('detailsWithoutPrinted');
		for (const { id, by } of way === 'notPrinted' ? this.printed : []) {
			if (by?.sender.run !== run.name || !was(this.markedPrinted, id, first)) continue;
			fail.skipped(`${run.name} prints ${id} again, which was printed before`);
		}
		const isPrinted = (hash: unknown, printerName: unknown, own?: string) =>
			this.printed.some(
				(job) =>
					job.hash === hash &&
					job.printerName === printerName &&
					(!own || job.by?.sender.run === own),
			);
		for (const output of outputs) {
			const { hash, printed, printerName } = output.json;
			const ids = this.labels.get(String(hash)) ?? [];
			if (printed && !isPrinted(hash, printerName))
				fail.printed(`${run.name} says that ${ids.join()} were printed, and they were not`);
			const content = contentOf(output);
			const isWhole = this.faultsOf(run).every(({ at }) => at !== 'files');
			if (content && isWhole && !content.includes(`of shipments ${ids.join()}\n`))
				fail.file(`${run.name} has a file for ${ids.join()} with: ${content}`);
			const isUnsaid =
				habits.includes('listsWithoutStates') &&
				this.faultsOf(run).some(({ how }) => how === 'not found');
			const again = ids.filter(
				(id) => skips && !isUnsaid && !this.isHiddenPiece(id) && was(this.markedPrinted, id, first),
			);
			if (again.length > 0) fail.skipped(`${run.name} does not skip ${again.join()}`);
		}
		for (const { message, details } of errorsOf(run)) {
			if (!/(was|were) not printed on/.test(message)) continue;
			if (isPrinted(details.hash, details.printerName, run.name))
				fail.printed(`${run.name} says: ${message}`);
		}
		for (const [index, item] of items.entries()) {
			if (
				wayOf(noted, item) !== 'shipments' ||
				run.result?.error ||
				errorsOf(run, index).length > 0
			)
				continue;
			const isOfChain = (job: Printed) => chain.includes(job.by?.sender.run ?? '');
			const done = [...skipped, ...this.printed.filter(isOfChain).map(({ id }) => id)];
			const missing = listed(item.id).find((id) => !done.includes(Number(id)));
			if (missing) fail.complete(`${run.name} has not printed ${missing} of item ${index}`);
		}
	}

	/** An additional piece of which neither the detail nor the list says whether it was printed. */
	private isHiddenPiece(id: number): boolean {
		const { habits } = this.world.setting.service;
		return (
			this.shipments.get(id)?.mainId !== id &&
			habits.includes('detailsWithoutPieces') &&
			habits.some((habit) => /listsOnlyMain|listsWithoutStates/.test(habit))
		);
	}

	/** Within an execution and its retries, each label once, whatever its printer. */
	private checkPrintedOnce({ run, chain }: NotedRun): void {
		const ofChain = this.printed.filter(({ by }) => chain.includes(by?.sender.run ?? ''));
		for (const { id, by } of ofChain) {
			const { length } = ofChain.filter((job) => job.id === id);
			if (by?.sender.run === run.name && length > 1)
				fail.once(`${chain.join(' and ')} printed ${id} ${length} times`);
		}
	}

	/** `last` is a run for all shipments in good weather. */
	private sharesReference(id: number): boolean {
		const { packageNumberCustom: reference } = this.shipments.get(id) ?? {};
		return [...this.shipments.values()].some(
			({ mainId, packageNumberCustom: other }) => mainId !== id && other === reference,
		);
	}

	checkEnd(last: Run): void {
		this.checkRuns();
		const { operation, way, items } = this.askedBy(last);
		const { service, setting } = this.world;
		const { habits } = setting.service;
		const isOffered = !habits.includes('withoutExtras');
		const areHidden = habits.some((habit) => /detailsWithoutPieces|recordsWithoutMain/.test(habit));
		const numbers = new Map(service.state().shipments.map((each) => [each.id, each]));
		for (const { id, mainId, canceled, handedOver } of this.shipments.values()) {
			const isWanted =
				/allCarriers|notPrinted/.test(way) ||
				items.some((item) => listed(item.id).includes(`${mainId}`));
			const isOfOrder = way === 'orderNumbers';
			if (!isWanted || (id !== mainId && !isOfOrder)) continue;
			// Which shipment an order number means, or which pieces belong to it, only a person can say.
			if (isOfOrder && (areHidden || this.sharesReference(mainId))) continue;
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

/** Orders of which the run says that the provider may not show all pieces. */
const incompleteOrders = ({ result }: Run) =>
	(result?.hints ?? [])
		.flatMap(
			(hint) => /may not show all pieces of \d+ shipments?: (.*)\. Unless/.exec(hint)?.[1] ?? [],
		)
		.flatMap((names) => names.split(', ').map((name) => name.replace(/ \(.*/, '')));

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
