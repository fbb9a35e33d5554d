import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import { linksOf } from '../support/outputs';
import { creationForm, orderItem } from '../support/shop';

import type { IDataObject } from 'n8n-workflow';

import { type Fault, type Sandbox, startSandbox } from '../../sandbox';

let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
	sandbox = await startSandbox();
	engine = await startEngine(sandboxCredential(sandbox.url));
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

type Answer = { result: Array<IDataObject & { packageNumberCustom: string }> };

/** Changes the correct answer after the service has carried out the request. */
const rewrite = (
	operation: Fault['operation'],
	status: number,
	change: (answer: Answer) => unknown,
) => sandbox.fault({ operation, kind: 'body', status, rewrite: change as never });

const errors = [{ errorCode: 7, message: 'The account is locked', reference: '16948' }];
const WORDS = 'The account is locked (16948)';
const bad = { serviceType: 'ANT-POINT', branchId: 'NOWHERE' };

const create = async (items = [orderItem('A-1')], options = {}) =>
	await engine.run({
		parameters: creationForm({ maxRetryWait: 50, ...options }),
		items,
		onError: 'continueErrorOutput',
	});

describe('A creation that the service refuses with rows', () => {
	test.each([400, 404, 422, 500])('(%i) outputs the created ones', async (status) => {
		rewrite('createShipments', status, (answer) => ({ ...answer, errors }));
		const { items, errorItems } = await create([orderItem('A-1'), orderItem('A-2', bad)]);
		expect(items.map(({ json }) => [json.id, json.recovered])).toEqual([[1001, false]]);
		expect(linksOf(errorItems)).toEqual([1]);
		expect(errorItems[0]?.json.error).toBe('Unknown pickup point "NOWHERE"');
	});

	test('looks for the orders without a row', async () => {
		rewrite('createShipments', 400, (answer) => ({ result: answer.result.slice(1) }));
		const { items } = await create([orderItem('A-1'), orderItem('A-2')]);
		expect(items.map(({ json }) => [json.packageNumberCustom, json.recovered])).toEqual([
			['A-1', true],
			['A-2', false],
		]);
	});

	test('looks for all orders if the rows are unreadable', async () => {
		rewrite('createShipments', 400, ({ result }) => ({ result: result.map(({ id }) => id) }));
		const { items } = await create();
		expect(items.map(({ json }) => [json.id, json.recovered])).toEqual([[1001, true]]);
	});
});

describe('A creation without rows', () => {
	test.each([null, []])('is refused if the status is 400 (result: %j)', async (result) => {
		const body = { result, errors };
		sandbox.fault({ operation: 'createShipments', kind: 'status', status: 400, body });
		const { errorItems } = await create();
		expect(errorItems[0]?.json.error).toBe(`The service said: ${WORDS}`);
		expect(sandbox.requests.at(-1)?.operationId).toBe('createShipments');
	});

	test.each([null, []])('is read back if the status is 200 (result: %j)', async (result) => {
		rewrite('createShipments', 200, () => ({ result, errors }));
		const { items } = await create();
		expect(items.map(({ json }) => [json.id, json.recovered])).toEqual([[1001, true]]);
	});

	test.each([null, []])(
		'has an unknown outcome with the reason if the status is 200 and nothing is found (result: %j)',
		async (result) => {
			sandbox.fault({ operation: 'createShipments', kind: 'body', body: { result, errors } });
			const { errorItems, hints } = await create();
			expect(errorItems[0]?.json.error).toContain('Could not confirm whether ANT created');
			expect(errorItems[0]?.json.message).toContain(`The service said: ${WORDS}.`);
			expect(hints.filter((hint) => hint.includes(WORDS))).toEqual([]);
		},
	);
});

test('A lost creation names the status and what the service says', async () => {
	const body = { errors };
	sandbox.fault({ operation: 'createShipments', kind: 'status', status: 500, body });
	const { errorItems } = await create();
	expect(errorItems[0]?.json.message).toContain(
		`It was sent once. The service could not complete the request (500). The service said: ${WORDS}. Searched`,
	);
});

describe('What the service says beside a result', () => {
	test('of a creation is a hint', async () => {
		rewrite('createShipments', 200, (answer) => ({ ...answer, errors }));
		const { items, hints } = await create();
		expect(items).toHaveLength(1);
		expect(hints).toEqual([`Create shipments: The service said: ${WORDS}`]);
	});

	test('is nothing if the list is empty', async () => {
		rewrite('createShipments', 200, (answer) => ({ ...answer, errors: [] }));
		expect((await create()).hints).toEqual([]);
	});

	const label = { resource: 'label', operation: 'print', shipmentIds: '={{ $json.id }}' };
	const labels = async () => {
		const items = sandbox.seedShipments(1).map(({ id }) => ({ id }));
		return await engine.run({ parameters: label, items, onError: 'continueErrorOutput' });
	};

	test.each([
		[[], `The service created no labels: ${WORDS}`],
		[null, `The service said: ${WORDS}`],
	])('of labels that were not printed is the error (result: %j)', async (result, message) => {
		rewrite('printLabels', 200, () => ({ result, errors }));
		const { errorItems, hints } = await labels();
		expect(errorItems.map(({ json }) => json.error)).toEqual([message]);
		expect(hints).toEqual([]);
	});

	test('of labels that a creation could not download is the reason', async () => {
		const refuse = () => rewrite('printLabels', 200, () => ({ result: [], errors }));
		await create();
		refuse();
		const { items } = await create([orderItem('A-1')], { downloadLabels: true });
		expect(items[0]?.json.labelNotDownloaded).toBe(`The service created no labels: ${WORDS}`);
	});

	test('of a printer is the error', async () => {
		const print = {
			resource: 'label',
			operation: 'sendToPrinter',
			hash: 'x',
			printerName: 'Attic',
		};
		const body = { result: null, errors };
		sandbox.fault({ operation: 'sendToPrinter', kind: 'body', body });
		const { error } = await engine.run({ parameters: print });
		expect(error?.message).toBe(`The labels may or may not have been printed on "Attic": ${WORDS}`);
		expect(error?.description).not.toContain(WORDS);
	});
});

test('A detail that is one record instead of a list is accepted', async () => {
	const [shipment] = sandbox.seedShipments(1);
	rewrite('getShipment', 200, ({ result }) => ({ result: result[0] }));
	const { items } = await engine.run({
		parameters: { resource: 'shipment', operation: 'get', carrierCode: 'ANT', shipmentId: 1001 },
	});
	expect(items[0]?.json.id).toBe(shipment?.id);
});

test('Events that are null count as none', async () => {
	const [shipment] = sandbox.seedShipments(1);
	rewrite('trackShipments', 200, ({ result }) => ({
		result: result.map((row) => ({ ...row, events: null })),
	}));
	const { items } = await engine.run({
		parameters: {
			resource: 'shipment',
			operation: 'track',
			carrierCode: 'ANT',
			packageNumber: shipment?.packageNumberCarrier ?? '',
		},
	});
	expect(items[0]?.json.events).toEqual([]);
});
