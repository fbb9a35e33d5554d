import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { dialectNames } from '../../sandbox';
import { announcedFields, linksOf, valuesOf } from '../support/outputs';
import { SERVICE_KINDS, SERVICES } from '../support/services';
import { useShop } from '../support/useShop';

const handOver: INodeParameters = {
	resource: 'shipment',
	operation: 'handOver',
	carrierCode: '={{ $json.carrierCode || "ANT" }}',
	shipments: 'ids',
	shipmentIds: '={{ $json.id }}',
	options: { maxRetryWait: 0 },
};
const everything: INodeParameters = { ...handOver, shipments: 'all' };
const STOP = { onError: 'stopWorkflow' } as const;

function useHandOver(...given: Parameters<typeof useShop>) {
	const shop = useShop(...given);
	return Object.assign(shop, {
		run: async (parameters: INodeParameters, items: Array<object | undefined> = [{}], more = {}) =>
			shop.create(items as IDataObject[], {}, { parameters, ...more }),
		handedOverIds: () => idsOf(shop.shipments().filter(({ handedOver }) => handedOver)),
		sent: () => shop.requests('handOverShipments'),
	});
}
const idsOf = (shipments: Array<{ id: number; mainId: number }>) =>
	shipments.filter(({ id, mainId }) => id === mainId).map(({ id }) => id);
const bytesOf = (item?: INodeExecutionData) =>
	Buffer.from(item?.binary?.data?.data ?? '', 'base64').toString('latin1');

