import { get } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { findOperation } from '../../../nodes/ParcelShipping/actions';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import { clientOf, responseOf, type Sent } from '../../support/respondingClient';
import { contextOf } from '../../support/tries';

// An expression can give a text for a switch, and any value for a choice or a filter.

/** Runs an operation for one item. */
async function runForm(
	[resource, name]: [string, string],
	form: IDataObject,
	respond: (sent: Sent) => ReturnType<typeof responseOf>,
) {
	const { client, requests } = clientOf(respond, { headerValue: JSON.stringify([name, form]) });
	const context = Object.assign(contextOf({}), {
		getNode: () => ({ type: 'parcelShipping' }),
		continueOnFail: () => true,
		getNodeParameter: (field: string, _: number, fallback: unknown) => get(form, field, fallback),
	});
	const run = { context, client, items: [{ json: {} }] } as unknown as NodeRun;
	const results = await findOperation(resource, name).execute(run);
	const failed = results.find((each) => 'failure' in each);
	const outputs = failed ? describeError(failed.failure).message : results;
	return { outputs, paths: requests.map(({ path }) => path) };
}

test.each([true, 'TRUE', false, 'false', ''])(
	'the switches of operations that read can be the text of a CSV file: %j',
	async (download) => {
		const handOver = { id: 3, protocolUrl: 'https://api.example.com/api/files/3' };
		const form = { returnAll: true, download };
		const { paths } = await runForm(['handOver', 'getAll'], form, ({ path }) =>
			path.includes('/files')
				? responseOf(404, { message: 'Gone' })
				: responseOf(200, { result: { data: [handOver], total: 1 } }),
		);
		expect(paths).toHaveLength(/true/i.test(String(download)) ? 2 : 1);
	},
);

test("a carrier's number with leading zeros is not taken for the ID of a batch", async () => {
	const read = async (batchId: string) =>
		runForm(['batch', 'get'], { batchId }, () => responseOf(200, { result: { id: 812 } }));
	expect((await read(' 812 ')).outputs).toMatchObject([{ json: { id: 812 } }]);
	expect(await read('0812')).toEqual({ outputs: 'Invalid Batch ID: "0812"', paths: [] });
});

test.each<[string, unknown, unknown, string[]]>([
	['in a list with spaces', ' 17 ', undefined, ['17']],
	['as a number', 17, undefined, ['17']],
	['in the detail, at a service whose list has none', undefined, '17', ['17']],
	['in the detail, although the list says null', null, ' 17', ['17']],
	['nowhere', null, null, []],
])('a shipment is found by its order number %s', async (_, inList, inDetail, found) => {
	const find = async (reference: string) => {
		const form = { returnAll: true, filters: { packageNumberCustom: reference } };
		const shipment = { id: 1, carrierCode: 'ANT' };
		const { outputs } = await runForm(['shipment', 'getAll'], form, ({ path }) =>
			path.includes('/Find')
				? responseOf(200, {
						result: { data: [{ ...shipment, packageNumberCustom: inList }], total: 1 },
					})
				: responseOf(200, { result: [{ ...shipment, packageNumberCustom: inDetail }] }),
		);
		return (outputs as unknown[]).map(() => reference);
	};
	expect(await find('17')).toEqual(found);
	expect(await find('null')).toEqual([]);
});

test.each([{ cod: true }, { packageNumberCustom: 'A-1' }])(
	'no shipment is missing in a filtered list that changes while it is read: %j',
	async (filters) => {
		const all = Array.from({ length: 250 }, (_, index) => ({ id: 250 - index }));
		let reads = 0;
		const { outputs } = await runForm(
			['shipment', 'getAll'],
			{ returnAll: true, filters },
			({ body = '{}' }) => {
				const { start = 0, length = 0 } = JSON.parse(body) as Record<string, number>;
				// Pulls one from the second page to the first one, which has been read.
				if (reads++ === 1) all.shift();
				const rows = all.slice(start, start + length).map((row) => {
					return { ...row, carrierCode: 'ANT', packageNumberCustom: 'A-1' };
				});
				return responseOf(200, { result: { data: rows, total: all.length } });
			},
		);
		const ids = (outputs as Array<{ json: IDataObject }>).map(({ json }) => json.id);
		expect(ids).toEqual(all.map(({ id }) => id));
	},
);

test('Limit counts only shipments with exactly the order number', async () => {
	const listed = ['ORDER-10', 'ORDER-1'].map((packageNumberCustom, index) => {
		return { id: index + 1, carrierCode: 'ANT', packageNumberCustom };
	});
	const form = { limit: 1, filters: { packageNumberCustom: 'ORDER-1' } };
	const { outputs } = await runForm(['shipment', 'getAll'], form, ({ body = '{}' }) => {
		const { length = 0 } = JSON.parse(body) as { length?: number };
		return responseOf(200, { result: { data: listed.slice(0, length), total: 2 } });
	});
	expect(outputs).toMatchObject([{ json: { packageNumberCustom: 'ORDER-1' } }]);
});

test.each(['batch', 'handOver'])('the newest of %s come first', async (resource) => {
	const { outputs } = await runForm([resource, 'getAll'], { limit: 1 }, ({ body = '{}' }) => {
		const { sortOrder } = JSON.parse(body) as { sortOrder?: string };
		const data = [{ id: 1 }, { id: 2 }];
		if (sortOrder === 'desc') data.reverse();
		return responseOf(200, { result: { data, total: 2 } });
	});
	expect(outputs).toMatchObject([{ json: { id: 2 } }]);
});
