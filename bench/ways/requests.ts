// The function through which a node of n8n sends requests, and nothing around it.
import { additionalDataFor, loadPackage, StoredCredential } from '../../test/support/host';

import { createWriteStream } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { PollContext } from 'n8n-core';
import { type IHttpRequestOptions, type IPollFunctions, Workflow } from 'n8n-workflow';

import { sandboxCredential } from '../../test/support/credentials';
import type { Client } from './bare';
import { triggerNode } from './triggerNode';

const CREDENTIAL = 'parcelShippingApi';

/** The bare client's requests, sent by n8n with the credential. */
export async function requestsOfN8n(url: string): Promise<Client> {
	const { nodeTypes, credentialType } = await loadPackage();
	const workflow = new Workflow({
		id: 'bench',
		name: 'bench',
		nodes: [triggerNode],
		connections: {},
		active: true,
		nodeTypes,
		settings: { executionOrder: 'v1' },
	});
	const data = additionalDataFor(new StoredCredential(sandboxCredential(url), credentialType));
	const context = new PollContext(
		workflow,
		triggerNode,
		data,
		'trigger',
		'activate',
	) as unknown as IPollFunctions;
	const send = async (options: IHttpRequestOptions): Promise<unknown> =>
		context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, options);
	return {
		post: async <Answer>(address: string, body: unknown) =>
			(await send({
				method: 'POST',
				url: url + address,
				body: body as object,
				json: true,
			})) as Answer,

		save: async (address, folder, name) => {
			const stream = await send({ url: address, encoding: 'stream' });
			await pipeline(stream as Readable, createWriteStream(path.join(folder, name)));
		},
	};
}
