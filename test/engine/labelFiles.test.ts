import { startEngine } from '../support/engine';
import { useShop } from '../support/useShop';
import { sandboxCredential } from '../support/credentials';
import { readLabelsPdf } from '../support/readLabelsPdf';

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { type Fault, type Sandbox, startSandbox } from '../../sandbox';

const shop = useShop();

const DAY_MS = 86_400_000;
const parameters = { resource: 'label', operation: 'print', shipmentIds: '={{ $json.id }}' };
const linksOnly = { ...parameters, download: false };
const onError = 'continueErrorOutput';

const idsOf = (count: number, more = {}, at = shop.sandbox): IDataObject[] =>
	at.seedShipments(count, { serviceType: 'ANT-HOME', ...more }).map(({ id }) => ({ id }));
const antAndCrane = () => [...idsOf(2), ...idsOf(1, { serviceType: 'CRANE-EU' })];

const requestsTo = (operation: string, at = shop.sandbox) =>
	at.requests.filter(({ operationId }) => operationId === operation);
const bodies = () => requestsTo('printLabels').map(({ body }) => body);
const inputsOf = (item?: INodeExecutionData) =>
	([item?.pairedItem ?? []].flat() as Array<{ item: number }>).map(({ item: index }) => index);
const bytesOf = (item?: INodeExecutionData, field = 'data') =>
	Buffer.from(item?.binary?.[field]?.data ?? '', 'base64');
const isWholePdf = (item?: INodeExecutionData) => /^%PDF-.*%%EOF\s*$/s.test(String(bytesOf(item)));
const labelCountOf = (item?: INodeExecutionData, field = 'data') =>
	readLabelsPdf(bytesOf(item, field)).length;

const addFault = (fault: Omit<Fault, 'operation'>) => shop.fault('labelFile', { ...fault });
type Groups = { result: IDataObject[] };
const rewriteGroups = (change: (groups: IDataObject[]) => IDataObject[]) =>
	shop.fault('printLabels', {
		kind: 'body',
		times: Infinity,
		rewrite: ((response: Groups) => ({ ...response, result: change(response.result) })) as never,
	});

