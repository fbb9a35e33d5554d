import { Readable } from 'node:stream';

import { requestForForm } from '../../../nodes/ParcelShipping/methods/loadOptions';
import { responseOf } from '../../support/respondingClient';

test('a list of a form does not wait for a response as long as a workflow run', async () => {
	const sent: Array<{ timeout: number }> = [];
	const context = {
		getNode: () => ({}),
		getCredentials: async () => ({ baseUrl: 'https://api.example.com', authentication: 'header' }),
		helpers: {
			httpRequestWithAuthentication: async (_: string, request: { timeout: number }) => {
				sent.push(request);
				const response = responseOf(200, { result: [] });
				return { ...response, body: Readable.from([Buffer.from(response.body)]) };
			},
		},
	};
	await requestForForm(context as never, async (client) => client.carriers());
	expect(sent.map(({ timeout }) => timeout)).toEqual([15_000]);
});
