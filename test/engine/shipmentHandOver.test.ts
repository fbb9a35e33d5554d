import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { sandboxCredential } from '../support/credentials';
import { type Engine, type RunSettings, startEngine } from '../support/engine';
import { announcedFields, linksOf } from '../support/outputs';
import { SERVICE_KINDS, SERVICES } from '../support/services';

import { dialectNames, type Sandbox, startSandbox } from '../../sandbox';

const handOver: INodeParameters = {
	resource: 'shipment',
	operation: 'handOver',
	carrierCode: '={{ $json.carrierCode || "ANT" }}',
	shipments: 'ids',
	shipmentIds: '={{ $json.id }}',
	options: { maxRetryWait: 0 },
};
const everything: INodeParameters = { ...handOver, shipments: 'all' };

let sandbox: Sandbox;
let engine: Engine;

const handedOverIds = () =>
	sandbox.database
		.shipments()
		.filter(({ handedOver: isHandedOver, id, mainId }) => isHandedOver && id === mainId)
		.map(({ id }) => id);
const sent = () =>
	sandbox.requests.filter(({ operationId }) => operationId === 'handOverShipments');
const idsOf = (shipments: Array<{ id: number; mainId: number }>) =>
	shipments.filter(({ id, mainId }) => id === mainId).map(({ id }) => id);
const run = async (
	parameters: INodeParameters,
	items: object[] = [{}],
	more: Partial<RunSettings> = {},
) =>
	engine.run({
		parameters,
		items: items as IDataObject[],
		onError: 'continueErrorOutput',
		...more,
	});
const bytesOf = (item?: INodeExecutionData) =>
	Buffer.from(item?.binary?.data?.data ?? '', 'base64').toString('latin1');

