import type { IDataObject } from 'n8n-workflow';

import { requestedLabels } from '../../../nodes/ParcelShipping/labels/labels';
import {
	countPrinted,
	describeJob,
	type LabelToPrint,
	printJobs,
	printLabels,
} from '../../../nodes/ParcelShipping/labels/print';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import { clientOf, responseOf } from '../../support/respondingClient';
import { runOf, saved } from '../../support/tries';

type Response = ReturnType<typeof responseOf>;

const groupOf = (carrierCode: unknown, packages: number[], labelsCount = packages.length) => ({
	...{ carrierCode, carrierName: String(carrierCode), labelsUrl: '', labelsCount },
	hash: `${String(carrierCode)} ${packages.join()}`,
});
const groups = (...result: object[]) => responseOf(200, { result });

/** The jobs of labels, and the errors of those without one, at a provider with these responses. */
async function jobsWith(
	ids: number[],
	respond: (packages: number[]) => Response,
	carrierOf: (id: number) => string | undefined = () => 'ANT',
) {
	const { client, requests } = clientOf(({ path, body = '{}' }) =>
		path.includes('/PrintLabel')
			? responseOf(200, { result: true })
			: respond((JSON.parse(body) as { packages: number[] }).packages),
	);
	const run = runOf(client);
	const labels = ids.map((id): LabelToPrint => {
		const printer = { printerName: 'Zebra', printer: 'Gate' };
		return { id, item: id, carrierCode: carrierOf(id), orderNumber: `A-${id}`, ...printer };
	});
	const all = await printJobs(run, [], labels);
	return {
		jobs: all.filter(({ state }) => state === 'printed'),
		errors: all.flatMap((job) => (job.why ? describeJob(job).message : [])).sort(),
		requests: requests.length,
		wereRequested: ids.filter((id) => requestedLabels(run.context)[id]),
	};
}

const nobody = () => undefined;

test.each<[name: string, carriersOf: (packages: number[]) => string[], hashes: string[]]>([
	['one job, if they have one carrier', () => ['ANT'], ['ANT 1,2,4']],
	[
		'a job each, if they have several carriers',
		(packages) => ['ANT', 'BEE'].filter((_, at) => packages.some((id) => id % 2 === at)),
		['ANT 2', 'ANT 4', 'BEE 1'],
	],
])('labels of which nobody says the carrier are %s', async (_, carriersOf, hashes) => {
	const respond = (packages: number[]) =>
		groups(...carriersOf(packages).map((code) => groupOf(code, packages)));
	const { jobs, errors } = await jobsWith([1, 2, 4], respond, nobody);
	expect(jobs.map(({ hash }) => hash).sort()).toEqual(hashes);
	expect(errors).toEqual([]);
});

test('of several files for one label none is printed, and an error says it once', async () => {
	const respond = (packages: number[]) => groups(groupOf('ANT', packages), groupOf('A', packages));
	const { jobs, errors } = await jobsWith([1, 2], respond);
	const message = 'was not printed on "Gate": the provider returned no print hash, or several';
	const of = (order: string) => `The label of order ${order} ${message}`;
	expect([jobs, errors]).toEqual([[], [of('A-1'), of('A-2')]]);
});

describe('A label that the provider does not create', () => {
	test('fails alone, and its record counts as it is', async () => {
		const respond = (packages: number[]) =>
			packages.includes(6)
				? responseOf(400, { message: 'Canceled: 6' })
				: groups(groupOf('ANT', packages));
		const { jobs, errors, wereRequested } = await jobsWith([1, 6, 2], respond);
		expect(jobs).toMatchObject([{ ids: [1, 2], orderNumbers: ['A-1', 'A-2'], items: [1, 2] }]);
		expect(errors).toEqual(['The label of order A-6 was not printed on "Gate": Canceled: 6']);
		expect(wereRequested).toEqual([1, 2]);
	});

	test('fails alone if a response names it in its reason', async () => {
		const reasons = [{ message: 'Canceled', reference: '6' }];
		const respond = (packages: number[]) =>
			packages.includes(6)
				? responseOf(200, { result: [], errors: reasons })
				: groups(groupOf('ANT', packages));
		const { jobs, errors } = await jobsWith([1, 6, 2], respond);
		expect(jobs).toMatchObject([{ ids: [1, 2] }]);
		expect(errors).toEqual(['The label of order A-6 was not printed on "Gate": Canceled (6)']);
	});

	test('fails if its carrier has no other label, and is counted otherwise', async () => {
		const respond = (packages: number[]) =>
			packages.includes(3) ? groups() : groups(groupOf('ANT', packages, 1));
		const carrierOf = (id: number) => (id === 3 ? 'BEE' : 'ANT');
		const { jobs, errors } = await jobsWith([1, 2, 3], respond, carrierOf);
		expect(jobs).toMatchObject([{ ids: [1, 2], output: { labelsMissing: 1 } }]);
		expect(countPrinted(jobs, '1')).toEqual(['1 label printed on Gate']);
		expect(errors).toEqual([
			'The label of order A-3 was not printed on "Gate": the provider returned none',
		]);
	});

	test('does not keep those of another carrier from being created', async () => {
		const carrierOf = (id: number) => (id % 2 === 0 ? 'BEE' : 'ANT');
		const respond = (packages: number[]) =>
			packages.some((id) => carrierOf(id) === 'BEE')
				? responseOf(400, { message: 'Not offered' })
				: groups(groupOf('ANT', packages));
		const ids = Array.from({ length: 12 }, (_, index) => index + 1);
		const { jobs, errors } = await jobsWith(ids, respond, carrierOf);
		expect(jobs).toMatchObject([{ ids: [1, 3, 5, 7, 9, 11] }]);
		expect(errors.join()).toContain('Not offered');
	});

	test('is not asked for again and again at a provider that has no labels', async () => {
		const { requests } = await jobsWith([1, 2, 3], () => responseOf(404, ''));
		expect(requests).toBeLessThanOrEqual(2);
	});
});

