import { loadPackage } from '../support/host';
import { formContext } from '../support/form';

import type {
	ILoadOptionsFunctions,
	INodeParameters,
	INodeType,
	ResourceMapperField,
} from 'n8n-workflow';

import { shipmentField } from '../../nodes/ParcelShipping/descriptions/createForm';
import {
	carrierCodeField,
	serviceTypeField,
	shipmentIdField,
} from '../../nodes/ParcelShipping/descriptions/locators';
import { listSearch } from '../../nodes/ParcelShipping/methods/listSearch';
import { mapperFields, resourceMapping } from '../../nodes/ParcelShipping/methods/resourceMapping';
import { type Sandbox, startSandbox } from '../../sandbox';

const TYPE = 'test.shipmentForm';

/** A node with only the form of *Create*. */
const formNode: INodeType = {
	description: {
		displayName: 'Shipment Form',
		name: 'shipmentForm',
		group: ['transform'],
		version: 1,
		description: '',
		defaults: { name: 'Shipment Form' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'parcelShippingApi', required: true }],
		properties: [carrierCodeField, serviceTypeField, shipmentField],
	},
	methods: { listSearch, resourceMapping },
};

let sandbox: Sandbox;
let host: Awaited<ReturnType<typeof loadPackage>>;

beforeAll(async () => {
	sandbox = await startSandbox();
	host = await loadPackage({ [TYPE]: formNode });
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

function formWith(parameters: INodeParameters): ILoadOptionsFunctions {
	const { url } = sandbox;
	return formContext(host, { type: TYPE, parameters, url, path: 'parameters.shipment' });
}

async function fieldsFor(parameters: INodeParameters): Promise<ResourceMapperField[]> {
	const method = shipmentField.typeOptions?.resourceMapper?.resourceMapperMethod ?? '';
	const getFields = resourceMapping[method];
	if (!getFields) throw new Error(`There is no method ${method}`);
	return (await getFields.call(formWith(parameters))).fields;
}

const chosen = (value: string, mode = 'list') => ({ __rl: true, mode, value });

describe('The fields of a shipment', () => {
	test.each([
		['nothing is chosen', chosen(''), chosen('')],
		['the service accepts no other address', chosen('ANT'), chosen('ANT-HOME')],
		['the service accepts a sender', chosen('ANT', 'code'), chosen('ANT-RETURN', 'code')],
		['both are expressions', '={{ $json.carrier }}', '={{ $json.service }}'],
	])('are the same and need no request if %s', async (_, carrierCode, serviceType) => {
		const fields = await fieldsFor({ carrierCode, serviceType });
		expect(fields).toEqual(mapperFields());
		expect(sandbox.requests).toEqual([]);
	});

	test('show those that are mapped in a workflow without a list of its fields', async () => {
		const shipment = { mappingMode: 'defineBelow', value: { senderName: 'Jana', vs: '1042' } };
		const fields = await fieldsFor({ carrierCode: 'ANT', serviceType: 'ANT-RETURN', shipment });
		expect(fields).toEqual(mapperFields(['senderName', 'vs']));
	});

	// The editor empties these fields when a field that they depend on changes.
	test.each([shipmentField, serviceTypeField, shipmentIdField])(
		'$displayName ($name) keeps its value when the carrier changes',
		({ typeOptions }) => {
			expect(typeOptions?.loadOptionsDependsOn).toBeUndefined();
		},
	);
});

test('The services of the chosen carrier can be searched', async () => {
	const method = serviceTypeField.modes?.[0]?.typeOptions?.searchListMethod ?? '';
	const search = async (filter?: string) => {
		const found = await listSearch[method]?.call(
			formWith({ carrierCode: chosen('ANT'), serviceType: chosen('') }),
			filter,
		);
		return found?.results.map(({ value }) => value);
	};
	expect(await search()).toEqual(['ANT-HOME', 'ANT-RETURN', 'ANT-COD', 'ANT-POINT']);
	expect(await search('pickup')).toEqual(['ANT-POINT']);
	expect(await search('ant-cod')).toEqual(['ANT-COD']);
});

test('The services of all active carriers can be searched for a rule, whichever carrier is chosen', async () => {
	const search = async (filter?: string) => {
		const form = formWith({ carrierFrom: 'rules' });
		return (await listSearch.searchCarrierServices?.call(form, filter))?.results ?? [];
	};
	const names = (await search()).map(({ name }) => name);
	expect(names[0]).toBe('Ant Express: Ant back to the shop');
	expect(names).toHaveLength(10);
	expect(names.filter((name) => name.startsWith('Owl'))).toEqual([]);
	expect(await search('crane europe')).toEqual([
		{
			name: 'Crane Air: Crane Europe',
			value: 'CRANE/CRANE-EU',
			description: 'CRANE/CRANE-EU',
		},
	]);
	expect((await search('beaver/')).map(({ value }) => value)).toEqual([
		'BEAVER/BEAVER-PARCEL',
		'BEAVER/BEAVER-LETTER',
	]);
});
