// The trigger and n8n's request function, run in n8n's own poll context.
import { additionalDataFor, loadPackage, PACKAGE, StoredCredential } from '../../test/support/host';

import { createWriteStream } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { PollContext } from 'n8n-core';
import {
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type INodeParameters,
	type IPollFunctions,
	Workflow,
} from 'n8n-workflow';

import { sandboxCredential } from '../../test/support/credentials';
import type { Client } from './bareClient';

const CREDENTIAL = 'parcelShippingApi';
const TYPE = `${PACKAGE}.parcelShippingTrigger`;
const KILOBYTE = 1024;

/** The trigger keeps facts about a workflow in memory, so each has its own ID. */
let published = 0;

/** Returns a function that publishes a workflow with the trigger. */
async function prepareContext(url: string, parameters: INodeParameters) {
	const { nodeTypes, credentialType } = await loadPackage();
	const credential = new StoredCredential(sandboxCredential(url), credentialType);
	const node: INode = {
		id: 'trigger',
		name: 'Parcel Shipping Trigger',
		type: TYPE,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { [CREDENTIAL]: { id: '1', name: 'Sandbox' } },
	};
	return () => {
		const workflow = new Workflow({
			id: `bench-${++published}`,
			name: 'bench',
			nodes: [node],
			connections: {},
			active: true,
			nodeTypes,
			staticData: {},
			settings: { executionOrder: 'v1', timezone: 'Europe/Prague' },
		});
		const data = additionalDataFor(credential);
		const context = new PollContext(workflow, node, data, 'trigger', 'activate');
		return { workflow, context: context as unknown as IPollFunctions };
	};
}

/** Returns a function that publishes a workflow whose trigger watches all shipments. */
export async function prepareTrigger(url: string, parameters: INodeParameters = {}) {
	const publish = await prepareContext(url, parameters);
	return () => {
		const { workflow, context } = publish();
		const { poll } = workflow.nodeTypes.getByNameAndVersion(TYPE) as {
			poll: (this: IPollFunctions) => Promise<Array<Array<{ json: IDataObject }>> | null>;
		};
		return {
			poll: async () => ((await poll.call(context))?.[0] ?? []).map(({ json }) => json),
			/** Size of the state that n8n stores. */
			stateKB: () => Buffer.byteLength(JSON.stringify(workflow.staticData)) / KILOBYTE,
		};
	};
}

/** Sends the requests of the bare client with n8n's request function and the credential. */
export async function createN8nClient(url: string): Promise<Client> {
	const { context } = (await prepareContext(url, {}))();
	const send = async (options: IHttpRequestOptions): Promise<unknown> =>
		context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, options);
	return {
		post: async <Response>(endpoint: string, body: unknown) => {
			const request = { url: url + endpoint, body: body as object, json: true };
			return (await send({ method: 'POST', ...request })) as Response;
		},

		save: async (fileUrl, folder, name) => {
			const stream = await send({ url: fileUrl, encoding: 'stream' });
			await pipeline(stream as Readable, createWriteStream(path.join(folder, name)));
		},
	};
}
