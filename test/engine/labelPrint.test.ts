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

const asked = (operation: string) =>
	sandbox.requests.filter(({ operationId }) => operationId === operation);

const bodies = () => asked('printLabels').map(({ body }) => body);

const inputsOf = (item?: INodeExecutionData) =>
	([item?.pairedItem ?? []].flat() as Array<{ item: number }>).map(({ item: index }) => index);

const bytesOf = (item?: INodeExecutionData, field = 'data') =>
	Buffer.from(item?.binary?.[field]?.data ?? '', 'base64');

describe('Labels of one carrier', () => {
	test('come as one PDF for all items, in one request', async () => {
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

	test('250 of them are asked for in one request, the service is asked as it wants to be', async () => {
		const items = idsOf(250);
		const { items: output } = await engine.run({ parameters: linksOnly, items });

		expect(output.map(({ json }) => json.labelsCount)).toEqual([250]);
		expect(inputsOf(output[0])).toHaveLength(250);
		expect(bodies()).toEqual([{ packages: items.map(({ id }) => id) }]);
		const [request] = asked('printLabels');
		expect(request).toMatchObject({ path: '/api/Label/Print/', query: { type: 'pdf' } });
	});

	test('several ids of one item, separated by commas or in a list, count once each', async () => {
		const [a, b, c] = idsOf(3).map(({ id }) => id) as [number, number, number];
		const items = [{ id: `${a}, ${b}` }, { id: [b, String(c)] }, { id: a }];
		const { items: output } = await engine.run({ parameters: linksOnly, items });

		expect(bodies()).toEqual([{ packages: [a, b, c] }]);
		expect(inputsOf(output[0])).toEqual([0, 1, 2]);
	});
});

describe('Labels of several carriers', () => {
	test('come as one file per carrier, each linked to every item it may stand for', async () => {
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

	test('ZPL has no pages, so no layout is asked for, whatever the form still holds', async () => {
		const items = idsOf(1);
		// The form hides the layout from a fixed ZPL, but not where the format is an expression.
		const zpl = { ...linksOnly, format: '={{ "zpl" }}', layout: 'onePerPage' };
		await engine.run({ parameters: zpl, items });
		expect(bodies()).toEqual([{ packages: [items[0]?.id] }]);
		expect(asked('printLabels')[0]?.query).toEqual({ type: 'zpl' });
	});

	test('that differ from item to item make one request for each kind', async () => {
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

describe('Something is wrong with the input', () => {
	test('every item whose ids are wrong is named before anything is sent', async () => {
		const [good] = idsOf(1);
		const items = [good as IDataObject, { id: '0012345' }, { id: '' }, { id: -3 }, { id: 1.5 }];
		const { error } = await engine.run({ parameters, items });

		expect(error?.message).toBe('Shipment IDs of item 1: "0012345" can\'t be the ID of a shipment');
		for (const said of [
			'Shipment IDs of item 2 is empty',
			'Shipment IDs of item 3: "-3"',
			'Shipment IDs of item 4: "1.5"',
		]) {
			expect(error?.description).toContain(said);
		}
		expect(asked('printLabels')).toEqual([]);
	});

	test('with the error output, the good items get their labels and the others are set aside', async () => {
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
			error: 'Shipment IDs of item 0: "x" can\'t be the ID of a shipment',
			details: { itemIndex: 0, field: 'shipmentIds' },
		});
	});
});

describe('The service refuses the request because it does not know one of the ids', () => {
	const items = () => [...idsOf(1), { id: 999_999 }];
	const words = 'The service said: There are no shipments with these ids: 999999';

	test('the node stops with its words', async () => {
		const { error, items: output } = await engine.run({ parameters, items: items() });
		expect(error?.message).toBe(words);
		expect(output).toEqual([]);
	});

	test.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'under %s each item fails with its words',
		async (onError) => {
			const run = await engine.run({ parameters, items: items(), onError });
			const failed = onError === 'continueErrorOutput' ? run.errorItems : run.items;
			expect(failed.map(({ json }) => json.error)).toEqual([words, words]);
			expect(failed.map(inputsOf)).toEqual([[0], [1]]);
			expect(failed[0]?.json.details).toMatchObject({ statusCode: 404 });
			if (onError === 'continueErrorOutput') expect(run.items).toEqual([]);
		},
	);
});

test('Fewer labels than shipments: said as a hint, the labels come out', async () => {
	sandbox.fault({
		operation: 'printLabels',
		kind: 'body',
		rewrite: ((answer: { result: IDataObject[] }) => ({
			...answer,
			result: answer.result.map((group) => ({ ...group, labelsCount: 2 })),
		})) as never,
	});
	const { items, hints } = await engine.run({ parameters: linksOnly, items: idsOf(3) });
	expect(items).toHaveLength(1);
	expect(hints).toEqual([expect.stringContaining('2 labels for 3 shipments')]);
});

test('No label at all: every item fails, nothing looks like success', async () => {
	sandbox.fault({
		operation: 'printLabels',
		kind: 'body',
		rewrite: ((answer: IDataObject) => ({ ...answer, result: [] })) as never,
	});
	const run = await engine.run({ parameters, items: idsOf(2), onError: 'continueErrorOutput' });
	expect(run.items).toEqual([]);
	expect(run.errorItems.map(({ json }) => json.error)).toEqual(
		Array(2).fill('The service made no label for these shipments'),
	);
});