describe('Labels', () => {
	test('of one carrier are one PDF for all items', async () => {
		const before = Date.now();
		const { items, hints } = await shop.engine.run({ parameters, items: idsOf(3) });
		const [{ json, binary } = { json: {} as IDataObject }] = items;
		expect(items.map(inputsOf)).toEqual([[0, 1, 2]]);
		expect(json).toEqual({
			carrierCode: 'ANT',
			carrierName: 'Ant Express',
			labelsCount: 3,
			hash: expect.stringMatching(/^[0-9a-f]{32}$/),
			labelsUrl: expect.stringContaining(String(json.hash)),
			hashExpiresAt: expect.any(String),
		});
		const expiresAt = Date.parse(String(json.hashExpiresAt));
		expect(expiresAt).toBeGreaterThanOrEqual(before + 14 * DAY_MS);
		expect(expiresAt).toBeLessThanOrEqual(Date.now() + 14 * DAY_MS);
		expect(binary?.data).toMatchObject({ mimeType: 'application/pdf', fileExtension: 'pdf' });
		expect(binary?.data?.fileName).toMatch(
			new RegExp(`^labels-ANT-\\d{4}-\\d\\d-\\d\\d-3-${String(json.hash).slice(0, 8)}\\.pdf$`),
		);
		expect(labelCountOf(items[0])).toBe(3);
		expect(hints).toEqual([]);
	});

	test('of several carriers are one file each, linked to every item that they may belong to', async () => {
		const field = { ...parameters, binaryPropertyName: 'labels' };
		const { items } = await shop.engine.run({ parameters: field, items: antAndCrane() });
		expect(items.map(({ json }) => [json.carrierCode, json.labelsCount])).toEqual([
			['ANT', 2],
			['CRANE', 1],
		]);
		expect(items.map(inputsOf)).toEqual(Array(2).fill([0, 1, 2]));
		expect(items.map((item) => labelCountOf(item, 'labels'))).toEqual([2, 1]);
		expect(items[1]?.binary?.labels?.fileName).toMatch(/^labels-CRANE-/);
	});

	test('are requested once per shipment, also for lists and commas', async () => {
		const [a, b, c] = idsOf(3).map(({ id }) => id) as [number, number, number];
		const items = [{ id: `${a}, ${b}` }, { id: [b, String(c)] }, { id: a }];
		const { items: output } = await shop.engine.run({ parameters: linksOnly, items });
		expect(bodies()).toEqual([{ packages: [a, b, c] }]);
		expect(inputsOf(output[0])).toEqual([0, 1, 2]);
	});

	test.each<[string, INodeParameters, string, object]>([
		['the layout of the carrier', { layout: 'carrierDefault' }, 'pdf', {}],
		['one label per page', { layout: 'onePerPage' }, 'pdf', { onePerPage: true }],
		['four labels per page', { layout: 'fourPerPage' }, 'pdf', { onePerPage: false }],
		[
			'the second half of a sheet',
			{ layout: 'fourPerPage', options: { firstLabelPosition: 3 } },
			'pdf',
			{ onePerPage: false, skip: 2 },
		],
		['the sheet of the carrier', { options: { firstLabelPosition: '6' } }, 'pdf', { skip: 5 }],
		[
			'one label per page, whatever its position',
			{ layout: 'onePerPage', options: { firstLabelPosition: 3 } },
			'pdf',
			{ onePerPage: true },
		],
		// The form hides Layout for ZPL, but not if Format is an expression.
		['ZPL, without a layout', { format: '={{ "zpl" }}', layout: 'onePerPage' }, 'zpl', {}],
	])('can have %s', async (_, chosen, type, more) => {
		const items = idsOf(1);
		await shop.engine.run({ parameters: { ...linksOnly, ...chosen }, items });
		expect(bodies()).toEqual([{ packages: [items[0]?.id], ...more }]);
		expect(requestsTo('printLabels')[0]?.query).toEqual({ type });
	});

	test.each([5, 0, 'x'])('can not start at position %j of a sheet with four', async (position) => {
		const options = { firstLabelPosition: position };
		const chosen = { ...linksOnly, layout: 'fourPerPage', options };
		const { error } = await shop.engine.run({ parameters: chosen, items: idsOf(1) });
		expect(error?.message).toBe(
			`Invalid First Label Position of item 0: ${JSON.stringify(position)}`,
		);
		expect(error?.description).toContain('A sheet has 4 labels');
	});

	test('can have a different format for each item', async () => {
		const formats = ['pdf', 'zpl', 'pdf'];
		const items = idsOf(3).map((item, index) => ({ ...item, format: formats[index] }));
		const byItem = { ...linksOnly, format: '={{ $json.format }}' };
		const { items: output } = await shop.engine.run({ parameters: byItem, items });
		expect(output.map(inputsOf)).toEqual([[0, 2], [1]]);
		expect(requestsTo('printLabels').map(({ query }) => query.type)).toEqual(['pdf', 'zpl']);
	});

	test('that are fewer than the shipments are returned with a hint', async () => {
		rewriteGroups((groups) => groups.map((group) => ({ ...group, labelsCount: 2 })));
		const { items, hints } = await shop.engine.run({ parameters: linksOnly, items: idsOf(3) });
		expect(items).toHaveLength(1);
		expect(hints).toEqual([expect.stringContaining('2 labels for 3 shipments')]);
	});
});

describe('Shipments without labels', () => {
	const UNKNOWN = 'The service said: There are no shipments with these ids: 999999';

	test.each<[string, () => IDataObject[], string, number[]]>([
		['unknown to the service', () => [...idsOf(1), { id: 999_999 }], UNKNOWN, []],
		[
			'with an invalid ID',
			() => [{ id: 'x' }, ...idsOf(1)],
			'Invalid Shipment IDs of item 0: "x"',
			[1],
		],
		[
			'that the service skips',
			() => {
				rewriteGroups(() => []);
				return idsOf(2);
			},
			'The service created no labels for these shipments',
			[],
		],
	])('fail, and the error says why: %s', async (_, seed, message, printed) => {
		const items = seed();
		const failed = [0, 1].filter((index) => !printed.includes(index));
		const branched = await shop.engine.run({ parameters, items, onError });
		expect(branched.items.flatMap(inputsOf)).toEqual(printed);
		expect(branched.errorItems.map(inputsOf)).toEqual(failed.map((index) => [index]));
		const errors = branched.errorItems.map(({ json }) => json.error);
		expect(errors).toEqual(failed.map(() => message));
		const stopped = await shop.engine.run({ parameters, items });
		expect([stopped.items, stopped.error?.message]).toEqual([[], message]);
	});
});

