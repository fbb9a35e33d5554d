import type { IDataObject } from 'n8n-workflow';

import type { WantedLabel } from './createLabels';

// Labels go to a printer as jobs: what one hash prints on one printer. A job is *labeled* once its hash exists, *sent*
// from before its request until the response, and *printed* once the response says so. If the printer refuses it, it is
// labeled again. A label whose own request was lost is *requested*, without a job. A retry sends what is labeled, and
// nothing that is requested, sent or printed.
//
// To print (`print.ts`): what `earlierJobs` names as over is not sent again. `stillWanted` are those to send again. For the
// other labels, `createJobs` for each printer, or a job of your own if you have a hash already. Then `sendJobs`.

/** Plain JSON. */
export interface Job {
	hash: string;
	printerName: string;
	/** How the user knows the printer. */
	printer: string;
	/** Of the shipments and pieces whose labels these are. Empty if the user has entered the hash. */
	ids: number[];
	/** Of the same labels, as far as they are known. */
	orderNumbers: string[];
	/** The input items that want it. */
	items: number[];
	state: 'labeled' | 'sent' | 'printed';
	/** What the output says besides hash and printer. */
	output: IDataObject;
	/** The execution that sent it last. */
	execution?: string;
}

/** The outcome of the labels of some items. */
export interface PrintResult {
	ids: number[];
	items: number[];
	/** Absent if the labels were not created. */
	job?: Job;
	/** Absent: they were printed. */
	failure?: unknown;
}

export interface LabelToPrint extends WantedLabel {
	printerName: string;
	printer: string;
	orderNumber?: string | undefined;
}

export type HashItem = { item: number; hash: string; printerName: string; printer: string };
