import { progressOfLabels } from '../labels/createLabels';
import { createJobs } from '../labels/createJobs';
import { explainPrintError, nothingPrinted } from '../labels/printJob';
import { groupBy } from '../lists';
import { isExchange, referenceOf } from '../orders/order';
import { idOf } from '../records';
import { type ItemResult, nameFailedItems, type NodeRun } from '../run';
import { describeError, type ErrorText } from '../transport/errors';
import { type FoundShipment, isActive, readPiecesOf } from '../transport/shipments';
import { serviceMessageOf } from '../transport/serviceMessage';
import { sendOnce } from '../writes/sendOnce';
import { executionOf, memoryOfTries } from '../writes/sent';
import { find, lookbackDaysFor } from './lookUp';
import {
	addResults,
	CANCELED,
	failuresOf,
	type Label,
	MAY_BE_PRINTED,
	type NotPrinted,
	PRINTED_BEFORE,
	PRINTED_BY_OTHER,
	PRINTED_UNKNOWN,
	printersOf,
	printHintsOf,
	type PrintResults,
	SECOND_SHIPMENT,
} from './printResults';
import { isFromResponse, mainPieceIdOf } from './shipments';
import type { CreationRun } from './creationRun';
import type { OrderResult } from './types';

/** By item and not in the order, because a retry may choose another printer. */
export type PrinterOf = (itemIndex: number) => string;

/** What goes to a printer at once. Plain JSON. */
interface Job {
	hash: string;
	printerName: string;
	ids: number[];
	carrierCode: string;
	/** Sent: it may have been printed. */
	state: 'labeled' | 'sent' | 'printed';
	/** The execution that sent it last. */
	execution: string;
	/** How many labels the service has not created. */
	labelsMissing?: number;
}

/**
 * Prints the labels of all shipments once:
 * 1. What an earlier try has sent is not sent again.
 * 2. Jobs: those that an earlier try has labeled and not sent, new batches, and new labels for the others.
 * 3. Send: those of one printer one after another.
 */
export async function printCreated(
	run: NodeRun,
	outputs: readonly ItemResult[],
	created: readonly OrderResult[],
	creation: CreationRun,
	printerOf: PrinterOf,
): Promise<{ results: ItemResult[]; hints: string[]; printedOn: string[] }> {
	const jobs = memoryOfTries<Job>(run.context, 'jobs');
	const known = Object.values(jobs).filter((job) => job !== undefined);
	const labels = labelsOf(created, creation, printerOf);
	const results: PrintResults = new Map();
	for (const job of known.filter(({ state }) => state !== 'labeled')) setResult(job, run, results);
	const open = labels.filter(({ id }) => !results.has(id));
	const wanted = new Map(open.map((label) => [label.id, label]));

	const again = known
		.filter(({ state }) => state === 'labeled')
		.flatMap((job) => {
			const own = job.ids.flatMap((id) => wanted.get(id) ?? []);
			const [printerName, ...others] = new Set(own.map((label) => label.printerName));
			const isSame = own.length === job.ids.length && others.length === 0 && own.every(mayPrint);
			return isSame && printerName ? { ...job, printerName } : [];
		});
	await send(run, [...again, ...jobsOfBatches(open.filter(isWithoutJob(again)))], results);
	const left = open.filter(({ id }) => !results.has(id));
	const toLabel = await ask(left, run, creation, results);
	await run.client.mapParallel([...groupBy(toLabel, (each) => each.printerName)], async (group) => {
		await send(run, await label(run, ...group, results), results);
	});

	const printing = labels.filter(({ id }) => results.has(id));
	const failures = failuresOf(run, printing, results);
	const where = failures.length > 0 ? nameFailedItems(run) : 'labelNotPrinted';
	return {
		results: [...outputs.map((output) => addResults(output, results)), ...failures],
		hints: printHintsOf(labels, results, where),
		printedOn: printersOf(labels.flatMap(({ id }) => results.get(id) ?? [])),
	};
}

const isWithoutJob = (jobs: readonly Job[]) => {
	const ids = new Set(jobs.flatMap((job) => job.ids));
	return ({ id }: Label) => !ids.has(id);
};

