import type { IDataObject } from 'n8n-workflow';

import { HASH_VALIDITY_DAYS } from '../transport/contract';
import { type ErrorFacts, isServiceError, ItemError, ServiceError } from '../transport/errors';
import { serviceMessageOf } from '../transport/serviceMessage';
import type { PrintJob } from './printJobs';

/** Adds to an error what it means for the print job. */
export function explainPrintError(
	thrown: unknown,
	job: PrintJob,
): { failure: unknown; mayHavePrinted: boolean } {
	// An unexpected error may have occurred after the job was sent.
	if (!isServiceError(thrown)) return { mayHavePrinted: true, failure: thrown };

	const { facts } = thrown;
	const withText = (text: Pick<ErrorFacts, 'message' | 'description'>) =>
		new ServiceError({ ...facts, ...text, details: { ...facts.details, ...detailsOf(job) } });

	if (facts.mayHaveActed) {
		return { mayHavePrinted: true, failure: withText(unknownOutcomeText(facts, job)) };
	}
	// The error concerns the credential, the address or the service, not this printer.
	if (facts.cause !== undefined) return { mayHavePrinted: false, failure: withText(facts) };
	return { mayHavePrinted: false, failure: withText(refusalText(facts, job)) };
}

/** The service answered `result: false`. */
export function notAcceptedError(answer: IDataObject, job: PrintJob): ItemError {
	const serviceMessage = serviceMessageOf(answer);
	return new ItemError(
		`Printer "${job.printerName}" did not accept the labels${serviceMessage ? `: ${serviceMessage}` : ''}`,
		'Check that the printer is switched on, has paper and is not busy, then send the labels again.',
		{ ...detailsOf(job), correlationId: answer.correlationId as string },
		true,
	);
}

function unknownOutcomeText(facts: ErrorFacts, { printerName }: PrintJob) {
	const serviceMessage = facts.details?.serviceMessage;
	const reason = serviceMessage ? String(serviceMessage) : facts.message;
	return {
		message: `The labels may or may not have been printed on "${printerName}": ${reason}`,
		description: [
			'Check the printer first. If nothing was printed, send the labels again. This node never repeats a print job by itself.',
			// A lasting problem, such as a wrong address, needs more advice than a temporary one.
			!facts.isTransient && !serviceMessage && facts.description,
		]
			.filter(Boolean)
			.join(' '),
	};
}

function refusalText(facts: ErrorFacts, { printerName }: PrintJob) {
	const serviceMessage = facts.details?.serviceMessage;
	const reason = serviceMessage ? String(serviceMessage) : facts.message;
	if (facts.status === 410 || /expired/i.test(reason)) {
		return {
			message: `The print hash has expired: ${reason}`,
			description: `A hash is valid for ${HASH_VALIDITY_DAYS} days. To print from the shipment ID instead, set Labels to Of Shipments.`,
		};
	}
	return {
		message: `Could not send the labels to printer "${printerName}": ${reason}`,
		description:
			'Check the spelling of the printer name, that the printer is switched on and that the print service can reach it. If the hash was refused, set Labels to Of Shipments to print from the shipment ID.',
	};
}

function detailsOf({ hash, printerName }: PrintJob): IDataObject {
	return { printerName, hash };
}