describe.each(SERVICE_KINDS)('Hand Over at a service of the kind %s', (kind) => {
	beforeAll(async () => {
		sandbox = await startSandbox(SERVICES[kind]);
		engine = await startEngine(sandboxCredential(sandbox.url));
	});
	afterEach(() => sandbox.reset());
	afterAll(() => sandbox.close());

	test('sends one request per carrier and returns its protocol as a PDF', async () => {
		const ants = sandbox.seedShipments(2, { pieceCount: 2 });
		const beavers = sandbox.seedShipments(1, { serviceType: 'BEAVER-PARCEL' });
		const others = sandbox.seedShipments(1);
		const mains = ants.filter(({ id, mainId }) => id === mainId);
		const items = [mains[0], beavers[0], mains[1]] as object[];
		const { items: output, errorItems } = await run(handOver, items);
		expect(errorItems).toEqual([]);
		expect(output.map(({ json }) => json)).toMatchObject([
			{
				carrierCode: 'ANT',
				handOverId: 301,
				packagesCount: 2,
				shipmentIds: idsOf(ants),
				alreadyHandedOver: [],
				recovered: false,
			},
			{ carrierCode: 'BEAVER', handOverId: 302, packagesCount: 1 },
		]);
		expect(output[0]?.pairedItem).toEqual([{ item: 0 }, { item: 2 }]);
		expect(bytesOf(output[0])).toMatch(/^%PDF-/);
		expect(output[0]?.binary?.data?.fileName).toMatch(/^protocol-ANT-\d{4}-\d\d-\d\d-301\.pdf$/);
		expect(handedOverIds()).toEqual([...idsOf(ants), ...idsOf(beavers)]);
		expect(handedOverIds()).not.toContain(others[0]?.id);
		expect(sent()).toHaveLength(2);
		const fields = Object.keys(output[0]?.json ?? {}).sort();
		expect(fields).toEqual(announcedFields('shipment/handOver'));
	});

	test('hands over everything of a carrier that is neither handed over nor canceled', async () => {
		const old = sandbox.seedShipments(1, { hoursAgo: 30 });
		const shipments = sandbox.seedShipments(8);
		sandbox.seedShipments(1, { serviceType: 'BEAVER-PARCEL' });
		sandbox.cancelShipment(shipments[3]?.id ?? 0);
		const wanted = idsOf(shipments).filter((id) => id !== shipments[3]?.id);
		const { items, errorItems } = await run(everything, [{}, {}]);
		expect(errorItems).toEqual([]);
		expect(items).toHaveLength(1);
		expect(items[0]?.json.packagesCount).toBe(7);
		expect(handedOverIds()).toEqual(wanted);
		expect(handedOverIds()).not.toContain(old[0]?.id);

		const again = await run(everything);
		expect(again.errorItems).toEqual([]);
		expect(again.items[0]?.json).toMatchObject({ handOverId: null, packagesCount: 0 });
		expect(again.items[0]?.binary).toBeUndefined();
		expect(sent()).toHaveLength(1);
	});

	test('leaves out what is handed over already, and says so', async () => {
		const shipments = sandbox.seedShipments(7);
		await run(handOver, shipments.slice(0, 2));
		const { items } = await run(handOver, shipments);
		expect(items[0]?.json).toMatchObject({
			shipmentIds: idsOf(shipments.slice(2)),
			alreadyHandedOver: idsOf(shipments.slice(0, 2)),
		});
		const last = await run(handOver, shipments);
		expect(last.items[0]?.json).toMatchObject({
			shipmentIds: [],
			alreadyHandedOver: idsOf(shipments),
		});
		expect(sent()).toHaveLength(2);
	});

	test('passes on the day of the pickup, and uses the chosen binary field', async () => {
		const shipments = sandbox.seedShipments(1);
		const options = { date: '2026-12-24T00:00:00' };
		const parameters = { ...handOver, options, binaryPropertyName: 'protocol' };
		const { items } = await run(parameters, shipments);
		expect(Object.keys(items[0]?.binary ?? {})).toEqual(['protocol']);
		expect(sandbox.database.handOvers()).toMatchObject([{ date: '2026-12-24' }]);
	});

	test('fails the items of canceled and unknown shipments, and hands over the others', async () => {
		const shipments = sandbox.seedShipments(2);
		sandbox.cancelShipment(shipments[0]?.id ?? 0);
		const items = [...shipments, { id: 9 }];
		const result = await run(handOver, items);
		expect(linksOf(result.errorItems)).toEqual([0, 2]);
		expect(result.errorItems[0]?.json.error).toBe(
			`Shipment ${shipments[0]?.id} is canceled and cannot be handed over`,
		);
		expect(handedOverIds()).toEqual([shipments[1]?.id]);
	});

	test('stops before it sends anything if a shipment is unknown', async () => {
		const items = [...sandbox.seedShipments(1), { id: 9 }];
		const { error } = await run(handOver, items, { onError: 'stopWorkflow' });
		expect(error?.context).toMatchObject({ itemIndex: 1 });
		expect(sent()).toEqual([]);
	});

	test('reads back after a lost response, and does not ask again', async () => {
		const shipments = sandbox.seedShipments(2);
		sandbox.fault({ operation: 'handOverShipments', kind: 'reset', when: 'after' });
		const { items, errorItems } = await run(handOver, shipments);
		expect(errorItems).toEqual([]);
		expect(items[0]?.json).toMatchObject({
			handOverId: null,
			packagesCount: 2,
			recovered: true,
			protocolUrl: null,
		});
		expect(sent()).toHaveLength(1);
	});

	test('does not claim anything if the request got lost, also with Retry On Fail', async () => {
		const shipments = sandbox.seedShipments(2);
		sandbox.fault({ operation: 'handOverShipments', kind: 'reset' });
		const { error } = await run(handOver, shipments, { tries: 3, onError: 'stopWorkflow' });
		expect(error?.message).toBe(`Could not confirm that ANT received shipment ${shipments[0]?.id}`);
		expect(sent()).toHaveLength(1);
		const later = await run(handOver, shipments);
		expect(later.items[0]?.json.packagesCount).toBe(2);
	});

	test('fails the shipment that the carrier does not take, and returns the protocol of the others', async () => {
		const shipments = sandbox.seedShipments(3);
		sandbox.keepFromCarrier(shipments[1]?.id ?? 0);
		const { items, errorItems } = await run(handOver, shipments);
		expect(items[0]?.json.shipmentIds).toEqual([shipments[0]?.id, shipments[2]?.id]);
		expect(bytesOf(items[0])).toMatch(/^%PDF-/);
		expect(linksOf(errorItems)).toEqual([1]);
		expect(errorItems[0]?.json).toMatchObject({
			error: `Could not confirm that ANT received shipment ${shipments[1]?.id}`,
			message: expect.stringContaining('The service handed over 2 of 3 shipments'),
		});
	});

	test('waits when the service asks for it', async () => {
		sandbox.fault({ operation: 'handOverShipments', kind: 'rateLimit' });
		const parameters = { ...handOver, options: { maxRetryWait: 5_000 } };
		const { items } = await run(parameters, sandbox.seedShipments(1));
		expect(items[0]?.json).toMatchObject({ packagesCount: 1, recovered: false });
	});

	test('keeps the result if the protocol cannot be downloaded', async () => {
		sandbox.fault({ operation: 'labelFile', kind: 'html' });
		const { items, errorItems } = await run(handOver, sandbox.seedShipments(1));
		expect(errorItems).toEqual([]);
		expect(items[0]?.json).toMatchObject({
			packagesCount: 1,
			protocolNotDownloaded: 'The service returned a web page instead of a PDF file',
		});
	});

	test('returns the protocol of a carrier again when another carrier makes the node retry', async () => {
		const ants = sandbox.seedShipments(1);
		const beavers = sandbox.seedShipments(1, { serviceType: 'BEAVER-PARCEL' });
		sandbox.fault({
			operation: 'handOverShipments',
			kind: 'status',
			status: 400,
			onlyIf: ({ packages }: { packages: number[] }) => packages[0] === beavers[0]?.id,
		});
		const settings = { tries: 2, onError: 'stopWorkflow' } as const;
		const { items, error } = await run(handOver, [...ants, ...beavers], settings);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toMatchObject([
			{ carrierCode: 'ANT', handOverId: 301, shipmentIds: idsOf(ants), alreadyHandedOver: [] },
			{ carrierCode: 'BEAVER', handOverId: 302 },
		]);
		expect(bytesOf(items[0])).toMatch(/^%PDF-/);
		expect(sandbox.database.handOvers()).toHaveLength(2);
	});
});

