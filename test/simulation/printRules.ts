import type { IDataObject } from 'n8n-workflow';

import type { SandboxShipment } from '../../sandbox';
import { Books, was } from './books';
import type { CreationHistory, CreationOrder } from './creation';
import { type Exchange, isClean } from './network';
import { errorsOf, shipmentsIn } from './outputs';
import { ODD } from './services';
import { type Run, rulesOf, type Simulation } from './simulation';

// The promises about the labels of what was created.

const fail = rulesOf({
	once: 'a label is printed once',
	missing: 'every label is printed or reported as not printed',
	said: 'the output says correctly whether a label was printed',
	duplicate: 'the label of a duplicate is not printed',
	exchange: 'no shipment of an exchange counts as a duplicate',
});

export type CreationRun = Run<CreationOrder[]>;

const DAY_MS = 86_400_000;

export class PrintRules extends Books<CreationOrder[]> {
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

	/** The jobs that have printed the label. */
	protected printJobsOf(id: number): Exchange[] {
		return this.printed.flatMap((each) => (each.id === id && each.by) || []);
	}

	/** Whether a run has printed the label of a duplicate although it knew better. */
	private checkDuplicateLabels(): void {
		for (const { id, by, place } of this.printed) {
			const own = this.shipments.get(id);
			if (!by || !own) continue;
			const { run } = by.sender;
			const label = `${run} prints the label of ${id}`;
			const before = this.sentBy([run], /^(cancel|find)Shipments/).filter(
				(each) => each.sentMs < by.sentMs,
			);
			const isKnown = before.some(
				({ operation, body }) =>
					operation === 'cancelShipments' && body.includes(own.packageNumberCarrier),
			);
			if (isKnown && was(this.canceled, id, place))
				fail.duplicate(`${label}, which it has canceled`);
			// Nothing may say that the first one is no piece of the second one.
			const isUnclear = this.history.form.isExchange || this.isUngrouped || this.has(...ODD);
			if (isUnclear || this.creationOf(id)?.sender.run !== run) continue;
			const first = this.shipmentsOf(own.packageNumberCustom).find(
				(each) => each.mainId < own.mainId && !was(this.canceled, each.id, place),
			);
			// The printer may get the job later than the run has sent it.
			const list = before.findLast(
				(each) =>
					each.operation === 'findShipments' &&
					isClean(each) &&
					(each.arrivedMs ?? Infinity) <= by.sentMs,
			);
			if (first && String(list?.response?.body).includes(`"id":${first.id},`))
				fail.duplicate(`${label}, knowing that ${first.id} came first`);
		}
	}

	/**
	 * The pieces of all shipments of an order that count. An order that comes alone finds a shipment however old it is, so
	 * does a refusal, and a list of many does not.
	 */
	protected shipmentsOf(reference: string): SandboxShipment[] {
		return [...this.shipments.values()].filter(({ id, packageNumberCustom, createdMs }) => {
			const isFound = this.foundAtEnd.has(id) || this.has('refusesDuplicates');
			const isOld = Date.now() - createdMs > 40 * DAY_MS;
			return packageNumberCustom === reference && (isFound || !isOld);
		});
	}

	/** What an output item says of its label. */
	protected checkLabel(run: CreationRun, json: IDataObject, of: SandboxShipment): void {
		const { name } = run;
		const { printerName, isExchange } = this.history.form;
		const { printedOn, labelNotPrinted } = json;
		const says = `printedOn ${String(printedOn)}, labelNotPrinted ${String(labelNotPrinted)}`;
		const failSaid = (what: string) => fail.said(`${name} ${what} the label of ${of.id}: ${says}`);
		const expected = printerName === null ? 0 : 1;
		if ([printedOn, labelNotPrinted].filter(Boolean).length !== expected) failSaid('has');
		if (isExchange && /created a shipment of this order first/.test(says))
			fail.exchange(`${name} takes one of the shipments of an exchange for a second one: ${says}`);
		const jobs = this.printJobsOf(of.id);
		if (jobs.some((job) => job.sender.run === name && isClean(job)) && !printedOn)
			failSaid('has printed');
		if (printedOn && jobs.length === 0) failSaid('has not printed');
		const isSaidBefore = /was printed before/.test(String(labelNotPrinted));
		if (isSaidBefore && jobs.length === 0 && !this.isPrintedElsewhere(run, of))
			failSaid('says what is not true of');
		const creation = this.creationOf(of.id);
		// If the response to the request before a retry was lost, nobody knows whose shipment it is.
		const isKnown = creation && (creation.sender.run === name || isClean(creation));
		const isOwn = isKnown && chainOf(run).includes(creation.sender.run);
		const isSecond = /The order has a shipment that was created first/.test(says);
		if (isSecond && json.alreadyExisted === true && isOwn) failSaid('leaves to another run');
	}

