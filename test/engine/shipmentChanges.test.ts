import type { IDataObject, INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';

import { dialectNames, type Fault, type SandboxShipment } from '../../sandbox';
import { sandboxCredential } from '../support/credentials';
import { startEngine } from '../support/engine';
import { loadPackage, PACKAGE } from '../support/host';
import { announcedFields, fieldsOf, linksOf, valuesOf } from '../support/outputs';
import { SERVICE_KINDS, SERVICES } from '../support/services';
import { useShop } from '../support/useShop';

const change = {
	resource: 'shipment',
	carrierCode: '={{ $json.carrierCode || "ANT" }}',
	packageNumber: '={{ $json.packageNumberCarrier }}',
	shipmentIds: '={{ $json.id }}',
	options: { maxRetryWait: 0 },
};
const cancel: INodeParameters = { ...change, operation: 'cancel', shipments: 'numbers' };
const cancelById: INodeParameters = { ...cancel, shipments: 'ids' };
const handOver: INodeParameters = { ...change, operation: 'handOver', shipments: 'ids' };
const handOverAll: INodeParameters = { ...handOver, shipments: 'all' };
const STOP = { onError: 'stopWorkflow' } as const;
const BEAVER = { serviceType: 'BEAVER-PARCEL' };

function useChanges(...given: Parameters<typeof useShop>) {
	const shop = useShop(...given);
	return Object.assign(shop, {
		run: async (parameters: INodeParameters, items: Array<object | undefined> = [{}], more = {}) =>
			shop.create(items as IDataObject[], {}, { parameters, ...more }),
		seed: (count: number, overrides = {}) => shop.sandbox.seedShipments(count, overrides),
		canceledIds: () =>
			shop
				.shipments()
				.filter(({ canceled }) => canceled)
				.map(({ id }) => id),
		handedOverIds: () => idsOf(shop.shipments().filter(({ handedOver }) => handedOver)),
		sent: () => [...shop.requests('cancelShipments'), ...shop.requests('handOverShipments')],
	});
}
/** The IDs of the main shipments. */
const idsOf = (shipments: SandboxShipment[]) =>
	shipments.filter(({ id, mainId }) => id === mainId).map(({ id }) => id);
const bytesOf = (item?: INodeExecutionData) =>
	Buffer.from(item?.binary?.data?.data ?? '', 'base64').toString('latin1');
const keysOf = ([item]: INodeExecutionData[]) => Object.keys(item?.json ?? {}).sort();

describe.each(SERVICE_KINDS)('At a service of the kind %s', (kind) => {
	const shop = useChanges(SERVICES[kind]);
	const { run, seed, sent, canceledIds, handedOverIds } = shop;

	const changes: Array<[string, INodeParameters, IDataObject]> = [
		['Cancel by number', cancel, { canceled: true, alreadyCanceled: false }],
		['Cancel by ID', cancelById, { canceled: true, alreadyCanceled: false }],
		['Hand Over', handOver, { packagesCount: 1, alreadyHandedOver: [] }],
	];
	describe.each(changes)('%s', (_, parameters, done) => {
		const operation = parameters.operation === 'cancel' ? 'cancelShipments' : 'handOverShipments';

		test('reads back after a lost response, and does not send the request again', async () => {
			shop.fault(operation, { kind: 'reset', when: 'after' });
			// Long enough to notice a second request.
			const { items } = await run({ ...parameters, options: { maxRetryWait: 1_500 } }, seed(1));
			expect(items.map(({ json }) => json)).toMatchObject([{ ...done, recovered: true }]);
			expect(sent()).toHaveLength(1);
		});

		test('returns what is done again when another carrier makes the node retry', async () => {
			const items = [...seed(1), ...seed(1, BEAVER)];
			const onlyIf = ({ packages }: { packages: unknown[] }) =>
				[items[1]?.id, items[1]?.packageNumberCarrier].includes(packages[0] as never);
			shop.fault(operation, { kind: 'status', status: 400, onlyIf });
			const again = await run(parameters, items, { ...STOP, tries: 2 });
			expect(again.items.map(({ json }) => json)).toMatchObject([done, done]);
			expect(sent()).toHaveLength(3);
		});
	});

	test.each([cancelById, handOver])(
		'an unknown ID stops the run before anything is sent ($operation)',
		async (parameters) => {
			const { error } = await run(parameters, [...seed(1), { id: 9 }], STOP);
			expect(error?.context).toMatchObject({ itemIndex: 1 });
			expect(sent()).toEqual([]);
		},
	);

	describe('Cancel', () => {
		test('cancels the shipments of all items with one request per carrier', async () => {
			const [ants, beavers] = [seed(2), seed(1, BEAVER)];
			seed(1, { packageNumberCustom: 'OTHER' });
			const shipments = [ants[0], beavers[0], ants[1]];
			const { items } = await run(cancel, shipments);
			expect(items.map(({ json }) => json)).toEqual(
				shipments.map((shipment) => ({
					packageNumberCarrier: shipment?.packageNumberCarrier,
					carrierCode: shipment?.carrierCode,
					canceled: true,
					alreadyCanceled: false,
					recovered: false,
					correlationId: expect.any(String),
				})),
			);
			expect(linksOf(items)).toEqual([0, 1, 2]);
			expect(sent()).toHaveLength(2);
			expect(canceledIds()).toEqual([...ants, ...beavers].map(({ id }) => id));
			expect(keysOf(items)).toEqual(announcedFields('shipment/cancel'));
		});

		test('turns IDs into shipment numbers, and cancels all pieces', async () => {
			const pieces = seed(1, { pieceCount: 2 });
			const { id, packageNumberCarrier } = pieces[0] ?? {};
			const { items } = await run(cancelById, [{ id }]);
			expect(items[0]?.json).toMatchObject({ id, packageNumberCarrier, alreadyCanceled: false });
			expect(canceledIds()).toEqual(pieces.map((piece) => piece.id));
		});

		test('cancels nothing for the ID of an additional piece that has no detail of its own', async () => {
			const { errorItems } = await run(cancelById, [{ id: seed(1, { pieceCount: 3 })[1]?.id }]);
			expect(errorItems).toHaveLength(1);
			expect(sent()).toEqual([]);
		});

		test('cancels only the piece whose ID the item has, if the service returns its shipment', async () => {
			const pieces = seed(1, { pieceCount: 3 });
			const result = pieces.map(({ id, packageNumberCarrier }) => ({ id, packageNumberCarrier }));
			const response = {
				kind: 'status',
				status: 200,
				body: { result, correlationId: 'c' },
			} as const;
			shop.fault('getShipment', response);
			shop.fault('getShipmentShort', response);
			await run(cancelById, [{ id: pieces[1]?.id }]);
			expect(sent().map(({ body }) => body)).toMatchObject([
				{ packages: [pieces[1]?.packageNumberCarrier] },
			]);
		});

		test('returns what was canceled before', async () => {
			const shipments = seed(1);
			shop.sandbox.cancelShipment(shipments[0]?.id ?? 0);
			const done = { canceled: true, alreadyCanceled: true, recovered: false };
			for (const parameters of [cancelById, cancel]) {
				const { items } = await run(parameters, shipments);
				expect(items.map(({ json }) => json)).toMatchObject([done]);
			}
		});

		test('fails the item that is on its way and the unknown one, and cancels the others', async () => {
			const [moving, waiting] = [...seed(1, { hoursAgo: 30 }), ...seed(1)];
			const number = moving?.packageNumberCarrier;
			const given = [moving, { packageNumberCarrier: 'UNKNOWN' }, waiting];
			const { items, errorItems } = await run(cancel, given);
			expect([linksOf(items), linksOf(errorItems)]).toEqual([[2], [0, 1]]);
			expect(errorItems[0]?.json).toMatchObject({
				error: `Shipment ${number} was not canceled. The service said: package.cancel.alreadysent`,
				details: {
					packageNumberCarrier: number,
					serviceMessage: 'package.cancel.alreadysent',
				},
			});
			expect(errorItems[1]?.json).toMatchObject({
				error:
					'Could not cancel UNKNOWN: the service lists no shipment of carrier ANT with this number',
				message: expect.stringContaining('not your order number'),
			});
			expect(canceledIds()).toEqual([waiting?.id]);
		});

		test('names what was canceled when the run stops with an error', async () => {
			const [moving, waiting] = [...seed(1, { hoursAgo: 30 }), ...seed(1)];
			const { error } = await run(cancel, [moving, waiting], STOP);
			expect(error?.description).toContain(`Already canceled: ${waiting?.packageNumberCarrier}.`);
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

	describe('Hand Over', () => {
		test('sends one request per carrier and returns its protocol as a PDF', async () => {
			const [ants, beavers] = [seed(2, { pieceCount: 2 }), seed(1, BEAVER)];
			seed(1);
			const mains = ants.filter(({ id, mainId }) => id === mainId);
			const { items } = await run(handOver, [mains[0], beavers[0], mains[1]]);
			expect(items.map(({ json }) => json)).toMatchObject([
				{ carrierCode: 'ANT', handOverId: 301, packagesCount: 2, shipmentIds: idsOf(ants) },
				{ carrierCode: 'BEAVER', handOverId: 302, packagesCount: 1 },
			]);
			expect(items[0]?.pairedItem).toEqual([{ item: 0 }, { item: 2 }]);
			expect(bytesOf(items[0])).toMatch(/^%PDF-/);
			expect(items[0]?.binary?.data?.fileName).toMatch(/^protocol-ANT-\d{4}-\d\d-\d\d-301\.pdf$/);
			expect(handedOverIds()).toEqual([...idsOf(ants), ...idsOf(beavers)]);
			expect(sent()).toHaveLength(2);
			expect(keysOf(items)).toEqual(announcedFields('shipment/handOver'));
		});

		test('hands over everything of a carrier that is neither handed over nor canceled', async () => {
			seed(1, { hoursAgo: 30 });
			const [canceled, ...others] = seed(8);
			seed(1, BEAVER);
			shop.sandbox.cancelShipment(canceled?.id ?? 0);
			const { items } = await run(handOverAll, [{}, {}]);
			expect(valuesOf(items, 'packagesCount')).toEqual([7]);
			expect(handedOverIds()).toEqual(idsOf(others));

			const again = await run(handOverAll);
			expect(fieldsOf(again.items, 'handOverId', 'packagesCount')).toEqual([[null, 0]]);
			expect(again.items[0]?.binary).toBeUndefined();
			expect(sent()).toHaveLength(1);
		});

		test('hands over at all carriers, and says so once if there is nothing', async () => {
			const [ants, beavers] = [seed(2), seed(1, BEAVER)];
			shop.fault('handOverShipments', { kind: 'status', status: 400, skip: 1 });
			const parameters = {
				...handOverAll,
				shipments: 'allCarriers',
				options: { maxConcurrency: 1 },
			};
			const { items } = await run(parameters, [{}, {}], { ...STOP, tries: 2 });
			expect(fieldsOf(items, 'carrierCode', 'message')).toEqual([
				['ANT', '2 shipments were handed over to ANT'],
				['BEAVER', '1 shipment was handed over to BEAVER'],
			]);
			expect(items[1]?.pairedItem).toEqual([{ item: 0 }, { item: 1 }]);
			expect(handedOverIds()).toEqual(idsOf([...ants, ...beavers]));

			const again = await run(parameters);
			expect(fieldsOf(again.items, 'carrierCode', 'message', 'packagesCount')).toEqual([
				[null, 'Nothing to hand over', 0],
			]);
			expect(again.hints).toEqual([expect.stringContaining('Nothing to hand over')]);
			expect(sent()).toHaveLength(3);
		});

		const another = ({ result, ...rest }: { result: { data: IDataObject[]; total: number } }) => ({
			...rest,
			result: { data: [...result.data, { id: 999 }], total: result.total + 1 },
		});
		test.each<[string, object, number | null]>([
			['its protocol', {}, 302],
			['no protocol if the service has no list', { kind: 'status', status: 404 }, null],
			['no protocol if two are new', { kind: 'body', rewrite: another, skip: 1 }, null],
		])('after a lost response has %s', async (_, fault, handOverId) => {
			await run(handOver, seed(1));
			shop.fault('handOverShipments', { kind: 'reset', when: 'after' });
			if ('kind' in fault) shop.fault('findHandOvers', { ...(fault as Fault), times: Infinity });
			const { items } = await run(handOver, seed(1));
			expect(fieldsOf(items, 'recovered', 'packagesCount', 'handOverId')).toEqual([
				[true, 1, handOverId],
			]);
			expect(bytesOf(items[0]).startsWith('%PDF-')).toBe(handOverId !== null);
		});

		test('is listed later, with its protocol', async () => {
			await run(handOver, [...seed(2), ...seed(1, BEAVER)]);
			const getAll = { resource: 'handOver', operation: 'getAll' };
			const all = await run({ ...getAll, returnAll: true });
			expect(valuesOf(all.items, 'carrierCode').sort()).toEqual(['ANT', 'BEAVER']);
			expect(keysOf(all.items)).toEqual(announcedFields('handOver/getAll'));
			expect(all.items[0]?.binary).toBeUndefined();
			const filters = { carrierCodes: ['BEAVER'], createdFrom: '2020-01-01' };
			const { items } = await run({ ...getAll, filters, download: true });
			expect(fieldsOf(items, 'carrierCode', 'packagesCount')).toEqual([['BEAVER', 1]]);
			expect(bytesOf(items[0])).toMatch(/^%PDF-/);
			expect(items[0]?.binary?.data?.fileName).toMatch(/^protocol-BEAVER-.*-30\d\.pdf$/);
		});

		test('leaves out what is handed over already, and says so', async () => {
			const shipments = seed(7);
			const [some, all] = [idsOf(shipments).slice(0, 2), idsOf(shipments)];
			await run(handOver, shipments.slice(0, 2));
			const results = [await run(handOver, shipments), await run(handOver, shipments)];
			const items = results.flatMap((result) => result.items);
			expect(fieldsOf(items, 'shipmentIds', 'alreadyHandedOver')).toEqual([
				[all.slice(2), some],
				[[], all],
			]);
			expect(sent()).toHaveLength(2);
		});

		test('passes on the day of the pickup, and uses the chosen binary field', async () => {
			const options = { date: '2026-12-24T00:00:00' };
			const parameters = { ...handOver, options, binaryPropertyName: 'protocol' };
			const { items } = await run(parameters, seed(1));
			expect(Object.keys(items[0]?.binary ?? {})).toEqual(['protocol']);
			expect(shop.sandbox.database.handOvers()).toMatchObject([{ date: '2026-12-24' }]);
		});

		test('fails the items of canceled and unknown shipments, and hands over the others', async () => {
			const [canceled, waiting] = seed(2);
			shop.sandbox.cancelShipment(canceled?.id ?? 0);
			const { errorItems } = await run(handOver, [canceled, waiting, { id: 9 }]);
			expect(linksOf(errorItems)).toEqual([0, 2]);
			expect(errorItems[0]?.json.error).toBe(
				`Shipment ${canceled?.id} is canceled and cannot be handed over`,
			);
			expect(handedOverIds()).toEqual([waiting?.id]);
		});

		test('fails the shipment that the carrier does not take, and returns the protocol of the others', async () => {
			const [first, kept, last] = seed(3);
			shop.sandbox.keepFromCarrier(kept?.id ?? 0);
			const { items, errorItems } = await run(handOver, [first, kept, last]);
			expect(items[0]?.json.shipmentIds).toEqual([first?.id, last?.id]);
			expect(bytesOf(items[0])).toMatch(/^%PDF-/);
			expect(linksOf(errorItems)).toEqual([1]);
			expect(errorItems[0]?.json).toMatchObject({
				error: `Could not confirm that ANT received shipment ${kept?.id} with hand-over 301`,
				message: expect.stringContaining('The service handed over 2 of 3 shipments'),
			});
		});

		test('keeps the result if the protocol cannot be downloaded', async () => {
			shop.fault('labelFile', { kind: 'html' });
			const { items } = await run(handOver, seed(1));
			expect(items[0]?.json).toMatchObject({
				packagesCount: 1,
				protocolNotDownloaded: 'The service returned a web page instead of a PDF file',
			});
		});

		test('returns the protocol of a carrier again when another one makes the node retry', async () => {
			shop.fault('handOverShipments', { kind: 'status', status: 400, skip: 1 });
			const options = { ...change.options, maxConcurrency: 1 };
			const items = [...seed(1), ...seed(1, BEAVER)];
			const again = await run({ ...handOver, options }, items, { ...STOP, tries: 2 });
			expect(again.items.map((item) => bytesOf(item).slice(0, 5))).toEqual(['%PDF-', '%PDF-']);
			expect(valuesOf(again.items, 'handOverId')).toEqual([301, 302]);
		});

		test('does not trust the count of a service if a shipment has several pieces', async () => {
			const [first, kept] = [...seed(1, { pieceCount: 2 }).slice(0, 1), ...seed(1)];
			shop.sandbox.keepFromCarrier(kept?.id ?? 0);
			// The pieces of the first one.
			shop.rewrite('handOverShipments', ({ result, ...rest }: { result: object }) => ({
				...rest,
				result: { ...result, packagesCount: 2 },
			}));
			const { items, errorItems } = await run(handOver, [first, kept]);
			expect(valuesOf(items, 'shipmentIds')).toEqual([[first?.id]]);
			expect(linksOf(errorItems)).toEqual([1]);
		});
	});
});

describe('Hand Over at a service whose details do not say it', () => {
	const shop = useChanges();

	test('reads back from the list', async () => {
		const withoutDate = (detail: unknown) =>
			JSON.parse(
				JSON.stringify(detail, (key, value) => (key === 'submittedCarrier' ? undefined : value)),
			);
		shop.fault('handOverShipments', { kind: 'reset', when: 'after' });
		shop.rewrite('getShipment', withoutDate, { times: Infinity });
		const { items } = await shop.run(handOver, shop.seed(2));
		expect(fieldsOf(items, 'packagesCount', 'recovered')).toEqual([[2, true]]);
	});
});

describe.each(dialectNames)('A service in the %s dialect without these operations', (dialect) => {
	const shop = useChanges({ dialect, withoutExtras: true });

	test.each([
		['Cancel shipments', cancel],
		['Hand shipments over to the carrier', handOver],
	])('does not offer: %s, and the error says so after one request', async (name, parameters) => {
		const { errorItems } = await shop.run(parameters, shop.seed(1));
		expect(valuesOf(errorItems, 'error')).toEqual([
			expect.stringMatching(new RegExp(`^This service does not offer: ${name} \\(40\\d\\)$`)),
		]);
		expect(shop.sent()).toHaveLength(1);
	});
});

describe('As a tool of an AI model', () => {
	const shop = useChanges();
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
	])('Cancel and Hand Over with %j work: %p', async (confirm, isDone) => {
		for (const [parameters, done] of [
			[cancel, 'canceled'],
			[handOver, 'handed over'],
		] as const) {
			const { errorItems } = await shop.run(
				{ ...parameters, ...confirm } as INodeParameters,
				shop.seed(1),
				{
					type: TOOL,
				},
			);
			expect(valuesOf(errorItems, 'error')).toEqual(
				isDone ? [] : [`Confirm of item 0 is off, so nothing was ${done}`],
			);
		}
		expect(shop.canceledIds()).toHaveLength(isDone ? 1 : 0);
		expect(shop.handedOverIds()).toHaveLength(isDone ? 1 : 0);
	});

	const get = { ...change, operation: 'get', shipmentId: '={{ $json.id }}' };
	test.each([
		[{}, expect.arrayContaining(['recName', 'trackingUrl']), false],
		[{ simplify: false }, expect.arrayContaining(['recName', 'trackingUrl']), false],
		[{ output: 'raw' }, expect.arrayContaining(['recPhone']), true],
		[{ output: 'selected', fields: 'id, delivered, nothing' }, ['delivered', 'id'], false],
	])('Get with %j returns no more than was chosen', async (output, fields, hasPhone) => {
		const parameters = { ...get, ...output } as INodeParameters;
		const { items } = await shop.run(parameters, shop.seed(1), { type: TOOL });
		expect(keysOf(items)).toEqual(fields);
		expect('recPhone' in (items[0]?.json ?? {})).toBe(hasPhone);
	});

	test('label files are downloaded only if the tool says so', async () => {
		const print = { ...change, resource: 'label', operation: 'print' };
		const hasFile = async (more: INodeParameters, type?: string) => {
			const { items } = await shop.run({ ...print, ...more }, shop.seed(1), type ? { type } : {});
			return items[0]?.binary !== undefined;
		};
		expect(await hasFile({}, TOOL)).toBe(false);
		expect(await hasFile({ download: true }, TOOL)).toBe(true);
		expect(await hasFile({})).toBe(true);
	});
});
