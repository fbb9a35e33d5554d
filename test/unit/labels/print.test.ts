import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { planShipmentJobs } from '../../../nodes/ParcelShipping/labels/print';
import { jobKeyOf, type PrintJob } from '../../../nodes/ParcelShipping/labels/printJob';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import { type Act, Journal } from '../../../nodes/ParcelShipping/writes/journal';
import { clientOf, responseOf } from '../../support/respondingClient';
import { contextOf } from '../../support/tries';

type Groups = Array<{ carrierCode: string | null; labelsCount: number; hash?: string }>;

const SHIPMENTS = ['ANT', 'ANT', 'BEAVER'].map((carrierCode, at) => ({ id: at + 1, carrierCode }));

/** A try at a service that creates these labels, or none if nothing may be requested. */
function tryAt(store: IDataObject, groups?: Groups): NodeRun {
	const { client } = clientOf(() => {
		if (!groups) throw new Error('Requested');
		const result = groups.map((group) => ({
			...{ carrierName: String(group.carrierCode), labelsUrl: '', hash: 'h' },
			...group,
		}));
		return responseOf(200, { result, correlationId: '' });
	});
	const context = Object.assign(contextOf(store) as unknown as object, {
		addExecutionHints: () => {},
	}) as IExecuteFunctions;
	return { context, client, items: [] };
}

/** The jobs for shipments 1 (ANT), 2 (ANT) and 3 (BEAVER), if the service creates these labels. */
async function jobsFor(groups: Groups) {
	const jobs = await planShipmentJobs(tryAt({}, groups), 'P', SHIPMENTS);
	return jobs.map((job) => [
		job.shipmentIds,
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

test('in a retry, the carrier whose labels the printer refused gets new ones if a shipment is not wanted any more', async () => {
	const store = {};
	const groups = [
		{ carrierCode: 'ANT', labelsCount: 2, hash: 'ant' },
		{ carrierCode: 'BEAVER', labelsCount: 1, hash: 'beaver' },
	];
	const first = tryAt(store, groups);
	await planShipmentJobs(first, 'P', SHIPMENTS);
	const journal = new Journal<Act & { target: PrintJob }>(first.context, 'print', jobKeyOf);
	const target = { printerName: 'P', hash: 'beaver' };
	journal.keepDone({ targets: [target], outcome: { state: 'done', value: {} } });

	const hashes = async (again: Groups | undefined, ...wanted: number[]) => {
		const shipments = SHIPMENTS.filter(({ id }) => wanted.includes(id));
		const jobs = await planShipmentJobs(tryAt(store, again), 'P', shipments);
		return jobs.map((job) => 'hash' in job && [job.hash, ...job.shipmentIds]);
	};
	expect(await hashes(undefined, 1, 2, 3)).toEqual([
		['ant', 1, 2],
		['beaver', 3],
	]);
	const ofTwo = [{ carrierCode: 'ANT', labelsCount: 1, hash: 'two' }];
	expect(await hashes(ofTwo, 2, 3)).toEqual([
		['beaver', 3],
		['two', 2],
	]);
});
