import type { INodeParameters, INodeType } from 'n8n-workflow';

import { mapperFields } from '../../nodes/ParcelShipping/methods/resourceMapping';
import { formContext } from '../support/form';
import { loadPackage, PACKAGE } from '../support/host';
import { useShop } from '../support/useShop';

const shop = useShop();
const type = `${PACKAGE}.parcelShipping`;
let host: Awaited<ReturnType<typeof loadPackage>>;
let methods: INodeType['methods'];

beforeAll(async () => {
	host = await loadPackage();
	({ methods } = host.nodeTypes.getByNameAndVersion(type) as INodeType);
});

function formWith(parameters: INodeParameters) {
	const form = { resource: 'shipment', operation: 'create', ...parameters };
	const { url } = shop.sandbox;
	return formContext(host, { type, parameters: form, url, path: 'parameters.shipment' });
}

const chosen = (value: string, mode = 'list') => ({ __rl: true, mode, value });

describe('The fields of a shipment', () => {
	const fieldsFor = async (parameters: INodeParameters) =>
		(await Object.values(methods?.resourceMapping ?? {})[0]?.call(formWith(parameters)))?.fields;

	test.each([
		['nothing is chosen', chosen('')],
		['the service accepts no other address', chosen('ANT/ANT-HOME')],
		['the service accepts a sender', chosen('ANT/ANT-RETURN', 'code')],
		['it is an expression', '={{ $json.carrier }}/{{ $json.service }}'],
	])('are the same and need no request if %s', async (_, carrierService) => {
		expect(await fieldsFor({ carrierService })).toEqual(mapperFields());
		expect(shop.sandbox.requests).toEqual([]);
	});

	test('show those that are mapped in a workflow without a list of its fields', async () => {
		const shipment = { mappingMode: 'defineBelow', value: { senderName: 'Jana', vs: '1042' } };
		const fields = await fieldsFor({ carrierService: 'ANT/ANT-RETURN', shipment });
		expect(fields).toEqual(mapperFields(['senderName', 'vs']));
	});

	test('that replace those of a shop are all there, and none is required', async () => {
		const overrides = { mappingMode: 'defineBelow', value: { branchId: 'P-001' } };
		const form = formWith({ orderData: 'shopify', overrides });
		const all = (await methods?.resourceMapping?.getOverrideFields?.call(form))?.fields ?? [];
		expect(all.map(({ id }) => id)).toEqual(mapperFields().map(({ id }) => id));
		expect(all.filter(({ required }) => required)).toEqual([]);
		expect(all.filter(({ removed }) => !removed).map(({ id }) => id)).toEqual(['branchId']);
	});
});

test('The services of all active carriers can be searched, also if those of one cannot be read', async () => {
	const search = async (filter?: string) => {
		const form = formWith({});
		return (await methods?.listSearch?.searchCarrierServices?.call(form, filter))?.results ?? [];
	};
	const names = (await search()).map(({ name }) => name);
	expect(names[0]).toBe('Ant Express: Ant back to the shop');
	expect(names).toHaveLength(10);
	expect(names.filter((name) => name.startsWith('Owl'))).toEqual([]);
	const [value, name] = ['CRANE/CRANE-EU', 'Crane Air: Crane Europe'];
	expect(await search('crane europe')).toEqual([{ name, value, description: value }]);
	expect((await search('beaver/')).map((found) => found.value)).toEqual([
		'BEAVER/BEAVER-PARCEL',
		'BEAVER/BEAVER-LETTER',
	]);
	shop.sandbox.fault({ operation: 'findServices', kind: 'status', status: 400, body: {} });
	expect((await search()).length).toBeGreaterThan(0);
});
