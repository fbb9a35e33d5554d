import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import { sandboxCredential } from '../support/credentials';
import { type Engine, type RunSettings, startEngine } from '../support/engine';
import { loadPackage, PACKAGE } from '../support/host';
import { announcedFields, linksOf } from '../support/outputs';
import { SERVICE_KINDS, SERVICES } from '../support/services';

import { dialectNames, type Sandbox, startSandbox } from '../../sandbox';

const cancel: INodeParameters = {
	resource: 'shipment',
	operation: 'cancel',
	carrierCode: '={{ $json.carrierCode || "ANT" }}',
	shipments: 'numbers',
	packageNumber: '={{ $json.packageNumberCarrier }}',
	options: { maxRetryWait: 0 },
};
const byId: INodeParameters = { ...cancel, shipments: 'ids', shipmentIds: '={{ $json.id }}' };

let sandbox: Sandbox;
let engine: Engine;

const canceledIds = () =>
	sandbox.database
		.shipments()
		.filter(({ canceled }) => canceled)
		.map(({ id }) => id);
const sent = () =>
	sandbox.requests
		.filter(({ operationId }) => operationId === 'cancelShipments')
		.map(({ body }) => (body as { packages: string[] }).packages);
const asItems = (shipments: object[]) => shipments as IDataObject[];
const run = async (parameters: INodeParameters, items: object[], more: Partial<RunSettings> = {}) =>
	engine.run({ parameters, items: asItems(items), onError: 'continueErrorOutput', ...more });
const jsonOf = ({ items }: { items: Array<{ json: IDataObject }> }) =>
	items.map(({ json }) => json);

