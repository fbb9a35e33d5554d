import type { IDataObject } from 'n8n-workflow';

import { progressOfLabels } from '../../../nodes/ParcelShipping/labels/createLabels';
import { planJobs, planNewJobs } from '../../../nodes/ParcelShipping/labels/planJobs';
import type { PrintJob } from '../../../nodes/ParcelShipping/labels/printJob';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import { contextOf } from '../../support/tries';
import { clientOf, responseOf } from '../../support/respondingClient';

// What is printed in a retry is decided by the jobs that earlier tries have planned and sent.

type Label = [id: number, printerName: string, item?: number];

/** Plans jobs in a try. Each request for labels returns hashes with its number. */
function planningAt(store: IDataObject, carriers = ['ANT'], isKnown = true) {
	let count = 0;
	const { client } = clientOf(({ body = '{}' }) => {
		const { packages } = JSON.parse(body) as { packages: number[] };
		if (packages.includes(666)) return responseOf(400, { message: 'Canceled: 666' });
		count++;
		const result = carriers.map((carrierCode, index) => ({
			...{ carrierCode, carrierName: carrierCode, labelsUrl: '' },
			...{
				hash: `${carrierCode} ${count}${carriers.indexOf(carrierCode) < index ? ' more' : ''}`,
				labelsCount: packages.length / carriers.length,
			},
		}));
		return responseOf(200, { result, correlationId: '' });
	});
	const context = contextOf(store);
	return async (wanted: Label[], sent: PrintJob[] = []) => {
		const labels = wanted.map(([id, printerName, item = id]) => {
			return { id, item, printerName, ...(isKnown ? { carrierCode: 'ANT' } : {}) };
		});
		const run = { context, client, items: [] } as NodeRun;
		return await planJobs(run, labels, sent);
	};
}
const summaryOf = ({ hash, printerName, shipments, items }: PrintJob) => [
	...[hash, printerName, shipments?.ids, items],
];

test('a person who retries on another printer prints new labels of what the first printer refused', async () => {
	const plan = planningAt({});
	const { jobs } = await plan([
		[1, 'Off'],
		[2, 'Off'],
	]);
	expect(jobs.map(summaryOf)).toEqual([['ANT 1', 'Off', [1, 2], [1, 2]]]);
	const again = await plan([
		[1, 'Zebra'],
		[2, 'Zebra'],
	]);
	expect(again.jobs.map(summaryOf)).toEqual([['ANT 2', 'Zebra', [1, 2], [1, 2]]]);
});

test.each<[string, Label]>([
	['for the same item, on another printer', [1, 'A4', 1]],
	['for another item, on the same printer', [1, 'Zebra', 2]],
])('a label that was sent is not printed again %s', async (_, label) => {
	const plan = planningAt({});
	const { jobs: sent } = await plan([[1, 'Zebra', 1]]);
	const { jobs } = await plan([label, [2, 'Zebra', 2]], sent);
	expect(jobs.map(summaryOf)).toEqual([
		['ANT 1', 'Zebra', [1], [label[2]]],
		['ANT 2', 'Zebra', [2], [2]],
	]);
});

test('a label that was sent is printed for another item on another printer', async () => {
	const plan = planningAt({});
	const { jobs: sent } = await plan([[1, 'Zebra', 1]]);
	const { jobs } = await plan([[1, 'A4', 2]], sent);
	expect(jobs.map(summaryOf)).toEqual([['ANT 2', 'A4', [1], [2]]]);
});

