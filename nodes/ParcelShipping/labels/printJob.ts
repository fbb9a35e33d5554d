import type { IDataObject } from 'n8n-workflow';

import { listTexts } from '../lists';
import { HASH_VALIDITY_DAYS, type ResponseOf } from '../transport/contract';
import {
	concernsAllRequests,
	type ErrorFacts,
	isServiceError,
	ServiceError,
} from '../transport/errors';
import type { PieceRecord } from '../transport/shipments';
import type { TargetOutcome } from '../writes/journal';

// A print job, and the messages about it.

/** The label of a shipment or piece. */
interface LabelTarget {
	id: number;
	/** '' if it is not known. */
	carrierCode: string;
	/** The input items that name it. */
	items: number[];
}

/** What a hash prints, if nobody says whose labels these are. */
export interface HashTarget {
	hash: string;
	items: number[];
}

export type PrintTarget = LabelTarget | HashTarget;

/** One hash for one printer. */
export interface PrintJob {
	printerName: string;
	hash: string;
	/** What the output says besides hash and printer. */
	labels?: IDataObject;
	/** What it prints. */
	targets: PrintTarget[];
}

/** A label is printed once, whatever job it is in. */
export interface PrintAct {
	target: PrintTarget;
	details: Omit<PrintJob, 'targets'>;
	response: ResponseOf<'sendToPrinter'>;
	/** Of one label. */
	record: PieceRecord;
	value: IDataObject;
}

export type PrintOutcome = TargetOutcome<PrintAct>;

/** A label, whatever printer and hash its job has, or a hash alone, whatever printer its job has. */
export type PrintKey = Pick<LabelTarget, 'id'> | Omit<HashTarget, 'items'>;

export const printKeyOf = (target: PrintKey) => ('id' in target ? String(target.id) : target.hash);

export const shipmentIdsOf = ({ targets }: Pick<PrintJob, 'targets'>) =>
	targets.flatMap((target) => ('id' in target ? target.id : []));

/** Jobs for one printer can fail for the same reason, so that only this tells their errors apart. */
function nameOfLabels(job: PrintJob): string {
	const ids = shipmentIdsOf(job);
	if (ids.length === 0) return `The labels with hash ${job.hash}`;
	const texts = listTexts(ids.map(String));
	return ids.length === 1 ? `The label of shipment ${texts}` : `The labels of shipments ${texts}`;
}

/** Adds to an error what it means for the print job. */
export function explainPrintError(thrown: unknown, job: PrintJob): unknown {
	if (!isServiceError(thrown)) return thrown;
	const { facts } = thrown;
	const { hash, printerName } = job;
	const reason = String(facts.details?.serviceMessage ?? facts.message);
	return new ServiceError({
		...facts,
		...textOf(facts, job, reason),
		details: { ...facts.details, printerName, hash },
	});
}

function textOf(facts: ErrorFacts, job: PrintJob, reason: string) {
	if (facts.mayHaveActed) {
		const { message, description } = unknownOutcomeText(job, reason);
		// A lasting problem, such as a wrong address, needs more advice than a temporary one.
		const isExplained = facts.isTransient || facts.details?.serviceMessage !== undefined;
		const advice = isExplained ? '' : ` ${facts.description}`;
		return { message, description: `${description}${advice}` };
	}
	const isHash = shipmentIdsOf(job).length === 0;
	// The printer is not the reason.
	if (concernsAllRequests(facts))
		return isHash ? {} : { description: `${facts.description} ${nothingPrinted(job)}` };
	if (facts.status === 410 || (/expired/i.test(reason) && /hash|print job|label/i.test(reason))) {
		return {
			message: `The print hash has expired: ${reason}`,
			description: `A hash is valid for ${HASH_VALIDITY_DAYS} days. ${isHash ? "To print from the shipment ID instead, use Label: Send to Printer with 'Labels' set to 'Of Shipments'." : nothingPrinted(job)}`,
		};
	}
	return {
		message: `Could not send the labels to printer "${job.printerName}": ${reason}`,
		description: `${nothingPrinted(job)} ${PRINTER_ADVICE}${isHash ? " If the hash was refused, use Label: Send to Printer with 'Labels' set to 'Of Shipments' to print from the shipment ID." : ''}`,
	};
}

export function nothingPrinted(job: PrintJob): string {
	const ids = shipmentIdsOf(job);
	if (ids.length === 0) return 'Nothing was printed.';
	return `Nothing was printed. The service may count the labels of these shipments as printed now: ${listTexts(ids.map(String))}. Retry this execution, or print them by their IDs.`;
}

const PRINTER_ADVICE =
	"Only the system name of a printer works, as the list of the field 'Printer' shows it. Check that the printer is switched on and that the print service can reach it, or choose another one.";

export function unknownOutcomeText(job: PrintJob, reason: string) {
	const { printerName, hash } = job;
	return {
		message: `${nameOfLabels(job)} may or may not have been printed on "${printerName}": ${reason}`,
		description:
			'Check the printer first. If nothing was printed, send the labels again. This node never repeats a print job by itself.',
		details: { printerName, hash } as IDataObject,
	};
}