describe.each(SERVICE_KINDS)('Cancel at a service of the kind %s', (kind) => {
	beforeAll(async () => {
		sandbox = await startSandbox(SERVICES[kind]);
		engine = await startEngine(sandboxCredential(sandbox.url));
	});
	afterEach(() => sandbox.reset());
	afterAll(() => sandbox.close());

	test('cancels the shipments of all items with one request per carrier', async () => {
		const ants = sandbox.seedShipments(2);
		const beavers = sandbox.seedShipments(1, { serviceType: 'BEAVER-PARCEL' });
		sandbox.seedShipments(1, { packageNumberCustom: 'OTHER' });
		const items = [ants[0], beavers[0], ants[1]] as object[];
		const result = await run(cancel, items);
		expect(result.errorItems).toEqual([]);
		expect(jsonOf(result)).toEqual(
			items.map((item) => ({
				packageNumberCarrier: (item as IDataObject).packageNumberCarrier,
				carrierCode: (item as IDataObject).carrierCode,
				canceled: true,
				alreadyCanceled: false,
				recovered: false,
				correlationId: expect.any(String),
			})),
		);
		expect(linksOf(result.items)).toEqual([0, 1, 2]);
		expect(sent()).toHaveLength(2);
		expect(canceledIds()).toEqual([...ants, ...beavers].map(({ id }) => id));
		expect(Object.keys(jsonOf(result)[0] ?? {}).sort()).toEqual(announcedFields('shipment/cancel'));
	});

	test('turns IDs into shipment numbers, and cancels all pieces', async () => {
		const pieces = sandbox.seedShipments(1, { pieceCount: 2 });
		const result = await run(byId, [{ id: pieces[0]?.id }]);
		expect(jsonOf(result)).toMatchObject([
			{ id: pieces[0]?.id, packageNumberCarrier: pieces[0]?.packageNumberCarrier, canceled: true },
		]);
		expect(jsonOf(result)[0]?.alreadyCanceled).toBe(false);
		expect(canceledIds()).toEqual(pieces.map(({ id }) => id));
	});

	test('cancels nothing but the piece whose ID the item has', async () => {
		const pieces = sandbox.seedShipments(1, { pieceCount: 3 });
		const { errorItems } = await run(byId, [{ id: pieces[1]?.id }]);
		// This kind of service has no record under the ID of an additional piece.
		const isUnknown = kind === 'documented';
		expect(sent()).toEqual(isUnknown ? [] : [[pieces[1]?.packageNumberCarrier]]);
		expect(errorItems).toHaveLength(isUnknown ? 1 : 0);
	});

	test('returns what was canceled before, by ID without a request', async () => {
		const [shipment] = sandbox.seedShipments(1);
		sandbox.cancelShipment(shipment?.id ?? 0);
		const expected = { canceled: true, alreadyCanceled: true, recovered: false };
		expect(jsonOf(await run(byId, [{ id: shipment?.id }]))).toMatchObject([expected]);
		expect(sent()).toEqual([]);
		expect(jsonOf(await run(cancel, [shipment as object]))).toMatchObject([expected]);
	});

	test('fails the item that is on its way, with the words of the service, and cancels the others', async () => {
		const [moving] = sandbox.seedShipments(1, { hoursAgo: 30 });
		const [waiting] = sandbox.seedShipments(1);
		const result = await run(cancel, [moving as object, waiting as object]);
		expect(linksOf(result.items)).toEqual([1]);
		expect(linksOf(result.errorItems)).toEqual([0]);
		expect(result.errorItems[0]?.json.error).toBe(
			`Shipment ${moving?.packageNumberCarrier} was not canceled. The service said: package.cancel.alreadysent`,
		);
		expect(result.errorItems[0]?.json.details).toMatchObject({
			packageNumberCarrier: moving?.packageNumberCarrier,
			serviceMessage: 'package.cancel.alreadysent',
		});
		expect(canceledIds()).toEqual([waiting?.id]);
	});

	test('an unknown number fails alone', async () => {
		const [shipment] = sandbox.seedShipments(1);
		const items = [{ packageNumberCarrier: 'UNKNOWN' }, shipment as object];
		const result = await run(cancel, items);
		expect(linksOf(result.errorItems)).toEqual([0]);
		expect(canceledIds()).toEqual([shipment?.id]);
	});

	test('an unknown ID stops the run before anything is canceled', async () => {
		const [shipment] = sandbox.seedShipments(1);
		const items = [{ id: shipment?.id }, { id: 9 }];
		const { error } = await engine.run({ parameters: byId, items: asItems(items) });
		expect(error?.context).toMatchObject({ itemIndex: 1 });
		expect(sent()).toEqual([]);
	});

	test('names what was canceled when the run stops with an error', async () => {
		const [moving] = sandbox.seedShipments(1, { hoursAgo: 30 });
		const [waiting] = sandbox.seedShipments(1);
		const items = asItems([moving as object, waiting as object]);
		const { error } = await engine.run({ parameters: cancel, items });
		expect(error?.description).toContain(`Already canceled: ${waiting?.packageNumberCarrier}.`);
	});

	test('reads back after a lost response, and does not ask again', async () => {
		const shipments = sandbox.seedShipments(2);
		sandbox.fault({ operation: 'cancelShipments', kind: 'reset', when: 'after' });
		const result = await run(cancel, shipments);
		expect(result.errorItems).toEqual([]);
		expect(jsonOf(result)).toMatchObject(Array(2).fill({ canceled: true, recovered: true }));
		expect(sent()).toHaveLength(1);
	});

	test('does not claim anything if the request got lost, also with Retry On Fail', async () => {
		const shipments = sandbox.seedShipments(2);
		sandbox.fault({ operation: 'cancelShipments', kind: 'reset' });
		const { error } = await run(cancel, shipments, { tries: 3, onError: 'stopWorkflow' });
		expect(error?.message).toMatch(/^Could not confirm whether shipment \S+ was canceled$/);
		expect(sent()).toHaveLength(1);
		expect(canceledIds()).toEqual([]);
	});

	test.each(['numbers', 'ids'])(
		'does not ask again for what it has canceled when another item makes the node retry (by %s)',
		async (shipments) => {
			const [waiting] = sandbox.seedShipments(1);
			const [other] = sandbox.seedShipments(1, { serviceType: 'BEAVER-PARCEL' });
			const fault = { kind: 'status', status: 400, times: 1 } as const;
			const isOther = ({ packages }: { packages: string[] }) =>
				packages[0] === other?.packageNumberCarrier;
			sandbox.fault({ operation: 'cancelShipments', ...fault, onlyIf: isOther });
			const items = [waiting as object, other as object];
			const parameters = { ...byId, shipments };
			const result = await run(parameters, items, { tries: 2, onError: 'stopWorkflow' });
			expect(jsonOf(result)).toMatchObject(Array(2).fill({ alreadyCanceled: false }));
			expect(sent()).toHaveLength(3);
		},
	);

	test('waits when the service asks for it, and then cancels once', async () => {
		const shipments = sandbox.seedShipments(1);
		sandbox.fault({ operation: 'cancelShipments', kind: 'rateLimit', times: 2 });
		const options = { maxRetryWait: 5_000 };
		expect(jsonOf(await run({ ...cancel, options }, shipments))).toMatchObject([
			{ canceled: true, alreadyCanceled: false, recovered: false },
		]);
	});

	test('a row that is missing is read from the records', async () => {
		const shipments = sandbox.seedShipments(2);
		sandbox.fault({
			operation: 'cancelShipments',
			kind: 'body',
			rewrite: (response: { result: unknown[] }) => ({
				...response,
				result: response.result.slice(1),
			}),
		});
		const result = await run(cancel, shipments);
		expect(jsonOf(result)).toMatchObject([{ recovered: true }, { recovered: false }]);
	});
});