describe('Hand Over', () => {
	beforeAll(async () => {
		sandbox = await startSandbox();
		engine = await startEngine(sandboxCredential(sandbox.url));
	});
	afterEach(() => sandbox.reset());
	afterAll(() => sandbox.close());

	test('reads back from the list what only the list says', async () => {
		const shipments = sandbox.seedShipments(2);
		sandbox.fault({ operation: 'handOverShipments', kind: 'reset', when: 'after' });
		sandbox.fault({
			operation: 'getShipment',
			kind: 'body',
			times: Infinity,
			rewrite: (answer) =>
				JSON.parse(
					JSON.stringify(answer, (key, value) => (key === 'submittedCarrier' ? undefined : value)),
				),
		});
		const { items, errorItems } = await run(handOver, shipments);
		expect(errorItems).toEqual([]);
		expect(items[0]?.json).toMatchObject({ packagesCount: 2, recovered: true });
	});

	test('does not trust the count of a service if a shipment has several pieces', async () => {
		const mains = [2, 1].map((pieceCount) => sandbox.seedShipments(1, { pieceCount })[0]);
		sandbox.keepFromCarrier(mains[1]?.id ?? 0);
		sandbox.fault({
			operation: 'handOverShipments',
			kind: 'body',
			// The pieces of the first one.
			rewrite: ((answer: { result: object }) => ({
				...answer,
				result: { ...answer.result, packagesCount: 2 },
			})) as never,
		});
		const { items, errorItems } = await run(handOver, mains as object[]);
		expect(items[0]?.json.shipmentIds).toEqual([mains[0]?.id]);
		expect(linksOf(errorItems)).toEqual([1]);
	});
});

test.each(dialectNames)(
	'a service in the %s dialect that cannot hand over says so',
	async (dialect) => {
		sandbox = await startSandbox({ dialect, withoutExtras: true });
		engine = await startEngine(sandboxCredential(sandbox.url));
		const { errorItems } = await run(handOver, sandbox.seedShipments(1));
		await sandbox.close();
		expect(errorItems.map(({ json }) => json.error)).toEqual([
			expect.stringMatching(
				/^This service does not offer: Hand shipments over to the carrier \(40\d\)$/,
			),
		]);
	},
);
