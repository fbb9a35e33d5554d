import { countOf, listTexts } from '../lists';
import { HASH_VALIDITY_DAYS, type LabelGroup } from '../transport/endpoints';
import {
	concernsAllRequests,
	type ErrorText,
	isServiceError,
	ItemError,
	reasonOf,
	reword,
} from '../transport/errors';
import { serviceMessageOf } from '../transport/response';
import type { HashItem, Job, LabelToPrint } from './job';

// Errors of print jobs, at most two sentences each besides the reason.

type Named = Pick<Job, 'ids' | 'orderNumbers' | 'hash' | 'printer' | 'printerName'>;

/** Jobs for one printer can fail for the same reason, so that only this tells their errors apart. */
function nameOfLabels({ ids, orderNumbers, hash }: Named): string {
	if (ids.length === 0) return `The labels with hash ${hash}`;
	const labels = ids.length === 1 ? 'The label' : 'The labels';
	const { length } = orderNumbers;
	if (length > 0)
		return `${labels} of ${length === 1 ? 'order' : 'orders'} ${listTexts(orderNumbers)}`;
	return `${labels} of ${ids.length === 1 ? 'shipment' : 'shipments'} ${listTexts(ids.map(String))}`;
}

/** `labelNotPrinted` is the reason alone, for messages that name the shipment themselves. */
const detailsOf = ({ printerName, hash, ids }: Named, labelNotPrinted: string) => ({
	labelNotPrinted,
	printerName,
	hash,
	...(ids.length > 0 ? { shipmentIds: ids } : {}),
});

const CHECK_PRINTER = 'Check the printer. To print anyway, run Label: Send to Printer.';

/** After this, a retry sends the job. */
const nothingPrinted = ({ ids }: Named) =>
	ids.length === 0
		? 'Nothing was printed. Check the printer, or choose another one.'
		: 'Nothing was printed. Check the printer or choose another one, then retry the execution or print by order number or ID: the provider may count the labels as printed.';

const notPrintedText = (job: Named) =>
	`${nameOfLabels(job)} ${job.ids.length === 1 ? 'was' : 'were'} not printed on "${job.printer}"`;

export function lostError(job: Job, lost: ErrorText): ItemError {
	return mayBePrintedError(job, reasonOf(lost));
}

/** An earlier try has sent it. */
export const sentError = (job: Job) =>
	mayBePrintedError(job, 'an earlier try has sent it, and its response was lost');

function mayBePrintedError(job: Job, reason: string): ItemError {
	return new ItemError(
		`${nameOfLabels(job)} may or may not have been printed on "${job.printer}": ${reason}`,
		CHECK_PRINTER,
		detailsOf(job, `It may or may not have been printed on "${job.printer}": ${reason}`),
		true,
	);
}

/** The job certainly did not reach the printer. */
export function refusedError(job: Job, thrown: unknown): unknown {
	if (!isServiceError(thrown)) return thrown;
	const { facts } = thrown;
	const reason = String(thrown.details.serviceMessage ?? thrown.message);
	const isExpired =
		facts.status === 410 || (/expired/i.test(reason) && /hash|print job|label/i.test(reason));
	return reword(thrown, ({ description, details }) => ({
		...(concernsAllRequests(facts)
			? {
					description: job.ids.length === 0 ? description : `${description} ${nothingPrinted(job)}`,
				}
			: isExpired
				? {
						message: `The print hash has expired: ${reason}`,
						description: `A hash is valid for ${HASH_VALIDITY_DAYS} days. Set 'Labels' to 'Of Shipments' to print by shipment ID.`,
					}
				: {
						message: `${notPrintedText(job)}: ${reason}`,
						description: nothingPrinted(job),
					}),
		details: { ...details, ...detailsOf(job, reason) },
	}));
}

export function notAcceptedError(job: Job, response: { correlationId?: string }): ItemError {
	const reason = serviceMessageOf(response) ?? `Printer "${job.printer}" did not accept the job`;
	const details = { ...detailsOf(job, reason), correlationId: response.correlationId };
	return new ItemError(`${notPrintedText(job)}: ${reason}`, nothingPrinted(job), details, true);
}

/** An earlier try has requested the label, and its response was lost. */
export function requestedError(label: HashItem | LabelToPrint): ItemError {
	const ids = 'id' in label ? [label.id] : [];
	const orderNumbers = 'id' in label && label.orderNumber ? [label.orderNumber] : [];
	const { printer, printerName } = label;
	const named = { ids, orderNumbers, printer, printerName, hash: '' };
	return new ItemError(
		`${notPrintedText(named)}: an earlier try has requested it and not received it`,
		CHECK_PRINTER,
		{ printerName, shipmentIds: ids },
		true,
	);
}

export const noHashError = (
	{ carrierCode, carrierName }: LabelGroup,
	ids: readonly number[],
	isShared: boolean,
) =>
	new ItemError(
		isShared
			? `The provider created several files for the label of shipment ${ids.join()}`
			: `The provider returned no print hash for ${countOf(ids.length, 'label')} of ${carrierName}`,
		'Use Label: Create Label Files to download the labels, and print the file.',
		{ carrierCode, shipmentIds: [...ids] },
		true,
	);
