import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { readTriggerForm, triggerFields } from './descriptions/triggerForm';
import { formLists } from './methods/formLists';
import { deadlineOf, isFirstPoll, logFailure, shouldThrow, withPollLock } from './tracking/host';
import { SIMPLE_FIELDS } from './tracking/items';
import { pollOnce, readSample } from './tracking/poll';
import { createClient } from './transport/client';
import { CREDENTIAL_TYPE } from './transport/credential';
import { toNodeError } from './transport/errors';

export class ParcelShippingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Parcel Shipping Trigger',
		name: 'parcelShippingTrigger',
		icon: {
			light: 'file:../../icons/parcelShipping.svg',
			dark: 'file:../../icons/parcelShipping.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["events"].join(", ") }}',
		// The nodes panel has one entry for this node and its sibling, and shows this text in it.
		description:
			'Create parcel shipments, print their labels, or start a workflow when carriers report tracking events',
		defaults: { name: 'Parcel Shipping Trigger' },
		polling: true,
		activationMessage:
			'n8n now polls the provider and starts the workflow with new tracking events of your shipments.',
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'parcelShippingApi', required: true }],
		builderHint: {
			searchHint:
				'Starts a workflow with the new tracking events of shipments, one item per event, each once. For messages to customers, choose events such as delivered or readyForPickup, and connect an email node: each item has the recipient, the order number and the tracking link, so do not read the shipment again. Events keep their eventId, also after publishing again, so no node that removes duplicates is needed.',
			extraTypeDefContent: [
				{
					content: `<patterns>
Write to customers when they have their parcels, once per order:
{ events: ['delivered'], oncePerOrder: true }
</patterns>
Output: ${SIMPLE_FIELDS.join(', ')}. packageNumberCustom is the order number. Only some events have since, days and shipmentNotRead.`,
				},
			],
		},
		properties: triggerFields,
	};

	methods = formLists;

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const isSample = this.getMode() === 'manual';
		const isFirst = !isSample && isFirstPoll(this);
		const work = async (isCurrent = () => true) => {
			// The next poll repeats failed requests, so only a sample waits: a user is waiting for it in the editor.
			const client = await createClient(this, { maxRetryWaitMs: isSample ? 5_000 : 0 });
			const credentialId = this.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? '';
			// n8n saves it, so nothing in it is made of the secret.
			const account = `${client.http.base} ${credentialId}`;
			const watch = { ...readTriggerForm(this), account };
			const poll = { ...deadlineOf(this), context: this, client, watch, isCurrent };
			const events = isSample ? await readSample(poll) : await pollOnce(poll, isFirst);
			return client.http.redact(events);
		};
		try {
			const items = isSample ? await work() : await withPollLock(this, isFirst, work);
			return items && (isSample || items.length > 0) ? [items.map((json) => ({ json }))] : null;
		} catch (thrown) {
			if (isSample || shouldThrow(this, thrown, isFirst)) throw toNodeError(this.getNode(), thrown);
			logFailure(this, 'The poll failed. The next poll tries again', thrown);
			return null;
		}
	}
}
