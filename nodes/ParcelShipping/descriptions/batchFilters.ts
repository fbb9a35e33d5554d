import type { BodyOf } from '../transport/contract';
import { carrierCodes, createdFrom, createdTo, type Filters, readBoolean } from './filters';

export type BatchFilters = Omit<BodyOf<'findBatches'>, 'start' | 'length' | 'sortOrder'>;

export const batchFilters: Filters<BatchFilters> = {
	carrierCodes,
	createdFrom,
	createdTo,
	archived: {
		form: {
			displayName: 'Archived',
			type: 'boolean',
			default: false,
			description:
				'Whether to return archived batches only. Turned off, only batches that are not archived; without this filter, both.',
		},
		read: readBoolean,
	},
};
