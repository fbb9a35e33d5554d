import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { dialectNames, type SandboxShipment, startSandbox } from '../../sandbox';
import { sandboxCredential } from '../support/credentials';
import { startEngine } from '../support/engine';
import { announcedFields, bytesOf, fieldsOf, jsonOf, keysOf } from '../support/outputs';
import { linksOf, valuesOf } from '../support/outputs';
import { useShop } from '../support/useShop';

// What is canceled and handed over, at which services, and whatever goes wrong, is in the simulation. Here
// are outputs, files and words.

const change = {
	resource: 'shipment',
	packageNumber: '={{ $json.packageNumberCarrier }}',
	shipmentIds: '={{ $json.id }}',
};
const cancel: INodeParameters = { ...change, operation: 'cancel', shipments: 'numbers' };
const handOver: INodeParameters = { ...change, operation: 'handOver', shipments: 'ids' };
const handOverAll: INodeParameters = { ...handOver, shipments: 'all', carrierCode: 'ANT' };
const BEAVER = { serviceType: 'BEAVER-PARCEL' };

const shop = useShop();
beforeAll(async () => {
	const credential = { ...sandboxCredential(shop.sandbox.url), maxRetryWait: 0 };
	shop.engine = await startEngine(credential);
});

const run = async (
	parameters: INodeParameters,
	items: Array<object | undefined> = [{}],
	more = {},
) => shop.create(items as IDataObject[], {}, { parameters, ...more });
const seed = (count: number, overrides = {}) => shop.sandbox.seedShipments(count, overrides);
/** The IDs of the main shipments. */
const idsWhere = (is: (shipment: SandboxShipment) => boolean) =>
	shop.shipments().flatMap((each) => (each.id === each.mainId && is(each) ? each.id : []));
const canceledIds = () => idsWhere(({ canceled }) => canceled);
const handedOverIds = () => idsWhere(({ handedOver }) => handedOver);
const sent = () => [...shop.requests('cancelShipments'), ...shop.requests('handOverShipments')];
const isPdf = (item?: Parameters<typeof bytesOf>[0]) => String(bytesOf(item)).startsWith('%PDF-');

test('By default, Cancel takes order numbers, and Hand Over everything that is not handed over', async () => {
	const [first] = seed(1, { packageNumberCustom: 'D-1' });
	const others = [...seed(1, { packageNumberCustom: 'D-2' }), ...seed(1, BEAVER)];
	const form = { resource: 'shipment', orderNumber: '={{ $json.order }}' };
	await run({ ...form, operation: 'cancel' }, [{ order: 'D-1' }]);
	expect(canceledIds()).toEqual([first?.id]);
	await run({ ...form, operation: 'handOver' });
	expect(handedOverIds()).toEqual(others.map(({ id }) => id));
});

describe('Cancel', () => {
	test('cancels the shipments of all items with one request per carrier', async () => {
		const [[first, second], [beaver]] = [seed(2), seed(1, BEAVER)];
		seed(1, { packageNumberCustom: 'OTHER' });
		const shipments = [first, beaver, second];
		const { items } = await run(cancel, shipments);
		expect(jsonOf(items)).toEqual(
			shipments.map((shipment) => ({
				packageNumberCustom: shipment?.packageNumberCustom,
				packageNumberCarrier: shipment?.packageNumberCarrier,
				carrierCode: shipment?.carrierCode,
				...{ canceled: true, alreadyCanceled: false, recovered: false },
				correlationId: expect.any(String),
			})),
		);
		expect(linksOf(items)).toEqual([0, 1, 2]);
		expect([sent().length, canceledIds()]).toEqual([2, [1001, 1002, 1003]]);
	});

	test('fails the item that is on its way and the unknown one, and cancels the others', async () => {
		const [moving, waiting] = [...seed(1, { hoursAgo: 30 }), ...seed(1)];
		const packageNumberCarrier = moving?.packageNumberCarrier;
		const given = [moving, { packageNumberCarrier: 'UNKNOWN' }, waiting];
		const { items, errorItems } = await run(cancel, given);
		expect([linksOf(items), linksOf(errorItems)]).toEqual([[2], [0, 1]]);
		const serviceMessage = 'package.cancel.alreadysent';
		expect(jsonOf(errorItems)).toMatchObject([
			{
				error: `Shipment ${packageNumberCarrier} of order ${moving?.packageNumberCustom} was not canceled: ${serviceMessage}`,
				details: { packageNumberCarrier },
			},
			{
				error: 'No shipment of any carrier has the tracking number UNKNOWN',
				message: expect.stringContaining('For your order number, choose'),
			},
		]);
		expect(canceledIds()).toEqual([waiting?.id]);
	});
});

