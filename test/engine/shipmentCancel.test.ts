import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import { dialectNames } from '../../sandbox';
import { sandboxCredential } from '../support/credentials';
import { type RunSettings, startEngine } from '../support/engine';
import { loadPackage, PACKAGE } from '../support/host';
import { announcedFields, fieldsOf, linksOf, valuesOf } from '../support/outputs';
import { SERVICE_KINDS, SERVICES } from '../support/services';
import { useShop } from '../support/useShop';

const cancel: INodeParameters = {
	resource: 'shipment',
	operation: 'cancel',
	carrierCode: '={{ $json.carrierCode || "ANT" }}',
	shipments: 'numbers',
	packageNumber: '={{ $json.packageNumberCarrier }}',
	options: { maxRetryWait: 0 },
};
const byId: INodeParameters = { ...cancel, shipments: 'ids', shipmentIds: '={{ $json.id }}' };
const STOP = { onError: 'stopWorkflow' } as const;

function useCancel(...given: Parameters<typeof useShop>) {
	const shop = useShop(...given);
	return Object.assign(shop, {
		run: async (
			parameters: INodeParameters,
			items: Array<object | undefined>,
			more: Partial<RunSettings> = {},
		) => shop.create(items as IDataObject[], {}, { parameters, ...more }),
		canceledIds: () =>
			shop
				.shipments()
				.filter(({ canceled }) => canceled)
				.map(({ id }) => id),
		sent: () =>
			shop.requests('cancelShipments').map(({ body }) => (body as { packages: string[] }).packages),
		seedCanceled: () => {
			const [shipment] = shop.sandbox.seedShipments(1);
			shop.sandbox.cancelShipment(shipment?.id ?? 0);
			return shipment;
		},
	});
}

describe.each(SERVICE_KINDS)('Cancel at a service of the kind %s', (kind) => {
	const shop = useCancel(SERVICES[kind]);
	const { run, sent, canceledIds } = shop;
	const seed = (...given: Parameters<typeof shop.sandbox.seedShipments>) =>
		shop.sandbox.seedShipments(...given);
	const beaver = { serviceType: 'BEAVER-PARCEL' };

	test('cancels the shipments of all items with one request per carrier', async () => {
		const [ants, beavers] = [seed(2), seed(1, beaver)];
		seed(1, { packageNumberCustom: 'OTHER' });
		const items = [ants[0], beavers[0], ants[1]];
		const result = await run(cancel, items);
		expect(result.items.map(({ json }) => json)).toEqual(
			items.map((item) => ({
				packageNumberCarrier: item?.packageNumberCarrier,
				carrierCode: item?.carrierCode,
				canceled: true,
				alreadyCanceled: false,
				recovered: false,
				correlationId: expect.any(String),
			})),
		);
		expect(linksOf(result.items)).toEqual([0, 1, 2]);
		expect(sent()).toHaveLength(2);
		expect(canceledIds()).toEqual([...ants, ...beavers].map(({ id }) => id));
		const fields = Object.keys(result.items[0]?.json ?? {}).sort();
		expect(fields).toEqual(announcedFields('shipment/cancel'));
	});

	test('turns IDs into shipment numbers, and cancels all pieces', async () => {
		const pieces = seed(1, { pieceCount: 2 });
		const [main] = pieces;
		const { items } = await run(byId, [{ id: main?.id }]);
		expect(fieldsOf(items, 'id', 'packageNumberCarrier', 'canceled', 'alreadyCanceled')).toEqual([
			[main?.id, main?.packageNumberCarrier, true, false],
		]);
		expect(canceledIds()).toEqual(pieces.map(({ id }) => id));
	});

	test('cancels nothing for the ID of an additional piece that has no detail of its own', async () => {
		const pieces = seed(1, { pieceCount: 3 });
		const { errorItems } = await run(byId, [{ id: pieces[1]?.id }]);
		expect(errorItems).toHaveLength(1);
		expect(sent()).toEqual([]);
	});

	test('cancels only the piece whose ID the item has, if the service returns its shipment', async () => {
		const pieces = seed(1, { pieceCount: 3 });
		const result = pieces.map(({ id, packageNumberCarrier }) => ({ id, packageNumberCarrier }));
		const body = { result, correlationId: 'c' };
		for (const operation of ['getShipment', 'getShipmentShort'] as const) {
			shop.fault(operation, { kind: 'status', status: 200, body });
		}
		await run(byId, [{ id: pieces[1]?.id }]);
		expect(sent()).toEqual([[pieces[1]?.packageNumberCarrier]]);
	});

	test('returns what was canceled before', async () => {
		const shipment = shop.seedCanceled();
		for (const parameters of [byId, cancel]) {
			const { items } = await run(parameters, [shipment]);
			expect(fieldsOf(items, 'canceled', 'alreadyCanceled', 'recovered')).toEqual([
				[true, true, false],
			]);
		}
	});

	test('fails the item that is on its way and the unknown one, and cancels the others', async () => {
		const [moving] = seed(1, { hoursAgo: 30 });
		const [waiting] = seed(1);
		const unknown = { packageNumberCarrier: 'UNKNOWN' };
		const { items, errorItems } = await run(cancel, [moving, unknown, waiting]);
		expect([linksOf(items), linksOf(errorItems)]).toEqual([[2], [0, 1]]);
		expect(errorItems[0]?.json).toMatchObject({
			error: `Shipment ${moving?.packageNumberCarrier} was not canceled. The service said: package.cancel.alreadysent`,
			details: {
				packageNumberCarrier: moving?.packageNumberCarrier,
				serviceMessage: 'package.cancel.alreadysent',
			},
		});
		expect(canceledIds()).toEqual([waiting?.id]);
	});

	test('an unknown ID stops the run before anything is canceled', async () => {
		const { error } = await run(byId, [...seed(1), { id: 9 }], STOP);
		expect(error?.context).toMatchObject({ itemIndex: 1 });
		expect(sent()).toEqual([]);
	});

	test('names what was canceled when the run stops with an error', async () => {
		const [moving] = seed(1, { hoursAgo: 30 });
		const [waiting] = seed(1);
		const { error } = await run(cancel, [moving, waiting], STOP);
		expect(error?.description).toContain(`Already canceled: ${waiting?.packageNumberCarrier}.`);
	});

	test('reads back after a lost response, and does not send the request again', async () => {
		const shipments = seed(2);
		shop.fault('cancelShipments', { kind: 'reset', when: 'after' });
		const { items } = await run(cancel, shipments);
		expect(fieldsOf(items, 'canceled', 'recovered')).toEqual(Array(2).fill([true, true]));
		expect(sent()).toHaveLength(1);
	});

	test.each(['numbers', 'ids'])(
		'sends nothing again for what is canceled when another item makes the node retry (by %s)',
		async (shipments) => {
			const items = [...seed(1), ...seed(1, beaver)];
			shop.fault('cancelShipments', {
				kind: 'status',
				status: 400,
				onlyIf: ({ packages }: { packages: string[] }) =>
					packages[0] === items[1]?.packageNumberCarrier,
			});
			const result = await run({ ...byId, shipments }, items, { ...STOP, tries: 2 });
			expect(valuesOf(result.items, 'alreadyCanceled')).toEqual([false, false]);
			expect(sent()).toHaveLength(3);
		},
	);

	test('waits when the service asks for it, and then cancels once', async () => {
		shop.fault('cancelShipments', { kind: 'rateLimit', times: 2 });
		const { items } = await run({ ...cancel, options: { maxRetryWait: 5_000 } }, seed(1));
		expect(fieldsOf(items, 'canceled', 'alreadyCanceled', 'recovered')).toEqual([
			[true, false, false],
		]);
	});

	test('reads a row that is missing from the records', async () => {
		const dropFirst = ({ result, ...rest }: { result: unknown[] }) => ({
			...rest,
			result: result.slice(1),
		});
		shop.rewrite('cancelShipments', dropFirst);
		const { items } = await run(cancel, seed(2));
		expect(valuesOf(items, 'recovered')).toEqual([true, false]);
	});
});

