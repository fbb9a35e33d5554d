import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';

import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { type Fault, type Sandbox, startSandbox } from '../../sandbox';

let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
	sandbox = await startSandbox();
	engine = await startEngine(sandboxCredential(sandbox.url));
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const ZEBRA = 'Warehouse Zebra';
const A4 = 'Warehouse A4';
const parameters = {
	resource: 'label',
	operation: 'sendToPrinter',
	hash: '={{ $json.hash }}',
	printerName: '={{ $json.printer }}',
};

/** A hash from Label, Create Label Files. */
async function newHash(): Promise<string> {
	const [shipment] = sandbox.seedShipments(1, { serviceType: 'ANT-HOME' });
	const print = { resource: 'label', operation: 'print', shipmentIds: shipment?.id ?? 0 };
	const { items } = await engine.run({ parameters: { ...print, download: false } });
	return String(items[0]?.json.hash);
}

const requestCount = () =>
	sandbox.requests.filter(({ operationId }) => operationId === 'sendToPrinter').length;
const printedJobs = () =>
	sandbox.database.printJobs().map(({ hash, printerName }) => [hash, printerName]);
const inputsOf = (item?: INodeExecutionData) => item?.pairedItem;
const addFault = (fault: Omit<Fault, 'operation'>) =>
	sandbox.fault({ operation: 'sendToPrinter', ...fault });

describe('Send labels to a printer', () => {
	test('returns an item with printed: true', async () => {
		const hash = await newHash();
		const { items } = await engine.run({ parameters, items: [{ hash, printer: ZEBRA }] });
		expect(items).toEqual([
			{
				json: { hash, printerName: ZEBRA, printed: true, correlationId: expect.any(String) },
				pairedItem: [{ item: 0 }],
			},
		]);
		expect(printedJobs()).toEqual([[hash, ZEBRA]]);
	});

	test('prints a batch once, although each of its shipments has the hash', async () => {
		const [hash, other] = [await newHash(), await newHash()];
		const { items, hints } = await engine.run({
			parameters,
			items: [hash, hash, other, hash].map((each) => ({ hash: each, printer: ZEBRA })),
		});
		expect(printedJobs()).toEqual([
			[hash, ZEBRA],
			[other, ZEBRA],
		]);
		expect(items.map(inputsOf)).toEqual([0, 1, 2, 3].map((item) => [{ item }]));
		expect(items.map(({ json }) => json.printedWithItem)).toEqual([undefined, 0, undefined, 0]);
		expect(hints.join(' ')).toContain('3 items have the same hash and printer as another item');
	});

	test('with Repeat, prints two copies for two items with the same hash', async () => {
		const hash = await newHash();
		const copy = { hash, printer: ZEBRA };
		const { items } = await engine.run({
			parameters: { ...parameters, options: { repeat: true } },
			items: [copy, copy],
		});
		expect(items.map(inputsOf)).toEqual([[{ item: 0 }], [{ item: 1 }]]);
		expect(printedJobs()).toEqual([
			[hash, ZEBRA],
			[hash, ZEBRA],
		]);
	});

	test('sends the jobs of one printer in input order and uses several printers in parallel', async () => {
		const hashes = [await newHash(), await newHash(), await newHash(), await newHash()];
		addFault({ kind: 'latency', ms: 60, times: Infinity });
		const items = hashes.map((hash, index) => ({ hash, printer: index === 1 ? A4 : ZEBRA }));
		const { items: output } = await engine.run({ parameters, items });

		expect(output.map(({ json }) => json.hash)).toEqual(hashes);
		const onZebra = printedJobs().filter(([, printer]) => printer === ZEBRA);
		expect(onZebra.map(([hash]) => hash)).toEqual([hashes[0], hashes[2], hashes[3]]);
		const requests = sandbox.requests.filter(({ operationId }) => operationId === 'sendToPrinter');
		const overlapping = requests.filter((request, index) =>
			requests
				.slice(0, index)
				.some(
					(earlier) =>
						(earlier.finishedAt ?? Infinity) > request.at &&
						(earlier.body as { printerName: string }).printerName ===
							(request.body as { printerName: string }).printerName,
				),
		);
		expect(overlapping).toEqual([]);
		const [first, second] = requests;
		expect(second?.at).toBeLessThan(first?.finishedAt ?? 0);
	});

	test('prints in every iteration of a loop, also if the hash is the same', async () => {
		const hash = await newHash();
		await engine.run({ parameters, items: [{ hash, printer: ZEBRA }], rounds: 3, tries: 2 });
		expect(printedJobs()).toHaveLength(3);
	});
});

