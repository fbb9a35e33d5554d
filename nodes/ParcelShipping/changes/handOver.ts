import type { IDataObject } from 'n8n-workflow';

import { attachFile, fileNameOf, today } from '../labels/files';
import { groupBy, isSameCode } from '../lists';
import {
	type ItemOutput,
	type ItemResult,
	type NodeRun,
	runUntilFirstFailure,
	showHints,
} from '../run';
import type { PastHandOver, ResponseOf } from '../transport/contract';
import { ItemError, reasonOf } from '../transport/errors';
import { Journal, notDone, type Settled } from '../writes/journal';
import { recall, type Seen, type Verdict, type Write, writeOnce } from '../writes/writeOnce';
import {
	canceledError,
	type CarrierShipment,
	type FailedItem,
	type HandOverItem,
	type HandOverPlan,
	planHandOvers,
} from './planHandOver';
import { readStates, type ShipmentState } from './shipmentState';

// No shipment is handed over twice, and none is reported as handed over that is not:
// - What the records show as handed over is left out, so that the node can run again.
// - The request always names its shipments. An empty list would hand over everything.
// - If the response was lost or says too little, the records of the service decide.

/** More hand-overs than a carrier can get between a request and the search for it. */
const NEWEST_HAND_OVERS = 20;

export interface HandOverSettings {
	/** Day of the pickup, yyyy-mm-dd. Undefined: the carrier decides. */
	date: string | undefined;
	lookbackDays: number;
	maxWaitMs: number;
	binaryPropertyName: string;
}

/** One hand-over: what the response said of it, the same for all of its shipments. */
interface HandedOver {
	handOverId: number | null;
	protocolUrl: string | null;
	labelsUrl: string | null;
	recovered: boolean;
	correlationId: string | null;
	/** Why the protocol may not list all of them. */
	doubt?: string;
}

/** The shipments of one carrier are handed over together. */
interface HandOverKind {
	about: CarrierShipment;
	more: {
		carrierCode: string;
		/** Of all shipments together. Null if the records do not say it. */
		pieceCount: number | null;
		/** The newest hand-over of the carrier before. Null if the service has no list of them. */
		lastHandOverId: number | null;
	};
	response: ResponseOf<'handOverShipments'>;
	/** States of the shipments, and hand-overs that are new. */
	found: ShipmentState | PastHandOver;
	value: HandedOver;
}

/** Also returns what earlier tries have handed over for items that are not among `items` now. */
export async function handOverShipments(
	run: NodeRun,
	items: readonly HandOverItem[],
	settings: HandOverSettings,
): Promise<ItemResult[]> {
	const { context, client } = run;
	const journal = new Journal<HandOverKind>(
		context,
		'handOver',
		({ carrierCode, id }) => `${carrierCode.toUpperCase()} ${id}`,
	);
	const write = handOverWrite(run, settings);
	const settled = await recall(journal, write);
	const { plans, failed } = await planHandOvers(client, items, settings.lookbackDays);
	// The outcomes say what came of the other ones.
	const isOpen = (shipment: CarrierShipment) => !journal.has(journal.keyOf(shipment));
	for (const plan of plans) {
		plan.shipments = plan.shipments.filter(isOpen);
		plan.alreadyHandedOver = plan.alreadyHandedOver.filter(isOpen);
	}
	if (failed.length === 0 || context.continueOnFail()) {
		const queues = plans.filter(({ shipments }) => shipments.length > 0).map((plan) => [plan]);
		const sent = await runUntilFirstFailure(run, queues, async (plan) => {
			const { carrierCode, shipments: about, pieceCount } = plan;
			const [last] = await client
				.listHandOvers({ carrierCode: [carrierCode] }, 1)
				.catch(() => [{ id: null }]);
			const lastHandOverId = last ? last.id : 0;
			const request = { about, carrierCode, pieceCount, lastHandOverId };
			return (await writeOnce(journal, request, write)).map((each) =>
				each.outcome.kind === 'done' ? each : { ...each, failure: each.outcome },
			);
		});
		settled.push(...sent);
	}
	const results = toResults(plans, settled, failed);
	const isFailed = results.some((result) => 'failure' in result);
	const hasOutput = new Set(results.flatMap((result) => result.items));
	const idle = [...new Set(items.map(({ item }) => item))].filter((item) => !hasOutput.has(item));
	if (idle.length > 0 && !isFailed) results.push(toResult({ carrierCode: null, items: idle }));
	showHints(
		run,
		results.flatMap((result) =>
			'json' in result && result.json.packagesCount === 0
				? `${String(result.json.message)}. Shipments that are handed over or canceled, or older than 'Lookback Days' (${settings.lookbackDays}), are left out`
				: [],
		),
	);
	// Without Continue, the run ends with an error and has no files.
	if (isFailed && !context.continueOnFail()) return results;
	return await client.mapParallel(results, async (result) =>
		'json' in result ? attachProtocol(run, result, settings.binaryPropertyName) : result,
	);
}

