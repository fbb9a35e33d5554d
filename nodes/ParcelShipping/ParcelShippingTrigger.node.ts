import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { readTriggerForm, triggerFields } from './descriptions/triggerForm';
import { getCarriers } from './methods/loadOptions';
import { budgetOf, isFirstPoll, logFailure, shouldThrow, withPollLock } from './tracking/host';
import { pollOnce } from './tracking/poll';
import { readSample } from './tracking/sample';
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
			'n8n now polls the service and starts the workflow with new tracking events of your shipments.',
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'parcelShippingApi', required: true }],
		properties: triggerFields,
		hints: [
			{
				message:
					"Event dates without an offset were read in the workflow's timezone, because 'Timezone' is empty. If dateTime is off by hours, set 'Timezone'.",
				type: 'info',
				location: 'outputPane',
				whenToDisplay: 'afterExecution',
				displayCondition: '={{ !$parameter["timezone"] }}',
			},
		],
	};

	methods = { loadOptions: { getCarriers } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		if (this.getMode() === 'manual') return await fetchTestEvents(this);
		const isFirst = isFirstPoll(this);
		try {
			const items = await withPollLock(this, isFirst, async (isCurrent) => {
				const { client, watch, maxRequests } = await prepare(this, POLL_RETRY_WAIT_MS);
				const budget = budgetOf(this, maxRequests, () => client.isHeldBack);
				return await pollOnce({ context: this, client, watch, budget }, isFirst, isCurrent);
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
		const { client, watch } = await prepare(context, SAMPLE_RETRY_WAIT_MS);
		const items = await readSample({ context, client, watch, budget: budgetOf(context) });
		return [items.map((json) => ({ json }))];
	} catch (thrown) {
		throw toNodeError(context.getNode(), thrown);
	}
}

async function prepare(context: IPollFunctions, maxRetryWaitMs: number) {
	const { watch: form, maxConcurrency, maxRequests } = readTriggerForm(context);
	const client = await createClient(context, { maxRetryWaitMs, maxConcurrency });
	const credentialId = context.getNode().credentials?.parcelShippingApi?.id ?? '';
	const watch = { ...form, account: `${client.address.base} ${credentialId}` };
	return { client, watch, maxRequests };
}
