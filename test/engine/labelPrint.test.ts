import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import { readLabelsPdf } from '../support/readLabelsPdf';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../sandbox';

let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
	sandbox = await startSandbox();
	engine = await startEngine(sandboxCredential(sandbox.url));
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const DAY_MS = 86_400_000;
const parameters = { resource: 'label', operation: 'print', shipmentIds: '={{ $json.id }}' };
const linksOnly = { ...parameters, download: false };

const idsOf = (count: number, serviceType = 'ANT-HOME') =>
	sandbox.seedShipments(count, { serviceType }).map(({ id }) => ({ id }));

const requestsTo = (operation: string) =>
	sandbox.requests.filter(({ operationId }) => operationId === operation);

const bodies = () => requestsTo('printLabels').map(({ body }) => body);

const inputsOf = (item?: INodeExecutionData) =>
	([item?.pairedItem ?? []].flat() as Array<{ item: number }>).map(({ item: index }) => index);

const bytesOf = (item?: INodeExecutionData, field = 'data') =>
	Buffer.from(item?.binary?.[field]?.data ?? '', 'base64');

describe('Labels of one carrier', () => {
	test('are one PDF for all items and take one request', async () => {
		const items = idsOf(3);
		const before = Date.now();
		const { items: output, hints } = await engine.run({ parameters, items });

		expect(output).toHaveLength(1);
		const [labels] = output;
		expect(labels?.json).toEqual({
			carrierCode: 'ANT',
			carrierName: 'Ant Express',
			labelsCount: 3,
			hash: expect.stringMatching(/^[0-9a-f]{32}$/),
			labelsUrl: expect.stringContaining(String(labels?.json.hash)),
			hashExpiresAt: expect.any(String),
		});
		const expiresAt = Date.parse(String(labels?.json.hashExpiresAt));
		expect(expiresAt).toBeGreaterThanOrEqual(before + 14 * DAY_MS);
		expect(expiresAt).toBeLessThanOrEqual(Date.now() + 14 * DAY_MS);
		expect(inputsOf(labels)).toEqual([0, 1, 2]);
		expect(hints).toEqual([]);

		expect(labels?.binary?.data).toMatchObject({
			mimeType: 'application/pdf',
			fileExtension: 'pdf',
		});
		const hashStart = String(labels?.json.hash).slice(0, 8);
		expect(labels?.binary?.data?.fileName).toMatch(
			new RegExp(`^labels-ANT-\\d{4}-\\d\\d-\\d\\d-3-${hashStart}\\.pdf$`),
		);
		expect(readLabelsPdf(bytesOf(labels))).toHaveLength(3);
	});

	test('take one request for 250 shipments', async () => {
		const items = idsOf(250);
		const { items: output } = await engine.run({ parameters: linksOnly, items });

		expect(output.map(({ json }) => json.labelsCount)).toEqual([250]);
		expect(inputsOf(output[0])).toHaveLength(250);
		expect(bodies()).toEqual([{ packages: items.map(({ id }) => id) }]);
		const [request] = requestsTo('printLabels');
		expect(request).toMatchObject({ path: '/api/Label/Print/', query: { type: 'pdf' } });
	});

	test('are requested once per shipment, for IDs separated by commas or in a list', async () => {
		const [a, b, c] = idsOf(3).map(({ id }) => id) as [number, number, number];
		const items = [{ id: `${a}, ${b}` }, { id: [b, String(c)] }, { id: a }];
		const { items: output } = await engine.run({ parameters: linksOnly, items });

		expect(bodies()).toEqual([{ packages: [a, b, c] }]);
		expect(inputsOf(output[0])).toEqual([0, 1, 2]);
	});
});

describe('Labels of several carriers', () => {
	test('are one file per carrier, each linked to every item that it may belong to', async () => {
		const items = [...idsOf(2), ...idsOf(1, 'CRANE-EU')];
		const { items: output } = await engine.run({
			parameters: { ...parameters, binaryPropertyName: 'labels' },
			items,
		});

		expect(output.map(({ json }) => [json.carrierCode, json.labelsCount])).toEqual([
			['ANT', 2],
			['CRANE', 1],
		]);
		expect(output.map(inputsOf)).toEqual([
			[0, 1, 2],
			[0, 1, 2],
		]);
		expect(output.map((item) => readLabelsPdf(bytesOf(item, 'labels')).length)).toEqual([2, 1]);
		expect(output[1]?.binary?.labels?.fileName).toMatch(/^labels-CRANE-/);
	});
});

describe('Format and layout', () => {
	test.each([
		['carrierDefault', {}],
		['onePerPage', { onePerPage: true }],
		['fourPerPage', { onePerPage: false }],
	])('layout %s', async (layout, extra) => {
		const items = idsOf(1);
		await engine.run({ parameters: { ...linksOnly, layout }, items });
		expect(bodies()).toEqual([{ packages: [items[0]?.id], ...extra }]);
	});

	test('of ZPL: the layout is ignored', async () => {
		const items = idsOf(1);
		// The form hides Layout for ZPL, but not if Format is an expression.
		const zpl = { ...linksOnly, format: '={{ "zpl" }}', layout: 'onePerPage' };
		await engine.run({ parameters: zpl, items });
		expect(bodies()).toEqual([{ packages: [items[0]?.id] }]);
		expect(requestsTo('printLabels')[0]?.query).toEqual({ type: 'zpl' });
	});

	test('that differ between items take one request for each combination', async () => {
		const formats = ['pdf', 'zpl', 'pdf'];
		const items = idsOf(3).map(
			(item, index) => ({ ...item, format: formats[index] }) as IDataObject,
		);
		const { items: output } = await engine.run({
			parameters: { ...linksOnly, format: '={{ $json.format }}' },
			items,
		});
		const ids = items.map(({ id }) => id);
		expect(bodies()).toEqual(
			expect.arrayContaining([{ packages: [ids[0], ids[2]] }, { packages: [ids[1]] }]),
		);
		expect(output.map(inputsOf)).toEqual([[0, 2], [1]]);
	});
});