async function attachProtocol(
	run: NodeRun,
	result: { items: number[] } & ItemOutput,
	binaryField: string,
): Promise<ItemResult> {
	const { protocolUrl, carrierCode, handOverId } = result.json;
	if (!protocolUrl) return result;
	const file = {
		urlField: 'protocolUrl',
		binaryField,
		failedField: 'protocolNotDownloaded',
		fileName: fileNameOf(['protocol', carrierCode, today(run.context), handOverId], 'pdf'),
	};
	return { items: result.items, ...(await attachFile(run, result, file)) };
}

function handOverWrite(
	{ client }: NodeRun,
	{ date, lookbackDays, maxWaitMs }: HandOverSettings,
): Write<HandOverKind> {
	return {
		client,
		maxWaitMs: Math.min(maxWaitMs, 4_000),
		send: async ({ about, carrierCode }, calls) =>
			calls.call('handOverShipments', {
				path: { carrier_code: carrierCode },
				body: { ...(date === undefined ? {} : { date }), packages: about.map(({ id }) => id) },
			}),
		judge: judgeHandOver,
		find: async (about, { carrierCode, lastHandOverId }) => {
			const wanted = { ids: about.map(({ id }) => id), lookbackDays };
			const states = await readStates(client, carrierCode, wanted);
			const found = [...states.values()].filter((state) => 'handedOver' in state);
			if (lastHandOverId === null) return found;
			const filter = { carrierCode: [carrierCode] };
			const newest = await client.listHandOvers(filter, NEWEST_HAND_OVERS).catch(() => []);
			// Some services ignore the carrier filter.
			const own = newest.filter((each) => isSameCode(each.carrierCode ?? carrierCode, carrierCode));
			return [...found, ...own.filter(({ id }) => id > lastHandOverId)];
		},
	};
}

function judgeHandOver(seen: Seen<HandOverKind>): Verdict<HandOverKind> {
	const { request, response, found } = seen;
	const { about, carrierCode, pieceCount } = request;
	const { result, correlationId = null } = response ?? {};
	const past = found.filter((each): each is PastHandOver => !('handedOver' in each));
	// With several, it is not certain which of them it is.
	const isOnlyOne = new Set(past.map(({ id }) => id)).size === 1;
	const handOver = result ?? (isOnlyOne ? past[0] : undefined);
	const states = found.filter((each) => 'handedOver' in each);
	const canceled = new Set(states.flatMap((state) => (state.canceled ? state.id : [])));
	const inRecords = new Set(states.flatMap((state) => (state.handedOver ? state.id : [])));
	// Some services count pieces, so that a count of the shipments says nothing if one has several.
	const isCounted = pieceCount !== null && result?.packagesCount === pieceCount;
	const confirmed = about.filter(({ id }) => isCounted || (inRecords.has(id) && !canceled.has(id)));
	const { id = null, protocolUrl = null, labelsUrl = null } = handOver ?? {};
	const count = result?.packagesCount ?? past.find((each) => each.id === id)?.packagesCount;
	const doubt = handOver && doubtOf(count, confirmed.length, !response);
	const value: HandedOver = {
		...{ handOverId: id, protocolUrl, labelsUrl, recovered: !response, correlationId },
		...(doubt ? { doubt } : {}),
	};
	const others = about.filter((each) => !confirmed.includes(each));
	const unsure = others.filter((each) => !canceled.has(each.id));
	const settled: Array<Settled<HandOverKind>> = [
		...confirmed.map((each) => ({ about: [each], outcome: { kind: 'done' as const, value } })),
		...others
			.filter((each) => canceled.has(each.id))
			.flatMap((each) => notDone<HandOverKind>([each], canceledError(carrierCode, each.id))),
	];
	// One error for the shipments of the same items.
	for (const group of groupBy(unsure, ({ items }) => items.join()).values()) {
		const errors = [unconfirmedError(group, seen, value)];
		const outcome = { kind: 'unknown' as const, errors };
		settled.push(...group.map((each) => ({ about: [each], outcome })));
	}
	return { settled, unsure };
}

