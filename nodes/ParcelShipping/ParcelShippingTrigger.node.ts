import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { readWatch, triggerFields } from './descriptions/triggerForm';
import { readMaxConcurrency, readMaxRequests } from './descriptions/triggerOptions';
import { getCarriers } from './methods/loadOptions';
import { Allowance } from './tracking/allowance';
import { sortByDate } from './tracking/dates';
import { discoverShipments } from './tracking/discovery';
import type { NewEvent } from './tracking/compare';
import { hasEventType } from './tracking/eventGroups';
import {
	type Deadline,
	deadlineOf,
	isDurable,
	isFirstPoll,
	logAssumedTimezone,
	logFailure,
	shouldThrow,
	withPollLock,
} from './tracking/host';
import { includeShipments } from './tracking/includeShipments';
import { findMainShipments } from './tracking/mainShipment';
import { toItems } from './tracking/output';
import { takePeriodEvents } from './tracking/periodEvents';
import { hasNoAnswer, MAX_EVENTS, trackShipments } from './tracking/poll';
import { readSample } from './tracking/sample';
import { ShipmentRecords } from './tracking/shipmentInfo';
import { removeExpired, type WatchedShipment } from './tracking/state';
import { loadState, memory, nodeKeyOf, saveState } from './tracking/storage';
import { periodTypesOf, type Watch } from './tracking/watch';
import { type Client, type ClientOptions, createClient } from './transport/client';
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
					"Event dates without an offset were read in the workflow's timezone, because Timezone is empty. If dateTime is off by hours, set Timezone.",
				type: 'info',
				location: 'outputPane',
				whenToDisplay: 'afterExecution',
				displayCondition: '={{ !$parameter["timezone"] }}',
			},
		],
	};

	methods = { loadOptions: { getCarriers } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		if (this.getMode() === 'manual') {
			return await fetchTestEvents(this).catch((thrown: unknown) => {
				throw toNodeError(this.getNode(), thrown);
			});
		}
		const isFirst = isFirstPoll(this);
		try {
			const isActivation = isFirst && !isDurable(this);
			return await withPollLock(this, isActivation, async (isCurrent) =>
				pollOnce(this, isFirst, isCurrent),
			);
		} catch (thrown) {
			if (shouldThrow(this, thrown, isFirst)) throw toNodeError(this.getNode(), thrown);
			logFailure(this, 'The poll failed. The next poll tries again', thrown);
			return null;
		}
	}
}

