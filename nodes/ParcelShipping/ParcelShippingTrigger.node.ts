import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';

import {
	readMaxConcurrency,
	readOutputMode,
	readWatch,
	watchFields,
} from './descriptions/triggerForm';
import { getCarriers } from './methods/loadOptions';
import { isFirstPollOf, isThrown, logFailure } from './tracking/pollFailure';
import { timeOf } from './tracking/pollTime';
import { findStart, keyOf, memory, saveQuietly, saveWithEvents } from './tracking/savedState';
import { accountOf, askOver } from './tracking/trackingService';
import { createClient } from './transport/client';
import { toNodeError } from './transport/errors';
import { isWanted } from './tracking/eventKinds';
import { toItems } from './tracking/output';
import { runRound } from './tracking/round';
import { readSample } from './tracking/sample';

/** A poll doesn't insist: what is not answered is asked by the next one. */
const NO_RETRY_WAIT_MS = 0;

/** Somebody is looking at the editor and waits. */
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
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'parcelShippingApi', required: true }],
		properties: watchFields,
	};

	methods = { loadOptions: { getCarriers } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		if (this.getMode() === 'manual') {
			return await showSample(this).catch((thrown: unknown) => {
				throw toNodeError(this.getNode(), thrown);
			});
		}
		const isFirst = isFirstPollOf(this);
		const key = keyOf(this);
		// n8n starts a poll although the one before is still running; its events would come twice.
		if (!memory.enter(key)) return null;
		try {
			return await pollOnce(this, isFirst);
		} catch (thrown) {
			if (isThrown(this, thrown, isFirst)) throw toNodeError(this.getNode(), thrown);
			logFailure(this, 'The next poll tries again', thrown);
			return null;
		} finally {
			memory.leave(key);
		}
	}
}

async function pollOnce(
	context: IPollFunctions,
	isFirst: boolean,
): Promise<INodeExecutionData[][] | null> {
	const time = timeOf(context);
	const client = await createClient(context, {
		maxRetryWaitMs: NO_RETRY_WAIT_MS,
		maxConcurrency: readMaxConcurrency(context),
	});
	const watch = readWatch(context, accountOf(context, client));
	const start = findStart(context, watch, time.now());
	if (!start) return null;

	const round = await runRound(start.state, watch, askOver(client), time, start.isBeginning);
	const [failure] = round.failures;
	if (round.wasInVain && isThrown(context, failure, isFirst)) throw failure;
	if (failure !== undefined)
		logFailure(context, 'Not everything could be asked, the next poll goes on', failure);

	// Kinds that are not wanted are known by now, and so are not made up for later.
	const wanted = round.news.filter(({ event }) => isWanted(event, watch.kinds));
	const items = toItems(wanted, readOutputMode(context), watch.timezone);
	const state = { ...round.state, savedAt: Math.max(time.now(), start.state.savedAt + 1) };
	if (items.length === 0) {
		saveQuietly(context, state);
		return null;
	}
	saveWithEvents(context, state);
	return [items.map((json) => ({ json }))];
}

/** *Fetch Test Event*: reads neither the position of the published workflow nor moves it. */
async function showSample(context: IPollFunctions): Promise<INodeExecutionData[][]> {
	const client = await createClient(context, {
		maxRetryWaitMs: SAMPLE_RETRY_WAIT_MS,
		maxConcurrency: readMaxConcurrency(context),
	});
	const watch = readWatch(context, accountOf(context, client));
	const events = await readSample(watch, askOver(client), timeOf(context));
	return [toItems(events, readOutputMode(context), watch.timezone).map((json) => ({ json }))];
}
