import { get } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { findOperation } from '../../../nodes/ParcelShipping/actions';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import { clientOf, responseOf, type Sent } from '../../support/respondingClient';
import { contextOf } from '../../support/tries';

/** Runs an operation for one item. */
async function runForm(
	[resource, name]: [string, string],
	form: IDataObject,
	respond: (sent: Sent) => ReturnType<typeof responseOf>,
) {
	const { client } = clientOf(respond, { headerValue: JSON.stringify([name, form]) });
	const context = Object.assign(contextOf({}), {
		getNode: () => ({ type: 'parcelShipping' }),
		continueOnFail: () => true,
		getNodeParameter: (field: string, _: number, fallback: unknown) => get(form, field, fallback),
	});
	const run = { context, client, items: [{ json: {} }] } as unknown as NodeRun;
	return (await findOperation(resource, name).execute(run)) as Array<{ json: IDataObject }>;
}

test.each<[string, unknown, unknown, string[]]>([
	['in a list with spaces', ' 17 ', undefined, ['17']],
	['in the detail, at a service whose list has none', undefined, '17', ['17']],
	['in the detail, although the list says null', null, ' 17', ['17']],
	['nowhere', null, null, []],
])('a shipment is found by its order number %s', async (_, inList, inDetail, found) => {
	const find = async (reference: string) => {
		const form = { returnAll: true, filters: { packageNumberCustom: reference } };
		const shipment = { id: 1, carrierCode: 'ANT' };
		const outputs = await runForm(['shipment', 'getAll'], form, ({ path }) =>
			path.includes('/Find')
				? responseOf(200, {
						result: { data: [{ ...shipment, packageNumberCustom: inList }], total: 1 },
					})
				: responseOf(200, { result: [{ ...shipment, packageNumberCustom: inDetail }] }),
		);
		return outputs.map(() => reference);
	};
	expect(await find('17')).toEqual(found);
	expect(await find('null')).toEqual([]);
});

test('Limit counts only shipments with exactly the order number', async () => {
	const listed = ['ORDER-10', 'ORDER-1'].map((packageNumberCustom, index) => {
		return { id: index + 1, carrierCode: 'ANT', packageNumberCustom };
	});
	const form = { limit: 1, filters: { packageNumberCustom: 'ORDER-1' } };
	const outputs = await runForm(['shipment', 'getAll'], form, ({ body = '{}' }) => {
		const { length = 0 } = JSON.parse(body) as { length?: number };
		return responseOf(200, { result: { data: listed.slice(0, length), total: 2 } });
	});
	expect(outputs).toMatchObject([{ json: { packageNumberCustom: 'ORDER-1' } }]);
});

test.each(['batch', 'handOver'])(
	'the newest of %s come first, without files if the switch is the text false',
	async (resource) => {
		let requests = 0;
		const form = { limit: 1, download: 'false' };
		const outputs = await runForm([resource, 'getAll'], form, ({ body = '{}' }) => {
			requests++;
			const { sortOrder } = JSON.parse(body) as { sortOrder?: string };
			const protocolUrl = 'https://api.example.com/api/files/3';
			const data = [1, 2].map((id) => ({ id, protocolUrl }));
			if (sortOrder === 'desc') data.reverse();
			return responseOf(200, { result: { data, total: 2 } });
		});
		expect([outputs, requests]).toMatchObject([[{ json: { id: 2 } }], 1]);
	},
);