/** One try to print labels. The response of the printer Lost is lost, Off and Deaf refuse, the others print. */
async function print(
	store: IDataObject,
	items: Array<Partial<LabelToPrint> & { hash?: string; printerName: string; canceled?: true }>,
	{ execution = '1', respondLabels = (p: number[]) => groups(groupOf('ANT', p)) } = {},
) {
	const { client, requests } = clientOf(({ path, body = '{}' }) => {
		const { packages = [], printerName = '' } = JSON.parse(body) as {
			packages?: number[];
			printerName?: string;
		};
		if (!path.includes('/PrintLabel')) return respondLabels(packages);
		if (printerName === 'Lost') return responseOf(500, '');
		if (printerName === 'Off') return responseOf(400, { message: 'Switched off' });
		if (printerName === 'Late') return responseOf(400, { message: 'Hash expired' });
		return responseOf(200, { result: printerName !== 'Deaf' });
	});
	const given = items.map(() => ({ carrierCode: 'ANT' }));
	const run = runOf(client, { store, execution, items: given });
	const wanted = items.map(({ id, hash, ...more }, item) => {
		const printer = { printer: `the ${more.printerName}`, ...more };
		return hash === undefined
			? { item, shipmentIds: id === undefined ? [] : [id], ...printer }
			: { item, hash, ...printer };
	});
	const results = await printLabels(run, wanted, [], false);
	return {
		store: saved(store),
		results: results.map((result) => {
			if ('json' in result) return `${result.items.join()}: ${String(result.json.printerName)}`;
			const { message, description } = describeError(result.failure);
			return `${result.items.join()}: ${message} | ${description}`;
		}),
		sent: requests.flatMap(({ path, body = '' }) => (path.includes('/PrintLabel') ? [body] : [])),
	};
}

const job = (hash: string, printerName: string) => JSON.stringify({ hash, printerName });

describe('A retry', () => {
	test('does not print what was printed, whatever its printer is now', async () => {
		const { store } = await print({}, [{ id: 1, printerName: 'A4' }]);
		const again = await print(store, [{ id: 1, printerName: 'Zebra' }], { execution: '2' });
		expect(again).toMatchObject({ results: ['0: A4'], sent: [] });
	});

	test.each(['1', '2'])('does not send a lost job again (execution %s)', async (execution) => {
		const items = [
			{ id: 1, printerName: 'Lost' },
			{ hash: 'h', printerName: 'Lost' },
		];
		const lost = await print({}, items);
		const advice = 'Check the printer. To print anyway, run Label: Send to Printer.';
		expect(lost.results.sort()).toEqual([
			expect.stringMatching(
				`^0: The label of shipment ID 1 may or may not .* on "the Lost": .*${advice}$`,
			),
			expect.stringMatching(
				`^1: The label with hash h may or may not .* on "the Lost": .*${advice}$`,
			),
		]);
		const { results, sent } = await print(lost.store, items, { execution });
		expect([results.length, sent]).toEqual([2, []]);
		expect(results.sort()).toEqual(lost.results);
	});

	test('prints new labels for a job that a printer has refused, also on another printer', async () => {
		const wanted = (printerName: string) => [
			{ id: 1, printerName },
			{ id: 2, printerName },
			{ hash: 'h', printerName },
		];
		const { store } = await print({}, wanted('Off'));
		const again = await print(store, wanted('A4'));
		expect(again.sent.sort()).toEqual([job('ANT 1,2', 'A4'), job('h', 'A4')]);
	});

	test('requests a label again whose own request was lost, because it is at no printer', async () => {
		const respondLabels = () => responseOf(500, '');
		const { store, results } = await print({}, [{ id: 1, printerName: 'A4' }], { respondLabels });
		expect(results).toEqual([expect.stringContaining('was not printed on "the A4": ')]);
		const { sent } = await print(store, [{ id: 1, printerName: 'A4' }]);
		expect(sent).toEqual([job('ANT 1', 'A4')]);
	});
});
