import type { IDataObject } from 'n8n-workflow';

import type { SandboxShipment } from '../../sandbox';
import { Books } from './books';
import type { CreationHistory, CreationOrder } from './creation';
import { type Exchange, isClean } from './network';
import type { Run } from './n8n';
import { errorsOf, type ItemError, type OutputRow, shipmentsIn } from './outputs';
import { rulesOf, type Simulation } from './simulation';

// The promises about the labels of what was created.

const fail = rulesOf({
	once: 'a label is printed once',
	missing: 'every label is printed or reported as not printed',
	said: 'the output says correctly whether a label was printed',
	duplicate: 'the label of a duplicate is not printed',
	exchange: 'no shipment of an exchange counts as a duplicate',
});

export interface NotedRun {
	run: Run;
	orders: CreationOrder[];
	/** The run that a person has retried. */
	retryOf?: Run | undefined;
}

const DAY_MS = 86_400_000;

export class PrintRules extends Books {
	protected readonly noted: NotedRun[] = [];

	/** Labels that a run has printed although it knew better. */
	private readonly unwanted: string[] = [];

	/** The output of the last run. */
	protected readonly foundAtEnd = new Set<number>();

	/** When a clerk has canceled these shipments. */
	protected readonly canceledByHand = new Map<number, number>();

	constructor(
		protected readonly history: CreationHistory,
		world: Simulation,
	) {
		super(world);
	}

	/** Notes also what was known of a shipment when its label was printed. */
	override observe(by?: Exchange): void {
		super.observe(by);
		if (by?.operation !== 'sendToPrinter') return;
		const { run } = by.sender;
		const cancellations = this.sentBy([run], /^cancel/).filter((each) => each.sentMs < by.sentMs);
		for (const { id } of this.printed.filter((each) => each.by === by)) {
			const { canceled, packageNumberCarrier: number = '' } = this.shipments.get(id) ?? {};
			const label = `${run} prints the label of ${id}`;
			if (canceled && cancellations.some(({ body }) => body.includes(number)))
				this.unwanted.push(`${label}, which it has canceled`);
			const first = this.firstThatWasRead(id, by);
			// Nothing may say that the first one is no piece of the second one.
			if (first === undefined || this.history.form.isExchange || this.isUngrouped) continue;
			this.unwanted.push(`${label}, knowing that ${first} came first`);
		}
	}

	/** The jobs that have printed the label. */
	protected printJobsOf(id: number): Exchange[] {
		return this.printed.flatMap((each) => (each.id === id && each.by) || []);
	}

	/**
	 * An active shipment of the same order that was created before this one, and that the run had read before
	 * it sent the job. The printer may get it later.
	 */
	private firstThatWasRead(id: number, job: Exchange): number | undefined {
		const { run } = job.sender;
		const own = this.shipments.get(id);
		if (!own || this.creationOf(id)?.sender.run !== run) return undefined;
		const first = this.shipmentsOf(own.packageNumberCustom).find(
			(each) => !each.canceled && each.mainId < own.mainId,
		);
		const list = this.sentBy([run], /findShipments/).findLast(
			(each) => isClean(each) && (each.arrivedMs ?? Infinity) <= job.sentMs,
		);
		const isRead = String(list?.response?.body).includes(`"id":${first?.id},`);
		return isRead ? first?.id : undefined;
	}

	/** The pieces of all shipments of an order that count. */
	protected shipmentsOf(reference: string): SandboxShipment[] {
		const all = [...this.shipments.values()];
		return all.filter((each) => each.packageNumberCustom === reference && !this.isTooOld(each));
	}

	/** An order that comes alone finds a shipment however old it is, so does a refusal, and a list of many does not. */
	protected isTooOld({ id, createdMs }: SandboxShipment): boolean {
		const isFound = this.foundAtEnd.has(id) || this.has('refusesDuplicates');
		return Date.now() - createdMs > 40 * DAY_MS && !isFound;
	}