describe('Hand Over', () => {
	test.each(dialectNames)(
		'Dry Run says what each carrier would get, and hands over nothing (%s dialect)',
		async (dialect) => {
			const sandbox = await startSandbox({ dialect });
			const other = await startEngine(sandboxCredential(sandbox.url));
			const run = async (parameters: INodeParameters) =>
				other.run({ parameters, onError: 'continueErrorOutput' });
			const [ants, [beaver]] = [
				sandbox.seedShipments(2, { pieceCount: 2 }),
				sandbox.seedShipments(1, BEAVER),
			];
			const options = { dryRun: true };
			const { items } = await run({ ...handOver, shipments: 'all', options });
			const ids = ants.filter(({ pieceIndex }) => pieceIndex === 0).map(({ id }) => id);
			expect(fieldsOf(items, 'carrierCode', 'packagesCount', 'shipmentIds').sort()).toEqual([
				['ANT', 2, ids],
				['BEAVER', 1, [beaver?.id]],
			]);
			expect(sandbox.database.handOvers()).toEqual([]);
			await run({ ...handOver, shipments: 'all' });
			const again = await run({ ...handOver, shipments: 'all', options });
			expect(valuesOf(again.items, 'message')).toEqual([
				expect.stringContaining('Nothing to hand over'),
			]);
			await sandbox.close();
		},
	);

	test('sends one request per carrier and returns its protocol as a PDF', async () => {
		const [[first, , second], [beaver]] = [seed(2, { pieceCount: 2 }), seed(1, BEAVER)];
		seed(1);
		const { items } = await run(handOver, [first, beaver, second]);
		const ids = [first?.id, second?.id];
		expect(jsonOf(items)).toMatchObject([
			{ carrierCode: 'ANT', handOverId: 301, packagesCount: 2, shipmentIds: ids },
			{ carrierCode: 'BEAVER', handOverId: 302, packagesCount: 1 },
		]);
		expect([linksOf(items), items.map(isPdf)]).toEqual([
			[[0, 2], 1],
			[true, true],
		]);
		expect(items[0]?.binary?.data?.fileName).toMatch(/^protocol-ANT-\d{4}-\d\d-\d\d-301\.pdf$/);
		expect([sent().length, handedOverIds()]).toEqual([2, [...ids, beaver?.id]]);
		expect(keysOf(items)).toEqual(announcedFields('shipment/handOver'));

		const getAll = { resource: 'handOver', operation: 'getAll' };
		const listed = await run({ ...getAll, returnAll: true });
		expect(valuesOf(listed.items, 'carrierCode').sort()).toEqual(['ANT', 'BEAVER']);
		expect(keysOf(listed.items)).toEqual(announcedFields('handOver/getAll'));
		expect(listed.items[0]?.binary).toBeUndefined();
		const filters = { carrierCodes: ['BEAVER'], createdFrom: '2020-01-01' };
		const filtered = await run({ ...getAll, filters, download: true });
		expect(fieldsOf(filtered.items, 'carrierCode', 'packagesCount')).toEqual([['BEAVER', 1]]);
		expect(isPdf(filtered.items[0])).toBe(true);
		expect(filtered.items[0]?.binary?.data?.fileName).toMatch(/^protocol-BEAVER-.*-302\.pdf$/);
	});

	test('hands over everything of a carrier once, and says so if there is nothing', async () => {
		seed(2);
		const { items } = await run(handOverAll, [{}, {}]);
		expect(linksOf(items)).toEqual([[0, 1]]);
		expect(valuesOf(items, 'message')).toEqual(['2 shipments handed over to ANT']);
		const again = await run(handOverAll);
		const message = expect.stringMatching(
			/^Nothing to hand over to ANT\. Skipped: .* older than 30 days$/,
		);
		const nothing = { carrierCode: 'ANT', handOverId: null, packagesCount: 0, message };
		expect(jsonOf(again.items)).toMatchObject([nothing]);
		expect(again.items[0]?.binary).toBeUndefined();
		expect(sent()).toHaveLength(1);
	});

	test('hands nothing over twice if two executions begin at the same moment', async () => {
		seed(2);
		shop.fault('findShipments', { kind: 'latency', ms: 50, times: 2 });
		const both = await Promise.all([run(handOverAll), run(handOverAll)]);
		const messages = both.flatMap(({ items }) => valuesOf(items, 'message'));
		expect(messages.sort()).toEqual([
			'2 shipments handed over to ANT',
			expect.stringContaining('Nothing to hand over to ANT'),
		]);
		expect(sent()).toHaveLength(1);
	});

	test('fails what is canceled or the carrier does not take, and returns the protocol of the others', async () => {
		const [first, kept, last, canceled] = seed(4);
		shop.sandbox.keepFromCarrier(kept?.id ?? 0);
		shop.sandbox.cancelShipment(canceled?.id ?? 0);
		const { items, errorItems } = await run(handOver, [first, kept, last, canceled]);
		expect([valuesOf(items, 'shipmentIds'), isPdf(items[0])]).toEqual([
			[[first?.id, last?.id]],
			true,
		]);
		expect(linksOf(errorItems)).toEqual([1, 3]);
		expect(jsonOf(errorItems)).toMatchObject([
			{
				error: `Shipment ${kept?.id} of order ${kept?.packageNumberCustom} may or may not have been handed over with hand-over 301`,
				message: expect.stringContaining('Check with the carrier'),
			},
			{
				error: `Shipment ${canceled?.id} of order ${canceled?.packageNumberCustom} is canceled and cannot be handed over`,
			},
		]);
	});
});