	/**
	 * Whether a label without a job can count as printed: it was printed before the world began, or its file was created by
	 * another run, or by a request that was lost and then refused, which some providers take for printing.
	 */
	private isPrintedElsewhere(run: CreationRun, { id }: SandboxShipment): boolean {
		const ofLabel = this.world.network.exchanges.filter(
			({ operation, body }) => operation === 'printLabels' && labelsIn(body).includes(id),
		);
		const own = ofLabel.filter(({ sender }) => chainOf(run).includes(sender.run));
		const isRefused = ({ got }: Exchange) => Number(got) >= 400 && Number(got) < 500;
		return !this.creationOf(id) || own.length < ofLabel.length || own.slice(1).some(isRefused);
	}

	protected checkPrinted(order: CreationOrder, pieces: readonly SandboxShipment[]): void {
		for (const { id, printed } of pieces) {
			// Somebody has printed it before.
			if (this.printJobsOf(id).length > 0 || (printed && !this.creationOf(id))) continue;
			const isSaid = this.runs.some((run) => {
				const saying = [
					...shipmentsIn(run).rows.map(({ id: own, json }) => ({ ...json, shipmentIds: [own] })),
					...errorsOf(run).map(({ details }) => details),
				] as IDataObject[];
				return saying.some(
					({ labelNotPrinted, shipmentIds }) =>
						labelNotPrinted && (shipmentIds as number[]).includes(id),
				);
			});
			if (!isSaid)
				fail.missing(`The label of ${id} of ${order.reference} is missing without a word`);
		}
	}

	protected checkPrintedOnce(): void {
		this.checkDuplicateLabels();
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

	private runOf({ sender }: Exchange): CreationRun {
		return this.runs.find(({ name }) => name === sender.run) as CreationRun;
	}

	/**
	 * Whether a person has retried the same execution twice. Each retry knows what that execution has left, and
	 * not what the other one has done: labels that were created and that the printer did not accept, and, if the
	 * service does not say what was printed, shipments that were not printed.
	 */
	private isRetriedTwice(first: Exchange, second: Exchange): boolean {
		const [own, other] = [this.runOf(first), this.runOf(second)];
		const isUnsaid =
			this.has('detailsWithoutPrinted') ||
			// Neither says it of additional pieces.
			(this.has('listsWithoutStates') && this.isUngrouped);
		const isSame = first.body === second.body || isUnsaid;
		return own !== other && own.retryOf !== undefined && own.retryOf === other.retryOf && isSame;
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
		const chain = chainOf(this.runOf(second));
		const own = this.sentBy(chain);
		if (own.includes(first)) return false;
		// Its list does not say what was printed, and who creates a shipment prints it without asking.
		const creator = this.creationOf(id)?.sender.run;
		const isByCreator = [first, second].some(({ sender }) => sender.run === creator);
		if (this.has('listsWithoutStates') && isByCreator) return true;
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
		// Who has created the shipment need not ask. A list or detail must say whether the label was printed.
		const asked = before.filter(({ operation, response, body }) => {
			const text = String(response?.body ?? '');
			if (/createShipments/.test(operation ?? '')) return new RegExp(`"id":${id}\\b`).test(text);
			// A search for another number can also find it.
			const isAbout = !body.includes('"search"') || body.includes(`"search":"${reference}"`);
			return READS.test(operation ?? '') && isAbout && saysPrinted(text, id);
		});
		// After an error, requests that had begun beside it may still be answered, and nobody reads them. Without order
		// numbers in lists, the search for another one can read the same detail.
		const isReadBeside =
			before.some((each) => READS.test(each.operation ?? '') && !isClean(each)) ||
			!this.sentBy(chain, /findShipments/).some(({ response }) =>
				String(response?.body).includes('"packageNumberCustom"'),
			);
		return (isReadBeside ? asked : asked.slice(-1)).some(
			({ place = Infinity }) => (first.place ?? -1) > place,
		);
	}
}

/** The run, and the one that a person has retried with it. */
export const chainOf = ({ chain }: CreationRun) => chain.slice(-2);

export const READS = /findShipments|getShipment/;

const labelsIn = (body: string) => (JSON.parse(body) as { packages: number[] }).packages;

/** Whether a response says of a shipment if its label was printed. */
function saysPrinted(text: string, id: number): boolean {
	const { result } = JSON.parse(text || '{}') as { result?: { data?: IDataObject[] } };
	const records = [result?.data ?? result ?? []].flat() as IDataObject[];
	return records.some((record) => record.id === id && 'printed' in record);
}
