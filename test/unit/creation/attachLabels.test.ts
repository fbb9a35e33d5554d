import type { IExecuteFunctions } from 'n8n-workflow';

import { attachLabels } from '../../../nodes/ParcelShipping/creation/attachLabels';
import { PRINTED_BEFORE } from '../../../nodes/ParcelShipping/creation/printResults';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import { clientOf, responseOf } from '../../support/respondingClient';

test('no file is created of a label that is still to be printed, and the item says so', async () => {
	const { client, requests } = clientOf(() => responseOf(404, { message: 'Not found' }));
	const context = { getTimezone: () => 'UTC' } as IExecuteFunctions;
	const run = { context, client, items: [] } as NodeRun;
	const results = ['The printer is off', PRINTED_BEFORE.reason].map((labelNotPrinted, at) => {
		return { items: [at], json: { id: at + 1, carrierCode: 'ANT', labelNotPrinted } };
	});
	const attached = await attachLabels(run, results);
	expect(attached).toMatchObject([
		{ json: { labelNotDownloaded: expect.stringContaining('was not printed') } },
		{ json: { labelNotDownloaded: 'The service said: Not found' } },
	]);
	expect(requests.filter(({ body }) => body?.includes('1'))).toEqual([]);
	expect(requests).not.toEqual([]);
});
