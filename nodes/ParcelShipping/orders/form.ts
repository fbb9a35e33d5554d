import { isRecord } from '../records';

/** A parameter may be a mapper or resource locator, or an expression that gives one or its value. */
export const valueOf = (given: unknown): unknown =>
	isRecord(given) && 'value' in given ? given.value : given;

/** The choice of 'Order Data' without a shop. */
export const MAPPED = 'mapped';

/** The options of *Create*, which hold for all items. */
export interface CreationOptions {
	ifExists: 'reuse' | 'create' | 'fail';
	ifDiffers: 'fail' | 'reuse';
	lookbackDays: number;
	/** More payment methods that mean cash on delivery, separated by commas. */
	codMethods: string;
	/** Of the workflow, not an option. */
	timezone: string;
	/** For orders without a weight, in kilograms. 0 leaves it out. */
	defaultWeight: number;
	batchSize: number;
	timeout: number;
	/** Also how long the records are searched for the outcome of a request without a response. */
	maxRetryWait: number;
	dryRun: boolean;
	ifPrintingFails: 'fail' | 'continue';
	downloadLabels: boolean;
	output: 'shipments' | 'batches';
}
