import type { IDataObject } from 'n8n-workflow';

import { listTexts } from '../lists';
import { isOffline, printerText } from '../records';
import { HASH_VALIDITY_DAYS, type Printer } from '../transport/contract';
import {
	concernsAllRequests,
	type ErrorFacts,
	isServiceError,
	ServiceError,
} from '../transport/errors';

// A print job, and the messages about it.

/** One hash for one printer. */
export interface PrintJob {
	printerName: string;
	hash: string;
	/** With 'Repeat', the item that it is sent for: jobs of other items with the same hash and printer are sent as well. */
	repeatedFor?: number;
	/** What the output says besides hash and printer. */
	labels?: IDataObject;
	/** The shipments whose labels it prints, if they are known. */
	shipments?: { carrierCode: string; ids: number[] };
	/** The input items whose labels it prints. */
	items?: number[];
	/** The printer in the list of printers, perhaps with another name; undefined if the service has no such list. */
	listed?: Printer | null;
}

export function jobKeyOf({ printerName, hash, repeatedFor }: PrintJob): string {
	return JSON.stringify([printerName, hash, repeatedFor]);
}

/** By both of its names, if the list of printers has it. */
export const printerOf = ({ listed, printerName }: PrintJob) =>
	listed?.printerName === printerName ? printerText(listed) : printerName;

/** Jobs for one printer can fail for the same reason, so that only this tells their errors apart. */
function nameOfLabels({ hash, shipments }: PrintJob): string {
	if (!shipments) return `The labels with hash ${hash}`;
	const ids = listTexts(shipments.ids.map(String));
	return shipments.ids.length === 1
		? `The label of shipment ${ids}`
		: `The labels of shipments ${ids}`;
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
	// The text of the error says all, and the printer is not the reason.
	if (concernsAllRequests(facts)) return {};
	if (facts.status === 410 || (/expired/i.test(reason) && /hash|print job|label/i.test(reason))) {
		return {
			message: `The print hash has expired: ${reason}`,
			description: `A hash is valid for ${HASH_VALIDITY_DAYS} days. ${job.shipments ? 'Send these shipments again: this creates new labels.' : "To print from the shipment ID instead, use Label: Send to Printer with 'Labels' set to 'Of Shipments'."}`,
		};
	}
	return {
		message: `Could not send the labels to printer "${printerOf(job)}": ${reason}`,
		description: `Nothing was printed. ${printerAdvice(job)}${job.shipments ? '' : " If the hash was refused, use Label: Send to Printer with 'Labels' set to 'Of Shipments' to print from the shipment ID."}`,
	};
}

function printerAdvice({ printerName, listed }: PrintJob): string {
	if (listed && listed.printerName !== printerName) {
		return `The list of printers has it under the name "${listed.printerName}", and only this name works. Choose the printer from the list, or enter this name.`;
	}
	if (listed && isOffline(listed)) {
		return 'The printer is offline. Switch it on, or choose another printer.';
	}
	const switchOn =
		'Check that the printer is switched on and that the print service can reach it, or choose another printer.';
	if (listed) return switchOn;
	return listed === null
		? `The list of printers has no printer with this name. Choose one from the list. If the name is right: ${switchOn}`
		: `Check the spelling: only the system name of a printer works, and this service has no list to compare it with. If the name is right: ${switchOn}`;
}

export function unknownOutcomeText(job: PrintJob, reason: string) {
	const { printerName, hash } = job;
	return {
		message: `${nameOfLabels(job)} may or may not have been printed on "${printerOf(job)}": ${reason}`,
		description:
			'Check the printer first. If nothing was printed, send the labels again. This node never repeats a print job by itself.',
		details: { printerName, hash } as IDataObject,
	};
}
