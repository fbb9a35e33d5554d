import { loadPackage, PACKAGE } from '../support/host';
import { formContext } from '../support/form';

import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeParameters,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';

import { dialectNames, type Sandbox, startSandbox } from '../../sandbox';
import { stillClock } from '../sandbox/client';

let sandbox: Sandbox;
let fewFields: Sandbox;
let host: Awaited<ReturnType<typeof loadPackage>>;
let nodeType: INodeType;

beforeAll(async () => {
	const clock = stillClock('2026-11-20T12:00:00Z');
	sandbox = await startSandbox({ clock });
	fewFields = await startSandbox({ clock, listRecords: 'documented' });
	host = await loadPackage();
	nodeType = host.nodeTypes.getByNameAndVersion(`${PACKAGE}.parcelShipping`) as INodeType;
});
afterEach(() => {
	sandbox.reset();
	fewFields.reset();
});
afterAll(async () => {
	await Promise.all([sandbox.close(), fewFields.close()]);
});

function formWith(parameters: INodeParameters = {}, { url } = sandbox): ILoadOptionsFunctions {
	const type = `${PACKAGE}.parcelShipping`;
	return formContext(host, { type, parameters, url, path: 'parameters' });
}

async function search(
	method: string,
	context: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	const find = nodeType.methods?.listSearch?.[method];
	if (!find) throw new Error(`No list search method ${method}`);
	return await find.call(context, filter, token);
}

async function namesOf(...args: Parameters<typeof search>): Promise<string[]> {
	return (await search(...args)).results.map(({ name }) => name);
}

const get = (carrierCode: INodeParameters[string]) =>
	formWith({ resource: 'shipment', operation: 'get', carrierCode, shipmentId: '' });
const services = (carrierCode: INodeParameters[string]) =>
	formWith({ resource: 'carrier', operation: 'getServices', carrierCode });

describe('The list of carriers', () => {
	test('starts with active carriers and marks inactive ones', async () => {
		const { results } = await search('searchCarriers', formWith());
		expect(results.map(({ name }) => name)).toEqual([
			'Ant Express',
			'Beaver Post',
			'Crane Air',
			'Dodo Couriers',
			'Snail Freight',
			'Owl Night (not activated)',
		]);
		expect(results[0]).toEqual({
			name: 'Ant Express',
			value: 'ANT',
			description: 'To the door and to pickup points, several pieces, PDF and ZPL',
		});
	});

	test.each([
		['by name', 'beav', ['Beaver Post']],
		['by code', 'dodo', ['Dodo Couriers']],
		['ignoring diacritics', 'Béáver', ['Beaver Post']],
		['ignoring spaces', ' ant ', ['Ant Express']],
		['without a match', 'zzz', []],
	])('is searched %s', async (_, filter, names) => {
		expect(await namesOf('searchCarriers', formWith(), filter)).toEqual(names);
	});

	test('is also available in filters', async () => {
		const options = (await nodeType.methods?.loadOptions?.getCarriers?.call(
			formWith(),
		)) as INodePropertyOptions[];
		expect(options.map(({ value }) => value)).toEqual([
			'ANT',
			'BEAVER',
			'CRANE',
			'DODO',
			'SNAIL',
			'OWL',
		]);
	});
});

describe('The list of services', () => {
	test.each<[string, INodeParameters[string]]>([
		['from the list', { mode: 'list', value: 'BEAVER', __rl: true }],
		['by code', { mode: 'code', value: 'BEAVER', __rl: true }],
		['as plain text', 'BEAVER'],
	])('has the services of the carrier %s', async (_, carrierCode) => {
		const { results } = await search('searchServices', services(carrierCode));
		expect(results.map(({ name, value }) => [name, value])).toEqual([
			['Beaver parcel', 'BEAVER-PARCEL'],
			['Beaver registered letter', 'BEAVER-LETTER'],
		]);
		expect(await namesOf('searchServices', services(carrierCode), 'REGISTERED')).toHaveLength(1);
	});

	test('requires a carrier', async () => {
		const context = services({ mode: 'list', value: '', __rl: true });
		await expect(search('searchServices', context)).rejects.toThrow('Choose a carrier first');
		expect(sandbox.requests).toEqual([]);
	});

	test('explains that the carrier is an expression without a value', async () => {
		const context = services({ mode: 'code', value: '={{ $json.carrier }}', __rl: true });
		await expect(search('searchServices', context)).rejects.toThrow(
			'The carrier is an expression that has no value yet',
		);
	});
});

describe('The list of batches', () => {
	test('has pages and starts with the newest batch', async () => {
		sandbox.seedShipments(3, { hoursAgo: 24 * 365 });
		for (let index = 0; index < 149; index++) sandbox.seedShipments(1, { serviceType: 'DODO-DAY' });
		const first = await search('searchBatches', formWith());
		expect(first.results[0]).toMatchObject({
			name: 'Batch 220 · DODO · 1 shipment · 2026-11-20',
			value: '220',
		});
		const second = await search('searchBatches', formWith(), undefined, first.paginationToken);
		expect([first.results.length, second.results.length]).toEqual([100, 50]);
		expect(second.results.at(-1)?.name).toBe('Batch 71 · ANT · 3 shipments · 2025-11-20');
		expect(second.paginationToken).toBeUndefined();
	});

	test('finds text on later pages', async () => {
		sandbox.seedShipments(3, { hoursAgo: 24 * 365 });
		for (let index = 0; index < 120; index++) sandbox.seedShipments(1, { serviceType: 'DODO-DAY' });
		expect(await namesOf('searchBatches', formWith(), 'batch 71 ')).toEqual([
			'Batch 71 · ANT · 3 shipments · 2025-11-20',
		]);
		expect(await namesOf('searchBatches', formWith(), 'nothing like it')).toEqual([]);
	});
});

