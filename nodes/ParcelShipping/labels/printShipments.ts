import { groupBy } from '../lists';
import type { LabelGroup } from '../transport/contract';
import { ItemError } from '../transport/errors';
import {
	type LabelRequest,
	MAX_SHIPMENTS_PER_REQUEST,
	planLabelRequests,
	requestLabels,
} from './labelRequests';
import type { PrintJob } from './printJobs';
import type { PrintLedger } from './printLedger';
import type { ItemResult, NodeRun } from '../run';

export interface ShipmentsItem {
	item: number;
	shipmentIds: number[];
	printerName: string;
}

type FailedItem = ItemResult & { failure: unknown };

/** Requests the labels of the shipments of each printer together: one hash, and one job, per carrier. */
export async function planShipmentJobs(
	run: NodeRun,
	items: readonly ShipmentsItem[],
	ledger: PrintLedger,
): Promise<Array<PrintJob | FailedItem>> {
	const settings = { format: 'pdf' } as const;
	const requests = [...groupBy(items, ({ printerName }) => printerName)].flatMap(
		([printerName, ofPrinter]) =>
			planLabelRequests(
				ofPrinter.map(({ item, shipmentIds }) => ({ item, shipmentIds, settings })),
				MAX_SHIPMENTS_PER_REQUEST,
			).map((request) => ({ printerName, request })),
	);
	const jobs = await run.client.mapParallel(requests, async ({ printerName, request }) =>
		createJobs(run, printerName, request, ledger),
	);
	return jobs.flat();
}

/** The jobs that print the labels of a request, with the hashes of an earlier try if there was one. */
export async function createJobs(
	run: NodeRun,
	printerName: string,
	request: LabelRequest,
	ledger: PrintLedger,
): Promise<Array<PrintJob | FailedItem>> {
	const { shipmentIds } = request;
	const items = request.items as PrintJob['items'];
	const known = ledger.findLabels(printerName, shipmentIds);
	if (known) return known.map((group) => toJob(items, printerName, group));

	const created = await requestLabels(run, request);
	const failed = created.filter((labels) => 'failure' in labels);
	if (failed.length > 0) return failed;
	const groups = created.flatMap((labels) => ('group' in labels ? labels.group : []));
	ledger.writeLabels(printerName, shipmentIds, groups);
	return groups.map((group) => toJob(items, printerName, group));
}

function toJob(
	items: PrintJob['items'],
	printerName: string,
	{ carrierCode, carrierName, labelsCount, hash }: LabelGroup,
): PrintJob | FailedItem {
	if (hash) {
		const labels = { carrierCode, carrierName, labelsCount };
		return { items, hash, printerName, labels, isCombined: true };
	}
	const failure = new ItemError(
		`The service returned no print hash for the labels of ${carrierName}`,
		'Use Label, Create Label Files to download the labels, and print the file.',
		{ carrierCode, printerName },
		true,
	);
	return { items, failure };
}
