import type { IDataObject } from 'n8n-workflow';

import { createLabels, planJobs } from '../../../nodes/ParcelShipping/labels/planJobs';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import { contextOf } from '../../support/tries';
import { clientOf, responseOf } from '../../support/respondingClient';

// What is printed in a retry is decided by the jobs that earlier tries have planned.

/** Plans jobs in a try. Each request for labels returns a hash with its number. */
function planningAt(store: IDataObject) {
	let count = 0;
	const { client } = clientOf(({ body = '{}' }) => {
		const { packages } = JSON.parse(body) as { packages: number[] };
		const group = { carrierCode: 'ANT', carrierName: 'Ant', labelsUrl: '', hash: `h${++count}` };
		return responseOf(200, {
			result: [{ ...group, labelsCount: packages.length }],
			correlationId: '',
		});
	});
	const context = Object.assign(contextOf(store), { addExecutionHints: () => {} });
	return async (printers: Record<number, string>, sentHashes: string[] = []) => {
		const labels = Object.entries(printers).map(([id, printerName]) => {
			return { id: Number(id), item: Number(id), carrierCode: 'ANT', printerName };
		});
		const run = { context, client, items: [] } as NodeRun;
		const jobs = await planJobs(run, labels, new Set(sentHashes));
		return jobs.map((job) => 'hash' in job && [job.hash, job.printerName, job.shipments?.ids]);
	};
}

test('a person who retries on another printer sends the labels that the first printer refused', async () => {
	const plan = planningAt({});
	expect(await plan({ 1: 'Off', 2: 'Off' })).toEqual([['h1', 'Off', [1, 2]]]);
	// Nothing was sent. The labels are not created again, because that could mark them as printed.
	expect(await plan({ 1: 'Zebra', 2: 'Zebra' })).toEqual([['h1', 'Zebra', [1, 2]]]);
});

test('what was sent to a printer is not planned again, and a label that is new is', async () => {
	const plan = planningAt({});
	await plan({ 1: 'Zebra' });
	expect(await plan({ 1: 'Zebra', 2: 'Zebra' }, ['h1'])).toEqual([['h2', 'Zebra', [2]]]);
});

test('a print job goes to one printer as a whole: that of its first label', async () => {
	const plan = planningAt({});
	await plan({ 1: 'Off', 2: 'Off' });
	expect(await plan({ 1: 'Zebra', 2: 'A4' })).toEqual([['h1', 'Zebra', [1, 2]]]);
});

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