test('if nobody says which carrier a shipment has, a retry sends the jobs as they were planned', async () => {
	const plan = planningAt({}, ['ANT', 'BEAVER'], false);
	const { jobs } = await plan([
		[1, 'Off'],
		[2, 'Off'],
	]);
	expect(jobs.map(summaryOf)).toEqual([
		['ANT 1', 'Off', [1, 2], [1, 2]],
		['BEAVER 1', 'Off', [1, 2], [1, 2]],
	]);
	expect(jobs.map(({ labels }) => labels?.labelsMissing)).toEqual([undefined, undefined]);
	// The first one was printed.
	const again = await plan(
		[
			[1, 'Zebra'],
			[2, 'Zebra'],
		],
		jobs.slice(0, 1),
	);
	expect(again.jobs.slice(-1).map(summaryOf)).toEqual([['BEAVER 1', 'Zebra', [1, 2], [1, 2]]]);
	expect(again.jobs.map(({ hash }) => hash)).toEqual(['ANT 1', 'ANT 1', 'BEAVER 1']);
});

test('a label that was printed in a new job is not printed again in the job that it had before', async () => {
	const plan = planningAt({}, ['ANT', 'BEAVER'], false);
	const both: Label[] = [
		[1, 'Zebra'],
		[2, 'Zebra'],
	];
	// The printer refuses both jobs. In the next try, the item of shipment 2 fails before.
	await plan(both);
	const { jobs: printed } = await plan(both.slice(0, 1));
	const again = await plan(both, printed);
	expect(again.jobs.map(summaryOf)).toEqual([
		['ANT 2', 'Zebra', [1], [1]],
		['ANT 3', 'Zebra', [2], [2]],
		['BEAVER 3', 'Zebra', [2], [2]],
	]);
});

test('of jobs that nobody says the carriers of, none is sent again that has a shipment which is not wanted any more', async () => {
	const plan = planningAt({}, ['ANT', 'BEAVER'], false);
	await plan([
		[1, 'Off'],
		[2, 'Off'],
	]);
	const { jobs } = await plan([[1, 'Zebra']]);
	expect(jobs.map(({ hash }) => hash)).toEqual(['ANT 2', 'BEAVER 2']);
});

test('a shipment that the service refuses fails alone', async () => {
	const store = {};
	const { jobs, unlabeled } = await planningAt(store)([
		[1, 'Zebra'],
		[666, 'Zebra'],
		[2, 'Zebra'],
	]);
	expect(jobs.map(summaryOf)).toEqual([['ANT 1', 'Zebra', [1, 2], [1, 2]]]);
	expect(unlabeled).toMatchObject([{ ids: [666], items: [666] }]);
	// Nothing was created for it, so a record that says printed means that somebody else has printed it.
	const progress = progressOfLabels(contextOf(store));
	expect([progress[1], progress[666]]).toEqual(['created', undefined]);
});

