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
	const hints: string[] = [];
	Object.assign(context, {
		getNode: () => ({ type: 'parcelShipping' }),
		getNodeParameter: (field: string, item: number, fallback: unknown, given: object = {}) => {
			const value = get(form, field, fallback);
			if (!Array.isArray(value)) return value;
			return 'rawExpressions' in given ? '={{ of the item }}' : value[item];
		},
		continueOnFail: () => false,
		addExecutionHints: ({ message }: { message: string }) => hints.push(message),
	});
	const run = { context, client, items: items.map((json) => ({ json })) } as unknown as NodeRun;
	const operation = findOperation(resource, name);
	const results = await operation.execute(run);
	const errors = results.flatMap((result) =>
		'failure' in result ? [describeError(result.failure)] : [],
	);
	const failures = errors.map(({ message }) => message);
	const advice = errors.map(({ description }) => description);
	const completed = operation.describeCompleted?.(results, items.length);
	const outputs = results.flatMap((result) => ('failure' in result ? [] : [result.json]));
	const paths = requests.map(({ path }) => path);
	const bodies = requests.map(({ body = '' }) => body);
	const links = results.map((result) => result.items);
	return { failures, advice, completed, outputs, links, hints, paths, bodies };
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
	const form = {
		...{ shipments: 'ids', shipmentIds: '1' },
		options: { date: '2026-11-20T23:30:00.000Z' },
	};
	const context = Object.assign(contextOf({}), { getTimezone: () => 'Europe/Prague' });
	const record = { id: 1, canceled: false, submittedCarrier: false };
	const respond = ({ path }: Sent) =>
		responseOf(200, { result: path.includes('/Order') ? { id: 9, packagesCount: 1 } : [record] });
	const items = [{ carrierCode: 'ANT' }];
	const run = await runForm(['shipment', 'handOver'], form, items, respond, context);
	expect(run.bodies).toContain('{"date":"2026-11-21","packages":[1]}');
});

test('Track refuses an output that the form does not have', async () => {
	const run = runForm(['shipment', 'track'], { output: 'event' }, [{}], () => responseOf(500, ''));
	await expect(run).rejects.toThrow('Invalid Output: "event"');
});

test('Track requests the numbers of all items by carrier, each once and a hundred at a time', async () => {
	const numbers = Array.from({ length: 150 }, (_, at) => `A${at}`);
	const form = { shipments: 'numbers', packageNumber: [numbers.join(), 'A1', 'A7'] };
	const items = ['ANT', 'BEAVER', 'ANT'].map((carrierCode) => ({ carrierCode }));
	const respond = () => responseOf(500, '');
	const { paths, bodies } = await runForm(['shipment', 'track'], form, items, respond);
	const counts = bodies.map((body) => (JSON.parse(body) as { packages: string[] }).packages.length);
	expect(counts).toEqual([100, 50, 1]);
	expect(paths.map((path) => path.split('/')[1])).toEqual(['ANT', 'ANT', 'BEAVER']);
});

describe('A retry of printing that sends nothing names the job that is still unknown', () => {
	const print = async (store: IDataObject, form: IDataObject, respond: (sent: Sent) => unknown) => {
		const context = contextOf(store, { execution: String(form.execution) });
		const items = [1, 2].map((id) => ({ id, carrierCode: 'ANT' }));
		const answer = (sent: Sent) =>
			sent.path.includes('/PrintLabel') ? responseOf(500, '') : (respond(sent) as Response);
		const all = { printerName: 'Zebra', ...form };
		return await runForm(['label', 'sendToPrinter'], all, items, answer, context);
	};
	type Response = ReturnType<typeof responseOf>;

	test('if another item has no hash any more', async () => {
		const store = {};
		const respond = () => responseOf(404, '');
		await print(store, { labels: 'hash', hash: ['h1', 'h2'], execution: '1' }, respond);
		const form = { labels: 'hash', hash: ['h1', ''], execution: '2' };
		const { failures, links, paths } = await print(saved(store), form, respond);
		expect(failures).toEqual([
			'Hash is empty',
			expect.stringContaining('The label with hash h1 may or may not have been printed'),
			expect.stringContaining('The label with hash h2 may or may not have been printed'),
		]);
		expect([links, paths]).toEqual([[[1], [0], [1]], []]);
	});
});

