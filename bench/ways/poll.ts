// Polls of the trigger in n8n's own poll context, with the state that n8n keeps between them.
import { additionalDataFor, loadPackage, PACKAGE, StoredCredential } from '../../test/support/host';

import { PollContext } from 'n8n-core';
import { type IDataObject, type INode, type IPollFunctions, Workflow } from 'n8n-workflow';

import { sandboxCredential } from '../../test/support/credentials';

const NODE = 'Parcel Shipping Trigger';
const TYPE = `${PACKAGE}.parcelShippingTrigger`;

/** A published workflow with the trigger in it, watching all shipments of the account. */
export async function prepareTrigger(url: string) {
	const { nodeTypes, credentialType } = await loadPackage();
	const credential = new StoredCredential(sandboxCredential(url), credentialType);
	const poll = nodeTypes.getByNameAndVersion(TYPE).poll;
	if (!poll) throw new Error('The trigger has no poll function');
	let published = 0;

	return function publish() {
		const workflow = new Workflow({
			id: `bench-${++published}`,
			name: 'bench',
			nodes: [nodeOf()],
			connections: {},
			active: true,
			nodeTypes,
			staticData: {},
			settings: { executionOrder: 'v1', timezone: 'Europe/Prague' },
		});
		const node = workflow.getNode(NODE) as INode;
		const data = additionalDataFor(credential);
		const context = new PollContext(workflow, node, data, 'trigger', 'activate');

		return {
			poll: async (): Promise<IDataObject[]> => {
				const items = await poll.call(context as unknown as IPollFunctions);
				return (items?.[0] ?? []).map(({ json }) => json);
			},
			/** What n8n has to store, in bytes. */
			stateBytes: () => Buffer.byteLength(JSON.stringify(workflow.staticData)),
		};
	};
}

function nodeOf(): INode {
	return {
		id: 'trigger',
		name: NODE,
		type: TYPE,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: { parcelShippingApi: { id: '1', name: 'Sandbox' } },
	};
}
