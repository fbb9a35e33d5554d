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
	dryRun: boolean;
	ifPrintingFails: 'fail' | 'continue';
	downloadLabels: boolean;
	output: 'shipments' | 'batches';
}
