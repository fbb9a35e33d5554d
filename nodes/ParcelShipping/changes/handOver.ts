import type { IDataObject } from 'n8n-workflow';

import { saveLabelFile, today } from '../labels/files';
import { groupBy } from '../lists';
import { type ItemResult, type NodeRun, runUntilFirstFailure } from '../run';
import type { ResponseOf } from '../transport/contract';
import { describeError, reasonOf } from '../transport/errors';
import { Journal, type Outcome, type Settled } from '../writes/journal';
import { recall, type Seen, type Verdict, type Write, writeOnce } from '../writes/writeOnce';
import { canceledShipmentError, unknownHandOverError } from './messages';
import { readStates, type ShipmentState } from './shipmentState';

// No shipment is handed over twice, and none is reported as handed over that is not:
// - What the records show as handed over is left out, so that the node can run again.
// - The request always names its shipments. An empty list would hand over everything.
// - If the response was lost or says too little, the records of the service decide.

/** The shipments that one input item hands over. */
export interface HandOverItem {
	item: number;
	carrierCode: string;
	/** Undefined: all shipments of the carrier that are not handed over yet. */
	shipmentIds?: number[];
}

export interface HandOverSettings {
	/** Day of the pickup, yyyy-mm-dd. Undefined: the carrier decides. */
	date?: string;
	lookbackDays: number;
	maxWaitMs: number;
	binaryPropertyName: string;
}

interface CarrierShipment {
	carrierCode: string;
	/** The ID of the main shipment. */
	id: number;
}

/** One hand-over: what the response said of it, the same for all of its shipments. */
interface HandedOver {
	handOverId: number | null;
	protocolUrl: string | null;
	labelsUrl: string | null;
	correlationId: string | null;
	recovered: boolean;
}

/** The shipments of one carrier are handed over together. */
interface HandOverKind {
	about: CarrierShipment;
	/** Some services count pieces, so that the count says nothing of shipments with several. */
	more: { isSinglePieces: boolean };
	response: ResponseOf<'handOverShipments'>;
	found: ShipmentState;
	value: HandedOver;
}

export async function handOverShipments(
	run: NodeRun,
	items: readonly HandOverItem[],
	settings: HandOverSettings,
): Promise<ItemResult[]> {
	const journal = new Journal<HandOverKind>(
		run.context,
		'handOver',
		({ carrierCode, id }) => `${carrierCode.toUpperCase()} ${id}`,
	);
	const write = handOverWrite(run, settings);
	const recalled = await recall(journal, write);

	const byCarrier = groupBy(items, ({ carrierCode }) => carrierCode.toUpperCase());
	const planned = await run.client.mapParallel([...byCarrier.values()], async (ofCarrier) =>
		planHandOver(run, ofCarrier, settings.lookbackDays).catch((failure: unknown) => ({
			plans: [],
			failed: ofCarrier.map(({ item }): ItemResult => ({ items: [item], failure })),
		})),
	);
	const failed = planned.flatMap((each) => each.failed);
	if (failed.length > 0 && !run.context.continueOnFail()) return failed;

	const handedOver = await runUntilFirstFailure(
		run,
		planned.map(({ plans }) => plans),
		async (plan) => {
			const { carrierCode } = plan;
			const isOfRun = ({ id }: { id: number }) => journal.has(journal.keyOf({ carrierCode, id }));
			const toSend = plan.toHandOver.filter((state) => !isOfRun(state));
			const request = {
				about: toSend.map(({ id }) => ({ carrierCode, id })),
				isSinglePieces: toSend.every(({ pieces }) => pieces.length === 1),
			};
			const earlier = recalled.filter(({ about }) =>
				about.some((each) => each.carrierCode.toUpperCase() === carrierCode.toUpperCase()),
			);
			const sent = toSend.length > 0 ? await writeOnce(journal, request, write) : [];
			const already = plan.alreadyHandedOver.filter((state) => !isOfRun(state));
			return await toResults(run, plan, [...earlier, ...sent], {
				already: already.map(({ id }) => id),
				binaryPropertyName: settings.binaryPropertyName,
			});
		},
	);
	return [...failed, ...handedOver];
}

