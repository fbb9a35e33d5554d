import type { IDataObject } from 'n8n-workflow';

import { saveLabelFile, today } from '../labels/labelFile';
import { groupBy } from '../lists';
import type { HandOver } from '../transport/contract';
import { describeError } from '../transport/errors';
import { mayHaveActed, reasonOf } from './cancelMessages';
import { unknownHandOverError } from './handOverMessages';
import { OpenRequests } from './openRequests';
import {
	type FailedItem,
	type HandOverItem,
	type HandOverPlan,
	planHandOver,
	readStates,
} from './planHandOver';
import { readBack, type ShipmentState } from './shipmentState';
import { type ItemResult, type NodeRun, runUntilFirstFailure } from '../run';

// No shipment is handed over twice, and none is reported as handed over that is not:
// - What the records show as handed over is left out, so that the node can run again.
// - The request always names its shipments. An empty list would hand over everything.
// - If the answer was lost or says too little, the records of the service decide.

export interface HandOverSettings {
	/** Day of the pickup, yyyy-mm-dd. Undefined: the carrier decides. */
	date?: string;
	lookbackDays: number;
	maxWaitMs: number;
	binaryPropertyName: string;
}

export async function handOverShipments(
	run: NodeRun,
	items: readonly HandOverItem[],
	settings: HandOverSettings,
): Promise<ItemResult[]> {
	const byCarrier = groupBy(items, ({ carrierCode }) => carrierCode.toUpperCase());
	const planned = await run.client.mapParallel([...byCarrier.values()], async (ofCarrier) =>
		planHandOver(run.client, ofCarrier, settings.lookbackDays).catch((failure: unknown) => ({
			plans: [],
			failed: ofCarrier.map(({ item }): FailedItem => ({ items: [item], failure })),
		})),
	);
	const failed = planned.flatMap((each) => each.failed);
	if (failed.length > 0 && !run.context.continueOnFail()) return failed;

	const open = new OpenRequests(run.context, 'handOvers');
	const handedOver = await runUntilFirstFailure(
		run,
		planned.map(({ plans }) => plans),
		async (plan) => handOverOnce(run, plan, settings, open),
	);
	return [...failed, ...handedOver];
}

/** What a request has achieved. */
interface Result {
	handedOver: number[];
	/** Neither confirmed nor refused. */
	unknown: number[];
	reason: string;
	answer: HandOver & { correlationId?: string };
	recovered: boolean;
}

async function handOverOnce(
	run: NodeRun,
	plan: HandOverPlan,
	settings: HandOverSettings,
	open: OpenRequests,
): Promise<ItemResult[]> {
	const { carrierCode, toHandOver, items, itemsOf } = plan;
	const keyOf = (id: number) => `${carrierCode.toUpperCase()} ${id}`;
	const idsOf = (states: ShipmentState[]) => states.map(({ id }) => id);
	const toSend = toHandOver.filter(({ id }) => !open.has(keyOf(id)));
	const fromEarlierTry = idsOf(toHandOver.filter(({ id }) => open.has(keyOf(id))));

	open.add(idsOf(toSend).map(keyOf));
	const sent = await send(run, carrierCode, toSend, settings);
	if ('failure' in sent) {
		open.settle(idsOf(toSend).map(keyOf));
		return items.map((item) => ({ items: [item], failure: sent.failure }));
	}
	open.settle(sent.handedOver.map(keyOf));

	const unknown = [...sent.unknown, ...fromEarlierTry];
	const failures = groupBy(unknown, (id) => (itemsOf.get(id) ?? items).join());
	const failed = [...failures.values()].map(
		(ids): FailedItem => ({
			items: itemsOf.get(ids[0]) ?? items,
			failure: unknownHandOverError(carrierCode, ids, sent.reason),
		}),
	);
	const earlier = open.earlierOutputs.filter((json) => json.carrierCode === carrierCode);
	const fromEarlier = new Set(earlier.flatMap(({ shipmentIds }) => shipmentIds as number[]));
	const already = plan.alreadyHandedOver.filter((id) => !fromEarlier.has(id));
	const outputs = [...earlier];
	const isNothingToDo = earlier.length === 0 && unknown.length === 0;
	if (sent.handedOver.length > 0 || already.length > 0 || isNothingToDo) {
		const json = toOutput(carrierCode, sent, already);
		if (sent.handedOver.length > 0) open.keepOutput(json);
		outputs.push(json);
	}
	const files = await run.client.mapParallel(outputs, async (json) =>
		attachProtocol(run, { items, json }, settings.binaryPropertyName),
	);
	return [...files, ...separately(failed)];
}

