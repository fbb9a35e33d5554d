import { createLabels } from '../../../nodes/ParcelShipping/labels/planJobs';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import { contextOf } from '../../support/tries';
import { clientOf, responseOf } from '../../support/respondingClient';

/** The jobs for shipments 1 (ANT), 2 (ANT) and 3 (BEAVER), if the service creates these labels. */
async function jobsFor(groups: Array<{ carrierCode: string | null; labelsCount: number }>) {
	const { client } = clientOf(() => {
		const result = groups.map((group) => ({
			...{ carrierName: String(group.carrierCode), labelsUrl: '', hash: 'h' },
			...group,
		}));
		return responseOf(200, { result, correlationId: '' });
	});
	const context = Object.assign(contextOf({}), { addExecutionHints: () => {} });
	const run = { context, client, items: [] } as NodeRun;
	const shipments = ['ANT', 'ANT', 'BEAVER'].map((carrierCode, at) => ({
		id: at + 1,
		carrierCode,
		item: at,
	}));
	const jobs = await createLabels(run, 'P', shipments);
	return jobs.map((job) => [
		'failure' in job ? job.ids : job.shipments?.ids,
		'failure' in job
			? describeError(job.failure).message
			: (job.labels?.labelsMissing ?? 'all labels'),
	]);
}

test('the labels of each carrier are one job', async () => {
	const groups = [
		{ carrierCode: 'ANT', labelsCount: 2 },
		{ carrierCode: 'beaver', labelsCount: 1 },
	];
	expect(await jobsFor(groups)).toEqual([
		[[1, 2], 'all labels'],
		[[3], 'all labels'],
	]);
});

test('a shipment of a carrier without labels fails, and fewer labels than shipments are counted', async () => {
	expect(await jobsFor([{ carrierCode: 'ANT', labelsCount: 1 }])).toEqual([
		[[1, 2], 1],
		[[3], 'The service created no label for shipment 3'],
	]);
});

test('labels without a carrier are those of all shipments', async () => {
	expect(await jobsFor([{ carrierCode: null, labelsCount: 3 }])).toEqual([
		[[1, 2, 3], 'all labels'],
	]);
});