describe.each(dialectNames)('A service in the %s dialect that cannot cancel', (dialect) => {
	const shop = useCancel({ dialect, withoutExtras: true });

	test('says so, after one request', async () => {
		const { errorItems } = await shop.run(cancel, shop.sandbox.seedShipments(2));
		expect(valuesOf(errorItems, 'error')).toEqual(
			Array(2).fill(
				expect.stringMatching(/^This service does not offer: Cancel shipments \(40\d\)$/),
			),
		);
		expect(shop.sent()).toHaveLength(1);
	});
});

describe('As a tool of an AI model', () => {
	const shop = useCancel();
	const TOOL = `${PACKAGE}.parcelShippingTool`;

	beforeAll(async () => {
		const { nodeTypes } = await loadPackage();
		const { description, ...node } = nodeTypes.getByName(`${PACKAGE}.parcelShipping`) as INodeType;
		// n8n makes the tool of a node by changing its description.
		const tool = { ...node, description: { ...description, name: 'parcelShippingTool' } };
		const { execute } = Object.getPrototypeOf(nodeTypes.getByName(`${PACKAGE}.parcelShipping`));
		shop.engine = await startEngine(sandboxCredential(shop.sandbox.url), {
			[TOOL]: { ...tool, execute } as INodeType,
		});
	});

	test.each([
		[{}, false],
		[{ confirm: false }, false],
		[{ confirm: 'false' }, false],
		[{ confirm: null }, false],
		[{ confirm: true }, true],
	])('Cancel with %j works: %p', async (confirm, isCanceled) => {
		const parameters = { ...cancel, ...confirm } as INodeParameters;
		const shipments = shop.sandbox.seedShipments(1);
		const { items, errorItems } = await shop.run(parameters, shipments, { type: TOOL });
		expect(valuesOf(items, 'canceled')).toEqual(isCanceled ? [true] : []);
		expect(valuesOf(errorItems, 'error')).toEqual(
			isCanceled ? [] : ['Confirm of item 0 is off, so nothing was canceled'],
		);
		expect(shop.canceledIds()).toHaveLength(isCanceled ? 1 : 0);
	});
});
