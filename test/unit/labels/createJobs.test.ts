import type { IDataObject } from 'n8n-workflow';

import { progressOfLabels } from '../../../nodes/ParcelShipping/labels/createLabels';
import { createJobs } from '../../../nodes/ParcelShipping/labels/createJobs';
import {
	type PrintJob,
	type PrintOutcome,
	shipmentIdsOf,
} from '../../../nodes/ParcelShipping/labels/printJob';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import { contextOf } from '../../support/tries';
import { clientOf, responseOf } from '../../support/respondingClient';

/** Plans jobs at a service with labels of these carriers for each request. */
function planningAt(store: IDataObject, carriersOf: (packages: number[]) => unknown[]) {
	const { client, requests } = clientOf(({ body = '{}' }) => {
		const { packages } = JSON.parse(body) as { packages: number[] };
		if (packages.includes(666)) return responseOf(400, { message: 'Canceled: 666' });
		const carriers = carriersOf(packages);
		const result = carriers.map((carrierCode) => ({
			...{ carrierCode, carrierName: carrierCode, labelsUrl: '' },
			...{
				hash: `${String(carrierCode)} ${packages.join()}`,
				labelsCount: packages.length / carriers.length,
			},
		}));
		return responseOf(200, { result, correlationId: '' });
	});
	const run = { context: contextOf(store), client, items: [] } as unknown as NodeRun;
	const plan = async (ids: number[], carrierCode?: string) =>
		createJobs(
			run,
			'Zebra',
			ids.map((id) => ({ id, item: id, carrierCode })),
		);
	return { plan, requests };
}
const errorsOf = (unlabeled: readonly PrintOutcome[]) =>
	unlabeled.map(({ targets: [target], outcome }) => [
		'id' in target && target.id,
		describeError('errors' in outcome && outcome.errors[0]).message,
	]);
const summaryOf = ({ hash, targets }: PrintJob) => [
	hash,
	...targets.map((target) => ('id' in target ? [target.id, target.carrierCode, target.items] : [])),
];

test('if nobody says which carrier a shipment has, and there are several, each has a job of its own', async () => {
	const { plan } = planningAt({}, (packages) =>
		['ANT', 'BEAVER'].filter((_, at) => packages.some((id) => id % 2 === at)),
	);
	const { jobs, unlabeled } = await plan([1, 2, 4]);
	expect(jobs.map(summaryOf)).toEqual([
		['BEAVER 1', [1, 'BEAVER', [1]]],
		['ANT 2', [2, 'ANT', [2]]],
		['ANT 4', [4, 'ANT', [4]]],
	]);
	expect(unlabeled).toEqual([]);
});

test('if nobody says which carrier the shipments have, and there is one, they are one job', async () => {
	const { plan, requests } = planningAt({}, () => ['ANT']);
	const { jobs } = await plan([1, 2]);
	expect(jobs.map(summaryOf)).toEqual([['ANT 1,2', [1, 'ANT', [1]], [2, 'ANT', [2]]]]);
	expect(requests).toHaveLength(1);
});

test.each([
	['have no carrier', [undefined, undefined]],
	['have a carrier that no record names', ['ant-express', 'ANT']],
	['have one carrier', ['ANT', 'ANT']],
])(
	'if several files for one label %s, none is printed, and an error says so',
	async (_, carriers) => {
		const { plan } = planningAt({}, () => carriers);
		const { jobs, unlabeled } = await plan([1, 2], 'ANT');
		expect(jobs).toEqual([]);
		const message = 'The service created several files for the label of shipment';
		expect(errorsOf(unlabeled).sort()).toEqual([
			[1, `${message} 1`],
			[2, `${message} 2`],
		]);
	},
);

test('a shipment that the service refuses fails alone', async () => {
	const store = {};
	const { jobs, unlabeled } = await planningAt(store, () => ['ANT']).plan([1, 666, 2], 'ANT');
	expect(jobs.map(summaryOf)).toEqual([['ANT 1,2', [1, 'ANT', [1]], [2, 'ANT', [2]]]]);
	expect(unlabeled).toMatchObject([{ targets: [{ id: 666, items: [666] }] }]);
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
	const { jobs, unlabeled } = await createJobs(run, 'P', wanted);
	expect(jobs.map(shipmentIdsOf)).toEqual([[1]]);
	expect(errorsOf(unlabeled)).toEqual([
		[2, 'The service created no label for shipment 2'],
		[666, expect.stringContaining('Canceled')],
	]);
});

test('a shipment without a label fails if its carrier has no other, and is counted otherwise', async () => {
	const { client } = clientOf(({ body = '{}' }) => {
		const { packages } = JSON.parse(body) as { packages: number[] };
		const labels = { carrierName: 'ANT', labelsUrl: '', hash: 'h', labelsCount: 1 };
		const result = packages.includes(3) ? [] : [{ ...labels, carrierCode: null }];
		return responseOf(200, { result, correlationId: '' });
	});
	const run = { context: contextOf({}), client, items: [] } as unknown as NodeRun;
	const carriers = ['ANT', 'ANT', 'BEAVER'];
	const shipments = carriers.map((carrierCode, at) => ({ id: at + 1, carrierCode, item: at }));
	const { jobs, unlabeled } = await createJobs(run, 'P', shipments);
	expect(jobs.map((job) => [shipmentIdsOf(job), job.labels?.labelsMissing])).toEqual([[[1, 2], 1]]);
	expect(errorsOf(unlabeled)).toEqual([[3, 'The service created no label for shipment 3']]);
});

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
	const { jobs, unlabeled } = await createJobs(run, 'P', labels);
	return {
		created: jobs.flatMap(shipmentIdsOf),
		errors: errorsOf(unlabeled).map((parts) => parts.join(': ')),
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
		errors: ['666: The service created no label: Canceled (666)'],
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
