import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';

import type { INodeExecutionData } from 'n8n-workflow';

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

/** A hash as Label, Print gives it. */
async function newHash(): Promise<string> {
	const [shipment] = sandbox.seedShipments(1, { serviceType: 'ANT-HOME' });
	const print = { resource: 'label', operation: 'print', shipmentIds: shipment?.id ?? 0 };
	const { items } = await engine.run({ parameters: { ...print, download: false } });
	return String(items[0]?.json.hash);
}

const jobsSent = () =>
	sandbox.requests.filter(({ operationId }) => operationId === 'sendToPrinter').length;
const sheets = () =>
	sandbox.database.printJobs().map(({ hash, printerName }) => [hash, printerName]);
const inputsOf = (item?: INodeExecutionData) => item?.pairedItem;
const spoil = (fault: Omit<Fault, 'operation'>) =>
	sandbox.fault({ operation: 'sendToPrinter', ...fault });

describe('Labels are sent to a printer', () => {
	test('and the item says that they were printed', async () => {
		const hash = await newHash();
		const { items } = await engine.run({ parameters, items: [{ hash, printer: ZEBRA }] });
		expect(items).toEqual([
			{
				json: { hash, printerName: ZEBRA, printed: true, correlationId: expect.any(String) },
				pairedItem: [{ item: 0 }],
			},
		]);
		expect(sheets()).toEqual([[hash, ZEBRA]]);
	});

	test('twice, when two items ask for the same: two copies', async () => {
		const hash = await newHash();
		const copy = { hash, printer: ZEBRA };
		const { items } = await engine.run({ parameters, items: [copy, copy] });
		expect(items.map(inputsOf)).toEqual([[{ item: 0 }], [{ item: 1 }]]);
		expect(sheets()).toEqual([
			[hash, ZEBRA],
			[hash, ZEBRA],
		]);
	});

	test('one after another per printer, in the order of the items; printers side by side', async () => {
		const hashes = [await newHash(), await newHash(), await newHash(), await newHash()];
		spoil({ kind: 'latency', ms: 60, times: Infinity });
		const items = hashes.map((hash, index) => ({ hash, printer: index === 1 ? A4 : ZEBRA }));
		const { items: output } = await engine.run({ parameters, items });

		expect(output.map(({ json }) => json.hash)).toEqual(hashes);
		const onZebra = sheets().filter(([, printer]) => printer === ZEBRA);
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

	test('in every round of a loop, also when the hash is the same', async () => {
		const hash = await newHash();
		await engine.run({ parameters, items: [{ hash, printer: ZEBRA }], rounds: 3, tries: 2 });
		expect(sheets()).toHaveLength(3);
	});
});

describe('The printer does not print: the item fails and says why', () => {
	const cases: Array<[string, string, string, string]> = [
		[
			'unknown',
			'Cellar',
			'Printer "Cellar" did not get the labels: There is no printer',
			'spelling',
		],
		['unreachable', 'Attic', 'Printer "Attic" did not get the labels: Printer', 'switched on'],
		['answers false', 'Front Desk', 'Printer "Front Desk" did not take the labels', 'has paper'],
	];

	test.each(cases)('%s, under Stop', async (_, printer, message, advice) => {
		const { error, items } = await engine.run({
			parameters,
			items: [{ hash: await newHash(), printer }],
		});
		expect(items).toEqual([]);
		expect(error?.message).toContain(message);
		expect(error?.description).toContain(advice);
	});

	test.each(cases)('%s, with the error output', async (_, printer, message) => {
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

	test.each(cases)('%s, under Continue', async (_, printer, message) => {
		const { items } = await engine.run({
			parameters,
			items: [{ hash: await newHash(), printer }],
			onError: 'continueRegularOutput',
		});
		expect(items).toHaveLength(1);
		expect(Object.keys(items[0]?.json ?? {})).toEqual(['error', 'message', 'details']);
		expect(items[0]?.json.error).toContain(message);
	});

	test('the hash is older than 14 days: print again from the shipment', async () => {
		const hash = await newHash();
		sandbox.advance(14 * 24 + 1);
		const { error } = await engine.run({ parameters, items: [{ hash, printer: ZEBRA }] });
		expect(error?.message).toContain('The print hash has expired');
		expect(error?.description).toContain(
			"A hash can be used for 14 days. Print again from the shipment's ID with Label, Print",
		);
	});

	test('hash or printer is missing: all are named before anything is sent', async () => {
		const items = [{ hash: 'abc', printer: ZEBRA }, { hash: 'abc' }, { printer: ZEBRA }];
		const { error } = await engine.run({ parameters, items });
		expect(error?.message).toBe('Printer Name of item 1 is empty');
		expect(error?.description).toContain('Hash of item 2 is empty');
		expect(jobsSent()).toBe(0);
	});
});

describe('The answer is lost: the labels may have been printed, so the job is not repeated', () => {
	const lost: Array<[string, Omit<Fault, 'operation'>]> = [
		['no answer in time', { kind: 'noAnswer', when: 'after' }],
		['a reset', { kind: 'reset', when: 'after' }],
		['502', { kind: 'status', status: 502, when: 'after' }],
		['504', { kind: 'status', status: 504, when: 'after' }],
		['half a body', { kind: 'halfBody', when: 'after' }],
		['half a body, cut', { kind: 'halfBody', when: 'after', cut: true }],
		['a web page', { kind: 'html', when: 'after' }],
		['result null', { kind: 'nullResult', when: 'after' }],
	];
	const options = { timeout: 400 };

	test.each(lost)('%s, with Retry On Fail', async (_, fault) => {
		const hash = await newHash();
		spoil(fault);
		const { error } = await engine.run({
			parameters: { ...parameters, options },
			items: [{ hash, printer: ZEBRA }],
			tries: 3,
		});
		expect(sheets()).toEqual([[hash, ZEBRA]]);
		expect(jobsSent()).toBe(1);
		expect(error?.message).toContain(`The labels may have been printed on "${ZEBRA}", or not`);
		expect(error?.description).toContain('Look at the printer first');
	});

	test('the other items are printed, each once, whatever the retries', async () => {
		const hashes = [await newHash(), await newHash(), await newHash()];
		spoil({ kind: 'reset', when: 'after' });
		const { items, errorItems } = await engine.run({
			parameters,
			items: hashes.map((hash) => ({ hash, printer: ZEBRA })),
			onError: 'continueErrorOutput',
			tries: 3,
		});
		expect(sheets().map(([hash]) => hash)).toEqual(hashes);
		expect(items.map(inputsOf)).toEqual([[{ item: 1 }], [{ item: 2 }]]);
		expect(errorItems.map(inputsOf)).toEqual([[{ item: 0 }]]);
		expect(errorItems[0]?.json.details).toMatchObject({ hash: hashes[0], printerName: ZEBRA });
	});
});

describe('Retry On Fail runs the node again', () => {
	test('under Stop: what was printed comes out and is not printed twice', async () => {
		const hashes = [await newHash(), await newHash(), await newHash()];
		spoil({ kind: 'status', status: 400, body: { message: 'Paper jam' }, skip: 1 });
		const { items, error } = await engine.run({
			parameters,
			items: hashes.map((hash) => ({ hash, printer: ZEBRA })),
			tries: 3,
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.hash)).toEqual(hashes);
		expect(sheets().map(([hash]) => hash)).toEqual(hashes);
		expect(jobsSent()).toBe(4);
	});

	test.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'under %s, because the first item failed: only that one is sent again',
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
			expect(sheets()).toEqual([[second, ZEBRA]]);
			expect(jobsSent()).toBe(4);
			expect([...errorItems, ...items]).toHaveLength(2);
		},
	);

	test('under Stop without a retry: the error says what was printed, the rest is not sent', async () => {
		const hashes = [await newHash(), await newHash(), await newHash()];
		spoil({ kind: 'status', status: 400, body: { message: 'Paper jam' }, skip: 1 });
		const { error } = await engine.run({
			parameters,
			items: hashes.map((hash) => ({ hash, printer: ZEBRA })),
		});
		expect(error?.message).toContain('Paper jam');
		expect(error?.description).toContain('Printed already: item 0.');
		expect(jobsSent()).toBe(2);
	});
});

test.each([
	['429', { kind: 'rateLimit', retryAfter: '0' }],
	['503 with a time to come back', { kind: 'status', status: 503, retryAfter: '0' }],
] as Array<[string, Omit<Fault, 'operation'>]>)(
	'The service was busy and did nothing (%s): sent again within the same try',
	async (_, fault) => {
		const hash = await newHash();
		spoil(fault);
		const { items } = await engine.run({ parameters, items: [{ hash, printer: ZEBRA }] });
		expect(items[0]?.json.printed).toBe(true);
		expect(sheets()).toHaveLength(1);
	},
);