/** One failed item per input item. */
function separately(failed: readonly FailedItem[]): FailedItem[] {
	return failed.flatMap(({ items, failure }) => items.map((item) => ({ items: [item], failure })));
}

async function send(
	{ client }: NodeRun,
	carrierCode: string,
	shipments: readonly ShipmentState[],
	{ date, maxWaitMs }: HandOverSettings,
): Promise<Result | { failure: unknown }> {
	const ids = shipments.map(({ id }) => id);
	const none: Result = {
		handedOver: [],
		unknown: [],
		reason: 'An earlier try requested it, and its answer was lost',
		answer: {},
		recovered: false,
	};
	if (ids.length === 0) return none;
	const outcome = await client
		.call('handOverShipments', {
			path: { carrier_code: carrierCode },
			body: { ...(date === undefined ? {} : { date }), packages: ids },
		})
		.then(
			({ result, correlationId }) => ({ answer: { ...result, correlationId } }),
			(failure: unknown) => ({ failure }),
		);
	if ('failure' in outcome && !mayHaveActed(outcome.failure)) return outcome;

	const answer: Result['answer'] = 'answer' in outcome ? outcome.answer : {};
	const { packagesCount } = answer;
	// Some services count pieces.
	const isSinglePieces = shipments.every(({ pieces }) => pieces.length === 1);
	if (packagesCount === ids.length && isSinglePieces) return { ...none, handedOver: ids, answer };

	const reason =
		'failure' in outcome
			? reasonOf(outcome.failure)
			: `The service handed over ${packagesCount ?? 'an unknown number'} of ${ids.length} shipments`;
	const found = await readBack(
		client,
		maxWaitMs,
		async () => readStates(client, carrierCode, ids),
		(states) => ids.every((id) => isHandedOver(states.get(id))),
	);
	const states = 'state' in found ? found.state : new Map<number, never>();
	return {
		handedOver: ids.filter((id) => isHandedOver(states.get(id))),
		unknown: ids.filter((id) => !isHandedOver(states.get(id))),
		reason,
		answer,
		recovered: 'failure' in outcome,
	};
}

function isHandedOver(state: ShipmentState | { failure: unknown } | undefined): boolean {
	return state !== undefined && 'handedOver' in state && state.handedOver === true;
}

function toOutput(
	carrierCode: string,
	{ answer, handedOver, recovered }: Result,
	alreadyHandedOver: number[],
): IDataObject {
	return {
		carrierCode,
		handOverId: answer.id ?? null,
		packagesCount: handedOver.length,
		shipmentIds: handedOver,
		alreadyHandedOver,
		protocolUrl: answer.protocolUrl ?? null,
		labelsUrl: answer.labelsUrl ?? null,
		recovered: recovered && handedOver.length > 0,
		correlationId: answer.correlationId ?? null,
	};
}

/** A failed download is reported in the item and never thrown, because the rest is done. */
async function attachProtocol(
	run: NodeRun,
	{ items, json }: { items: number[]; json: IDataObject },
	binaryPropertyName: string,
): Promise<ItemResult> {
	const { carrierCode, handOverId, protocolUrl } = json;
	if (!protocolUrl) return { items, json };
	const parts = ['protocol', carrierCode, today(run.context), handOverId];
	const name = parts.map((part) => String(part ?? '').replace(/[^A-Za-z0-9]+/g, '-'));
	const fileName = `${name.filter((part) => part !== '').join('-')}.pdf`;
	return await saveLabelFile(run, String(protocolUrl), 'pdf', fileName).then(
		(file): ItemResult => ({ items, json, binary: { [binaryPropertyName]: file } }),
		(thrown: unknown) => ({
			items,
			json: { ...json, protocolNotDownloaded: describeError(thrown).message },
		}),
	);
}
