import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import { announcedFields, linksOf } from '../support/outputs';
import { creationForm, orderItem, orderOf } from '../support/shop';

import { type Sandbox, startSandbox } from '../../sandbox';

let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
	sandbox = await startSandbox();
	engine = await startEngine(sandboxCredential(sandbox.url));
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const asked = (operation: string) =>
	sandbox.requests.filter(({ operationId }) => operationId === operation);
const creations = () => asked('createShipments');
const references = (items: Array<{ json: object }>) =>
	items.map(({ json }) => (json as { packageNumberCustom: string }).packageNumberCustom);
/** Refused by the carrier, not by the node. */
const bad = { serviceType: 'ANT-POINT', branchId: 'NOWHERE' };

test('an order becomes a shipment with its batch and its labels', async () => {
	const { items } = await engine.run({ parameters: creationForm(), items: [orderItem('A-1')] });
	const [batch] = sandbox.database.batches();
	expect(items).toEqual([
		{
			json: {
				id: 1001,
				packageNumberCarrier: '0012345000000000001001',
				packageNumberCustom: 'A-1',
				pieceIndex: 0,
				orderId: null,
				orderNumber: null,
				labelUrl: `${sandbox.url}/files/shipment/1001`,
				trackingUrl: expect.stringContaining('0012345000000000001001'),
				statusCode: 200,
				message: 'Created',
				carrierErrors: null,
				carrierCode: 'ANT',
				serviceType: 'ANT-HOME',
				batchId: batch?.id,
				labelsUrl: batch?.labelsUrl,
				labelsHash: batch?.labelsHash,
				correlationId: creations()[0]?.correlationId,
				alreadyExisted: false,
				recovered: false,
			},
			pairedItem: [{ item: 0 }],
		},
	]);
});

test('the output schema lists the fields of the output', async () => {
	const { items } = await engine.run({ parameters: creationForm(), items: [orderItem('A-1')] });
	expect(Object.keys(items[0]?.json ?? {}).sort()).toEqual(announcedFields('shipment/create'));
});

test('250 orders are sent in three requests, and each shipment is linked to its own order', async () => {
	const orders = Array.from({ length: 250 }, (_, index) => orderItem(`BULK-${index}`));
	const { items } = await engine.run({ parameters: creationForm(), items: orders });
	expect(creations().map(({ body }) => (body as unknown[]).length)).toEqual([100, 100, 50]);
	expect(linksOf(items)).toEqual([...orders.keys()]);
	expect(references(items)).toEqual(orders.map(({ packageNumberCustom }) => packageNumberCustom));
});

test('250 orders are looked up in one request while the list of shipments is short', async () => {
	const orders = Array.from({ length: 250 }, (_, index) => orderItem(`BULK-${index}`));
	sandbox.seedShipments(90);
	await engine.run({ parameters: creationForm({ checkForDuplicates: false }), items: orders });
	expect(asked('findShipments')).toHaveLength(1);
});

test('three orders are searched for one by one while the list of shipments is long', async () => {
	sandbox.seedShipments(900);
	const orders = ['X-1', 'X-2', 'X-3'].map((reference) => orderItem(reference));
	await engine.run({ parameters: creationForm({ checkForDuplicates: false }), items: orders });
	const searches = asked('findShipments').map(({ body }) => (body as { search?: string }).search);
	expect(searches.filter(Boolean).sort()).toEqual(['X-1', 'X-2', 'X-3']);
	expect(searches).toHaveLength(4);
});

test('mixed orders for two carriers make one request and one batch per carrier', async () => {
	const orders = [orderOf('ANT', 'A-1'), orderOf('BEAVER', 'B-1'), orderOf('ANT', 'A-2')];
	const { items } = await engine.run({ parameters: creationForm(), items: orders });
	expect(creations()).toHaveLength(2);
	expect(
		sandbox.database
			.batches()
			.map(({ carrierCode }) => carrierCode)
			.sort(),
	).toEqual(['ANT', 'BEAVER']);
	expect(references(items)).toEqual(['A-1', 'B-1', 'A-2']);
	expect(linksOf(items)).toEqual([0, 1, 2]);
});

test('Carrier Endpoint puts the carrier into the path', async () => {
	const parameters = creationForm({ carrierEndpoint: 'always' });
	await engine.run({ parameters, items: [orderOf('BEAVER', 'B-1')] });
	expect(asked('createShipmentsOfCarrier').map(({ path }) => path)).toEqual(['/api/BEAVER/Create']);
});

