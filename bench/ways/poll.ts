// Polls of the trigger in n8n's own poll context, with the state that n8n keeps between them.
import { additionalDataFor, loadPackage, StoredCredential } from '../../test/support/host';

import { PollContext } from 'n8n-core';
import { type IDataObject, type IPollFunctions, Workflow } from 'n8n-workflow';

import { sandboxCredential } from '../../test/support/credentials';
import { triggerNode } from './triggerNode';

/** A published workflow with the trigger in it, watching all shipments of the account. */
export async function prepareTrigger(url: string) {
	const { nodeTypes, credentialType } = await loadPackage();
	const credential = new StoredCredential(sandboxCredential(url), credentialType);
	const poll = nodeTypes.getByNameAndVersion(triggerNode.type).poll;
	if (!poll) throw new Error('The trigger has no poll function');
	let published = 0;

	return function publish() {
		const workflow = new Workflow({
			id: `bench-${++published}`,
			name: 'bench',
			nodes: [triggerNode],
			connections: {},
			active: true,
			nodeTypes,
			staticData: {},
			settings: { executionOrder: 'v1', timezone: 'Europe/Prague' },
		});
		const data = additionalDataFor(credential);
		const context = new PollContext(workflow, triggerNode, data, 'trigger', 'activate');

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
