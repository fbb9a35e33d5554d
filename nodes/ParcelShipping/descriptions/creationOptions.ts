import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { maxConcurrencyOption, maxRetryWaitOption, optionsField } from './requestOptions';

/** What stands in *Options* of creating shipments. */
export interface CreationOptions {
	batchSize: number;
	carrierEndpoint: boolean;
	downloadLabels: boolean;
	dryRun: boolean;
	ifExists: 'reuse' | 'create' | 'fail';
	lookbackDays: number;
	maxRetryWait: number;
	output: 'shipments' | 'batches';
	timeout: number;
}

export const creationOptionsField = optionsField(
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'json',
		default: '{}',
		description:
			'JSON that is merged into each shipment, for fields of your carrier that the form does not have, and for additional services',
	},
	{
		displayName: 'Batch Size',
		name: 'batchSize',
		type: 'number',
		default: 100,
		typeOptions: { minValue: 1 },
		description:
			'How many shipments go into one request. Each request makes one batch, of one carrier.',
	},
	{
		displayName: 'Carrier Endpoint',
		name: 'carrierEndpoint',
		type: 'boolean',
		default: false,
		description:
			'Whether to name the carrier in the address (/{carrier}/Create) instead of using /Package/Create',
	},
	{
		displayName: 'Download Labels',
		name: 'downloadLabels',
		type: 'boolean',
		default: false,
		description:
			'Whether to attach the label files as PDF in the binary field data: one per piece, or one per batch if the output is batches. If a file cannot be fetched, its item says so in labelNotDownloaded and keeps the link.',
	},
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: false,
		description:
			'Whether to send nothing and only output per item what would happen: the request as it would be sent, and whether it would be created, reused or refused',
	},
	{
		displayName: 'If It Exists',
		name: 'ifExists',
		type: 'options',
		default: 'reuse',
		description:
			'What to do when the carrier has a shipment with the same Custom Shipment Number that is not canceled. Looking costs at most one request per item before sending, and fewer for many items, which are looked up in the list of recent shipments, 100 per request. Where the service lists shipments without their numbers, each candidate costs one more.',
		options: [
			{
				name: 'Create Another One',
				value: 'create',
				description:
					'Does not look for existing ones. Running the workflow twice creates everything twice. Items with the same number go into separate requests.',
			},
			{
				name: 'Fail the Item',
				value: 'fail',
				description: 'The item fails and says which shipment exists',
			},
			{
				name: 'Use the Existing One',
				value: 'reuse',
				description:
					'Outputs it with alreadyExisted: true and sends nothing, so running the workflow again is safe',
			},
		],
	},
	{
		displayName: 'Lookback Days',
		name: 'lookbackDays',
		type: 'number',
		default: 30,
		typeOptions: { minValue: 0 },
		description:
			'How many days back an existing shipment is looked for. Older ones count as not existing.',
	},
	maxConcurrencyOption,
	maxRetryWaitOption,
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: 'shipments',
		description: 'What an output item stands for',
		options: [
			{
				name: 'One Item per Batch',
				value: 'batches',
				description: 'Each batch with its label file and the list of its shipments',
			},
			{
				name: 'One Item per Shipment',
				value: 'shipments',
				description: 'Each shipment; of several pieces, each piece',
			},
		],
	},
	{
		displayName: 'Timeout (Ms)',
		name: 'timeout',
		type: 'number',
		default: 300000,
		typeOptions: { minValue: 1 },
		description:
			'How long to wait for the answer to one request. A request that takes longer is not sent again: what became of it is read back from the service.',
	},
);

/** An option that was not added has the default that the form shows for it. */
export function readCreationOptions(given: IDataObject): CreationOptions {
	const fields = creationOptionsField.options as INodeProperties[];
	const defaults = Object.fromEntries(fields.map((field) => [field.name, field.default]));
	return { ...defaults, ...given } as unknown as CreationOptions;
}