describe('A carrier that refuses one of three orders', () => {
	const orders = [orderItem('A-1'), orderItem('A-2', bad), orderItem('A-3')];

	test('sends that order to the error branch with its own message, and creates the others', async () => {
		const { items, errorItems, hints } = await engine.run({
			parameters: creationForm(),
			items: orders,
			onError: 'continueErrorOutput',
		});
		expect(references(items)).toEqual(['A-1', 'A-3']);
		expect(linksOf(items)).toEqual([0, 2]);
		expect(linksOf(errorItems)).toEqual([1]);
		expect(errorItems[0]?.json).toMatchObject({
			error: 'Unknown pickup point "NOWHERE"',
			message: expect.stringContaining('Correct the values'),
			details: expect.objectContaining({
				carrierErrors: 'Unknown pickup point "NOWHERE"',
				statusCode: 400,
				correlationId: creations()[0]?.correlationId,
				packageNumberCustom: 'A-2',
			}),
		});
		expect(hints).toEqual(['1 order failed. See the failed items.']);
	});

	test('ends the workflow under Stop with its message and the existing shipments', async () => {
		const { error } = await engine.run({ parameters: creationForm(), items: orders });
		expect(error?.message).toBe('Unknown pickup point "NOWHERE"');
		expect(error?.context?.itemIndex).toBe(1);
		expect(error?.description).toContain(
			'These shipments exist and are not created again: A-1 (ID 1001, ANT 0012345000000000001001), A-3 (ID 1002, ANT 0012345000000000001002).',
		);
	});

	test('does not stop the requests after it', async () => {
		const { error } = await engine.run({
			parameters: creationForm({ batchSize: 1 }),
			items: [orderItem('A-1', bad), orderItem('A-2'), orderItem('A-3', bad)],
		});
		expect(creations()).toHaveLength(3);
		expect(error?.description).toContain('Item 2 (A-3): Unknown pickup point');
		expect(error?.description).toContain('A-2 (ID 1001');
	});
});

test('a carrier that refuses every order leaves nothing on the success branch', async () => {
	const orders = [orderItem('A-1', bad), orderItem('A-2', bad)];
	const { items, errorItems } = await engine.run({
		parameters: creationForm(),
		items: orders,
		onError: 'continueErrorOutput',
	});
	expect(items).toEqual([]);
	expect(linksOf(errorItems)).toEqual([0, 1]);
});

test('one order of three pieces gives three outputs, all linked to it', async () => {
	const orders = [orderItem('A-1'), orderItem('A-2', { pieceCount: 3 })];
	const { items } = await engine.run({ parameters: creationForm(), items: orders });
	expect(linksOf(items)).toEqual([0, 1, 1, 1]);
	expect(items.slice(1).map(({ json }) => json.pieceIndex)).toEqual([0, 1, 2]);
});

describe('The same number on two orders', () => {
	const orders = [orderItem('SAME'), orderItem('OTHER'), orderItem('SAME')];

	test('is refused before any request, naming both items', async () => {
		const { error } = await engine.run({ parameters: creationForm(), items: orders });
		expect(error?.message).toBe('Items 0 and 2 have the same Custom Shipment Number "SAME"');
		expect(creations()).toEqual([]);
		expect(asked('findShipments')).toEqual([]);
	});

	test('fails only these two under Continue', async () => {
		const { items, errorItems } = await engine.run({
			parameters: creationForm(),
			items: orders,
			onError: 'continueErrorOutput',
		});
		expect(linksOf(items)).toEqual([1]);
		expect(linksOf(errorItems)).toEqual([0, 2]);
	});

	test.each([
		['allCarriers', 0],
		['sameCarrier', 2],
	])('at two carriers, looking at %s, gives %i shipments', async (lookUpScope, expected) => {
		const { items } = await engine.run({
			parameters: creationForm({ lookUpScope }),
			items: [orderOf('ANT', 'SAME'), orderOf('BEAVER', 'SAME')],
			onError: 'continueErrorOutput',
		});
		expect(items).toHaveLength(expected);
		expect(sandbox.database.shipments()).toHaveLength(expected);
	});

	test('is created twice under Create Another One, each linked to its own order', async () => {
		const { items } = await engine.run({
			parameters: creationForm({ ifExists: 'create' }),
			items: [orderItem('SAME', { price: 1 }), orderItem('SAME', { price: 2 })],
		});
		expect(linksOf(items)).toEqual([0, 1]);
		const prices = items.map(
			({ json }) => sandbox.database.shipments().find(({ id }) => id === json.id)?.input.price,
		);
		expect(prices).toEqual([1, 2]);
	});
});

test.each(['stopWorkflow', 'continueErrorOutput'] as const)(
	'invalid values are reported before any request (%s)',
	async (onError) => {
		const { error, items, errorItems } = await engine.run({
			parameters: creationForm(),
			items: [orderItem('A-1'), orderItem('A-2', { recPhone: '777 123 456' })],
			onError,
		});
		if (onError === 'stopWorkflow') {
			expect(error?.message).toContain('Invalid Recipient Phone: "777 123 456"');
			expect(creations()).toEqual([]);
		} else {
			expect([linksOf(items), linksOf(errorItems)]).toEqual([[0], [1]]);
		}
	},
);

test('nothing is sent to a carrier if the look-up fails', async () => {
	sandbox.fault({ operation: 'findShipments', kind: 'html', times: Infinity });
	const { errorItems } = await engine.run({
		parameters: creationForm(),
		items: [orderItem('A-1')],
		onError: 'continueErrorOutput',
	});
	expect(errorItems[0]?.json.error).toContain('The service returned a web page instead of data');
	expect(creations()).toEqual([]);
});