describe('Send labels of shipments to a printer', () => {
	const ofShipments = {
		...parameters,
		labels: 'shipments',
		shipmentIds: '={{ $json.id }}',
		printerName: ZEBRA,
	};
	const seed = () => [
		...sandbox.seedShipments(2, { serviceType: 'ANT-HOME' }),
		...sandbox.seedShipments(1, { serviceType: 'CRANE-EU' }),
	];
	const labelCounts = () => sandbox.database.printJobs().map(({ count }) => count);

	test('prints one job per carrier, new and existing shipments alike', async () => {
		const items = seed().map(({ id }) => ({ id }));
		const { items: output } = await engine.run({ parameters: ofShipments, items });
		expect(labelCounts()).toEqual([2, 1]);
		expect(output.map(({ json }) => json)).toMatchObject([
			{ carrierCode: 'ANT', labelsCount: 2, printerName: ZEBRA, printed: true },
			{ carrierCode: 'CRANE', labelsCount: 1, printerName: ZEBRA, printed: true },
		]);
		expect(output.map(inputsOf)).toEqual(Array(2).fill([{ item: 0 }, { item: 1 }, { item: 2 }]));
	});

	test('prints a shipment once, although several items have its ID', async () => {
		const [shipment] = seed();
		const same = { id: shipment?.id ?? 0 };
		await engine.run({ parameters: ofShipments, items: [same, same] });
		expect(labelCounts()).toEqual([1]);
	});

	test('prints on the printer of each item', async () => {
		const items = seed().map(({ id }, index) => ({ id, printer: index === 1 ? A4 : ZEBRA }));
		await engine.run({
			parameters: { ...ofShipments, printerName: '={{ $json.printer }}' },
			items,
		});
		const jobs = sandbox.database.printJobs().map(({ printerName, count }) => [printerName, count]);
		expect(jobs.sort()).toEqual([
			[A4, 1],
			[ZEBRA, 1],
			[ZEBRA, 1],
		]);
	});

	test.each([1, 4])(
		'prints on two printers what each of them shall print, also with Retry On Fail (%i at a time)',
		async (maxConcurrency) => {
			const [first, second] = seed();
			addFault({ kind: 'status', status: 400, body: { message: 'Paper jam' } });
			await engine.run({
				parameters: {
					...ofShipments,
					printerName: '={{ $json.printer }}',
					options: { maxConcurrency },
				},
				items: [
					{ id: first?.id ?? 0, printer: ZEBRA },
					{ id: second?.id ?? 0, printer: ZEBRA },
					{ id: second?.id ?? 0, printer: A4 },
				],
				tries: 3,
			});
			const jobs = sandbox.database.printJobs();
			expect(jobs.map(({ printerName, count }) => [printerName, count]).sort()).toEqual([
				[A4, 1],
				[ZEBRA, 2],
			]);
		},
	);

	test('with Retry On Fail, prints only the carrier that was not printed', async () => {
		addFault({ kind: 'status', status: 400, body: { message: 'Paper jam' }, skip: 1 });
		const { error } = await engine.run({
			parameters: ofShipments,
			items: seed().map(({ id }) => ({ id })),
			tries: 3,
		});
		expect(error).toBeUndefined();
		expect(labelCounts()).toEqual([2, 1]);
		expect(requestCount()).toBe(3);
	});

	test('does not print again if the response is lost', async () => {
		addFault({ kind: 'reset', when: 'after' });
		const { error } = await engine.run({
			parameters: ofShipments,
			items: seed()
				.slice(0, 2)
				.map(({ id }) => ({ id })),
			tries: 3,
		});
		expect(error?.message).toContain('The labels may or may not have been printed');
		expect(labelCounts()).toEqual([2]);
	});

	test('prints nothing if an ID is invalid', async () => {
		const { error } = await engine.run({
			parameters: ofShipments,
			items: [{ id: 1001 }, { id: 'BV000001' }],
		});
		expect(error?.message).toBe('Invalid Shipment IDs of item 1: "BV000001"');
		expect(sandbox.requests).toEqual([]);
	});
});