describe.each(SERVICE_KINDS)('Hand Over at a service of the kind %s', (kind) => {
	const shop = useHandOver(SERVICES[kind]);
	const { run, sent, handedOverIds } = shop;
	const seed = (...given: Parameters<typeof shop.sandbox.seedShipments>) =>
		shop.sandbox.seedShipments(...given);
	const beaver = { serviceType: 'BEAVER-PARCEL' };

	test('sends one request per carrier and returns its protocol as a PDF', async () => {
		const ants = seed(2, { pieceCount: 2 });
		const beavers = seed(1, beaver);
		seed(1);
		const mains = ants.filter(({ id, mainId }) => id === mainId);
		const { items, errorItems } = await run(handOver, [mains[0], beavers[0], mains[1]]);
		expect(errorItems).toEqual([]);
		expect(items.map(({ json }) => json)).toMatchObject([
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
		expect(items[0]?.pairedItem).toEqual([{ item: 0 }, { item: 2 }]);
		expect(bytesOf(items[0])).toMatch(/^%PDF-/);
		expect(items[0]?.binary?.data?.fileName).toMatch(/^protocol-ANT-\d{4}-\d\d-\d\d-301\.pdf$/);
		expect(handedOverIds()).toEqual([...idsOf(ants), ...idsOf(beavers)]);
		expect(sent()).toHaveLength(2);
		const fields = Object.keys(items[0]?.json ?? {}).sort();
		expect(fields).toEqual(announcedFields('shipment/handOver'));
	});

	test('hands over everything of a carrier that is neither handed over nor canceled', async () => {
		seed(1, { hoursAgo: 30 });
		const shipments = seed(8);
		seed(1, beaver);
		const canceledId = shipments[3]?.id ?? 0;
		shop.sandbox.cancelShipment(canceledId);
		const { items } = await run(everything, [{}, {}]);
		expect(valuesOf(items, 'packagesCount')).toEqual([7]);
		expect(handedOverIds()).toEqual(idsOf(shipments).filter((id) => id !== canceledId));

		const again = await run(everything);
		expect(again.items[0]?.json).toMatchObject({ handOverId: null, packagesCount: 0 });
		expect(again.items[0]?.binary).toBeUndefined();
		expect(sent()).toHaveLength(1);
	});

	test('leaves out what is handed over already, and says so', async () => {
		const shipments = seed(7);
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
		const options = { date: '2026-12-24T00:00:00' };
		const parameters = { ...handOver, options, binaryPropertyName: 'protocol' };
		const { items } = await run(parameters, seed(1));
		expect(Object.keys(items[0]?.binary ?? {})).toEqual(['protocol']);
		expect(shop.sandbox.database.handOvers()).toMatchObject([{ date: '2026-12-24' }]);
	});

	test('fails the items of canceled and unknown shipments, and hands over the others', async () => {
		const shipments = seed(2);
		shop.sandbox.cancelShipment(shipments[0]?.id ?? 0);
		const { errorItems } = await run(handOver, [...shipments, { id: 9 }]);
		expect(linksOf(errorItems)).toEqual([0, 2]);
		expect(errorItems[0]?.json.error).toBe(
			`Shipment ${shipments[0]?.id} is canceled and cannot be handed over`,
		);
		expect(handedOverIds()).toEqual([shipments[1]?.id]);
	});

	test('stops before it sends anything if a shipment is unknown', async () => {
		const { error } = await run(handOver, [...seed(1), { id: 9 }], STOP);
		expect(error?.context).toMatchObject({ itemIndex: 1 });
		expect(sent()).toEqual([]);
	});

	test('reads back after a lost response, and does not send the request again', async () => {
		shop.fault('handOverShipments', { kind: 'reset', when: 'after' });
		const { items, errorItems } = await run(handOver, seed(2));
		expect(errorItems).toEqual([]);
		expect(items[0]?.json).toMatchObject({
			handOverId: null,
			packagesCount: 2,
			recovered: true,
			protocolUrl: null,
		});
		expect(sent()).toHaveLength(1);
	});

	test('fails the shipment that the carrier does not take, and returns the protocol of the others', async () => {
		const [first, kept, last] = seed(3);
		shop.sandbox.keepFromCarrier(kept?.id ?? 0);
		const { items, errorItems } = await run(handOver, [first, kept, last]);
		expect(items[0]?.json.shipmentIds).toEqual([first?.id, last?.id]);
		expect(bytesOf(items[0])).toMatch(/^%PDF-/);
		expect(linksOf(errorItems)).toEqual([1]);
		expect(errorItems[0]?.json).toMatchObject({
			error: `Could not confirm that ANT received shipment ${kept?.id}`,
			message: expect.stringContaining('The service handed over 2 of 3 shipments'),
		});
	});

	test('waits when the service asks for it', async () => {
		shop.fault('handOverShipments', { kind: 'rateLimit' });
		const { items } = await run({ ...handOver, options: { maxRetryWait: 5_000 } }, seed(1));
		expect(items[0]?.json).toMatchObject({ packagesCount: 1, recovered: false });
	});

	test('keeps the result if the protocol cannot be downloaded', async () => {
		shop.fault('labelFile', { kind: 'html' });
		const { items } = await run(handOver, seed(1));
		expect(items[0]?.json).toMatchObject({
			packagesCount: 1,
			protocolNotDownloaded: 'The service returned a web page instead of a PDF file',
		});
	});

	test('returns the protocol of a carrier again when another carrier makes the node retry', async () => {
		const items = [...seed(1), ...seed(1, beaver)];
		shop.fault('handOverShipments', {
			kind: 'status',
			status: 400,
			onlyIf: ({ packages }: { packages: number[] }) => packages[0] === items[1]?.id,
		});
		const again = await run(handOver, items, { ...STOP, tries: 2 });
		expect(again.items.map(({ json }) => json)).toMatchObject([
			{ carrierCode: 'ANT', handOverId: 301, alreadyHandedOver: [] },
			{ carrierCode: 'BEAVER', handOverId: 302 },
		]);
		expect(bytesOf(again.items[0])).toMatch(/^%PDF-/);
		expect(shop.sandbox.database.handOvers()).toHaveLength(2);
	});
});

describe('Hand Over', () => {
	const shop = useHandOver();

	test('reads back from the list what only the list says', async () => {
		const withoutDate = (detail: unknown) =>
			JSON.parse(
				JSON.stringify(detail, (key, value) => (key === 'submittedCarrier' ? undefined : value)),
			);
		shop.fault('handOverShipments', { kind: 'reset', when: 'after' });
		shop.rewrite('getShipment', withoutDate, { times: Infinity });
		const { items } = await shop.run(handOver, shop.sandbox.seedShipments(2));
		expect(items[0]?.json).toMatchObject({ packagesCount: 2, recovered: true });
	});

	test('does not trust the count of a service if a shipment has several pieces', async () => {
		const [first, kept] = [2, 1].map(
			(pieceCount) => shop.sandbox.seedShipments(1, { pieceCount })[0],
		);
		shop.sandbox.keepFromCarrier(kept?.id ?? 0);
		// The pieces of the first one.
		shop.rewrite('handOverShipments', ({ result, ...rest }: { result: object }) => ({
			...rest,
			result: { ...result, packagesCount: 2 },
		}));
		const { items, errorItems } = await shop.run(handOver, [first, kept]);
		expect(valuesOf(items, 'shipmentIds')).toEqual([[first?.id]]);
		expect(linksOf(errorItems)).toEqual([1]);
	});
});

describe.each(dialectNames)('A service in the %s dialect that cannot hand over', (dialect) => {
	const shop = useHandOver({ dialect, withoutExtras: true });

	test('says so', async () => {
		const { errorItems } = await shop.run(handOver, shop.sandbox.seedShipments(1));
		expect(valuesOf(errorItems, 'error')).toEqual([
			expect.stringMatching(
				/^This service does not offer: Hand shipments over to the carrier \(40\d\)$/,
			),
		]);
	});
});
