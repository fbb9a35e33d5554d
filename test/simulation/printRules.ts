import type { IDataObject } from 'n8n-workflow';

import type { SandboxShipment } from '../../sandbox';
import { Books } from './books';
import type { CreationHistory, CreationOrder } from './creation';
import type { Exchange } from './network';
import type { Run } from './n8n';
import { errorsOf, shipmentsIn } from './outputs';
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

	private readonly printedThoughCanceled: Array<[id: number, run: string]> = [];

	/** The output of the last run. */
	protected readonly foundAtEnd = new Set<number>();

	/** When a clerk has canceled these shipments. */
	protected readonly canceledByHand = new Map<number, number>();

	/** Labels of shipments that a run has created although it has read that another one came first. */
	private readonly printedThoughSecond: Array<[id: number, run: string, first: number]> = [];

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
		const cancellations = this.world.network.exchanges.filter(
			({ operation, sender, sentMs }) =>
				operation === 'cancelShipments' && sender.run === run && sentMs < by.sentMs,
		);
		for (const { id } of this.printed.filter((each) => each.by === by)) {
			const { canceled, packageNumberCarrier: number = '' } = this.shipments.get(id) ?? {};
			const hasCanceled = cancellations.some(({ body }) => body.includes(number));
			if (canceled && hasCanceled) this.printedThoughCanceled.push([id, run]);
			const first = this.firstThatWasRead(id, by);
			if (first !== undefined) this.printedThoughSecond.push([id, run, first]);
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
		const list = this.world.network.exchanges.findLast(
			({ operation, sender, fault, got, arrivedMs = Infinity }) =>
				operation === 'findShipments' &&
				sender.run === run &&
				!fault &&
				got === 200 &&
				arrivedMs <= job.sentMs,
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
		const { habits } = this.world.setting.service;
		const isFound = this.foundAtEnd.has(id) || habits.includes('refusesDuplicates');
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
		const isPrintedByRun = jobs.some(
			(job) => job.sender.run === name && !job.fault && job.got === 200 && !isDoneLate(job),
		);
		if (isPrintedByRun && !printedOn)
			fail.said(`${name} has printed the label of ${shipment.id}, and says: ${says}`);
		if (printedOn && jobs.length === 0)
			fail.said(`${name} says that the label of ${shipment.id} was printed, and it was not`);
		const isSaidBefore = /was printed before/.test(String(labelNotPrinted));
		if (isSaidBefore && jobs.length === 0 && !this.isPrintedElsewhere(name, shipment))
			fail.said(`${name} says that the label of ${shipment.id} was printed before, and it was not`);
		const isSecond = /The order has a shipment that was created first/.test(
			String(labelNotPrinted),
		);
		const isLeft = isSecond && json.alreadyExisted === true;
		const { sender, fault, got } = this.creationOf(shipment.id) ?? {};
		const creator = sender?.run;
		// If the response to the request before a retry was lost, nobody knows whose shipment it is.
		const isKnown = creator === name || (fault === undefined && got === 200);
		if (isLeft && isKnown && this.chainOf(name).includes(creator))
			fail.said(`${name} leaves the label of ${shipment.id} to another run, and it was ${creator}`);
	}

	/** The run, and the one that a person has retried with it. */
	protected chainOf(run: string): Array<string | undefined> {
		return [run, this.noted.find((each) => each.run.name === run)?.retryOf?.name];
	}

	/**
	 * Whether a label without a job can count as printed: it was printed before the world began, or another run has
	 * created its file, which some services take for printing.
	 */
	private isPrintedElsewhere(run: string, { id }: SandboxShipment): boolean {
		if (!this.creationOf(id)) return true;
		const own = this.chainOf(run);
		return this.world.network.exchanges.some(({ operation, sender, body }) => {
			if (operation !== 'printLabels' || own.includes(sender.run)) return false;
			return (JSON.parse(body) as { packages: number[] }).packages.includes(id);
		});
	}

	protected checkPrinted(order: CreationOrder, pieces: readonly SandboxShipment[]): void {
		for (const { id, printed } of pieces) {
			// Somebody has printed it before.
			if (this.printJobsOf(id).length > 0 || (printed && !this.creationOf(id))) continue;
			const isSaid = this.noted.some(({ run }) => {
				if (!run.result) return false;
				const { rows } = shipmentsIn(run);
				return (
					rows.some((row) => row.id === id && row.json.labelNotPrinted) ||
					errorsOf(run).some(
						({ details }) =>
							details.labelNotPrinted && (details.shipmentIds as number[]).includes(id),
					)
				);
			});
			if (isSaid) continue;
			fail.missing(`The label of ${id} of ${order.reference} is missing without a word`);
		}
	}

	protected checkPrintedOnce(): void {
		for (const [id, run] of this.printedThoughCanceled) {
			fail.duplicate(`${run} prints the label of ${id}, which it has canceled`);
		}
		for (const [id, run, first] of this.printedThoughSecond) {
			const { isExchange } = this.history.form;
			// Nothing says that the first one is no piece of the second one.
			if (isExchange || this.isUngrouped) break;
			fail.duplicate(`${run} prints the label of ${id}, knowing that ${first} came first`);
		}
		for (const id of new Set(this.printed.map((each) => each.id))) {
			const jobs = this.printJobsOf(id);
			for (const [index, job] of jobs.entries()) {
				const earlier = jobs.slice(0, index);
				const isExcused = (each: Exchange) =>
					this.isRetriedTwice(each, job) ||
					(!this.isLoser(id, each, job) && this.isRace(id, each, job));
				if (!earlier.every(isExcused)) {
					const runs = jobs.map(({ sender }) => sender.run).join(' and ');
					fail.once(`The label of ${id} was printed ${jobs.length} times, by ${runs}`);
				}
			}
		}
	}

	/**
	 * Whether a person has retried the same execution twice. Each retry knows what that execution has left, and
	 * not what the other one has done: labels that were created and that the printer did not accept, and, if the
	 * service does not say what was printed, shipments that were not printed.
	 */
	private isRetriedTwice(first: Exchange, second: Exchange): boolean {
		const retried = ({ sender }: Exchange) =>
			this.noted.find(({ run }) => run.name === sender.run)?.retryOf?.name;
		const [ofFirst, ofSecond] = [retried(first), retried(second)];
		const areTwo = first.sender.run !== second.sender.run;
		const { habits } = this.world.setting.service;
		const isUnsaid =
			habits.includes('detailsWithoutPrinted') ||
			// Neither says it of additional pieces.
			(habits.includes('listsWithoutStates') && habits.includes('detailsWithoutPieces'));
		const isSame = first.body === second.body || isUnsaid;
		return areTwo && ofFirst !== undefined && ofFirst === ofSecond && isSame;
	}

	/** Without pieces in the details, nothing may say which pieces belong together. No source shows such a service. */
	protected get isUngrouped(): boolean {
		return this.world.setting.service.habits.includes('detailsWithoutPieces');
	}

	/** Whether one of the jobs is of a run whose own shipment of the order was canceled as a duplicate. */
	private isLoser(id: number, ...jobs: Exchange[]): boolean {
		const reference = this.shipments.get(id)?.packageNumberCustom ?? '';
		const canceled = this.shipmentsOf(reference).filter(
			({ id, mainId, canceled }) => canceled && id === mainId && !this.canceledByHand.has(id),
		);
		return canceled.some((each) => {
			const { sender, fault, got } = this.creationOf(each.id) ?? {};
			return !fault && got === 200 && jobs.some((job) => job.sender.run === sender?.run);
		});
	}

	/**
	 * Whether the first job was carried out after the second one had asked the records, right before it
	 * printed: the part of the race that cannot be won.
	 */
	private isRace(id: number, first: Exchange, second: Exchange): boolean {
		const { exchanges } = this.world.network;
		const retryOf = this.noted.find(({ run }) => run.name === second.sender.run)?.retryOf?.name;
		const own = exchanges.filter(({ sender }) => [second.sender.run, retryOf].includes(sender.run));
		if (own.includes(first)) return false;
		// Its list does not say what was printed, and who creates a shipment prints it without asking.
		const isUnlisted = this.world.setting.service.habits.includes('listsWithoutStates');
		const creator = this.creationOf(id)?.sender.run;
		if (isUnlisted && [first, second].some(({ sender }) => sender.run === creator)) return true;
		// Labels that were created for the printer are sent also in a later try, if the printer refused them.
		const jobs = own.filter(({ operation }) => operation === 'sendToPrinter');
		const hashOf = (job: Exchange) => (JSON.parse(job.body) as { hash: string }).hash;
		const requested = own.find(({ operation, body, response }) => {
			if (operation !== 'printLabels') return false;
			const { packages } = JSON.parse(body) as { packages: number[] };
			const created = String(response?.body);
			return packages.includes(id) && jobs.some((job) => created.includes(hashOf(job)));
		});
		const before = own.slice(0, own.indexOf(requested ?? second));
		// The same holds for the hash of the batch, if the job was sent before and refused, and the other one came since.
		const isSentAgain = jobs.some(
			(job) =>
				job !== second &&
				hashOf(job) === hashOf(second) &&
				job.sentMs < (first.arrivedMs ?? Infinity),
		);
		if (isSentAgain && !requested) return true;
		const reference = this.shipments.get(id)?.packageNumberCustom;
		// A search for another number can also find it.
		const isAbout = (body: string) =>
			!body.includes('"search"') || body.includes(`"search":"${reference}"`);
		// Who has created the shipment need not ask. A list or detail must say whether the label was printed.
		const asked = before.filter(({ operation, response, body }) => {
			const text = response?.body.toString() ?? '';
			if (/createShipments/.test(operation ?? '')) return new RegExp(`"id":${id}\\b`).test(text);
			const isRead = /findShipments|getShipment/.test(operation ?? '');
			return isRead && isAbout(body) && saysPrinted(text, id);
		});
		// After an error, requests that had begun beside it may still be answered, and nobody reads them.
		const hasFailed = before.some(({ operation, got, fault }) => {
			return /findShipments|getShipment/.test(operation ?? '') && (got !== 200 || fault);
		});
		return (hasFailed ? asked : asked.slice(-1)).some((each) => {
			const between = before.slice(before.indexOf(each) + 1);
			const isRightBefore = between.every(({ operation }) =>
				/find|get|createShipments|[lL]abel|sendToPrinter|cancel/.test(operation ?? ''),
			);
			return isRightBefore && (first.place ?? -1) > (each.place ?? Infinity);
		});
	}
}

/** Whether a response says of a shipment if its label was printed. */
function saysPrinted(text: string, id: number): boolean {
	const isSaid = (value: unknown): boolean => {
		if (typeof value !== 'object' || value === null) return false;
		const isRecord = 'id' in value && value.id === id && 'printed' in value;
		return isRecord || Object.values(value).some(isSaid);
	};
	try {
		return isSaid(JSON.parse(text));
	} catch {
		return false;
	}
}

/** Carried out when the run had given up waiting for it. */
export const isDoneLate = ({ doneMs = 0, arrivedMs = Infinity }: Exchange) => doneMs > arrivedMs;
