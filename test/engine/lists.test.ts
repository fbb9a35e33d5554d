import { loadPackage, PACKAGE } from '../support/host';
import { formContext } from '../support/form';

import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeParameters,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';

import { dialectNames, type Fault, type Sandbox, startSandbox } from '../../sandbox';
import { stillClock } from '../sandbox/client';

let sandbox: Sandbox;
let host: Awaited<ReturnType<typeof loadPackage>>;
let nodeType: INodeType;

const clock = stillClock('2026-11-20T12:00:00Z');
beforeAll(async () => {
	sandbox = await startSandbox({ clock });
	host = await loadPackage();
	nodeType = host.nodeTypes.getByNameAndVersion(`${PACKAGE}.parcelShipping`) as INodeType;
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const formOf = (parameters: INodeParameters = {}, { url } = sandbox): ILoadOptionsFunctions =>
	formContext(host, { type: `${PACKAGE}.parcelShipping`, parameters, url, path: 'parameters' });
const ofCarrier = (carrierCode: INodeParameters[string], at = sandbox) =>
	formOf({ resource: 'shipment', operation: 'get', carrierCode, shipmentId: '' }, at);

async function search(
	method: string,
	filter?: string,
	form = formOf(),
	token?: string,
): Promise<INodeListSearchResult> {
	const find = nodeType.methods?.listSearch?.[method];
	if (!find) throw new Error(`No list search method ${method}`);
	return await find.call(form, filter, token);
}
const namesOf = async (...given: Parameters<typeof search>) =>
	(await search(...given)).results.map(({ name }) => name);
const getCarriers = async () =>
	(await nodeType.methods?.loadOptions?.getCarriers?.call(formOf())) as INodePropertyOptions[];

const CARRIERS = 'Ant Express, Beaver Post, Crane Air, Dodo Couriers, Snail Freight';

test.each([
	['all carriers, inactive ones last', 'Carriers', '', `${CARRIERS}, Owl Night (not activated)`],
	['carriers by name', 'Carriers', 'beav', 'Beaver Post'],
	['carriers by code', 'Carriers', 'dodo', 'Dodo Couriers'],
	['carriers despite diacritics', 'Carriers', 'Béáver', 'Beaver Post'],
	['carriers despite spaces', 'Carriers', ' ant ', 'Ant Express'],
	['no carrier', 'Carriers', 'zzz', ''],
	['services by name', 'CarrierServices', 'REGIST', 'Beaver Post: Beaver registered letter'],
	['printers by display name', 'Printers', 'laser', 'Laser by the gate (Warehouse A4)'],
	['printers by system name', 'Printers', 'zebra', 'Label printer by the gate (Warehouse Zebra)'],
])('A list has %s', async (_, of, filter, names) => {
	expect((await namesOf(`search${of}`, filter || undefined)).join(', ')).toBe(names);
});

describe('The list of additional services', () => {
	const ofService = (parameters: INodeParameters, at = sandbox) =>
		nodeType.methods?.loadOptions?.getServiceAddons?.call(
			formOf({ resource: 'shipment', operation: 'create', ...parameters }, at),
		);
	const toPoint = { mode: 'list', value: 'ANT/ANT-POINT', __rl: true };

	test('has those of the chosen service, the name before the code', async () => {
		expect(await ofService({ carrierService: toPoint })).toEqual([
			{ name: 'Text message before the delivery (SMS)', value: 'SMS' },
			{ name: 'Larger box (BIG)', value: 'BIG' },
		]);
	});

	test.each<[string, INodeParameters]>([
		['no service', { carrierService: { ...toPoint, value: '' } }],
		['an expression', { carrierService: '={{ $json.carrier }}/{{ $json.service }}' }],
		['rules', { carrierFrom: 'rules', carrierService: toPoint }],
	])('requires one service, not %s', async (_, parameters) => {
		await expect(ofService(parameters)).rejects.toThrow('Choose a service first');
		expect(sandbox.requests).toEqual([]);
	});

	test.each(dialectNames)('says what to do without one (%s dialect)', async (dialect) => {
		const without = await startSandbox({ dialect, withoutExtras: true });
		await expect(ofService({ carrierService: toPoint }, without)).rejects.toMatchObject({
			message: 'This service has no list of additional services',
			description: expect.stringContaining("Enter their codes in 'Additional Services'"),
		});
		await without.close();
	});
});

test('A carrier has its code and its description, also in filters', async () => {
	const { results } = await search('searchCarriers', 'ant');
	const description = 'To the door and to pickup points, several pieces, PDF and ZPL';
	expect(results).toEqual([{ name: 'Ant Express', value: 'ANT', description }]);
	const codes = (await getCarriers()).map(({ value }) => value);
	expect(codes).toEqual(['ANT', 'BEAVER', 'CRANE', 'DODO', 'SNAIL', 'OWL']);
});

test.each<[string, INodeParameters[string], string]>([
	['no carrier', '', 'Choose a carrier first'],
	[
		'an expression',
		{ mode: 'code', value: '={{ $json.carrier }}', __rl: true },
		'The carrier is an expression that has no value yet',
	],
])('The list of shipments requires a carrier, not %s', async (_, carrier, message) => {
	await expect(search('searchShipments', '', ofCarrier(carrier))).rejects.toThrow(message);
	expect(sandbox.requests).toEqual([]);
});

test('The list of batches has pages, newest first, and finds text on later pages', async () => {
	sandbox.seedShipments(3, { hoursAgo: 24 * 365 });
	for (let index = 0; index < 149; index++) sandbox.seedShipments(1, { serviceType: 'DODO-DAY' });
	const first = await search('searchBatches');
	const newest = { name: 'Batch 220 · DODO · 1 shipment · 2026-11-20', value: '220' };
	expect(first.results[0]).toEqual(newest);
	const second = await search('searchBatches', undefined, formOf(), first.paginationToken);
	expect([first.results.length, second.results.length]).toEqual([100, 50]);
	expect(second.results.at(-1)?.name).toBe('Batch 71 · ANT · 3 shipments · 2025-11-20');
	expect(second.paginationToken).toBeUndefined();
	const found = ['Batch 71 · ANT · 3 shipments · 2025-11-20'];
	expect(await namesOf('searchBatches', 'batch 71 ')).toEqual(found);
	expect(await namesOf('searchBatches', 'nothing like it')).toEqual([]);
});

describe('The list of shipments', () => {
	test('has pages with the main shipments of the carrier', async () => {
		sandbox.seedShipments(130);
		sandbox.seedShipments(1, { pieceCount: 3, packageNumberCustom: 'MANY' });
		sandbox.seedShipments(5, { serviceType: 'DODO-DAY' });
		const first = await search('searchShipments', '', ofCarrier('ANT'));
		const second = await search('searchShipments', '', ofCarrier('ANT'), first.paginationToken);
		expect(first.results[0]?.name).toMatch(/^MANY · 0012345\d{15} · Recipient 1$/);
		expect(first.results[0]?.value).toBe('1131');
		expect([first.results.length, second.results.length]).toEqual([100, 31]);
		expect(second.paginationToken).toBeUndefined();
		const [found, ...others] = await namesOf('searchShipments', ' seed-77 ', ofCarrier('ANT'));
		expect([found, others]).toEqual([expect.stringContaining('SEED-77 · '), []]);
	});

	test('works with only the documented fields', async () => {
		const fewFields = await startSandbox({ clock, listRecords: 'documented' });
		const [, second] = fewFields.seedShipments(2);
		fewFields.cancelShipment(second?.id ?? 0);
		const { results } = await search('searchShipments', '', ofCarrier('ANT', fewFields));
		await fewFields.close();
		expect(results).toEqual([
			{ name: 'Shipment 1002 · canceled', value: '1002', description: 'ID 1002' },
			{ name: 'Shipment 1001', value: '1001', description: 'ID 1001' },
		]);
	});
});

test.each(dialectNames)(
	'The list of printers shows both names of each, or says that there is none (%s dialect)',
	async (dialect) => {
		const service = await startSandbox({ dialect });
		const { results } = await search('searchPrinters', '', formOf({}, service));
		await service.close();
		expect(results.map(({ name, value }) => [name, value])).toEqual([
			['Laser by the gate (Warehouse A4)', 'Warehouse A4'],
			['Label printer by the gate (Warehouse Zebra)', 'Warehouse Zebra'],
			['Old printer upstairs (Attic) · offline', 'Attic'],
			['Reception (Front Desk)', 'Front Desk'],
		]);
		expect(results[0]?.description).toBe('SHIPPING-PC');

		const without = await startSandbox({ dialect, withoutExtras: true });
		const failing = search('searchPrinters', '', formOf({}, without));
		await expect(failing).rejects.toMatchObject({
			message: 'This service has no list of printers',
			description: expect.stringContaining("Choose 'By Name'"),
		});
		await without.close();
	},
);

test.each<[string, Fault['operation'], () => Promise<unknown>]>([
	['carriers', 'findCarriers', async () => search('searchCarriers')],
	['carriers in filters', 'findCarriers', getCarriers],
	['services', 'findServices', async () => search('searchCarrierServices')],
	['batches', 'findBatches', async () => search('searchBatches')],
	['shipments', 'findShipments', async () => search('searchShipments', '', ofCarrier('ANT'))],
])('The list of %s shows an error of the service, and repeats a request', async (...given) => {
	const [, operation, open] = given;
	const body = { message: 'The account is being moved' };
	sandbox.fault({ operation, kind: 'status', status: 400, body, times: Infinity });
	await expect(open()).rejects.toThrow('The service said: The account is being moved');
	sandbox.clearFaults();
	sandbox.fault({ operation, kind: 'rateLimit', retryAfter: '0' });
	await expect(open()).resolves.toBeDefined();
});