describe('A refused print job', () => {
	const cases: Array<[string, string, string, string]> = [
		[
			'for an unknown printer',
			'Cellar',
			'Could not send the labels to printer "Cellar": There is no printer',
			'spelling',
		],
		[
			'for an unreachable printer',
			'Attic',
			'Could not send the labels to printer "Attic": Printer',
			'switched on',
		],
		[
			'for a printer that responds with false',
			'Front Desk',
			'Printer "Front Desk" did not accept the labels',
			'has paper',
		],
	];

	test.each(cases)('%s stops the run', async (_, printer, message, advice) => {
		const { error, items } = await engine.run({
			parameters,
			items: [{ hash: await newHash(), printer }],
		});
		expect(items).toEqual([]);
		expect(error?.message).toContain(message);
		expect(error?.description).toContain(advice);
	});

	test.each(cases)('%s goes to the error output', async (_, printer, message) => {
		const hash = await newHash();
		const { items, errorItems } = await engine.run({
			parameters,
			items: [
				{ hash, printer },
				{ hash, printer: ZEBRA },
			],
			onError: 'continueErrorOutput',
		});
		expect(items.map(inputsOf)).toEqual([[{ item: 1 }]]);
		expect(errorItems.map(inputsOf)).toEqual([[{ item: 0 }]]);
		expect(errorItems[0]?.json.error).toContain(message);
		expect(errorItems[0]?.json.details).toMatchObject({ hash, printerName: printer });
	});

	test.each(cases)('%s is an error item with Continue', async (_, printer, message) => {
		const { items } = await engine.run({
			parameters,
			items: [{ hash: await newHash(), printer }],
			onError: 'continueRegularOutput',
		});
		expect(items).toHaveLength(1);
		expect(Object.keys(items[0]?.json ?? {})).toEqual(['error', 'message', 'details']);
		expect(items[0]?.json.error).toContain(message);
	});

	test('for a hash that the service calls expired with another status says so, too', async () => {
		sandbox.fault({
			operation: 'sendToPrinter',
			kind: 'status',
			status: 400,
			body: { errors: [{ errorCode: 7, message: 'Print job expired', reference: null }] },
		});
		const { error } = await engine.run({ parameters, items: [{ hash: 'old', printer: ZEBRA }] });
		expect(error?.message).toBe('The print hash has expired: Print job expired');
	});

	test('for a hash older than 14 days says how to get a new one', async () => {
		const hash = await newHash();
		sandbox.advance(14 * 24 + 1);
		const { error } = await engine.run({ parameters, items: [{ hash, printer: ZEBRA }] });
		expect(error?.message).toContain('The print hash has expired');
		expect(error?.description).toContain(
			"A hash is valid for 14 days. To print from the shipment ID instead, set 'Labels' to 'Of Shipments'",
		);
	});

	test('without hash or printer names all such items and sends nothing', async () => {
		const items = [{ hash: 'abc', printer: ZEBRA }, { hash: 'abc' }, { printer: ZEBRA }];
		const { error } = await engine.run({ parameters, items });
		expect(error?.message).toBe('Printer is empty');
		expect(error?.description).toContain('Hash of item 2 is empty');
		expect(requestCount()).toBe(0);
	});

	test.each([
		[
			'from the list',
			{ __rl: true, mode: 'list', value: ZEBRA, cachedResultName: 'Label printer' },
		],
		['by name', { __rl: true, mode: 'name', value: '={{ $json.printer }}' }],
		['as plain text', ZEBRA],
	])('prints on a printer chosen %s', async (_, printerName) => {
		const hash = await newHash();
		const chosen = { ...parameters, printerName } as INodeParameters;
		await engine.run({ parameters: chosen, items: [{ hash, printer: ZEBRA }] });
		expect(printedJobs()).toEqual([[hash, ZEBRA]]);
	});

	test('without hash says how to print a shipment that already existed', async () => {
		const { error } = await engine.run({ parameters, items: [{ hash: null, printer: ZEBRA }] });
		expect(error?.message).toBe('Hash of item 0 is empty');
		expect(error?.description).toContain("Set 'Labels' to 'Of Shipments'");
	});
});

