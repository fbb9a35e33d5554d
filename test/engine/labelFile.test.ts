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

const fileRequests = (at = sandbox) =>
	at.requests.filter(({ operationId }) => operationId === 'labelFile');

const bytesOf = (item?: INodeExecutionData) =>
	Buffer.from(item?.binary?.data?.data ?? '', 'base64');

const addFault = (fault: Omit<Fault, 'operation'>) =>
	sandbox.fault({ operation: 'labelFile', ...fault });

test('A ZPL file is saved byte by byte, diacritics included', async () => {
	const items = idsOf(2, { recName: 'Žofie Šťastná', recCity: 'Łódź' });
	const { items: output } = await engine.run({
		parameters: { ...parameters, format: 'zpl' },
		items,
	});

	const [labels] = output;
	const { headerName, headerValue } = sandboxCredential(sandbox.url);
	const response = await fetch(String(labels?.json.labelsUrl), {
		headers: { [headerName as string]: headerValue as string },
	});
	const original = Buffer.from(await response.arrayBuffer());
	expect(bytesOf(labels).equals(original)).toBe(true);
	expect(bytesOf(labels).toString('utf8')).toContain('Žofie Šťastná');
	expect(labels?.binary?.data).toMatchObject({
		mimeType: 'application/zpl',
		fileName: expect.stringMatching(/^labels-ANT-[\d-]+-2-[0-9a-f]{8}\.zpl$/),
	});
});