describe('The list of shipments', () => {
	test('has pages with the main shipments of the carrier', async () => {
		sandbox.seedShipments(130);
		sandbox.seedShipments(1, { pieceCount: 3, packageNumberCustom: 'MANY' });
		sandbox.seedShipments(5, { serviceType: 'DODO-DAY' });
		const first = await search('searchShipments', get('ANT'));
		const second = await search('searchShipments', get('ANT'), '', first.paginationToken);
		expect(first.results[0]?.name).toMatch(/^MANY · 0012345\d{15} · Recipient 1$/);
		expect(first.results[0]?.value).toBe('1131');
		expect([first.results.length, second.results.length]).toEqual([100, 31]);
		expect(second.paginationToken).toBeUndefined();
	});

	test('is searched by the service', async () => {
		sandbox.seedShipments(12);
		expect(await namesOf('searchShipments', get('ANT'), ' seed-12 ')).toHaveLength(1);
		expect(sandbox.requests[0]?.body).toEqual({
			search: 'seed-12',
			carrierCodes: ['ANT'],
			onlyMaster: true,
			start: 0,
			length: 100,
		});
	});

	test('works with only the documented fields', async () => {
		const [, second] = fewFields.seedShipments(2);
		fewFields.cancelShipment(second?.id ?? 0);
		const parameters = { resource: 'shipment', operation: 'get', carrierCode: 'ANT' };
		const { results } = await search('searchShipments', formWith(parameters, fewFields));
		expect(results).toEqual([
			{ name: 'Shipment 1002 · canceled', value: '1002', description: 'ID 1002' },
			{ name: 'Shipment 1001', value: '1001', description: 'ID 1001' },
		]);
	});

	test('requires a carrier', async () => {
		await expect(search('searchShipments', get(''))).rejects.toThrow('Choose a carrier first');
	});
});

describe('The list of printers', () => {
	const form = (at = sandbox) =>
		formWith({ resource: 'label', operation: 'sendToPrinter', printerName: '' }, at);

	test.each(dialectNames)(
		'shows display names, marks offline printers and sends system names (%s dialect)',
		async (dialect) => {
			const other = await startSandbox({ dialect });
			const { results } = await search('searchPrinters', form(other));
			await other.close();
			expect(results.map(({ name, value }) => [name, value])).toEqual([
				['Laser by the gate', 'Warehouse A4'],
				['Label printer by the gate', 'Warehouse Zebra'],
				['Old printer upstairs (offline)', 'Attic'],
				['Reception', 'Front Desk'],
			]);
			expect(results[0]?.description).toBe('Warehouse A4 · SHIPPING-PC');
		},
	);

	test.each([
		['by display name', 'laser', ['Laser by the gate']],
		['by system name', 'zebra', ['Label printer by the gate']],
	])('is searched %s', async (_, filter, names) => {
		expect(await namesOf('searchPrinters', form(), filter)).toEqual(names);
	});

	test.each(dialectNames)(
		'says that the service has none and what to do (%s dialect)',
		async (dialect) => {
			const other = await startSandbox({ dialect, withoutExtras: true });
			const failing = search('searchPrinters', form(other));
			await expect(failing).rejects.toMatchObject({
				message: 'This service has no list of printers',
				description: expect.stringContaining('Choose By Name'),
			});
			await other.close();
		},
	);
});

describe('When the service returns an error', () => {
	test.each<[string, string, () => ILoadOptionsFunctions]>([
		['searchCarriers', 'findCarriers', () => formWith()],
		['searchServices', 'findServices', () => services('ANT')],
		['searchBatches', 'findBatches', () => formWith()],
		['searchShipments', 'findShipments', () => get('ANT')],
	])('%s shows the message of the service', async (method, operation, form) => {
		const body = { message: 'The account is being moved' };
		sandbox.fault({ operation: operation as never, kind: 'status', status: 400, body });
		await expect(search(method, form())).rejects.toThrow(
			'The service said: The account is being moved',
		);
	});

	test('getCarriers shows the message of the service', async () => {
		const body = { message: 'The account is being moved' };
		sandbox.fault({ operation: 'findCarriers', kind: 'status', status: 400, body });
		await expect(nodeType.methods?.loadOptions?.getCarriers?.call(formWith())).rejects.toThrow(
			'The service said: The account is being moved',
		);
	});

	test('a temporary one is retried', async () => {
		sandbox.fault({ operation: 'findCarriers', kind: 'rateLimit', retryAfter: '0' });
		expect(await namesOf('searchCarriers', formWith(), 'ant')).toEqual(['Ant Express']);
	});
});