test('A service without /Label/Print/ is asked at /Label/Print', async () => {
	const other = await startSandbox({ pathsWithoutSlash: true });
	other.fault({ operation: 'printLabels', kind: 'status', status: 404, body: '' });
	const { run } = await startEngine(sandboxCredential(other.url));
	const { items } = await run({ parameters: linksOnly, items: idsOf(1, {}, other) });
	await other.close();
	expect(items.map(({ json }) => json.labelsCount)).toEqual([1]);
	const paths = other.requests.map(({ path }) => path);
	expect(paths).toEqual(['/api/Label/Print/', '/api/Label/Print']);
});

test('A ZPL file is saved byte by byte, diacritics included', async () => {
	const items = idsOf(2, { recName: 'Žofie Šťastná', recCity: 'Łódź' });
	const { items: output } = await shop.engine.run({
		parameters: { ...parameters, format: 'zpl' },
		items,
	});
	const [labels] = output;
	const { headerName = '', headerValue = '' } = sandboxCredential(shop.sandbox.url);
	const response = await fetch(String(labels?.json.labelsUrl), {
		headers: { [headerName]: headerValue },
	});
	expect(bytesOf(labels).equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
	expect(bytesOf(labels).toString('utf8')).toContain('Žofie Šťastná');
	expect(labels?.binary?.data).toMatchObject({
		mimeType: 'application/zpl',
		fileName: expect.stringMatching(/^labels-ANT-[\d-]+-2-[0-9a-f]{8}\.zpl$/),
	});
});

test('Invalid shipment IDs are all named before anything is sent', async () => {
	const items = [...idsOf(1), { id: '0012345' }, { id: '' }, { id: -3 }];
	const { error } = await shop.engine.run({ parameters, items });
	expect(error?.message).toBe('Invalid Shipment IDs of item 1: "0012345"');
	expect(error?.description).toContain('Shipment IDs of item 2 is empty');
	expect(error?.description).toContain('Invalid Shipment IDs of item 3: "-3"');
	expect(shop.sandbox.requests).toEqual([]);
});

describe('A response that is not a label file is never saved', () => {
	const instead = (received: string) => `The service returned ${received} instead of a PDF file`;
	test.each<[string, Omit<Fault, 'operation'>, string]>([
		['a login page', { kind: 'html' }, instead('a web page')],
		['JSON', { kind: 'body', body: { message: 'no labels' } }, instead('a message in JSON')],
		['an empty file', { kind: 'body', body: '' }, instead('an empty file')],
		['ZPL', { kind: 'body', body: '^XA^FDlabel^FS^XZ' }, instead('another kind of file')],
		['404', { kind: 'status', status: 404, body: { message: 'Gone' } }, 'The service said: Gone'],
	])('%s', async (_, fault, words) => {
		addFault(fault);
		const { items, errorItems } = await shop.engine.run({ parameters, items: idsOf(2), onError });
		expect(items).toEqual([]);
		const [{ json, binary } = { json: {} as IDataObject }] = errorItems;
		expect(binary).toBeUndefined();
		expect(json.error).toContain('Ant Express were created, but their file was not saved');
		expect(json.error).toContain(words);
		expect(errorItems.map(inputsOf)).toEqual([[0, 1]]);
		expect(json.details).toMatchObject({
			carrierCode: 'ANT',
			labelsCount: 2,
			hash: expect.stringMatching(/^[0-9a-f]{32}$/),
			labelsUrl: expect.stringContaining('/files/job/'),
			hashExpiresAt: expect.any(String),
		});
	});

	test('and without Continue, the error contains the hash and the link', async () => {
		addFault({ kind: 'html' });
		const { error, items } = await shop.engine.run({ parameters, items: idsOf(2) });
		expect(items).toEqual([]);
		expect(error?.message).toContain('their file was not saved');
		expect(error?.description).toMatch(
			/Labels created: Ant Express 2, hash [0-9a-f]{32}, http\S+\/files\/job\/[0-9a-f]{32}/,
		);
	});

	test('and the file of the other carrier is', async () => {
		addFault({ kind: 'html' });
		const oneByOne = { ...parameters, options: { maxConcurrency: 1 } };
		const { items, errorItems } = await shop.engine.run({
			parameters: oneByOne,
			items: antAndCrane(),
			onError,
		});
		expect(errorItems[0]?.json.error).toContain('Ant Express');
		expect(items.map(({ json }) => json.carrierCode)).toEqual(['CRANE']);
		expect(isWholePdf(items[0])).toBe(true);
	});
});

describe('The download is repeated after', () => {
	test.each<[string, Omit<Fault, 'operation'>]>([
		['a connection that broke within the file', { kind: 'halfBody', when: 'after', cut: true }],
		['a connection reset', { kind: 'reset' }],
		['503', { kind: 'status', status: 503 }],
		['429', { kind: 'rateLimit', retryAfter: '0' }],
	])('%s', async (_, fault) => {
		addFault(fault);
		const { items } = await shop.engine.run({ parameters, items: idsOf(1) });
		expect(requestsTo('labelFile')).toHaveLength(2);
		expect(isWholePdf(items[0])).toBe(true);
	});

	test('a connection that broke before the first byte of the file', async () => {
		let tries = 0;
		const server = createServer((request, response) => {
			response.writeHead(200, { 'content-length': 2_000 }).flushHeaders();
			if (++tries === 1) setImmediate(() => request.socket.destroy());
			else response.end('%PDF-1.7'.padEnd(2_000));
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const labelsUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/labels`;
		rewriteGroups((groups) => groups.map((group) => ({ ...group, labelsUrl })));
		const { items } = await shop.engine.run({ parameters, items: idsOf(1) });
		server.close();
		expect(tries).toBe(2);
		expect(bytesOf(items[0])).toHaveLength(2_000);
	});
});

describe('A file at another address', () => {
	let elsewhere: Sandbox;
	beforeAll(async () => {
		elsewhere = await startSandbox({ labelOrigin: 'other' });
	});
	afterEach(() => elsewhere.reset());
	afterAll(() => elsewhere.close());

	test('of the same service is requested with the credential, also after a redirect', async () => {
		const items = idsOf(1);
		addFault({ kind: 'redirect', location: `${shop.sandbox.url}/files/shipment/${items[0]?.id}` });
		const { items: output } = await shop.engine.run({ parameters, items });
		const keys = requestsTo('labelFile').map(({ headers }) => headers['x-api-key']);
		expect(keys).toEqual(['sandbox-key', 'sandbox-key']);
		expect(isWholePdf(output[0])).toBe(true);
	});

	test('of another origin is requested without the credential', async () => {
		const { run } = await startEngine(sandboxCredential(elsewhere.url));
		const { items } = await run({ parameters, items: idsOf(1, {}, elsewhere) });
		const [request] = requestsTo('labelFile', elsewhere);
		expect(`http://${String(request?.headers.host)}`).toBe(elsewhere.labelHome);
		expect(elsewhere.labelHome).not.toBe(elsewhere.home);
		expect(JSON.stringify(request)).not.toContain('sandbox-key');
		expect(isWholePdf(items[0])).toBe(true);
	});

	test.each(['header', 'bearer', 'basic', 'query', 'signIn'] as const)(
		'of another origin after a redirect is requested without a %s credential',
		async (form) => {
			const [target] = idsOf(1, {}, elsewhere);
			const location = `${elsewhere.labelHome}/files/shipment/${target?.id}`;
			addFault({ kind: 'redirect', location });
			const { run } = await startEngine(sandboxCredential(shop.sandbox.url, form));
			const { items } = await run({ parameters, items: idsOf(1) });
			const [request] = requestsTo('labelFile', elsewhere);
			expect(request?.headers['x-api-key']).toBeUndefined();
			expect(request?.headers.authorization).toBeUndefined();
			expect(request?.query).toEqual({});
			expect(isWholePdf(items[0])).toBe(true);
		},
	);

	test('that redirects to itself is an error', async () => {
		addFault({ kind: 'redirect', location: '', times: Infinity });
		const { error } = await shop.engine.run({ parameters, items: idsOf(1) });
		expect(error?.message).toContain('Too many redirects');
	});
});
