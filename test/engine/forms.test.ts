// The lists and the fields that the editor loads.
import { formContext } from '../support/engine';
import { loadPackage, PACKAGE } from '../support/host';

import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';

import { dialectNames, type Sandbox, startSandbox } from '../../sandbox';
import { stillClock } from '../sandbox/client';

let sandbox: Sandbox;
let host: Awaited<ReturnType<typeof loadPackage>>;
let methods: NonNullable<INodeType['methods']>;

const clock = stillClock('2026-11-20T12:00:00Z');
const type = `${PACKAGE}.parcelShipping`;
beforeAll(async () => {
	sandbox = await startSandbox({ clock });
	host = await loadPackage();
	methods = (host.nodeTypes.getByNameAndVersion(type) as INodeType).methods ?? {};
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const formOf = (parameters: INodeParameters = {}, { url } = sandbox): ILoadOptionsFunctions =>
	formContext(host, parameters, url);
const ofCreation = (parameters: INodeParameters = {}, at = sandbox) =>
	formOf({ resource: 'shipment', operation: 'create', ...parameters }, at);

async function search(
	method: string,
	filter?: string,
	form = formOf(),
): Promise<INodeListSearchResult> {
	const find = methods.listSearch?.[method];
	if (!find) throw new Error(`No list search method ${method}`);
	return await find.call(form, filter);
}
const namesOf = async (...given: Parameters<typeof search>) =>
	(await search(...given)).results.map(({ name }) => name);

const CARRIERS = 'Ant Express, Beaver Post, Crane Air, Dodo Couriers, Snail Freight';

test.each([
	['all carriers, inactive ones last', 'Carriers', '', `${CARRIERS}, Owl Night (not activated)`],
	['carriers by name', 'Carriers', 'beav', 'Beaver Post'],
	['carriers despite diacritics', 'Carriers', 'Béáver', 'Beaver Post'],
	['services by name', 'CarrierServices', 'REGIST', 'Beaver Post: Beaver registered letter'],
	['printers by system name', 'Printers', 'zebra', 'Label printer by the gate (Warehouse Zebra)'],
])('A list has %s', async (_, of, filter, names) => {
	expect((await namesOf(`search${of}`, filter || undefined)).join(', ')).toBe(names);
});

test('The services of all active carriers can be searched, also if those of one cannot be read', async () => {
	const names = await namesOf('searchCarrierServices');
	const count = sandbox.requests.length;
	expect([names[0], names.length]).toEqual(['Ant Express: Ant back to the shop', 10]);
	expect(names.filter((name) => name.startsWith('Owl'))).toEqual([]);
	const [value, name] = ['CRANE/CRANE-EU', 'Crane Air: Crane Europe'];
	const { results } = await search('searchCarrierServices', 'crane europe');
	expect(results).toEqual([{ name, value, description: value }]);
	const ofBeaver = await search('searchCarrierServices', 'beaver/');
	const values = ofBeaver.results.map((found) => found.value);
	expect(values).toEqual(['BEAVER/BEAVER-PARCEL', 'BEAVER/BEAVER-LETTER']);
	// While the user searches, the lists are not requested again.
	expect(sandbox.requests.length).toBe(count);
	sandbox.fault({ operation: 'findServices', kind: 'status', status: 400, body: {} });
	expect((await namesOf('searchCarrierServices')).length).toBeGreaterThan(0);
});

test('A list shows codes where the provider leaves names empty', async () => {
	type Rows = { result: object[] };
	const rewrite = ({ result }: Rows) => ({ result: result.map((row) => ({ ...row, name: null })) });
	for (const operation of ['findCarriers', 'findServices'] as const)
		sandbox.fault({ operation, kind: 'body', rewrite: rewrite as never, times: Infinity });
	expect((await namesOf('searchCarriers')).join(', ')).toBe(
		'ANT, BEAVER, CRANE, DODO, SNAIL, OWL (not activated)',
	);
	expect((await namesOf('searchCarrierServices'))[0]).toBe('ANT: ANT-COD');
});

describe('The list of additional services', () => {
	const load = (parameters: INodeParameters, at = sandbox) =>
		methods.loadOptions?.getServiceAddons?.call(ofCreation(parameters, at));
	const toPoint = { mode: 'list', value: 'ANT/ANT-POINT', __rl: true };

	test('has those of the chosen service, the name before the code', async () => {
		expect(await load({ carrierService: toPoint })).toEqual([
			{ name: 'Text message before the delivery (SMS)', value: 'SMS' },
			{ name: 'Larger box (BIG)', value: 'BIG' },
		]);
	});

	test('requires one service and no expression, and says where else to enter codes', async () => {
		const parameters = { carrierService: '={{ $json.carrier }}/{{ $json.service }}' };
		await expect(load(parameters)).rejects.toMatchObject({
			message: 'Choose a service first',
			description: expect.stringContaining("map the field 'Additional Services'"),
		});
		await expect(load({ carrierService: { ...toPoint, value: '' } })).rejects.toThrow();
		expect(sandbox.requests).toEqual([]);
	});
});

describe.each(dialectNames)('In the %s dialect', (dialect) => {
	test('the list of printers shows both names of each', async () => {
		const provider = await startSandbox({ dialect });
		const { results } = await search('searchPrinters', '', formOf({}, provider));
		await provider.close();
		expect(results.map(({ name, value }) => [name, value])).toEqual([
			['Laser by the gate (Warehouse A4)', 'Warehouse A4'],
			['Label printer by the gate (Warehouse Zebra)', 'Warehouse Zebra'],
			['Old printer upstairs (Attic)', 'Attic'],
			['Reception (Front Desk)', 'Front Desk'],
		]);
		const [online, , offline] = results.map(({ description }) => description);
		expect([online, offline]).toEqual(['SHIPPING-PC', 'Offline now · SHIPPING-PC']);
	});

	test('a list that the provider does not have says what to do without one', async () => {
		const without = await startSandbox({ dialect, withoutExtras: true });
		const carrierService = { mode: 'list', value: 'ANT/ANT-POINT', __rl: true };
		const addons = methods.loadOptions?.getServiceAddons?.call(
			ofCreation({ carrierService }, without),
		);
		await expect(addons).rejects.toMatchObject({
			message: 'The provider has no list of additional services',
			description: expect.stringContaining(
				"Enter their codes in the mapped field 'Additional Services'",
			),
		});
		await expect(search('searchPrinters', '', formOf({}, without))).rejects.toMatchObject({
			message: 'The provider has no list of printers',
			description: expect.stringMatching(/Choose 'By Name'.* Other names do not work/),
		});
		await without.close();
	});
});