test('a part of a request without any label fails alone', async () => {
	const { client } = clientOf(({ body = '{}' }) => {
		const { packages } = JSON.parse(body) as { packages: number[] };
		if (packages.includes(666)) return responseOf(400, { message: 'Canceled' });
		const labels = { carrierCode: 'ANT', carrierName: 'ANT', labelsUrl: '', hash: 'h' };
		const result = packages.includes(1) ? [{ ...labels, labelsCount: packages.length }] : [];
		return responseOf(200, { result, correlationId: '' });
	});
	const context = contextOf({});
	const run = { context, client, items: [] } as NodeRun;
	const wanted = [1, 666, 2].map((id) => ({ id, carrierCode: 'ANT', item: id }));
	const { jobs, unlabeled } = await planNewJobs(run, 'P', wanted);
	expect(jobs.map(({ shipments }) => shipments?.ids)).toEqual([[1]]);
	expect(unlabeled.map(({ ids, failure }) => [ids, describeError(failure).message])).toEqual([
		[[2], 'The service created no label for shipment 2'],
		[[666], expect.stringContaining('Canceled')],
	]);
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
	const context = contextOf({});
	const run = { context, client, items: [] } as NodeRun;
	const shipments = ['ANT', 'ANT', 'BEAVER'].map((carrierCode, at) => ({
		id: at + 1,
		carrierCode,
		item: at,
	}));
	const { jobs, unlabeled } = await planNewJobs(run, 'P', shipments);
	return [
		...jobs.map((job) => [job.shipments?.ids, job.labels?.labelsMissing ?? 'all labels']),
		...unlabeled.map(({ ids, failure }) => [ids, describeError(failure).message]),
	];
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

test.each([
	['have no carrier', [undefined, undefined]],
	['have a carrier that no record names', ['ant-express', 'ANT']],
	['have one carrier', ['ANT', 'ANT']],
])(
	'if several labels of a response %s, a retry prints what the printer refused',
	async (_, carriers) => {
		const plan = planningAt({}, carriers as string[]);
		const { jobs } = await plan([[1, 'Off']]);
		expect(jobs).toHaveLength(2);
		const again = await plan([[1, 'Zebra']], jobs.slice(0, 1));
		const toSend = again.jobs.filter(({ printerName }) => printerName === 'Zebra');
		expect(toSend.map(({ hash }) => hash)).toEqual([jobs[1]?.hash]);
	},
);

/** Creates labels at a service that refuses some requests. Says which shipments have one, and the errors of the others. */
async function createWith(
	wanted: Array<[id: number, carrierCode: string]>,
	respond: (packages: number[]) => ReturnType<typeof responseOf>,
) {
	const { client, requests } = clientOf(({ body = '{}' }) =>
		respond((JSON.parse(body) as { packages: number[] }).packages),
	);
	const run = { context: contextOf({}), client, items: [] } as unknown as NodeRun;
	const labels = wanted.map(([id, carrierCode]) => ({ id, carrierCode, item: id }));
	const { jobs, unlabeled } = await planNewJobs(run, 'P', labels);
	return {
		created: jobs.flatMap(({ items }) => items),
		errors: unlabeled.flatMap(({ ids, failure }) =>
			ids.map((id) => `${id}: ${describeError(failure).message}`),
		),
		requests: requests.length,
	};
}
const labelsOf = (packages: number[], carrierCode = 'ANT') =>
	responseOf(200, {
		result: [
			...(packages.length > 0
				? [
						{
							...{ carrierCode, carrierName: '', labelsUrl: '', hash: `h${packages.join()}` },
							labelsCount: packages.length,
						},
					]
				: []),
		],
		correlationId: '',
	});

test('shipments of a carrier whose labels are refused do not keep those of another from their labels', async () => {
	const ids = Array.from({ length: 12 }, (_, index) => index + 1);
	const carrierOf = (id: number) => (id % 2 === 0 ? 'BEAVER' : 'ANT');
	const message = 'Carrier BEAVER does not offer ZPL labels';
	const { created, errors } = await createWith(
		ids.map((id) => [id, carrierOf(id)]),
		(packages) =>
			packages.some((id) => carrierOf(id) === 'BEAVER')
				? responseOf(400, { message })
				: labelsOf(packages),
	);
	expect(created).toEqual([1, 3, 5, 7, 9, 11]);
	expect(errors.map((error) => error.split(':')[0]).sort()).toEqual([
		...['10', '12', '2', '4', '6', '8'],
	]);
});

test('of a response without labels that names one shipment, the others have their labels', async () => {
	const errors = [{ message: 'Canceled', reference: '666' }];
	const found = await createWith(
		[1, 666, 2].map((id) => [id, 'ANT']),
		(packages) =>
			packages.includes(666)
				? responseOf(200, { result: [], errors, correlationId: '' })
				: labelsOf(packages),
	);
	expect(found).toEqual({
		created: [1, 2],
		errors: ['666: The service created no label for shipment 666: Canceled (666)'],
		requests: 2,
	});
});

test('a service that has no labels is not asked for each shipment', async () => {
	const { errors, requests } = await createWith(
		[1, 2, 3].map((id) => [id, 'ANT']),
		() => responseOf(404, ''),
	);
	expect([errors.length, requests]).toEqual([3, expect.any(Number)]);
	expect(requests).toBeLessThanOrEqual(2);
});
