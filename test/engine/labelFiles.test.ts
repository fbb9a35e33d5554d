import { startEngine } from '../support/engine';
import { useShop } from '../support/useShop';
import { sandboxCredential } from '../support/credentials';
import { bytesOf, fieldsOf, linksOf, valuesOf } from '../support/outputs';
import { readLabelsPdf } from '../support/readLabelsPdf';

import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { dialectNames, type Fault, startSandbox } from '../../sandbox';

const shop = useShop();

const DAY_MS = 86_400_000;
const parameters = {
	resource: 'label',
	operation: 'create',
	shipments: 'ids',
	shipmentIds: '={{ $json.id }}',
};
const onError = 'continueErrorOutput';

const idsOf = (count: number, more = {}, at = shop.sandbox): IDataObject[] =>
	at.seedShipments(count, { serviceType: 'ANT-HOME', ...more }).map(({ id }) => ({ id }));
const antAndCrane = () => [...idsOf(2), ...idsOf(1, { serviceType: 'CRANE-EU' })];
const run = async (items: IDataObject[], form: INodeParameters = parameters, more = {}) =>
	shop.engine.run({ parameters: form, items, ...more });

const requestsTo = (operation: string, at = shop.sandbox) =>
	at.requests.filter(({ operationId }) => operationId === operation);
const bodies = () => requestsTo('printLabels').map(({ body }) => body);
const isWholePdf = (item?: INodeExecutionData) => /^%PDF-.*%%EOF\s*$/s.test(String(bytesOf(item)));
const labelCountOf = (item?: INodeExecutionData, field?: string) =>
	readLabelsPdf(bytesOf(item, field)).length;

const addFault = (fault: Omit<Fault, 'operation'>) => shop.fault('labelFile', { ...fault });
const rewriteGroups = (change: (groups: IDataObject[]) => IDataObject[]) =>
	shop.rewrite(
		'printLabels',
		({ result, ...rest }: { result: IDataObject[] }) => ({ ...rest, result: change(result) }),
		{ times: Infinity },
	);

describe('Labels', () => {
	test('of one carrier are one PDF for all items', async () => {
		const before = Date.now();
		const { items, hints } = await run(idsOf(3));
		const [{ json, binary } = { json: {} as IDataObject }] = items;
		expect([linksOf(items), hints, labelCountOf(items[0])]).toEqual([[[0, 1, 2]], [], 3]);
		expect(json).toEqual({
			...{ carrierCode: 'ANT', carrierName: 'Ant Express', labelsCount: 3 },
			hash: expect.stringMatching(/^[0-9a-f]{32}$/),
			labelsUrl: expect.stringContaining(String(json.hash)),
			hashExpiresAt: expect.any(String),
		});
		const expiresAt = Date.parse(String(json.hashExpiresAt));
		expect(expiresAt).toBeGreaterThanOrEqual(before + 14 * DAY_MS);
		expect(expiresAt).toBeLessThanOrEqual(Date.now() + 14 * DAY_MS);
		const name = `^labels-ANT-\\d{4}-\\d\\d-\\d\\d-3-${String(json.hash).slice(0, 8)}\\.pdf$`;
		const fileName = expect.stringMatching(new RegExp(name));
		const file = { mimeType: 'application/pdf', fileExtension: 'pdf', fileName };
		expect(binary?.data).toMatchObject(file);
	});

	test('of several carriers are one file each, linked to every item that they may belong to', async () => {
		const { items } = await run(antAndCrane(), {
			...parameters,
			options: { binaryPropertyName: 'labels' },
		});
		expect(fieldsOf(items, 'carrierCode', 'labelsCount')).toEqual([
			['ANT', 2],
			['CRANE', 1],
		]);
		expect(linksOf(items)).toEqual(Array(2).fill([0, 1, 2]));
		expect(items.map((item) => labelCountOf(item, 'labels'))).toEqual([2, 1]);
		expect(items[1]?.binary?.labels?.fileName).toMatch(/^labels-CRANE-/);
	});

	test.each<[string, object, string, object]>([
		['one label per page', { format: 'pdfOnePerPage' }, 'pdf', { onePerPage: true }],
		[
			'the second half of a sheet',
			{ format: 'pdfFourPerA4', firstPosition: '3' },
			'pdf',
			{ onePerPage: false, skip: 2 },
		],
		['ZPL, without a position', { format: 'zpl', firstPosition: 3 }, 'zpl', {}],
	])('can have %s', async (_, chosen, type, more) => {
		const items = idsOf(1);
		await run(items, { ...parameters, ...chosen });
		expect(bodies()).toEqual([{ packages: [items[0]?.id], ...more }]);
		expect(requestsTo('printLabels')[0]?.query).toEqual({ type });
	});

	test.each([5, 0, 'x'])('can not start at position %j of a sheet with four', async (position) => {
		const chosen = { ...parameters, format: 'pdfFourPerA4', firstPosition: position };
		const { error } = await run(idsOf(1), chosen as INodeParameters);
		expect(error?.message).toBe(`Invalid First Position: ${JSON.stringify(position)}`);
		expect(error?.description).toContain('Enter a whole number from 1 to 4');
	});

	test('that are missing in a file are counted', async () => {
		rewriteGroups((groups) => groups.map((group) => ({ ...group, labelsCount: 1 })));
		const { items } = await run(idsOf(3));
		expect(fieldsOf(items, 'labelsCount', 'labelsMissing')).toEqual([[1, 2]]);
	});

	test('do not exist for an unknown shipment, which fails alone and says why', async () => {
		const items = [...idsOf(1), { id: 999_999 }];
		const message =
			'The label of shipment ID 999999 was not created: There are no shipments with these ids: 999999';
		const branched = await run(items, parameters, { onError });
		expect([linksOf(branched.items), linksOf(branched.errorItems)]).toEqual([[0], [1]]);
		expect(valuesOf(branched.errorItems, 'error')).toEqual([message]);
		const stopped = await run(items);
		expect([stopped.items, stopped.error?.message]).toEqual([[], `Item 1: ${message}`]);
	});
});