function labelsOf(
	created: readonly OrderResult[],
	{ notes }: CreationRun,
	printerOf: PrinterOf,
): Label[] {
	return created.flatMap(({ order, shipment }): Label[] => {
		if (!shipment) return [];
		const isOwn = isFromResponse(shipment) && !notes.isOfEarlierExecution(order);
		return shipment.pieces.map((piece) => ({
			...piece,
			id: idOf(piece.row),
			mainId: mainPieceIdOf(shipment),
			order,
			shipment,
			carrierCode: piece.row.carrierCode ?? order.carrierCode,
			printerName: printerOf(order.itemIndex),
			isOwn,
		}));
	});
}

/** Why a label is not printed, whatever its record says now. */
function reasonBefore(
	{ via, shipment, order, mainId }: Label,
	hasLower = shipment.duplicates?.named.some(({ id }) => id < mainId),
): NotPrinted | undefined {
	if (via === 'otherProcess') return PRINTED_BY_OTHER;
	return hasLower && !isExchange(order) ? SECOND_SHIPMENT : undefined;
}

const mayPrint = (label: Label) => reasonBefore(label) === undefined;

/** A job for each new batch whose labels all go to one printer. The check for duplicates has just read its records. */
function jobsOfBatches(labels: readonly Label[]): Job[] {
	const byHash = groupBy(labels, ({ batch }) => batch?.labelsHash ?? null);
	return [...byHash].flatMap(([hash, group]): Job[] => {
		const [{ printerName, carrierCode, batch }] = group;
		const isWhole =
			group.length === batch?.packagesCount &&
			group.every(
				(each) =>
					each.printerName === printerName &&
					each.isOwn &&
					each.printed !== true &&
					each.shipment.duplicates?.notRead === undefined &&
					mayPrint(each),
			);
		const ids = group.map(({ id }) => id);
		return hash !== null && isWhole
			? [{ hash, printerName, ids, carrierCode, state: 'labeled', execution: '' }]
			: [];
	});
}

/** The labels that may be printed. Of one that this execution did not create, the record must say that it was not. */
async function ask(
	labels: readonly Label[],
	run: NodeRun,
	{ records }: CreationRun,
	results: PrintResults,
): Promise<Label[]> {
	if (labels.length === 0) return [];
	const progress = progressOfLabels(run.context);
	const refuse = (id: number, notPrinted: NotPrinted) => void results.set(id, { notPrinted });
	try {
		const orders = labels.map(({ order }) => order);
		const byReference = await find(orders, lookbackDaysFor(orders), records);
		const listed = [...byReference.values()].flat().flatMap(({ pieces }) => pieces);
		const pieces = new Map(listed.map((piece) => [piece.id, piece]));
		const unclear = labels.filter(({ id }) => pieces.get(id)?.printed === undefined);
		for (const [carrierCode, group] of groupBy(unclear, (each) => each.carrierCode)) {
			const ids = new Set(group.map(({ mainId }) => mainId));
			for (const [id, piece] of await readPiecesOf(run.client, carrierCode, [...ids]))
				pieces.set(id, piece);
		}
		for (const each of labels) {
			const { printed, isCanceled } = pieces.get(each.id) ?? {};
			const done = progress[each.id];
			const others = byReference.get(referenceOf(each.order)) ?? [];
			const isLower = (other: FoundShipment) =>
				isActive(other) && other.id < each.mainId && other.pieces.every(({ id }) => id !== each.id);
			const before = reasonBefore(each, others.some(isLower));
			if (before) refuse(each.id, before);
			else if (isCanceled) refuse(each.id, CANCELED);
			// Services may count a label as printed once its file exists.
			else if (printed && done === 'requested') refuse(each.id, MAY_BE_PRINTED);
			else if (printed && !done) refuse(each.id, PRINTED_BEFORE);
			else if (printed === undefined && !done && !isFromResponse(each.shipment))
				refuse(each.id, PRINTED_UNKNOWN);
		}
	} catch (thrown) {
		const { message: reason, description: advice } = describeError(thrown);
		for (const { id } of labels) refuse(id, { reason, advice });
	}
	return labels.filter(({ id }) => !results.has(id));
}

