import type { IExecuteFunctions } from 'n8n-workflow';

import { maxConcurrencyOption, maxRetryWaitOption, optionsField } from '../../descriptions/options';
import { type PrintJob, PrintLedger, sendPrintJob } from '../../labels/printJobs';
import { groupBy } from '../../lists';
import { ItemError } from '../../transport/errors';
import type { BulkOperation } from '../operation';
import { readEachItem, runUntilFirstFailure } from '../runItems';

const DEFAULT_TIMEOUT_MS = 60_000;

export const operation: BulkOperation = {
	name: 'Send to Printer',
	value: 'sendToPrinter',
	action: 'Send a label to a printer',
	description: 'Send existing labels to a printer',
	fields: [
		{
			displayName: 'Hash',
			name: 'hash',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. {{ $json.hash }}',
			description:
				'The print hash: hash from Label, Print or labelsHash from Shipment, Create. It is valid for 14 days.',
		},
		{
			displayName: 'Printer Name',
			name: 'printerName',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Warehouse Zebra',
			description: 'Name of the printer, spelled as in the print service',
		},
		optionsField(
			{
				...maxConcurrencyOption,
				description:
					'Maximum number of printers to use in parallel. The jobs of one printer are sent one after another.',
			},
			maxRetryWaitOption,
			{
				displayName: 'Timeout (Ms)',
				name: 'timeout',
				type: 'number',
				default: DEFAULT_TIMEOUT_MS,
				typeOptions: { minValue: 1 },
				description: 'How long to wait for the printer to accept one job',
			},
		),
	],

	async executeAll(run) {
		const { context } = run;
		const { valid: jobs, invalid } = readEachItem(run, (item) => readJob(context, item));
		if (invalid.length > 0 && !context.continueOnFail()) return invalid;

		const ledger = new PrintLedger(context.getContext('node'), {
			executionId: context.getExecutionId(),
			runIndex: context.getWorkflowDataProxy(0).$runIndex as number,
		});
		const { timeout = DEFAULT_TIMEOUT_MS } = context.getNodeParameter('options', 0, {}) as {
			timeout?: number;
		};
		const queues = groupBy(jobs, ({ printerName }) => printerName);
		const sent = await runUntilFirstFailure(run, [...queues.values()], async (job) => [
			await sendPrintJob(run, job, ledger, timeout),
		]);
		return [...invalid, ...sent];
	},

	describeCompleted(results) {
		const printed = results
			.filter((result) => !('failure' in result))
			.flatMap(({ items }) => items)
			.sort((a, b) => a - b);
		return printed.length > 0 ? `Already printed: item ${printed.join(', ')}.` : undefined;
	},
};

function readJob(context: IExecuteFunctions, item: number): PrintJob {
	return {
		item,
		hash: readText(context, 'hash', 'Hash', item),
		printerName: readText(context, 'printerName', 'Printer Name', item),
	};
}

function readText(context: IExecuteFunctions, name: string, caption: string, item: number): string {
	const value = context.getNodeParameter(name, item, '') as unknown;
	const text = value === null || value === undefined ? '' : String(value).trim();
	if (text !== '') return text;
	throw new ItemError(
		`${caption} of item ${item} is empty`,
		'Enter a value, or check the result of the expression for this item.',
		{ field: name, itemIndex: item },
	);
}
