import type { IExecuteFunctions } from 'n8n-workflow';

import { attachLabels } from '../../../nodes/ParcelShipping/creation/attachLabels';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import { clientOf, responseOf } from '../../support/respondingClient';

test('no file is created of a label that is still to be printed, and the item says so', async () => {
	const { client, requests } = clientOf(() => responseOf(404, { message: 'Not found' }));
	const context = { getTimezone: () => 'UTC' } as IExecuteFunctions;
	const run = { context, client, items: [] } as NodeRun;
	const results = [1, 2].map((id) => ({ items: [id], json: { id, carrierCode: 'ANT' } }));
	const attached = await attachLabels(run, results, new Set([1]));
	expect(attached).toMatchObject([
		{ json: { labelNotDownloaded: expect.stringContaining('still to be printed') } },
		{ json: { labelNotDownloaded: 'The service said: Not found' } },
	]);
	expect(requests.filter(({ body }) => body?.includes('1'))).toEqual([]);
	expect(requests).not.toEqual([]);
});
