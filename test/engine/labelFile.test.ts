import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import { readLabelsPdf } from '../support/readLabelsPdf';

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { type Fault, type Sandbox, startSandbox } from '../../sandbox';

let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
	sandbox = await startSandbox();
	engine = await startEngine(sandboxCredential(sandbox.url));
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const parameters = { resource: 'label', operation: 'print', shipmentIds: '={{ $json.id }}' };
const SECRET = 'x-api-key';

const idsOf = (count: number, more = {}, at = sandbox) =>
	at.seedShipments(count, { serviceType: 'ANT-HOME', ...more }).map(({ id }) => ({ id }));

const filesAsked = (at = sandbox) =>
	at.requests.filter(({ operationId }) => operationId === 'labelFile');

const bytesOf = (item?: INodeExecutionData) =>
	Buffer.from(item?.binary?.data?.data ?? '', 'base64');

const spoil = (fault: Omit<Fault, 'operation'>) =>
	sandbox.fault({ operation: 'labelFile', ...fault });

test('ZPL keeps every byte, diacritics included', async () => {
	const items = idsOf(2, { recName: 'Žofie Šťastná', recCity: 'Łódź' });
	const { items: output } = await engine.run({
		parameters: { ...parameters, format: 'zpl' },
		items,
	});

	const [labels] = output;
	const { headerName, headerValue } = sandboxCredential(sandbox.url);
	const answer = await fetch(String(labels?.json.labelsUrl), {
		headers: { [headerName as string]: headerValue as string },
	});
	const original = Buffer.from(await answer.arrayBuffer());
	expect(bytesOf(labels).equals(original)).toBe(true);
	expect(bytesOf(labels).toString('utf8')).toContain('Žofie Šťastná');
	expect(labels?.binary?.data).toMatchObject({
		mimeType: 'application/zpl',
		fileName: expect.stringMatching(/^labels-ANT-[\d-]+-2-[0-9a-f]{8}\.zpl$/),
	});
});

describe('Something else comes instead of the file: it is never saved as labels', () => {
	const spoiled: Array<[string, Omit<Fault, 'operation'>, string]> = [
		['a sign-in page', { kind: 'html' }, 'Instead of a PDF file, a web page came back'],
		[
			'a message in JSON',
			{ kind: 'body', body: { message: 'no labels today' } },
			'Instead of a PDF file, a message in JSON came back',
		],
		['an empty file', { kind: 'body', body: '' }, 'Instead of a PDF file, an empty file came back'],
		['ZPL', { kind: 'body', body: '^XA^FDlabel^FS^XZ' }, 'something else came back'],
		['404', { kind: 'status', status: 404, body: { message: 'Gone' } }, 'The service said: Gone'],
	];

	test.each(spoiled)('%s', async (_, fault, words) => {
		spoil(fault);
		const { items, errorItems } = await engine.run({
			parameters,
			items: idsOf(2),
			onError: 'continueErrorOutput',
		});
		expect(items).toEqual([]);
		expect(errorItems).toHaveLength(1);
		const [failed] = errorItems;
		expect(failed?.binary).toBeUndefined();
		expect(failed?.json.error).toContain('Ant Express were made, but their file was not saved');
		expect(failed?.json.error).toContain(words);
		expect(failed?.pairedItem).toEqual([{ item: 0 }, { item: 1 }]);
		expect(failed?.json.details).toMatchObject({
			carrierCode: 'ANT',
			labelsCount: 2,
			hash: expect.stringMatching(/^[0-9a-f]{32}$/),
			labelsUrl: expect.stringContaining('/files/job/'),
			hashExpiresAt: expect.any(String),
		});
	});

	test('under Stop, the error says where the labels are', async () => {
		spoil({ kind: 'html' });
		const { error, items } = await engine.run({ parameters, items: idsOf(2) });
		expect(items).toEqual([]);
		expect(error?.message).toContain('their file was not saved');
		expect(error?.description).toMatch(
			/These labels were made: Ant Express 2, hash [0-9a-f]{32}, http\S+\/files\/job\/[0-9a-f]{32}/,
		);
	});

	test('under Continue, the other carrier keeps its file', async () => {
		spoil({ kind: 'html' });
		const { items } = await engine.run({
			parameters: { ...parameters, options: { maxConcurrency: 1 } },
			items: [...idsOf(1), ...idsOf(1, { serviceType: 'CRANE-EU' })],
			onError: 'continueRegularOutput',
		});
		expect(items).toHaveLength(2);
		expect(items[0]?.json.error).toContain('Ant Express');
		expect(items[1]?.json.carrierCode).toBe('CRANE');
		expect(readLabelsPdf(bytesOf(items[1]))).toHaveLength(1);
	});
});

