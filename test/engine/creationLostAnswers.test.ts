import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import { linksOf } from '../support/outputs';
import { creationForm, orderItem } from '../support/shop';

import { type Fault, type Sandbox, startSandbox } from '../../sandbox';

let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
	sandbox = await startSandbox();
	engine = await startEngine(sandboxCredential(sandbox.url));
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const creations = () =>
	sandbox.requests.filter(({ operationId }) => operationId === 'createShipments');

/** Short waits keep the tests fast. */
const SWIFT = { timeout: 150, maxRetryWait: 300 };

describe('A lost answer', () => {
	const lost: Array<[string, Omit<Fault, 'operation'>]> = [
		['a timeout', { kind: 'noResponse', when: 'after' }],
		['a reset', { kind: 'reset', when: 'after' }],
		['500', { kind: 'status', status: 500, when: 'after' }],
		['502', { kind: 'html', status: 502, when: 'after' }],
		['504', { kind: 'status', status: 504, when: 'after' }],
		['half a body', { kind: 'halfBody', when: 'after' }],
		['a body cut off with its connection', { kind: 'halfBody', cut: true, when: 'after' }],
		['a sign-in page', { kind: 'html', when: 'after' }],
		['something that is no creation', { kind: 'body', body: { ok: true }, when: 'after' }],
		['result: null', { kind: 'nullResult', when: 'after' }],
	];
	test.each(lost)('%s: the shipments are read back and not sent again', async (_, fault) => {
		sandbox.fault({ operation: 'createShipments', ...fault });
		const { items, hints } = await engine.run({
			// Long enough to notice a second request.
			parameters: creationForm({ ...SWIFT, maxRetryWait: 1_500 }),
			items: [orderItem('A-1', { pieceCount: 2 }), orderItem('A-2')],
		});
		const [batch] = sandbox.database.batches();
		expect(creations()).toHaveLength(1);
		expect(linksOf(items)).toEqual([0, 0, 1]);
		expect(items.map(({ json }) => json)).toMatchObject([
			{ id: 1001, pieceIndex: 0, recovered: true, alreadyExisted: false },
			{ id: 1002, pieceIndex: 1, recovered: true },
			{
				id: 1003,
				packageNumberCarrier: '0012345000000000001003',
				packageNumberCustom: 'A-2',
				trackingUrl: expect.stringContaining('0012345000000000001003'),
				batchId: batch?.id,
				labelsHash: batch?.labelsHash,
				labelsUrl: batch?.labelsUrl,
				recovered: true,
			},
		]);
		expect(hints[0]).toContain('read back from the service');
	});

	test.each(lost)('%s, and nothing was created: the outcome is unknown', async (_, fault) => {
		sandbox.fault({ operation: 'createShipments', ...fault, when: 'before' });
		const { errorItems } = await engine.run({
			parameters: creationForm(SWIFT),
			items: [orderItem('A-1')],
			onError: 'continueErrorOutput',
		});
		expect(creations()).toHaveLength(1);
		expect(errorItems[0]?.json).toMatchObject({
			error: 'Could not confirm whether ANT created shipment Custom Shipment Number "A-1"',
			message: expect.stringMatching(
				/It was sent once\. .* Searched \d times for shipments with this number at ANT, created since \d{4}-\d\d-\d\d: found none\. It is safe to run the workflow again/,
			),
			details: { outcome: 'unknown', checked: { looks: expect.any(Number), found: [] } },
		});
	});

	test('a service that finishes after its gateway timed out: the node waits for it', async () => {
		sandbox.fault({ operation: 'createShipments', kind: 'latency', ms: 350 });
		const { items } = await engine.run({
			parameters: creationForm({ timeout: 100, maxRetryWait: 1_000 }),
			items: [orderItem('A-1')],
		});
		expect(items[0]?.json).toMatchObject({ id: 1001, recovered: true });
	});

	test('does not stop the requests after it', async () => {
		sandbox.fault({ operation: 'createShipments', kind: 'reset', when: 'after' });
		const { items } = await engine.run({
			parameters: creationForm({ ...SWIFT, batchSize: 1, maxConcurrency: 1 }),
			items: [orderItem('A-1'), orderItem('A-2')],
		});
		expect(items.map(({ json }) => [json.id, json.recovered])).toEqual([
			[1001, true],
			[1002, false],
		]);
	});

	test('without a look-up, an older shipment with the same number is not mistaken for the new one', async () => {
		sandbox.seedShipments(1, { packageNumberCustom: 'A-1' });
		sandbox.fault({ operation: 'createShipments', kind: 'reset' });
		const { error } = await engine.run({
			parameters: creationForm({ ...SWIFT, ifExists: 'create' }),
			items: [orderItem('A-1')],
		});
		expect(error?.message).toContain('Could not confirm whether');
	});

	test('a canceled shipment with the same number is not mistaken for the new one', async () => {
		const [canceled] = sandbox.seedShipments(1, { packageNumberCustom: 'A-1' });
		sandbox.cancelShipment(canceled?.id ?? 0);
		sandbox.fault({ operation: 'createShipments', kind: 'reset' });
		const run = { parameters: creationForm(SWIFT), items: [orderItem('A-1')] };
		const { error } = await engine.run(run);
		expect(error?.message).toContain('Could not confirm whether');
	});

	test('without a look-up, a new shipment is found beside an older one', async () => {
		sandbox.seedShipments(1, { packageNumberCustom: 'A-1' });
		sandbox.fault({ operation: 'createShipments', kind: 'reset', when: 'after' });
		const { items } = await engine.run({
			parameters: creationForm({ ...SWIFT, ifExists: 'create' }),
			items: [orderItem('A-1')],
		});
		expect(items[0]?.json).toMatchObject({ id: 1002, recovered: true });
	});

	test('without a look-up, a shipment that may come from either of two orders belongs to none', async () => {
		sandbox.fault({ operation: 'createShipments', kind: 'reset' });
		sandbox.fault({ operation: 'createShipments', kind: 'reset', when: 'after' });
		const { items, errorItems } = await engine.run({
			parameters: creationForm({ ...SWIFT, ifExists: 'create' }),
			items: [orderItem('A-1'), orderItem('A-1')],
			onError: 'continueErrorOutput',
			tries: 2,
		});
		expect(items).toEqual([]);
		expect(errorItems).toHaveLength(2);
		expect(errorItems[1]?.json.details).toMatchObject({ checked: { found: [1001] } });
		expect(creations()).toHaveLength(2);
	});

	test('without a look-up and with too many shipments to compare, the outcome is unknown', async () => {
		sandbox.seedShipments(150);
		sandbox.fault({ operation: 'createShipments', kind: 'reset', when: 'after' });
		const { error } = await engine.run({
			parameters: creationForm({ ...SWIFT, ifExists: 'create' }),
			items: [orderItem('A-1')],
		});
		expect(error?.message).toContain('Could not confirm whether');
		expect(error?.description).toContain('found 1151, which may or may not come from this run');
	});
});