async function label(
	run: NodeRun,
	printerName: string,
	labels: readonly Label[],
	results: PrintResults,
): Promise<Job[]> {
	const wanted = labels.map(({ id, carrierCode, order }) => {
		return { id, carrierCode, item: order.itemIndex };
	});
	const { jobs, unlabeled } = await createJobs(run, printerName, wanted);
	for (const { targets, outcome } of unlabeled) {
		const [error] = 'errors' in outcome ? outcome.errors : [];
		for (const target of targets)
			if ('id' in target)
				results.set(target.id, { notPrinted: notPrintedOf(describeError(error)) });
	}
	return jobs.map(({ hash, targets, labels: { labelsMissing, carrierCode } = {} }): Job => {
		const ids = targets.flatMap((target) => ('id' in target ? target.id : []));
		const missing = labelsMissing === undefined ? {} : { labelsMissing: Number(labelsMissing) };
		const more = { state: 'labeled' as const, execution: '', ...missing };
		return { hash, printerName, ids, carrierCode: String(carrierCode), ...more };
	});
}

/** Each job once, also after one that failed: services may count all labels that were created as printed. */
async function send(run: NodeRun, jobs: readonly Job[], results: PrintResults): Promise<void> {
	const saved = memoryOfTries<Job>(run.context, 'jobs');
	for (const job of jobs) saved[job.hash] = job;
	const queues = groupBy(jobs, ({ printerName }) => printerName);
	await run.client.mapParallel([...queues.values()], async (queue) => {
		for (const job of queue) await sendJob(run, job, results);
	});
}

async function sendJob(run: NodeRun, job: Job, results: PrintResults): Promise<void> {
	const { hash, printerName, ids, carrierCode } = job;
	const targets = ids.map((id) => ({ id, carrierCode, items: [] }));
	const printJob = { hash, printerName, targets };
	const noting = {
		sending: () => Object.assign(job, { state: 'sent', execution: executionOf(run.context) }),
		forget: () => void (job.state = 'labeled'),
	};
	const answer = await sendOnce(run.client, noting, async (calls) =>
		calls
			.call('sendToPrinter', { body: { hash, printerName } }, { timeoutMs: PRINT_TIMEOUT_MS })
			.catch((thrown: unknown) => {
				throw explainPrintError(thrown, printJob);
			}),
	);
	if ('response' in answer && answer.response.result) job.state = 'printed';
	if ('response' in answer && !answer.response.result) {
		job.state = 'labeled';
		const said = serviceMessageOf(answer.response);
		const reason = `Printer "${printerName}" did not accept the labels${said ? `: ${said}` : ''}`;
		const advice = `Check that the printer is switched on, has paper and is not busy, or choose another printer. ${nothingPrinted(printJob)}`;
		for (const id of ids) results.set(id, { labelsHash: hash, notPrinted: { reason, advice } });
	} else if ('refused' in answer) {
		const notPrinted = notPrintedOf(describeError(answer.refused));
		for (const id of ids) results.set(id, { labelsHash: hash, notPrinted });
	} else setResult(job, run, results, 'lost' in answer ? answer.lost : undefined);
}

/** How long a printer may take to accept a job. */
const PRINT_TIMEOUT_MS = 60_000;

const notPrintedOf = ({ message, description }: ErrorText): NotPrinted => ({
	reason: message,
	advice: description,
});

function setResult(job: Job, run: NodeRun, results: PrintResults, lost?: ErrorText): void {
	const { hash, ids, printerName, state, execution, labelsMissing } = job;
	const isOfEarlierExecution = execution !== executionOf(run.context);
	const missing = labelsMissing === undefined ? {} : { labelsMissing };
	const text = lost && notPrintedOf(lost);
	const reason = text?.reason ?? `It may or may not have been printed on "${printerName}" before`;
	const advice = 'Check the printer. To print anyway, run Label: Send to Printer.';
	for (const id of ids)
		results.set(
			id,
			state === 'printed'
				? { labelsHash: hash, printedOn: printerName, isOfEarlierExecution, ...missing }
				: { labelsHash: hash, notPrinted: { reason, advice, isNotPrintedByRetry: true } },
		);
}