describe('The file comes at the second try', () => {
	const transientFaults: Array<[string, Omit<Fault, 'operation'>]> = [
		['after the connection was cut in the middle', { kind: 'halfBody', when: 'after', cut: true }],
		['after a reset', { kind: 'reset' }],
		['after 503', { kind: 'status', status: 503 }],
		['after 429', { kind: 'rateLimit', retryAfter: '0' }],
	];
	test.each(transientFaults)('%s', async (_, fault) => {
		spoil(fault);
		const { items } = await engine.run({ parameters, items: idsOf(1) });
		expect(filesAsked()).toHaveLength(2);
		expect(readLabelsPdf(bytesOf(items[0]))).toHaveLength(1);
	});
});

test('The connection breaks before the first byte of the file: it is asked for again', async () => {
	let tries = 0;
	const server = createServer((_, response) => {
		response.writeHead(200, { 'content-length': 2_000 }).flushHeaders();
		if (++tries === 1) setTimeout(() => response.destroy(), 20);
		else response.end('%PDF-1.7'.padEnd(2_000));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const labelsUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/labels`;
	sandbox.fault({
		operation: 'printLabels',
		kind: 'body',
		rewrite: ((answer: { result: IDataObject[] }) => ({
			...answer,
			result: answer.result.map((group) => ({ ...group, labelsUrl })),
		})) as never,
	});

	const { items } = await engine.run({ parameters, items: idsOf(1) });
	server.close();
	expect(tries).toBe(2);
	expect(bytesOf(items[0])).toHaveLength(2_000);
});

describe('The file is at another address', () => {
	let elsewhere: Sandbox;
	beforeAll(async () => {
		elsewhere = await startSandbox({ labelOrigin: 'other' });
	});
	afterEach(() => elsewhere.reset());
	afterAll(() => elsewhere.close());

	test('of the same service: the credential goes along, also behind a redirect', async () => {
		const [target] = idsOf(1);
		spoil({ kind: 'redirect', location: `${sandbox.url}/files/shipment/${target?.id}` });
		const { items } = await engine.run({ parameters, items: [target as IDataObject] });
		expect(filesAsked().map(({ headers }) => headers[SECRET])).toEqual(
			Array(2).fill('sandbox-key'),
		);
		expect(readLabelsPdf(bytesOf(items[0]))).toHaveLength(1);
	});

	test('of another origin: it gets no credential', async () => {
		const { run } = await startEngine(sandboxCredential(elsewhere.url));
		const { items } = await run({ parameters, items: idsOf(1, {}, elsewhere) });

		const [asked] = filesAsked(elsewhere);
		expect(`http://${String(asked?.headers.host)}`).toBe(elsewhere.labelHome);
		expect(elsewhere.labelHome).not.toBe(elsewhere.home);
		expect(JSON.stringify(asked)).not.toContain('sandbox-key');
		expect(readLabelsPdf(bytesOf(items[0]))).toHaveLength(1);
	});

	test.each(['header', 'bearer', 'basic', 'query', 'signIn'] as const)(
		'of another origin behind a redirect: it gets no %s credential',
		async (form) => {
			const [target] = idsOf(1, {}, elsewhere);
			spoil({ kind: 'redirect', location: `${elsewhere.labelHome}/files/shipment/${target?.id}` });
			const { run } = await startEngine(sandboxCredential(sandbox.url, form));
			const { items } = await run({ parameters, items: idsOf(1) });

			expect(filesAsked()).toHaveLength(1);
			const [asked] = filesAsked(elsewhere);
			expect(asked?.headers[SECRET]).toBeUndefined();
			expect(asked?.headers.authorization).toBeUndefined();
			expect(asked?.query).toEqual({});
			expect(readLabelsPdf(bytesOf(items[0]))).toHaveLength(1);
		},
	);

	test('that leads back to itself: given up with a word about it', async () => {
		spoil({ kind: 'redirect', location: '', times: Infinity });
		const { error } = await engine.run({ parameters, items: idsOf(1) });
		expect(error?.message).toContain('redirected in a circle');
	});
});

test('No more files are under way at the same time than wished', async () => {
	sandbox.fault({ operation: 'labelFile', kind: 'latency', ms: 60, times: Infinity });
	const services = ['ANT-HOME', 'BEAVER-PARCEL', 'CRANE-EU', 'SNAIL-PALLET', 'DODO-DAY'];
	const items = services.flatMap((serviceType) => idsOf(1, { serviceType }));
	const { items: output } = await engine.run({
		parameters: { ...parameters, options: { maxConcurrency: 2 } },
		items,
	});
	expect(output).toHaveLength(5);
	const atOnce = filesAsked().map(
		({ at }) =>
			filesAsked().filter((other) => other.at <= at && (other.finishedAt ?? Infinity) > at).length,
	);
	expect(Math.max(...atOnce)).toBe(2);
});
