import { groupBy } from '../lists';
import type { NodeRun } from '../run';
import { ItemError } from '../transport/errors';
import { notDone } from '../writes/journal';
import { type CreatedLabels, createLabels, type Unlabeled, type WantedLabel } from './createLabels';
import { type PrintAct, type PrintJob, printKeyOf, type PrintOutcome } from './printJob';

/** Creates the labels for one printer. Each hash that the service returns is one job. */
export async function createJobs(
	run: NodeRun,
	printerName: string,
	labels: readonly WantedLabel[],
): Promise<{ jobs: PrintJob[]; unlabeled: PrintOutcome[] }> {
	const byId = groupBy(labels, ({ id }) => id);
	const settings = { format: 'pdf' } as const;
	const together = await createLabels(run, labels, settings);
	// Only one by one, it is certain whose labels each hash prints.
	const isUnclear = (each: CreatedLabels | Unlabeled) =>
		'group' in each && each.isShared && each.ids.length > 1;
	const unclearIds = new Set(together.filter(isUnclear).flatMap(({ ids }) => ids));
	const alone = await run.client.mapParallel([...unclearIds], async (id) =>
		createLabels(run, byId.get(id) ?? [], settings),
	);
	const targetsOf = (ids: readonly number[], ofGroup?: string | null) =>
		ids.map((id) => {
			const wanted = byId.get(id) ?? [];
			const carrierCode = ofGroup ?? wanted[0]?.carrierCode ?? '';
			return { id, carrierCode, items: wanted.map(({ item }) => item) };
		});
	const jobs: PrintJob[] = [];
	const unlabeled: PrintOutcome[] = [];
	for (const each of [...together.filter((one) => !isUnclear(one)), ...alone.flat()]) {
		if ('failure' in each) {
			unlabeled.push(...notDone<PrintAct>(targetsOf(each.ids), each.failure));
			continue;
		}
		const { ids, group, labelsMissing, isShared } = each;
		const { carrierCode, carrierName, labelsCount, hash } = group;
		const targets = targetsOf(ids, carrierCode);
		if (hash && !isShared) {
			const missing = labelsMissing > 0 ? { labelsMissing } : {};
			const output = { carrierCode, carrierName, labelsCount, ...missing };
			jobs.push({ printerName, hash, labels: output, targets });
			continue;
		}
		const failure = new ItemError(
			isShared
				? `The service created several files for the label of shipment ${ids.join()}`
				: `The service returned no print hash for the labels of ${carrierName}`,
			'Use Label: Create Label Files to download the labels, and print the file.',
			{ carrierCode, printerName },
			true,
		);
		unlabeled.push(...notDone<PrintAct>(targets, failure));
	}
	// Several files for one label are one problem.
	const byKey = new Map(unlabeled.map((each) => [printKeyOf(each.targets[0]), each]));
	return { jobs, unlabeled: [...byKey.values()] };
}
