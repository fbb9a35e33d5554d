import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { ItemError } from '../transport/errors';

/** The carrier chosen in the form, on which the list depends. */
export function readFormCarrier(context: ILoadOptionsFunctions): string {
	const chosen = context.getCurrentNodeParameter('carrierCode', { extractValue: true });
	const carrierCode = typeof chosen === 'string' ? chosen.trim() : '';
	if (carrierCode === '') {
		throw new ItemError(
			'No carrier is chosen yet',
			'Choose the carrier first; this list depends on it.',
		);
	}
	// The editor hands on what it can't work out before the workflow has run.
	if (carrierCode.startsWith('=')) {
		throw new ItemError(
			'The carrier comes from an expression whose value is not known yet',
			'Run the nodes before this one, or enter the value here by hand instead of choosing it.',
		);
	}
	return carrierCode;
}
