/** The options of *Create*, which hold for all items. */
export interface CreationOptions {
	ifShipped: 'returnUnchanged' | 'return' | 'fail';
	/** More payment methods that mean cash on delivery, separated by commas. */
	codMethods: string;
	/** Of the workflow, not an option. */
	timezone: string;
	/** For orders without a weight, in kilograms. 0 leaves it out. */
	defaultWeight: number;
	dryRun: boolean;
	labels: 'none' | 'print' | 'attach';
}
