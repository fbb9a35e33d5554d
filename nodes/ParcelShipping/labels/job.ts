import type { IDataObject } from 'n8n-workflow';

import type { ErrorText } from '../transport/errors';
import type { WantedLabel } from './createLabels';

export interface Printer {
	printerName: string;
	/** How the user knows it. */
	printer: string;
}

/**
 * What one hash prints on one printer. *Requested*: there is no hash, because the labels were not created, or their response
 * was lost. *Labeled*: the hash exists, and the printer has not accepted it. *Sent*: from before the request until the
 * response. A retry sends what is labeled, and nothing that is sent or printed. Plain JSON.
 */
export interface Job extends Printer {
	/** '' if it is only requested. */
	hash: string;
	/** Of the shipments and pieces whose labels these are. Empty if the user has entered the hash. */
	ids: number[];
	/** Of the same labels, as far as they are known. */
	orderNumbers: string[];
	/** The input items that want it. */
	items: number[];
	state: 'requested' | 'labeled' | 'sent' | 'printed';
	/** What the output says besides hash and printer. */
	output: IDataObject;
	/** The execution that sent it last. */
	execution?: string;
}

/** How far a job came, and why not further. */
export interface JobResult {
	job: Job;
	why?: ErrorText;
}

export type LabelToPrint = WantedLabel & Printer;

export type HashItem = { item: number; hash: string } & Printer;

/** A label by its ID, or all labels of a hash that the user has entered. */
export const keyOf = (each: { hash: string } | { id: number }) =>
	'id' in each ? String(each.id) : each.hash;

export const keysOf = ({ ids, hash }: Job) => (ids.length > 0 ? ids.map(String) : [hash]);
