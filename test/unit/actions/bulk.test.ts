import { get } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { findOperation } from '../../../nodes/ParcelShipping/actions';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import { clientOf, responseOf, type Sent } from '../../support/respondingClient';
import { contextOf, saved } from '../../support/tries';

/** Runs an operation for items, without an error output. A value of the form is the same for each item or a list of them. */
async function runForm(
	[resource, name]: [string, string],
	form: IDataObject,
	items: IDataObject[],
	respond: (sent: Sent) => ReturnType<typeof responseOf>,
	context: ReturnType<typeof contextOf> = contextOf({}),
	maxParallelRequests = 4,
) {
	const { client, requests } = clientOf(respond);
	Object.assign(client.http, { maxParallelRequests });
	Object.assign(context, {
		getNode: () => ({ type: 'parcelShipping' }),
		getNodeParameter: (field: string, item: number, fallback: unknown, given: object = {}) => {
			const value = get(form, field, fallback);
			if (!Array.isArray(value)) return value;
			return 'rawExpressions' in given ? '={{ of the item }}' : value[item];
		},
		continueOnFail: () => false,
		addExecutionHints: () => undefined,
	});
	const run = { context, client, items: items.map((json) => ({ json })) } as unknown as NodeRun;
	const operation = findOperation(resource, name);
	const results = await operation.execute(run);
	const failures = results.flatMap((result) =>
		'failure' in result ? [describeError(result.failure).message] : [],
	);
	const completed = operation.describeCompleted?.(results, items.length);
	const paths = requests.map(({ path }) => path);
	const bodies = requests.map(({ body = '' }) => body);
	const links = results.map((result) => result.items);
	return { failures, completed, links, paths, bodies };
}

test.each<[string, string]>([
	['shipment', 'cancel'],
	['shipment', 'handOver'],
	['shipment', 'track'],
	['label', 'create'],
])('%s/%s refuses a way to choose shipments that the form does not have', async (...operation) => {
	const chosen = { carrierCode: 'ANT', packageNumber: 'A1', shipmentIds: 1, orderNumber: '7' };
	const form = { ...chosen, shipments: 'id' };
	const run = await runForm(operation, form, [{}], () => responseOf(500, ''));
	expect(run).toMatchObject({ failures: ['Invalid Shipments: "id"'], paths: [] });
});

test("the carrier picks up on the day of the workflow's time zone", async () => {
	const options = { date: '2026-11-20T23:30:00.000Z' };
	const form = { shipments: 'ids', shipmentIds: '1', options };
	const context = Object.assign(contextOf({}), { getTimezone: () => 'Europe/Prague' });
	const record = { id: 1, canceled: false, submittedCarrier: false };
	const respond = ({ path }: Sent) =>
		responseOf(200, { result: path.includes('/Order') ? { id: 9, packagesCount: 1 } : [record] });
	const items = [{ carrierCode: 'ANT' }];
	const run = await runForm(['shipment', 'handOver'], form, items, respond, context);
	expect(run.bodies).toContain('{"date":"2026-11-21","packages":[1]}');
});

test('Track requests the numbers of all items by carrier, each once and a hundred at a time', async () => {
	const numbers = Array.from({ length: 150 }, (_, at) => `A${at}`);
	const form = { shipments: 'numbers', packageNumber: [numbers.join(), 'A1', 'A7'] };
	const items = ['ANT', 'BEAVER', 'ANT'].map((carrierCode) => ({ carrierCode }));
	const respond = () => responseOf(500, '');
	const { paths, bodies } = await runForm(['shipment', 'track'], form, items, respond);
	const counts = bodies.map((body) => (JSON.parse(body) as { packages: string[] }).packages.length);
	expect(counts).toEqual([100, 50, 1]);
	const wrong = runForm(['shipment', 'track'], { output: 'event' }, [{}], respond);
	await expect(wrong).rejects.toThrow('Invalid Output: "event"');
	expect(paths.map((path) => path.split('/')[1])).toEqual(['ANT', 'ANT', 'BEAVER']);
});

/**
 * Prints labels. The service refuses the label of 5 and creates one too few of the others, the printer Off refuses every
 * job, and the response of Lost is lost.
 */
async function print(
	form: IDataObject,
	store: IDataObject = {},
	execution = '1',
	maxParallelRequests?: number,
) {
	const items = [1, 2, 3].slice(0, (form.printerName as string[]).length);
	const respond = ({ path, body = '{}' }: Sent) => {
		const { packages = [], printerName } = JSON.parse(body) as {
			packages?: number[];
			printerName?: string;
		};
		if (path.includes('/Detail')) return responseOf(200, { result: [{ id: 1, printed: false }] });
		if (path.includes('/PrintLabel')) {
			if (printerName === 'Lost') return responseOf(500, '');
			return printerName === 'Off'
				? responseOf(400, { message: 'Switched off' })
				: responseOf(200, { result: true });
		}
		if (packages.includes(5)) return responseOf(400, { message: 'No label for 5' });
		const labels = { carrierCode: 'ANT', carrierName: 'ANT', hash: `h${packages.join()}` };
		const labelsCount = packages.length - 1;
		return responseOf(200, { result: [{ ...labels, labelsUrl: '', labelsCount }] });
	};
	return await runForm(
		['label', 'sendToPrinter'],
		{ labels: 'shipments', ...form },
		items.map((id) => ({ id, carrierCode: 'ANT' })),
		respond,
		contextOf(store, { execution }),
		maxParallelRequests,
	);
}

test('A retry of printing that sends nothing names the job that is still unknown', async () => {
	const store = {};
	const form = { labels: 'hash', printerName: ['Lost', 'Lost'] };
	await print({ ...form, hash: ['h1', 'h2'] }, store);
	const retry = await print({ ...form, hash: ['h1', ''] }, saved(store), '2');
	expect(retry.failures).toEqual([
		'Hash is empty',
		expect.stringContaining('The label with hash h1 may or may not have been printed'),
		expect.stringContaining('The label with hash h2 may or may not have been printed'),
	]);
	expect([retry.links, retry.paths]).toEqual([[[1], [0], [1]], []]);
});

describe('Labels that are sent to a printer without Continue', () => {
	test('are printed although the label of another shipment was refused, and the error says so', async () => {
		const printerName = ['Zebra', 'Zebra', 'Zebra'];
		const run = await print({ shipmentIds: [1, 2, 5], printerName });
		expect(run.failures).toEqual([
			'The label of shipment ID 5 was not printed on "Zebra": No label for 5',
		]);
		expect(run.completed).toBe('Already printed: item 0, 1 (ANT, 1 missing).');
	});

	test('are named if an earlier job with them was lost, and a printer refused others before', async () => {
		const store = {};
		await print({ shipmentIds: [2, 1], printerName: ['Off', 'Lost'] }, store);
		const form = { shipmentIds: [2, 1], printerName: ['Off', 'A4'] };
		const { failures } = await print(form, saved(store), '2', 1);
		expect(failures.sort()).toEqual([
			expect.stringContaining('The label of shipment ID 1 may or may not have been printed'),
			expect.stringContaining('Switched off'),
		]);
	});
});