test.each(dialectNames)(
	'a service in the %s dialect that cannot cancel says so, after one request',
	async (dialect) => {
		sandbox = await startSandbox({ dialect, withoutExtras: true });
		engine = await startEngine(sandboxCredential(sandbox.url));
		const { errorItems } = await run(cancel, sandbox.seedShipments(2));
		const requests = sent();
		await sandbox.close();
		expect(errorItems.map(({ json }) => String(json.error))).toEqual(
			Array(2).fill(
				expect.stringMatching(/^This service does not offer: Cancel shipments \(40\d\)$/),
			),
		);
		expect(requests).toHaveLength(1);
	},
);

describe('As a tool of an AI model', () => {
	const TOOL = `${PACKAGE}.parcelShippingTool`;

	beforeAll(async () => {
		sandbox = await startSandbox();
		const { nodeTypes } = await loadPackage();
		const { description, ...node } = nodeTypes.getByName(`${PACKAGE}.parcelShipping`) as INodeType;
		// n8n makes the tool of a node by changing its description.
		const tool = { ...node, description: { ...description, name: 'parcelShippingTool' } };
		const execute = Object.getPrototypeOf(nodeTypes.getByName(`${PACKAGE}.parcelShipping`)).execute;
		engine = await startEngine(sandboxCredential(sandbox.url), {
			[TOOL]: { ...tool, execute } as INodeType,
		});
	});
	afterEach(() => sandbox.reset());
	afterAll(() => sandbox.close());

	test.each([undefined, false, 'false', null])(
		'Cancel refuses to work as long as Confirm is %p',
		async (confirm) => {
			const parameters = { ...cancel, ...(confirm === undefined ? {} : { confirm }) };
			const result = await run(parameters as INodeParameters, sandbox.seedShipments(1), {
				type: TOOL,
			});
			expect(result.errorItems[0]?.json.error).toBe(
				'Confirm of item 0 is off, so nothing was canceled',
			);
			expect(sent()).toEqual([]);
		},
	);

	test('Cancel works with Confirm', async () => {
		const parameters = { ...cancel, confirm: true };
		const result = await run(parameters, sandbox.seedShipments(1), { type: TOOL });
		expect(jsonOf(result)).toMatchObject([{ canceled: true }]);
	});
});
