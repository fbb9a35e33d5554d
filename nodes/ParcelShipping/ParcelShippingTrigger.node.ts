import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { readTriggerForm, triggerFields } from './descriptions/triggerForm';
import { getCarriers } from './methods/loadOptions';
import { deadlineOf, isFirstPoll, logFailure, shouldThrow, withPollLock } from './tracking/host';
import { SIMPLE_FIELDS } from './tracking/items';
import { pollOnce, readSample } from './tracking/poll';
import type { Poll } from './tracking/watch';
import { createClient } from './transport/client';
import { toNodeError } from './transport/errors';

/** The next poll repeats failed requests, so a poll does not wait and retry. */
const POLL_RETRY_WAIT_MS = 0;

/** A user is waiting in the editor. */
const SAMPLE_RETRY_WAIT_MS = 5_000;

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
		subtitle:
			'={{ $parameter["watch"] === "list" ? "shipments from a list" : "shipments of the account" }}',
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
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-base.emailSend',
					relationHint: 'Writes to recipientEmail, which can be null: filter these items out first',
				},
				{
					nodeType: 'n8n-nodes-parcel-shipping.parcelShipping',
					relationHint: 'Creates, cancels and hands over the shipments that this node follows',
				},
			],
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

	methods = { loadOptions: { getCarriers } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		if (this.getMode() === 'manual') return await fetchTestEvents(this);
		const isFirst = isFirstPoll(this);
		try {
			const items = await withPollLock(this, isFirst, async (isCurrent) => {
				const poll = await prepare(this, POLL_RETRY_WAIT_MS, isCurrent);
				const events = await pollOnce(poll, isFirst);
				return events && poll.client.http.secrets.redactData(events);
			});
			return items?.length ? [items.map((json) => ({ json }))] : null;
		} catch (thrown) {
			if (shouldThrow(this, thrown, isFirst)) throw toNodeError(this.getNode(), thrown);
			logFailure(this, 'The poll failed. The next poll tries again', thrown);
			return null;
		}
	}
}

async function fetchTestEvents(context: IPollFunctions): Promise<INodeExecutionData[][]> {
	try {
		const poll = await prepare(context, SAMPLE_RETRY_WAIT_MS);
		const items = await readSample(poll);
		return [items.map((json) => ({ json: poll.client.http.secrets.redactData(json) }))];
	} catch (thrown) {
		throw toNodeError(context.getNode(), thrown);
	}
}

async function prepare(
	context: IPollFunctions,
	maxRetryWaitMs: number,
	isCurrent = () => true,
): Promise<Poll> {
	const deadline = deadlineOf(context);
	const form = readTriggerForm(context);
	const client = await createClient(context, { maxRetryWaitMs });
	const watch = { ...form, account: client.http.accountId };
	return { ...deadline, context, client, watch, isCurrent };
}