describe('Invalid shipment IDs', () => {
	test('are all named in the error, and nothing is sent', async () => {
		const [good] = idsOf(1);
		const items = [good as IDataObject, { id: '0012345' }, { id: '' }, { id: -3 }, { id: 1.5 }];
		const { error } = await engine.run({ parameters, items });

		expect(error?.message).toBe('Invalid Shipment IDs of item 1: "0012345"');
		for (const message of [
			'Shipment IDs of item 2 is empty',
			'Invalid Shipment IDs of item 3: "-3"',
			'Invalid Shipment IDs of item 4: "1.5"',
		]) {
			expect(error?.description).toContain(message);
		}
		expect(requestsTo('printLabels')).toEqual([]);
	});

	test('go to the error output, and the labels of the valid items are created', async () => {
		const [good] = idsOf(1);
		const { items, errorItems } = await engine.run({
			parameters,
			items: [{ id: 'x' }, good as IDataObject],
			onError: 'continueErrorOutput',
		});
		expect(items.map(inputsOf)).toEqual([[1]]);
		expect(errorItems.map(inputsOf)).toEqual([[0]]);
		expect(errorItems[0]?.json).toMatchObject({
			id: 'x',
			error: 'Invalid Shipment IDs of item 0: "x"',
			details: { itemIndex: 0, field: 'shipmentIds' },
		});
	});
});

describe('The service refuses a request with an unknown ID', () => {
	const items = () => [...idsOf(1), { id: 999_999 }];
	const message = 'The service said: There are no shipments with these ids: 999999';

	test('the node stops with the message of the service', async () => {
		const { error, items: output } = await engine.run({ parameters, items: items() });
		expect(error?.message).toBe(message);
		expect(output).toEqual([]);
	});

	test.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'with %s, each item fails with the message of the service',
		async (onError) => {
			const run = await engine.run({ parameters, items: items(), onError });
			const failed = onError === 'continueErrorOutput' ? run.errorItems : run.items;
			expect(failed.map(({ json }) => json.error)).toEqual([message, message]);
			expect(failed.map(inputsOf)).toEqual([[0], [1]]);
			expect(failed[0]?.json.details).toMatchObject({ statusCode: 404 });
			if (onError === 'continueErrorOutput') expect(run.items).toEqual([]);
		},
	);
});

test('A hint reports fewer labels than shipments, and the labels are returned', async () => {
	sandbox.fault({
		operation: 'printLabels',
		kind: 'body',
		rewrite: ((response: { result: IDataObject[] }) => ({
			...response,
			result: response.result.map((group) => ({ ...group, labelsCount: 2 })),
		})) as never,
	});
	const { items, hints } = await engine.run({ parameters: linksOnly, items: idsOf(3) });
	expect(items).toHaveLength(1);
	expect(hints).toEqual([expect.stringContaining('2 labels for 3 shipments')]);
});

describe('A service without /Label/Print/', () => {
	const missing = { operation: 'printLabels', kind: 'status', status: 404, body: '' } as const;
	const items = [{ id: 1001 }];
	let other: Sandbox;
	beforeEach(async () => {
		other = await startSandbox({ pathsWithoutSlash: true });
	});
	afterEach(() => other.close());

	const print = async () =>
		await (await startEngine(sandboxCredential(other.url))).run({ parameters: linksOnly, items });
	const paths = () => other.requests.map(({ path }) => path);

	test('is asked at /Label/Print', async () => {
		other.seedShipments(1);
		other.fault(missing);
		const { items: output } = await print();
		expect(output[0]?.json.labelsCount).toBe(1);
		expect(paths()).toEqual(['/api/Label/Print/', '/api/Label/Print']);
	});

	test('refuses the request if it has neither', async () => {
		other.fault({ ...missing, times: 2 });
		expect((await print()).error?.message).toBe('The service refused the request (404)');
		expect(paths()).toHaveLength(2);
	});

	test('is not assumed if the response names a shipment', async () => {
		expect((await print()).error?.message).toBe(
			'The service said: There are no shipments with these ids: 1001',
		);
		expect(paths()).toHaveLength(1);
	});
});

test('Every item fails if the service creates no label', async () => {
	sandbox.fault({
		operation: 'printLabels',
		kind: 'body',
		rewrite: ((response: IDataObject) => ({ ...response, result: [] })) as never,
	});
	const run = await engine.run({ parameters, items: idsOf(2), onError: 'continueErrorOutput' });
	expect(run.items).toEqual([]);
	expect(run.errorItems.map(({ json }) => json.error)).toEqual(
		Array(2).fill('The service created no labels for these shipments'),
	);
});