describe.each(dialectNames)('A main shipment of three pieces (%s dialect)', (dialect) => {
	const other = useShop({ dialect });
	const list = { resource: 'shipment', operation: 'getAll', filters: { onlyMaster: true } };
	const send = {
		...parameters,
		operation: 'sendToPrinter',
		labels: 'shipments',
		printerName: 'Warehouse A4',
	};
	/** What *Get Many* returns of main shipments, with the number of pieces as some services send it. */
	const mains = async () => {
		const { items } = await other.engine.run({ parameters: list });
		return items.map(({ json }) => ({
			...json,
			pieceCount: other.sandbox.database.shipments().filter(({ mainId }) => mainId === json.id)
				.length,
		}));
	};
	const details = () => [...other.requests('getShipment'), ...other.requests('getShipmentShort')];

	test.each([parameters, send])('gets all of its labels, once each ($operation)', async (form) => {
		other.sandbox.seedShipments(1, { pieceCount: 3 });
		other.sandbox.seedShipments(2);
		const items = await mains();
		const ran = await other.engine.run({ parameters: form, items: [...items, ...items] });
		expect(ran.items.map(({ json }) => json.labelsCount)).toEqual([5]);
		const isPrinted = form.operation === 'sendToPrinter';
		expect(ran.hints).toEqual(isPrinted ? ['5 labels printed on Warehouse A4.'] : []);
		const [{ body } = { body: {} }] = other.requests('printLabels');
		const ids = (body as { packages: number[] }).packages;
		expect(ids.toSorted()).toEqual(other.shipments().map(({ id }) => id));
		// Those with a single piece cost no request.
		const ofDetails = details().map(({ path }) => path.match(/\d+/)?.[0]);
		expect(new Set(ofDetails).size).toBe(1);
	});
});

test('A service without /Label/Print/ is asked at /Label/Print', async () => {
	const other = await startSandbox({ pathsWithoutSlash: true });
	other.fault({ operation: 'printLabels', kind: 'status', status: 404, body: '' });
	const engine = await startEngine(sandboxCredential(other.url));
	const { items } = await engine.run({ parameters, items: idsOf(1, {}, other) });
	await other.close();
	expect(valuesOf(items, 'labelsCount')).toEqual([1]);
	const paths = other.requests.map(({ path }) => path);
	expect(paths.slice(0, 2)).toEqual(['/api/Label/Print/', '/api/Label/Print']);
});

test('A ZPL file is saved byte by byte, diacritics included', async () => {
	const given = idsOf(3, { recName: 'Žofie Šťastná', recCity: 'Łódź' });
	const { items } = await run(given, { ...parameters, format: 'zpl' });
	const { headerName = '', headerValue = '' } = sandboxCredential(shop.sandbox.url);
	const headers = { [headerName]: headerValue };
	const response = await fetch(String(items[0]?.json.labelsUrl), { headers });
	expect(bytesOf(items[0]).equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
	expect(bytesOf(items[0]).toString('utf8')).toContain('Žofie Šťastná');
	const fileName = expect.stringMatching(/^labels-ANT-[\d-]+-3-[0-9a-f]{8}\.zpl$/);
	expect(items[0]?.binary?.data).toMatchObject({ mimeType: 'application/zpl', fileName });
});

test('A login page instead of a label file is not saved, and the error names the labels', async () => {
	addFault({ kind: 'html' });
	const { items, errorItems } = await run(idsOf(2), parameters, { onError });
	expect([items, linksOf(errorItems), errorItems[0]?.binary]).toEqual([[], [[0, 1]], undefined]);
	const error = String(errorItems[0]?.json.error);
	expect(error).toContain('Ant Express were created, but their file was not saved');
	expect(error).toContain('The provider did not return a PDF file');
	expect(errorItems[0]?.json.details).toMatchObject({
		...{ carrierCode: 'ANT', labelsCount: 2, hashExpiresAt: expect.any(String) },
		hash: expect.stringMatching(/^[0-9a-f]{32}$/),
		labelsUrl: expect.stringContaining('/files/job/'),
	});
});

test('The download is repeated after a connection that broke within the file', async () => {
	addFault({ kind: 'halfBody', when: 'after', cut: true });
	const { items } = await run(idsOf(1));
	expect([requestsTo('labelFile').length, isWholePdf(items[0])]).toEqual([2, true]);
});