	/** What an output item says of its label. */
	protected checkLabel({ name }: Run, json: IDataObject, shipment: SandboxShipment): void {
		const { printerName } = this.history.form;
		const { printedOn, labelNotPrinted } = json;
		const says = `printedOn ${String(printedOn)}, labelNotPrinted ${String(labelNotPrinted)}`;
		const expected = printerName === null ? 0 : 1;
		if ([printedOn, labelNotPrinted].filter(Boolean).length !== expected)
			fail.said(`${name} says of the label of ${shipment.id}: ${says}`);
		if (this.history.form.isExchange && /created a shipment of this order first/.test(says))
			fail.exchange(`${name} takes one of the shipments of an exchange for a second one: ${says}`);
		const jobs = this.printJobsOf(shipment.id);
		if (jobs.some((job) => job.sender.run === name && isClean(job)) && !printedOn)
			fail.said(`${name} has printed the label of ${shipment.id}, and says: ${says}`);
		if (printedOn && jobs.length === 0)
			fail.said(`${name} says that the label of ${shipment.id} was printed, and it was not`);
		const isSaidBefore = /was printed before/.test(String(labelNotPrinted));
		if (isSaidBefore && jobs.length === 0 && !this.isPrintedElsewhere(name, shipment))
			fail.said(`${name} says that the label of ${shipment.id} was printed before, and it was not`);
		const isSecond = /The order has a shipment that was created first/.test(says);
		const creation = this.creationOf(shipment.id);
		// If the response to the request before a retry was lost, nobody knows whose shipment it is.
		const isKnown = creation && (creation.sender.run === name || isClean(creation));
		const isOwn = isKnown && this.chainOf(name).includes(creation.sender.run);
		if (isSecond && json.alreadyExisted === true && isOwn)
			fail.said(`${name} leaves the label of ${shipment.id} to another run, and created it`);
	}

	/** The run, and the one that a person has retried with it. */
	protected chainOf(run: string): Array<string | undefined> {
		return [run, this.noted.find((each) => each.run.name === run)?.retryOf?.name];
	}

	/**
	 * Whether a label without a job can count as printed: it was printed before the world began, or its file was created by
	 * another run, or by a request that was lost and then refused, which some providers take for printing.
	 */
	private isPrintedElsewhere(run: string, { id }: SandboxShipment): boolean {
		if (!this.creationOf(id)) return true;
		const chain = this.chainOf(run);
		const ofLabel = this.sentBy(
			this.noted.map((each) => each.run.name),
			/printLabels/,
		).filter(({ body }) => labelsIn(body).includes(id));
		const own = ofLabel.filter(({ sender }) => chain.includes(sender.run));
		const isRefused = ({ got }: Exchange) => Number(got) >= 400 && Number(got) < 500;
		return own.length < ofLabel.length || own.slice(1).some(isRefused);
	}

	protected checkPrinted(order: CreationOrder, pieces: readonly SandboxShipment[]): void {
		for (const { id, printed } of pieces) {
			// Somebody has printed it before.
			if (this.printJobsOf(id).length > 0 || (printed && !this.creationOf(id))) continue;
			const isSaid = this.noted.some(({ run }) => {
				if (!run.result) return false;
				const ofRow = ({ id: own, json }: OutputRow) => own === id && json.labelNotPrinted;
				const ofError = ({ details: { labelNotPrinted, shipmentIds } }: ItemError) =>
					labelNotPrinted && (shipmentIds as number[]).includes(id);
				return shipmentsIn(run).rows.some(ofRow) || errorsOf(run).some(ofError);
			});
			if (!isSaid)
				fail.missing(`The label of ${id} of ${order.reference} is missing without a word`);
		}
	}

	protected checkPrintedOnce(): void {
		for (const each of this.unwanted) fail.duplicate(each);
		for (const id of new Set(this.printed.map((each) => each.id))) {
			const jobs = this.printJobsOf(id);
			const runs = jobs.map(({ sender }) => sender.run).join(' and ');
			for (const [index, job] of jobs.entries()) {
				const isExcused = (each: Exchange) =>
					this.isRetriedTwice(each, job) ||
					(!this.isLoser(id, each, job) && this.isRace(id, each, job));
				if (!jobs.slice(0, index).every(isExcused))
					fail.once(`The label of ${id} was printed ${jobs.length} times, by ${runs}`);
			}
		}
	}

	/**
	 * Whether a person has retried the same execution twice. Each retry knows what that execution has left, and
	 * not what the other one has done: labels that were created and that the printer did not accept, and, if the
	 * service does not say what was printed, shipments that were not printed.
	 */
	private isRetriedTwice(first: Exchange, second: Exchange): boolean {
		const [[own, retried], [other, retriedToo]] = [first, second].map(({ sender }) =>
			this.chainOf(sender.run),
		) as [Array<string | undefined>, Array<string | undefined>];
		const isUnsaid =
			this.has('detailsWithoutPrinted') ||
			// Neither says it of additional pieces.
			(this.has('listsWithoutStates') && this.isUngrouped);
		const isSame = first.body === second.body || isUnsaid;
		return own !== other && retried !== undefined && retried === retriedToo && isSame;
	}