describe('A response that is not a label file is never saved', () => {
	const wrongFiles: Array<[string, Omit<Fault, 'operation'>, string]> = [
		['a login page', { kind: 'html' }, 'The service returned a web page instead of a PDF file'],
		[
			'a message in JSON',
			{ kind: 'body', body: { message: 'no labels today' } },
			'The service returned a message in JSON instead of a PDF file',
		],
		[
			'an empty file',
			{ kind: 'body', body: '' },
			'The service returned an empty file instead of a PDF file',
		],
		[
			'ZPL',
			{ kind: 'body', body: '^XA^FDlabel^FS^XZ' },
			'The service returned another kind of file instead of a PDF file',
		],
		['404', { kind: 'status', status: 404, body: { message: 'Gone' } }, 'The service said: Gone'],
	];

	test.each(wrongFiles)('%s', async (_, fault, words) => {
		addFault(fault);
		const { items, errorItems } = await engine.run({
			parameters,
			items: idsOf(2),
			onError: 'continueErrorOutput',
		});
		expect(items).toEqual([]);
		expect(errorItems).toHaveLength(1);
		const [failed] = errorItems;
		expect(failed?.binary).toBeUndefined();
		expect(failed?.json.error).toContain('Ant Express were created, but their file was not saved');
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

	test('without Continue, the error contains the hash and the link', async () => {
		addFault({ kind: 'html' });
		const { error, items } = await engine.run({ parameters, items: idsOf(2) });
		expect(items).toEqual([]);
		expect(error?.message).toContain('their file was not saved');
		expect(error?.description).toMatch(
			/Labels created: Ant Express 2, hash [0-9a-f]{32}, http\S+\/files\/job\/[0-9a-f]{32}/,
		);
	});

	test('with Continue, the file of the other carrier is saved', async () => {
		addFault({ kind: 'html' });
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

describe('The download is repeated', () => {
	const transientFaults: Array<[string, Omit<Fault, 'operation'>]> = [
		[
			'after the connection broke in the middle of the file',
			{ kind: 'halfBody', when: 'after', cut: true },
		],
		['after a connection reset', { kind: 'reset' }],
		['after 503', { kind: 'status', status: 503 }],
		['after 429', { kind: 'rateLimit', retryAfter: '0' }],
	];
	test.each(transientFaults)('%s', async (_, fault) => {
		addFault(fault);
		const { items } = await engine.run({ parameters, items: idsOf(1) });
		expect(fileRequests()).toHaveLength(2);
		expect(readLabelsPdf(bytesOf(items[0]))).toHaveLength(1);
	});
});

test('The download is repeated after the connection broke before the first byte of the file', async () => {
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
		rewrite: ((response: { result: IDataObject[] }) => ({
			...response,
			result: response.result.map((group) => ({ ...group, labelsUrl })),
		})) as never,
	});

	const { items } = await engine.run({ parameters, items: idsOf(1) });
	server.close();
	expect(tries).toBe(2);
	expect(bytesOf(items[0])).toHaveLength(2_000);
});

describe('A file at another address', () => {
	let elsewhere: Sandbox;
	beforeAll(async () => {
		elsewhere = await startSandbox({ labelOrigin: 'other' });
	});
	afterEach(() => elsewhere.reset());
	afterAll(() => elsewhere.close());

	test('of the same service is requested with the credential, also after a redirect', async () => {
		const [target] = idsOf(1);
		addFault({ kind: 'redirect', location: `${sandbox.url}/files/shipment/${target?.id}` });
		const { items } = await engine.run({ parameters, items: [target as IDataObject] });
		expect(fileRequests().map(({ headers }) => headers[SECRET])).toEqual(
			Array(2).fill('sandbox-key'),
		);
		expect(readLabelsPdf(bytesOf(items[0]))).toHaveLength(1);
	});

	test('of another origin is requested without the credential', async () => {
		const { run } = await startEngine(sandboxCredential(elsewhere.url));
		const { items } = await run({ parameters, items: idsOf(1, {}, elsewhere) });

		const [request] = fileRequests(elsewhere);
		expect(`http://${String(request?.headers.host)}`).toBe(elsewhere.labelHome);
		expect(elsewhere.labelHome).not.toBe(elsewhere.home);
		expect(JSON.stringify(request)).not.toContain('sandbox-key');
		expect(readLabelsPdf(bytesOf(items[0]))).toHaveLength(1);
	});

	test.each(['header', 'bearer', 'basic', 'query', 'signIn'] as const)(
		'of another origin after a redirect is requested without a %s credential',
		async (form) => {
			const [target] = idsOf(1, {}, elsewhere);
			addFault({
				kind: 'redirect',
				location: `${elsewhere.labelHome}/files/shipment/${target?.id}`,
			});
			const { run } = await startEngine(sandboxCredential(sandbox.url, form));
			const { items } = await run({ parameters, items: idsOf(1) });

			expect(fileRequests()).toHaveLength(1);
			const [request] = fileRequests(elsewhere);
			expect(request?.headers[SECRET]).toBeUndefined();
			expect(request?.headers.authorization).toBeUndefined();
			expect(request?.query).toEqual({});
			expect(readLabelsPdf(bytesOf(items[0]))).toHaveLength(1);
		},
	);

	test('that redirects to itself is an error', async () => {
		addFault({ kind: 'redirect', location: '', times: Infinity });
		const { error } = await engine.run({ parameters, items: idsOf(1) });
		expect(error?.message).toContain('Too many redirects');
	});
});

test('No more files are downloaded in parallel than Max Concurrency', async () => {
	sandbox.fault({ operation: 'labelFile', kind: 'latency', ms: 60, times: Infinity });
	const services = ['ANT-HOME', 'BEAVER-PARCEL', 'CRANE-EU', 'SNAIL-PALLET', 'DODO-DAY'];
	const items = services.flatMap((serviceType) => idsOf(1, { serviceType }));
	const { items: output } = await engine.run({
		parameters: { ...parameters, options: { maxConcurrency: 2 } },
		items,
	});
	expect(output).toHaveLength(5);
	const atOnce = fileRequests().map(
		({ at }) =>
			fileRequests().filter((other) => other.at <= at && (other.finishedAt ?? Infinity) > at)
				.length,
	);
	expect(Math.max(...atOnce)).toBe(2);
});
