import type { IDataObject } from 'n8n-workflow';

import { serviceMessageOf } from '../transport/response';
import { HASH_VALIDITY_DAYS } from '../transport/contract';
import { type ErrorFacts, isServiceError, ItemError, ServiceError } from '../transport/errors';
import type { PrintJob } from './printLedger';

/** Why a job was not printed, or may not have been, in words about the printer. */
export interface PrintFailure {
	/** The labels may lie in the printer already. */
	isOpen: boolean;
	failure: unknown;
}

export function explainPrintFailure(thrown: unknown, job: PrintJob): PrintFailure {
	// Nothing is known about where it broke, so it may have been after the job was sent.
	if (!isServiceError(thrown)) return { isOpen: true, failure: thrown };

	const { facts } = thrown;
	const saying = (words: Pick<ErrorFacts, 'message' | 'description'>) =>
		new ServiceError({ ...facts, ...words, details: { ...facts.details, ...factsOf(job) } });

	if (facts.mayHaveActed) return { isOpen: true, failure: saying(wordsForOpen(facts, job)) };
	// The credential, the address or the service itself: nothing that is about this printer.
	if (facts.cause !== undefined) return { isOpen: false, failure: saying(facts) };
	return { isOpen: false, failure: saying(wordsForRefusal(facts, job)) };
}

/** `result: false`, and whatever the service adds to it. */
export function notTaken(answer: IDataObject, job: PrintJob): ItemError {
	const said = serviceMessageOf(answer);
	return new ItemError(
		`Printer "${job.printerName}" did not take the labels${said ? `: ${said}` : ''}`,
		'Check that it is switched on, has paper and is free, then send the labels again.',
		{ ...factsOf(job), correlationId: answer.correlationId as string },
		true,
	);
}

function wordsForOpen(facts: ErrorFacts, { printerName }: PrintJob) {
	const said = facts.details?.serviceMessage;
	return {
		message: `The labels may have been printed on "${printerName}", or not: ${facts.message}`,
		description: [
			'Look at the printer first. If nothing came out, send the labels again; this node does not repeat a job by itself.',
			said && `The service said: ${String(said)}`,
			// What may pass needs no advice beyond the printer; what stays, such as a wrong address, does.
			!facts.isTransient && facts.description,
		]
			.filter(Boolean)
			.join(' '),
	};
}

function wordsForRefusal(facts: ErrorFacts, { printerName }: PrintJob) {
	const said = facts.details?.serviceMessage;
	const reason = said ? String(said) : facts.message;
	if (facts.status === 410 || /expired/i.test(reason)) {
		return {
			message: `The print hash has expired: ${reason}`,
			description: `A hash can be used for ${HASH_VALIDITY_DAYS} days. Print again from the shipment's ID with Label, Print, and send the new hash.`,
		};
	}
	return {
		message: `Printer "${printerName}" did not get the labels: ${reason}`,
		description: `Check the spelling of the printer's name, that the printer is switched on and that the print service reaches it. If the hash is not accepted, print again from the shipment's ID with Label, Print.`,
	};
}

function factsOf({ hash, printerName }: PrintJob): IDataObject {
	return { printerName, hash };
}
