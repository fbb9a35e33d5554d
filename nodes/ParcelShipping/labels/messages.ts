import { countOf, listTexts } from '../lists';
import { HASH_VALIDITY_DAYS } from '../transport/endpoints';
import { describeError, type ErrorText, isServiceError, ItemError } from '../transport/errors';
import type { WantedLabel } from './createLabels';
import type { Job, JobResult } from './job';

/** For example 'The label of order 1001 was not printed on "Gate": Switched off'. Without names, it is one label. */
function describeLabels(
	{ ids, orderNumbers, hash }: Pick<Job, 'ids' | 'orderNumbers' | 'hash'>,
	done: string,
	{ message, details }: ErrorText,
): string {
	const [noun, names] =
		orderNumbers.length > 0 ? ['order', orderNumbers] : ['shipment ID', ids.map(String)];
	const isOne = ids.length === 1 || (ids.length === 0 && hash === '');
	const owner =
		names.length > 0
			? ` of ${noun}${names.length === 1 ? '' : 's'} ${listTexts(names)}`
			: hash && ` with hash ${hash}`;
	const labels = `The label${isOne ? '' : 's'}${owner}`;
	const verb = done.startsWith('not') ? (isOne ? 'was ' : 'were ') : '';
	return `${labels} ${verb}${done}: ${String(details.serviceMessage ?? message)}`;
}

/** The order numbers of these labels, as far as they are known. */
export const orderNumbersOf = (labels: readonly WantedLabel[], ids: readonly number[]) => [
	...new Set(labels.flatMap(({ id, orderNumber }) => (ids.includes(id) && orderNumber) || [])),
];

export function notCreatedError(
	labels: readonly WantedLabel[],
	ids: number[],
	thrown: unknown,
): ItemError {
	const why = describeError(thrown);
	const named = { ids, orderNumbers: orderNumbersOf(labels, ids), hash: '' };
	const details = { ...why.details, shipmentIds: ids };
	return new ItemError(describeLabels(named, 'not created', why), why.description, details, true);
}

const SENT_BEFORE: ErrorText = {
	message: 'an earlier try has sent it, and its response was lost',
	description: '',
	details: {},
};

/** What users read about a job that was not printed: one sentence, and what to do. */
export function describeJob(
	job: Omit<Job, 'items' | 'output'>,
	why: ErrorText = SENT_BEFORE,
): ErrorText {
	const { ids, printer, printerName, hash, state } = job;
	const isSent = state === 'sent';
	const done = isSent
		? `may or may not have been printed on "${printer}"`
		: `not printed on "${printer}"`;
	return {
		message: describeLabels(job, done, why),
		description: isSent
			? 'Check the printer. To print anyway, run Label: Send to Printer.'
			: why.description,
		details: {
			...why.details,
			printerName,
			...(hash === '' ? {} : { hash }),
			...(ids.length > 0 ? { shipmentIds: ids } : {}),
		},
	};
}

/** What to do about a job that the printer has refused. */
export function adviceFor({ ids }: Job, { description }: ErrorText, thrown?: unknown): string {
	// Further requests would fail as well.
	if (isServiceError(thrown) && thrown.facts.cause) return description;
	return ids.length === 0
		? `Check the printer, or choose another one. A print hash is valid for ${HASH_VALIDITY_DAYS} days: after that, print by order number.`
		: "Check the printer or choose another one. Then retry the execution, or print by order number: 'All Not Printed' may leave out labels that a printer has refused.";
}

export function noHashError(carrierName: string, isShared: boolean): ItemError {
	const reason = isShared
		? 'the provider created several files for it'
		: `the provider returned no print hash for ${carrierName}`;
	return new ItemError(reason, 'Use Label: Create Label Files, and print the file.', {}, true);
}

/**
 * For example "3 labels printed on Warehouse Zebra", or nothing. Neither labels that the provider has not created count, nor
 * those of the execution that a person has retried.
 */
export function countPrinted(results: readonly JobResult[], ownExecution: string): string[] {
	const printed = results
		.map(({ job }) => job)
		.filter(({ state, execution }) => state === 'printed' && execution === ownExecution);
	const labels = printed.flatMap(({ ids, output }) => ids.slice(Number(output.labelsMissing ?? 0)));
	const hashes = printed.filter(({ ids }) => ids.length === 0);
	const counts = [
		...(labels.length > 0 ? [countOf(labels.length, 'label')] : []),
		...(hashes.length > 0 ? [countOf(hashes.length, 'print job')] : []),
	];
	const printers = [...new Set(printed.map(({ printer }) => printer))];
	return counts.length > 0 ? [`${counts.join(' and ')} printed on ${listTexts(printers, 5)}`] : [];
}