function handOverWrite(
	{ client }: NodeRun,
	{ date, lookbackDays, maxWaitMs }: HandOverSettings,
): Write<HandOverKind> {
	const carrierOf = ([first]: readonly CarrierShipment[]) => first?.carrierCode ?? '';
	const idsOf = (about: readonly CarrierShipment[]) => about.map(({ id }) => id);
	return {
		client,
		maxWaitMs: Math.min(maxWaitMs, 4_000),
		send: async ({ about }) =>
			client.call('handOverShipments', {
				path: { carrier_code: carrierOf(about) },
				body: { ...(date === undefined ? {} : { date }), packages: idsOf(about) },
			}),
		judge: judgeHandOver,
		find: async (about) => {
			const states = await readStates(client, carrierOf(about), idsOf(about), lookbackDays);
			return [...states.values()].filter((state) => 'handedOver' in state);
		},
	};
}

function judgeHandOver({
	request: { about, isSinglePieces },
	response,
	failure,
	found,
}: Seen<HandOverKind>): Verdict<HandOverKind> {
	const { result, correlationId } = response ?? {};
	const value: HandedOver = {
		handOverId: result?.id ?? null,
		protocolUrl: result?.protocolUrl ?? null,
		labelsUrl: result?.labelsUrl ?? null,
		correlationId: correlationId ?? null,
		recovered: !response,
	};
	const isCounted = isSinglePieces && result?.packagesCount === about.length;
	const inRecords = new Set(found.filter(({ handedOver }) => handedOver).map(({ id }) => id));
	const confirmed = about.filter(({ id }) => isCounted || inRecords.has(id));
	const unsure = about.filter((each) => !confirmed.includes(each));
	const reason = failure
		? reasonOf(failure)
		: `The service handed over ${result?.packagesCount ?? 'an unknown number'} of ${about.length} shipments`;
	return {
		settled: [
			...confirmed.map((each) => ({ about: [each], outcome: { kind: 'done' as const, value } })),
			// The errors name the shipments of each item together.
			...unsure.map((each) => ({
				about: [each],
				outcome: { kind: 'unknown' as const, errors: [reason] },
			})),
		],
		unsure,
	};
}

/** The shipments of one carrier: one request, and one output item. */
interface HandOverPlan {
	carrierCode: string;
	items: number[];
	/** The items that contain the ID of a shipment, by the ID of its main piece. */
	itemsOf: Map<number, number[]>;
	toHandOver: ShipmentState[];
	alreadyHandedOver: ShipmentState[];
}

/** Reads the shipments of the items of a carrier, and decides which of them are handed over. */
async function planHandOver(
	{ client }: NodeRun,
	items: readonly [HandOverItem, ...HandOverItem[]],
	lookbackDays: number,
): Promise<{ plans: HandOverPlan[]; failed: ItemResult[] }> {
	const [{ carrierCode }] = items;
	const ids = [...new Set(items.flatMap(({ shipmentIds = [] }) => shipmentIds))];
	const itemsForAll = items.filter(({ shipmentIds }) => !shipmentIds).map(({ item }) => item);
	const isForAll = itemsForAll.length > 0;
	const states = await readStates(client, carrierCode, isForAll ? 'all' : ids, lookbackDays);
	if (isForAll) {
		const unlisted = ids.filter((id) => !states.has(id));
		const read = await readStates(client, carrierCode, unlisted, lookbackDays);
		for (const [id, state] of read) states.set(id, state);
	}

	const failed: ItemResult[] = [];
	const chosen = new Map<number, ShipmentState>();
	const itemsOf = new Map<number, number[]>();
	for (const { item, shipmentIds = [] } of items) {
		for (const id of shipmentIds) {
			const state = states.get(id);
			if (!state || 'failure' in state) {
				failed.push({ items: [item], failure: state?.failure });
			} else if (state.canceled) {
				failed.push({ items: [item], failure: canceledShipmentError(carrierCode, id) });
			} else {
				chosen.set(state.id, state);
				itemsOf.set(state.id, [...(itemsOf.get(state.id) ?? []), item]);
			}
		}
	}
	for (const state of isForAll ? states.values() : []) {
		if ('failure' in state) failed.push({ items: itemsForAll, failure: state.failure });
		else if (!state.canceled && state.handedOver === false) chosen.set(state.id, state);
	}
	if (chosen.size === 0 && !isForAll) return { plans: [], failed };

	const shipments = [...chosen.values()];
	const plan: HandOverPlan = {
		carrierCode,
		items: [...new Set([...itemsForAll, ...[...itemsOf.values()].flat()])].sort((a, b) => a - b),
		itemsOf,
		toHandOver: shipments.filter(({ handedOver }) => handedOver !== true),
		alreadyHandedOver: shipments.filter(({ handedOver }) => handedOver === true),
	};
	return { plans: [plan], failed };
}