	/** Without pieces in the details, nothing may say which pieces belong together. No source shows such a provider. */
	protected get isUngrouped(): boolean {
		return this.has('detailsWithoutPieces');
	}

	/** Whether one of the jobs is of a run whose own shipment of the order was canceled as a duplicate. */
	private isLoser(id: number, ...jobs: Exchange[]): boolean {
		const reference = this.shipments.get(id)?.packageNumberCustom ?? '';
		const canceled = this.shipmentsOf(reference).filter(
			({ id, mainId, canceled }) => canceled && id === mainId && !this.canceledByHand.has(id),
		);
		return canceled.some((each) => {
			const creation = this.creationOf(each.id);
			const isOwn = jobs.some((job) => job.sender.run === creation?.sender.run);
			return creation && isClean(creation) && isOwn;
		});
	}

	/**
	 * Whether the first job was carried out after the second one had asked the records, right before it
	 * printed: the part of the race that cannot be won.
	 */
	private isRace(id: number, first: Exchange, second: Exchange): boolean {
		const chain = this.chainOf(second.sender.run);
		const own = this.sentBy(chain);
		if (own.includes(first)) return false;
		// Its list does not say what was printed, and who creates a shipment prints it without asking.
		const creator = this.creationOf(id)?.sender.run;
		const isByCreator = [first, second].some(({ sender }) => sender.run === creator);
		if (this.has('listsWithoutStates') && isByCreator) return true;
		// Labels that were created for the printer are sent also in a later try, if the printer refused them.
		const jobs = this.sentBy(chain, /sendToPrinter/);
		const hashOf = (job: Exchange) => (JSON.parse(job.body) as { hash: string }).hash;
		const requested = this.sentBy(chain, /printLabels/).find(({ body, response }) => {
			const created = String(response?.body);
			return labelsIn(body).includes(id) && jobs.some((job) => created.includes(hashOf(job)));
		});
		const before = own.slice(0, own.indexOf(requested ?? second));
		// What the printer refused, or whose request failed, is printed again, whatever has printed its label.
		const isOfLabel = (hash: string) =>
			this.labels.get(hash)?.includes(id) ??
			String(this.creationOf(id)?.response?.body).includes(hash);
		const wasRefused = jobs.some((job) => job !== second && isOfLabel(hashOf(job)));
		const hasFailed = this.sentBy(chain, /printLabels/).some(
			(each) => !isClean(each) && labelsIn(each.body).includes(id),
		);
		if (wasRefused || hasFailed) return true;
		const reference = this.shipments.get(id)?.packageNumberCustom;
		// A search for another number can also find it.
		const isAbout = (body: string) =>
			!body.includes('"search"') || body.includes(`"search":"${reference}"`);
		// Who has created the shipment need not ask. A list or detail must say whether the label was printed.
		const asked = before.filter(({ operation, response, body }) => {
			const text = response?.body.toString() ?? '';
			if (/createShipments/.test(operation ?? '')) return new RegExp(`"id":${id}\\b`).test(text);
			return READS.test(operation ?? '') && isAbout(body) && saysPrinted(text, id);
		});
		// After an error, requests that had begun beside it may still be answered, and nobody reads them. Without order
		// numbers in lists, the search for another one can read the same detail.
		const isReadBeside =
			before.some((each) => READS.test(each.operation ?? '') && !isClean(each)) ||
			!this.sentBy(chain, /findShipments/).some(({ response }) =>
				String(response?.body).includes('"packageNumberCustom"'),
			);
		return (isReadBeside ? asked : asked.slice(-1)).some(
			(each) => (first.place ?? -1) > (each.place ?? Infinity),
		);
	}
}

export const READS = /findShipments|getShipment/;

const labelsIn = (body: string) => (JSON.parse(body) as { packages: number[] }).packages;

/** Whether a response says of a shipment if its label was printed. */
function saysPrinted(text: string, id: number): boolean {
	const { result } = JSON.parse(text || '{}') as { result?: { data?: IDataObject[] } };
	const records = [result?.data ?? result ?? []].flat() as IDataObject[];
	return records.some((record) => record.id === id && 'printed' in record);
}