/** The error for shipments that the records do not show as handed over. */
function unconfirmedError(
	group: readonly CarrierShipment[],
	{ request: { about, carrierCode }, response, failure }: Seen<HandOverKind>,
	{ handOverId, protocolUrl }: HandedOver,
): ItemError {
	const shipmentIds = group.map(({ id }) => id);
	const count = response?.result.packagesCount ?? 'an unknown number';
	const reason = failure
		? reasonOf(failure)
		: `The service handed over ${count} of ${about.length} shipments`;
	// The message of a further error is all that n8n shows of it.
	const withId = handOverId === null ? '' : ` with hand-over ${handOverId}`;
	const protocol = protocolUrl && `The protocol is ${protocolUrl}`;
	const advice =
		'Run the workflow again later: shipments that were handed over by then are left out.';
	return new ItemError(
		`Could not confirm that ${carrierCode} received ${group.length === 1 ? 'shipment' : 'shipments'} ${shipmentIds.join(', ')}${withId}`,
		[reason, protocol, advice].filter(Boolean).join('. '),
		{ carrierCode, shipmentIds, ...(handOverId === null ? {} : { handOverId, protocolUrl }) },
		true,
	);
}

/** Why the protocol of the hand-over may not list all of these shipments. */
function doubtOf(
	count: number | null | undefined,
	confirmed: number,
	isRecovered: boolean,
): string | undefined {
	if (typeof count === 'number' && count < confirmed) {
		return `The protocol lists ${count} of them, the others were handed over separately`;
	}
	// After a lost response, the only new hand-over can be another one.
	return typeof count === 'number' && !isRecovered
		? undefined
		: 'Check that the protocol lists all of them';
}

/** One output item. Without a hand-over, there was nothing to do. */
interface Output {
	carrierCode: string | null;
	handOver?: HandedOver;
	shipments?: CarrierShipment[];
	alreadyHandedOver?: CarrierShipment[];
	items?: number[];
}

/** One output item for each hand-over, and each error for each of its items. */
function toResults(
	plans: readonly HandOverPlan[],
	settled: ReadonlyArray<Settled<HandOverKind>>,
	failed: readonly FailedItem[],
): ItemResult[] {
	const outcomes = settled.flatMap(({ about, outcome }) =>
		about.map((shipment) => ({ shipment, outcome })),
	);
	const byError = groupBy(outcomes, ({ outcome }) => outcome.kind !== 'done' && outcome.errors[0]);
	byError.delete(false);
	const failures = [...failed];
	for (const [failure, group] of byError) {
		const items = new Set(group.flatMap(({ shipment }) => shipment.items));
		failures.push(...[...items].map((item) => ({ items: [item], failure })));
	}
	const outputs = new Map<string, Output>();
	for (const { shipment, outcome } of outcomes) {
		if (outcome.kind !== 'done') continue;
		const { carrierCode } = shipment;
		const key = JSON.stringify([carrierCode.toUpperCase(), outcome.value]);
		const { shipments = [] } = outputs.get(key) ?? {};
		outputs.set(key, {
			...{ carrierCode, handOver: outcome.value, shipments: [...shipments, shipment] },
		});
	}
	const isFailed = (item: number) => failures.some(({ items }) => items.includes(item));
	for (const { carrierCode, items, isOneOfAll, shipments, alreadyHandedOver } of plans) {
		const last = [...outputs.values()].findLast((each) =>
			isSameCode(each.carrierCode ?? '', carrierCode),
		);
		const idle = shipments.length > 0 || isOneOfAll ? [] : items.filter((item) => !isFailed(item));
		if (last) last.alreadyHandedOver = alreadyHandedOver;
		else if (alreadyHandedOver.length > 0)
			outputs.set(carrierCode, { carrierCode, alreadyHandedOver });
		else if (idle.length > 0) outputs.set(carrierCode, { carrierCode, items: idle });
	}
	return [...failures, ...[...outputs.values()].map(toResult)];
}

function toResult({ carrierCode, handOver, ...output }: Output): ItemResult {
	const { shipments = [], alreadyHandedOver = [], items = [] } = output;
	const { doubt, handOverId, ...more } = handOver ?? {
		...{ handOverId: null, protocolUrl: null, labelsUrl: null },
		...{ recovered: false, correlationId: null },
	};
	const count = shipments.length;
	const done = `${count} ${count === 1 ? 'shipment was' : 'shipments were'} handed over`;
	const message = `${count === 0 ? 'Nothing to hand over' : done}${carrierCode === null ? '' : ` to ${carrierCode}`}`;
	const json: IDataObject = {
		carrierCode,
		message: doubt ? `${message}. ${doubt}` : message,
		handOverId,
		packagesCount: count,
		shipmentIds: shipments.map(({ id }) => id),
		alreadyHandedOver: alreadyHandedOver.map(({ id }) => id),
		...more,
	};
	const linked = [...shipments, ...alreadyHandedOver].flatMap((each) => each.items);
	return { items: [...new Set([...linked, ...items])].sort((a, b) => a - b), json };
}
