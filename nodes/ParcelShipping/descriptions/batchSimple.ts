import type { Batch } from '../transport/contract';

/** What *Simplify* leaves of a batch, in the list as well as alone. */
export const BATCH_SIMPLE_FIELDS: Array<keyof Batch> = [
	'id',
	'carrierCode',
	'created',
	'ordersCount',
	'packagesCount',
	'errorsCount',
	'labelsUrl',
	'labelsHash',
	'source',
	'isArchived',
];