describe('A print job with an unknown outcome is not sent again', () => {
	const lost: Array<[string, Omit<Fault, 'operation'>]> = [
		['no response in time', { kind: 'noResponse', when: 'after' }],
		['a connection reset', { kind: 'reset', when: 'after' }],
		['502', { kind: 'status', status: 502, when: 'after' }],
		['504', { kind: 'status', status: 504, when: 'after' }],
		['half a body', { kind: 'halfBody', when: 'after' }],
		['half a body and a broken connection', { kind: 'halfBody', when: 'after', cut: true }],
		['a web page', { kind: 'html', when: 'after' }],
		['result null', { kind: 'nullResult', when: 'after' }],
	];
	const options = { timeout: 400 };

	test.each(lost)('%s, with Retry On Fail', async (_, fault) => {
		const hash = await newHash();
		addFault(fault);
		const { error } = await engine.run({
			parameters: { ...parameters, options },
			items: [{ hash, printer: ZEBRA }],
			tries: 3,
		});
		expect(printedJobs()).toEqual([[hash, ZEBRA]]);
		expect(requestCount()).toBe(1);
		expect(error?.message).toContain(`The labels may or may not have been printed on "${ZEBRA}"`);
		expect(error?.description).toContain('Check the printer first');
	});

	test('and the other items are printed once, despite retries', async () => {
		const hashes = [await newHash(), await newHash(), await newHash()];
		addFault({ kind: 'reset', when: 'after' });
		const { items, errorItems } = await engine.run({
			parameters,
			items: hashes.map((hash) => ({ hash, printer: ZEBRA })),
			onError: 'continueErrorOutput',
			tries: 3,
		});
		expect(printedJobs().map(([hash]) => hash)).toEqual(hashes);
		expect(items.map(inputsOf)).toEqual([[{ item: 1 }], [{ item: 2 }]]);
		expect(errorItems.map(inputsOf)).toEqual([[{ item: 0 }]]);
		expect(errorItems[0]?.json.details).toMatchObject({ hash: hashes[0], printerName: ZEBRA });
	});
});

describe('With Retry On Fail', () => {
	test('printed jobs are returned and not printed again', async () => {
		const hashes = [await newHash(), await newHash(), await newHash()];
		addFault({ kind: 'status', status: 400, body: { message: 'Paper jam' }, skip: 1 });
		const { items, error } = await engine.run({
			parameters,
			items: hashes.map((hash) => ({ hash, printer: ZEBRA })),
			tries: 3,
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.hash)).toEqual(hashes);
		expect(printedJobs().map(([hash]) => hash)).toEqual(hashes);
		expect(requestCount()).toBe(4);
	});

	test.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'and %s, only the failed first item is sent again',
		async (onError) => {
			const hashes = [await newHash(), await newHash()];
			const [first, second] = hashes;
			const { items, errorItems } = await engine.run({
				parameters,
				items: [
					{ hash: first, printer: 'Attic' },
					{ hash: second, printer: ZEBRA },
				] as never,
				onError,
				tries: 3,
			});
			expect(printedJobs()).toEqual([[second, ZEBRA]]);
			expect(requestCount()).toBe(4);
			expect([...errorItems, ...items]).toHaveLength(2);
		},
	);

	test('turned off, the error lists the printed items and no other job is sent', async () => {
		const hashes = [await newHash(), await newHash(), await newHash()];
		addFault({ kind: 'status', status: 400, body: { message: 'Paper jam' }, skip: 1 });
		const { error } = await engine.run({
			parameters,
			items: hashes.map((hash) => ({ hash, printer: ZEBRA })),
		});
		expect(error?.message).toContain('Paper jam');
		expect(error?.description).toContain('Already printed: item 0.');
		expect(requestCount()).toBe(2);
	});
});

test.each([
	['429', { kind: 'rateLimit', retryAfter: '0' }],
	['503 with Retry-After', { kind: 'status', status: 503, retryAfter: '0' }],
] as Array<[string, Omit<Fault, 'operation'>]>)(
	'A job that the service refused with %s is sent again in the same run',
	async (_, fault) => {
		const hash = await newHash();
		addFault(fault);
		const { items } = await engine.run({ parameters, items: [{ hash, printer: ZEBRA }] });
		expect(items[0]?.json.printed).toBe(true);
		expect(printedJobs()).toHaveLength(1);
	},
);
