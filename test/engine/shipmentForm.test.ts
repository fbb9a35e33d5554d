import { loadPackage } from '../support/host';
import { formContext } from '../support/form';

import type {
	ILoadOptionsFunctions,
	INodeParameters,
	INodeType,
	ResourceMapperField,
} from 'n8n-workflow';

import { creationFieldNames } from '../../nodes/ParcelShipping/creation/fields';
import { carrierCodeField } from '../../nodes/ParcelShipping/descriptions/locators';
import {
	serviceTypeField,
	shipmentField,
} from '../../nodes/ParcelShipping/descriptions/shipmentForm';
import { listSearch, resourceMapping } from '../../nodes/ParcelShipping/methods';
import { type Sandbox, startSandbox } from '../../sandbox';

const TYPE = 'test.shipmentForm';

/** A node that has the form of *Create* and nothing else. */
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

async function fieldsFor(
	carrierCode: INodeParameters[string],
	serviceType: INodeParameters[string],
): Promise<ResourceMapperField[]> {
	const getFields = resourceMapping[methodOf()];
	if (!getFields) throw new Error(`There is no method ${methodOf()}`);
	return (await getFields.call(formWith({ carrierCode, serviceType }))).fields;
}

const methodOf = () => shipmentField.typeOptions?.resourceMapper?.resourceMapperMethod ?? '';
const idsOf = (fields: ResourceMapperField[]) => fields.map(({ id }) => id);
const groupsIn = (fields: ResourceMapperField[]) =>
	['sender', 'cover'].filter((group) => idsOf(fields).some((id) => id.startsWith(group)));
const chosen = (value: string, mode = 'list') => ({ __rl: true, mode, value });

describe('The fields of a shipment', () => {
	test.each([
		['ANT', 'ANT-HOME', []],
		['ANT', 'ANT-RETURN', ['sender']],
		['BEAVER', 'BEAVER-LETTER', ['cover']],
		['CRANE', 'CRANE-EU', ['sender', 'cover']],
	])('of %s %s have only the addresses that the service accepts', async (carrier, code, groups) => {
		expect(groupsIn(await fieldsFor(chosen(carrier), chosen(code)))).toEqual(groups);
		expect(groupsIn(await fieldsFor(chosen(carrier, 'code'), chosen(code, 'code')))).toEqual(
			groups,
		);
		expect(groupsIn(await fieldsFor(carrier, code))).toEqual(groups);
	});

	test.each([
		['nothing is chosen yet', chosen(''), chosen('')],
		['no service is chosen yet', chosen('ANT'), chosen('')],
		['the carrier is an expression', chosen('={{ $json.carrier }}', 'code'), chosen('ANT-HOME')],
		['the service is an expression', chosen('ANT'), chosen('={{ $json.service }}', 'code')],
		['both are expressions instead of choices', '={{ $json.carrier }}', '={{ $json.service }}'],
		['the carrier does not exist', 'ELK', 'ANT-HOME'],
		['the service is that of another carrier', 'ANT', 'BEAVER-PARCEL'],
	])('are all there while %s', async (_, carrier, service) => {
		expect(idsOf(await fieldsFor(carrier, service))).toEqual(creationFieldNames);
	});

	test('are not asked for with an expression in place of a code', async () => {
		await fieldsFor(chosen('={{ $json.carrier }}', 'code'), chosen('ANT-HOME'));
		await fieldsFor(chosen('ANT'), '={{ $json.service }}');
		expect(sandbox.requests).toEqual([]);
	});

	test('say what is the matter when the service does not answer', async () => {
		const body = { message: 'The account is being moved' };
		sandbox.fault({ operation: 'findServices', kind: 'status', status: 400, body });
		await expect(fieldsFor('ANT', 'ANT-HOME')).rejects.toThrow('The account is being moved');
	});

	test('follow the carrier and the service', () => {
		expect(shipmentField.typeOptions?.loadOptionsDependsOn).toEqual([
			'carrierCode.value',
			'serviceType.value',
		]);
	});
});

test('the services of the chosen carrier can be searched', async () => {
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