async function pollOnce(
	context: IPollFunctions,
	isFirst: boolean,
	isCurrent: () => boolean,
): Promise<INodeExecutionData[][] | null> {
	const deadline = deadlineOf(context);
	const { client, watch } = await prepare(context, { maxRetryWaitMs: POLL_RETRY_WAIT_MS });
	const nowMs = deadline.now();
	const start = await loadState(context, watch, nowMs);
	if (!start) return null;

	// Decide which shipments are watched. Tracking keeps at least half of the time, and some requests.
	const before = start.state;
	const allowance = Allowance.of(deadline, readMaxRequests(context), () => client.isHeldBack);
	const records = new ShipmentRecords(memory.infosOf(nodeKeyOf(context), watch.account), nowMs);
	const forList = allowance.share(0.5, 0.75);
	const found = await discoverShipments(before, watch, client, forList, records);

	// Ask for their events, and compare each answer with the events known so far.
	const { timezone, limits, freshness } = watch;
	const baseline = start.isStart ? { baselineSince: before.since } : {};
	const comparison = { nowMs, timezone, limits, ...baseline };
	const { maySplit, rememberFutile } = splitMemory(context, nowMs);
	const tracked = await trackShipments(found.state.shipments, client, allowance, comparison, {
		freshness,
		maySplit,
	});
	rememberFutile(tracked.futileCarriers);
	for (const { shipment, failure } of tracked.refused) {
		const what = `The service refuses to track shipment ${shipment.number} of carrier ${shipment.carrier}. From now on it is requested alone, once an hour`;
		logFailure(context, what, failure);
	}
	if (watch.isTimezoneAssumed && tracked.hasLocalDates) logAssumedTimezone(context, timezone);
	const [failure] = [...tracked.requests.failures, ...found.requests.failures];
	if (failure !== undefined) {
		const isUnanswered = hasNoAnswer(found.requests, tracked.requests);
		if (isUnanswered && shouldThrow(context, failure, isFirst)) throw failure;
		const retry = client.isHeldBack
			? 'The service asked for a pause. A poll after it sends the other requests'
			: 'Some requests failed. The next poll retries them';
		logFailure(context, retry, failure);
	}

	// Add the events of the trigger itself.
	const passed = takePeriodEvents(
		{ ...before, shipments: tracked.shipments },
		watch,
		nowMs,
		MAX_EVENTS - tracked.newEvents.length,
	);

	// Save. Events of types that the user did not select count as known, and are not emitted later.
	const wanted = sortByDate([...tracked.newEvents, ...passed.newEvents], timezone).filter(
		({ event }) => hasEventType(event, watch.eventTypes),
	);
	const complete = await addShipments(wanted, passed.shipments, records, {
		context,
		watch,
		client,
		deadline,
	});
	const items = toItems(complete.newEvents, watch).map((json) => ({ json }));
	const shipments = removeExpired(complete.shipments, watch, nowMs);
	const savedAt = Math.max(deadline.now(), before.savedAt + 1);
	const periodTypes = periodTypesOf(watch);
	const hasEvents = items.length > 0;
	const state = { ...found.state, shipments, savedAt, periodTypes };
	const isSaved = await saveState(context, state, hasEvents, isCurrent);
	return isSaved && hasEvents ? [items] : null;
}

/** Adds to the events which shipment they belong to and, if the user wants it, what is known of it. */
async function addShipments(
	events: NewEvent[],
	shipments: WatchedShipment[],
	records: ShipmentRecords,
	run: { context: IPollFunctions; watch: Watch; client: Client; deadline: Deadline },
): Promise<{ newEvents: NewEvent[]; shipments: WatchedShipment[] }> {
	const { context, watch, client, deadline } = run;
	const found = await findMainShipments(events, shipments, records, client, deadline);
	if (!watch.includeShipment) return found;
	const complete = await includeShipments(
		found.newEvents,
		found.shipments,
		records,
		client,
		deadline,
	);
	const [failure] = complete.failures;
	if (failure !== undefined) {
		logFailure(context, 'Some shipments could not be read for their events', failure);
	}
	return complete;
}

/** A carrier that refuses everything is asked with one request per poll, and split once an hour. */
function splitMemory(context: IPollFunctions, nowMs: number) {
	const key = nodeKeyOf(context);
	const noteOf = (carrier: string) => `futile ${carrier}`;
	return {
		maySplit: (carrier: string) => !memory.isNoted(key, noteOf(carrier), nowMs),
		rememberFutile: (carriers: string[]) => {
			for (const carrier of carriers) memory.note(key, noteOf(carrier), nowMs);
		},
	};
}

/** *Fetch Test Event*: neither reads nor changes the state of the published workflow. */
async function fetchTestEvents(context: IPollFunctions): Promise<INodeExecutionData[][]> {
	const { client, watch } = await prepare(context, { maxRetryWaitMs: SAMPLE_RETRY_WAIT_MS });
	const deadline = deadlineOf(context);
	const { events, records } = await readSample(watch, client, deadline);
	const run = { context, watch, client, deadline };
	const { newEvents } = await addShipments(events, [], records, run);
	return [toItems(newEvents, watch).map((json) => ({ json }))];
}

async function prepare(
	context: IPollFunctions,
	options: Pick<ClientOptions, 'maxRetryWaitMs'>,
): Promise<{ client: Client; watch: Watch }> {
	const maxConcurrency = readMaxConcurrency(context);
	const client = await createClient(context, { ...options, maxConcurrency });
	return { client, watch: readWatch(context, client.address.base) };
}