/** One item for each hand-over with its protocol, and one for each item with unconfirmed shipments. */
async function toResults(
	run: NodeRun,
	{ carrierCode, items, itemsOf }: HandOverPlan,
	settled: ReadonlyArray<Settled<HandOverKind>>,
	{ already, binaryPropertyName }: { already: number[]; binaryPropertyName: string },
): Promise<ItemResult[]> {
	const single = settled.map(({ about: [each], outcome }) => ({ id: Number(each?.id), outcome }));
	const itemsWith = ({ id }: { id: number }) => itemsOf.get(id) ?? items;
	const isFailed = ({ outcome }: { outcome: Outcome<HandedOver> }) => outcome.kind === 'notDone';
	const refused = single.filter(isFailed);
	// Each shipment of the request has the same error.
	const [error] = refused.flatMap(({ outcome }) =>
		outcome.kind === 'notDone' ? outcome.errors : [],
	);
	const failed: ItemResult[] =
		refused.length > 0 ? items.map((item) => ({ items: [item], failure: error })) : [];

	const unknown = single.filter(({ outcome }) => outcome.kind === 'unknown');
	for (const group of groupBy(unknown, (each) => itemsWith(each).join()).values()) {
		const [{ outcome }] = group;
		const reason = outcome.kind === 'unknown' ? String(outcome.errors[0]) : '';
		const ids = group.map(({ id }) => id);
		const failure = unknownHandOverError(carrierCode, ids, reason);
		failed.push(...itemsWith(group[0]).map((item) => ({ items: [item], failure })));
	}

	const confirmed = single.flatMap(({ id, outcome }) =>
		outcome.kind === 'done' ? [{ id, value: outcome.value }] : [],
	);
	const handOvers = [...groupBy(confirmed, ({ value }) => JSON.stringify(value)).values()].map(
		(group) => ({ ids: group.map(({ id }) => id), value: group[0].value }),
	);
	// Without any, the item says that there was nothing to do.
	if (handOvers.length === 0 && (already.length > 0 || failed.length === 0)) {
		const none = { handOverId: null, protocolUrl: null, labelsUrl: null, correlationId: null };
		handOvers.push({ ids: [], value: { ...none, recovered: false } });
	}
	const outputs = handOvers.map(
		({ ids, value: { handOverId, protocolUrl, labelsUrl, recovered, correlationId } }, index) => ({
			carrierCode,
			handOverId,
			packagesCount: ids.length,
			shipmentIds: ids,
			alreadyHandedOver: index === handOvers.length - 1 ? already : [],
			protocolUrl,
			labelsUrl,
			recovered,
			correlationId,
		}),
	);
	const saved = await run.client.mapParallel(outputs, async (json) =>
		attachProtocol(run, { items, json }, binaryPropertyName),
	);
	return [...saved, ...failed];
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