describe('Labels that are sent to a printer without Continue', () => {
	/** Prints the labels of these shipments. The service refuses the label of 5, and the printer Off every job. */
	const print = async (
		ids: number[],
		printers: string[],
		labelsMissing = 0,
		context = contextOf({}),
		maxParallelRequests = 4,
	) => {
		const form = { labels: 'shipments', shipmentIds: ids, printerName: printers };
		const items = ids.map((id) => ({ id, carrierCode: 'ANT' }));
		const respond = ({ path, body = '{}' }: Sent) => {
			const { packages = [], printerName } = JSON.parse(body) as {
				packages?: number[];
				printerName?: string;
			};
			if (path.includes('/Detail')) return responseOf(200, { result: [{ id: 1, printed: false }] });
			if (path.includes('/PrintLabel')) {
				if (printerName === 'Lost') return responseOf(500, '');
				if (printerName === 'Busy') return responseOf(429, 'Slow down');
				return printerName === 'Off'
					? responseOf(400, { message: 'Switched off' })
					: responseOf(200, { result: true });
			}
			if (!path.includes('/Label')) return responseOf(404, { message: 'Not found' });
			if (packages.includes(5)) return responseOf(400, { message: 'No label for 5' });
			const labelsCount = packages.length - labelsMissing;
			const labels = { carrierCode: 'ANT', carrierName: 'ANT', hash: `h${packages.join()}` };
			return responseOf(200, { result: [{ ...labels, labelsUrl: '', labelsCount }] });
		};
		return await runForm(
			['label', 'sendToPrinter'],
			form,
			items,
			respond,
			context,
			maxParallelRequests,
		);
	};

	const sentHashes = ({ bodies }: { bodies: string[] }) =>
		bodies.flatMap((body) => (JSON.parse(body || '{}') as { hash?: string }).hash ?? []);

	test('are printed although the label of another shipment was refused, and the error says so', async () => {
		const run = await print([1, 2, 5], ['Zebra', 'Zebra', 'Zebra']);
		expect(run.failures).toEqual([
			'The label of shipment ID 5 was not printed on "Zebra": No label for 5',
		]);
		expect(run.completed).toBe('Already printed: item 0, 1 (ANT).');
		expect(sentHashes(run)).toEqual(['h1,2']);
	});

	test('are named if an earlier job with them was lost, and a printer refused others before', async () => {
		const store = {};
		await print([2, 1], ['Off', 'Lost'], 0, contextOf(store, { execution: '1' }));
		const retry = contextOf(saved(store), { execution: '2' });
		const { failures } = await print([2, 1], ['Off', 'A4'], 0, retry, 1);
		expect(failures.sort()).toEqual([
			expect.stringContaining('The label of shipment ID 1 may or may not have been printed'),
			expect.stringContaining('Switched off'),
		]);
	});

	test('are named if they were printed before a printer refused others', async () => {
		const { completed } = await print([1, 2], ['Zebra', 'Off'], 0, contextOf({}), 1);
		expect(completed).toBe('Already printed: item 0 (ANT).');
	});

	test('are not sent again in a retry, whatever printer the form names then', async () => {
		const store = {};
		await print([1, 2], ['Zebra', 'Off'], 0, contextOf(store, { execution: '1' }), 1);
		const retry = contextOf(saved(store), { execution: '2' });
		const run = await print([1, 2], ['A4', 'A4'], 0, retry);
		expect(sentHashes(run)).toEqual(['h2']);
		expect(run.outputs).toMatchObject([{ printerName: 'Zebra' }, { printerName: 'A4' }]);
	});

	test('do not count as printed if the service created too few', async () => {
		const { completed } = await print([1, 2], ['Zebra', 'Zebra'], 1);
		expect(completed).toBe('Already printed: item 0, 1 (ANT, 1 missing).');
	});
});
