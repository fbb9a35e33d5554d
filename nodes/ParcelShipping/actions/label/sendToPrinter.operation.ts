import type { IExecuteFunctions } from 'n8n-workflow';

import {
	maxConcurrencyOption,
	maxRetryWaitOption,
	optionsField,
} from '../../descriptions/requestOptions';
import { groupBy } from '../../lists';
import { type PrintJob, PrintLedger } from '../../labels/printLedger';
import { explainPrintFailure, notTaken } from '../../labels/printErrors';
import { ItemError, describeError } from '../../transport/errors';
import type { BulkOperation, Outcome, Run } from '../operation';

const DEFAULT_TIMEOUT_MS = 60_000;

export const operation: BulkOperation = {
	name: 'Send to Printer',
	value: 'sendToPrinter',
	action: 'Send labels to a printer',
	description: 'Print labels that were made before on a printer of the print service',
	fields: [
		{
			displayName: 'Hash',
			name: 'hash',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. {{ $json.hash }}',
			description:
				'The print hash: hash from Label, Print or labelsHash from Shipment, Create. It can be used for 14 days.',
		},
		{
			displayName: 'Printer Name',
			name: 'printerName',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Warehouse Zebra',
			description: 'The name of the printer as the print service spells it',
		},
		optionsField(
			{
				...maxConcurrencyOption,
				description:
					'How many printers may be busy at the same time. One printer gets its jobs one after another.',
			},
			maxRetryWaitOption,
			{
				displayName: 'Timeout (Ms)',
				name: 'timeout',
				type: 'number',
				default: DEFAULT_TIMEOUT_MS,
				typeOptions: { minValue: 1 },
				description: 'How long to wait for the printer to take one job',
			},
		),
	],

	async executeAll(run) {
		const { jobs, refused } = readJobs(run.context, run.items.length);
		const goesOn = run.context.continueOnFail();
		if (refused.length > 0 && !goesOn) return refused;

		const ledger = openLedger(run.context);
		const queues = groupBy(jobs, ({ printerName }) => printerName);
		let hasFailed = false;
		const printed = await run.client.mapParallel([...queues.values()], async (queue) => {
			const outcomes: Outcome[] = [];
			for (const job of queue) {
				if (hasFailed && !goesOn) break;
				const outcome = await print(run, job, ledger);
				hasFailed ||= 'failure' in outcome;
				outcomes.push(outcome);
			}
			return outcomes;
		});
		return [...refused, ...printed.flat()];
	},

	describeKept(outcomes) {
		const printed = outcomes
			.filter((outcome) => !('failure' in outcome))
			.flatMap(({ items }) => items)
			.sort((a, b) => a - b);
		return printed.length > 0 ? `Printed already: item ${printed.join(', ')}.` : undefined;
	},
};

function readJobs(context: IExecuteFunctions, itemCount: number) {
	const jobs: PrintJob[] = [];
	const refused: Outcome[] = [];
	for (let item = 0; item < itemCount; item++) {
		try {
			const hash = readText(context, 'hash', 'Hash', item);
			const printerName = readText(context, 'printerName', 'Printer Name', item);
			jobs.push({ item, hash, printerName });
		} catch (failure) {
			refused.push({ items: [item], failure });
		}
	}
	return { jobs, refused };
}

function readText(context: IExecuteFunctions, name: string, label: string, item: number): string {
	const value = context.getNodeParameter(name, item, '') as unknown;
	const text = value === null || value === undefined ? '' : String(value).trim();
	if (text !== '') return text;
	throw new ItemError(
		`${label} of item ${item} is empty`,
		'Enter it, or check what the expression gives for this item.',
		{ field: name, itemIndex: item },
	);
}

function openLedger(context: IExecuteFunctions): PrintLedger {
	return new PrintLedger(context.getContext('node'), {
		executionId: context.getExecutionId(),
		runIndex: context.getWorkflowDataProxy(0).$runIndex as number,
	});
}

async function print(run: Run, job: PrintJob, ledger: PrintLedger): Promise<Outcome> {
	const { item, hash, printerName } = job;
	const items = [item];
	const known = ledger.find(job);
	if (known?.state === 'printed') return { items, json: known.output };
	if (known) {
		return {
			items,
			failure: new ItemError(known.message, known.description, known.details, true),
		};
	}

	const { timeout = DEFAULT_TIMEOUT_MS } = run.context.getNodeParameter('options', 0, {}) as {
		timeout?: number;
	};
	try {
		const answer = await run.client.call('sendToPrinter', { body: { hash, printerName } }, timeout);
		if (!answer.result) return { items, failure: notTaken(answer, job) };
		const output = { hash, printerName, printed: true, correlationId: answer.correlationId };
		ledger.write(job, { state: 'printed', output });
		return { items, json: output };
	} catch (thrown) {
		const { failure, isOpen } = explainPrintFailure(thrown, job);
		if (isOpen) ledger.write(job, { state: 'open', ...describeError(failure) });
		return { items, failure };
	}
}
