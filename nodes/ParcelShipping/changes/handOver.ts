import type { IDataObject } from 'n8n-workflow';

import { attachFile, fileNameOf, today } from '../labels/files';
import { groupBy, isSameCode } from '../lists';
import { type ItemResult, type NodeRun, runUntilFirstFailure, showHints } from '../run';
import type { PastHandOver, ResponseOf } from '../transport/contract';
import { ItemError, reasonOf } from '../transport/errors';
import { Journal, type Settled } from '../writes/journal';
import { recall, type Seen, type Verdict, type Write, writeOnce } from '../writes/writeOnce';
import { readStates, type ShipmentState } from './shipmentState';

// No shipment is handed over twice, and none is reported as handed over that is not:
// - What the records show as handed over is left out, so that the node can run again.
// - The request always names its shipments. An empty list would hand over everything.
// - If the response was lost or says too little, the records of the service decide.

/** More hand-overs than a carrier can get between a request and the search for it. */
const NEWEST_HAND_OVERS = 20;

/** The shipments that one input item hands over. */
export interface HandOverItem {
	item: number;
	carrierCode: string;
	/** Undefined: all shipments of the carrier that are not handed over yet. */
	shipmentIds?: number[];
	/** Without anything to hand over, a carrier of an item for all carriers has no output. */
	isOneOfAll?: true;
}

export interface HandOverSettings {
	/** Day of the pickup, yyyy-mm-dd. Undefined: the carrier decides. */
	date: string | undefined;
	lookbackDays: number;
	maxWaitMs: number;
	binaryPropertyName: string;
}

interface CarrierShipment {
	carrierCode: string;
	/** The ID of the main shipment. */
	id: number;
	/** The input items that hand it over. */
	items: number[];
}

/** One hand-over: what the response said of it, the same for all of its shipments. */
interface HandedOver {
	handOverId: number | null;
	protocolUrl: string | null;
	labelsUrl: string | null;
	recovered: boolean;
	correlationId: string | null;
}

/** The shipments of one carrier are handed over together. */
interface HandOverKind {
	about: CarrierShipment;
	more: {
		carrierCode: string;
		/** Some services count pieces, so that the count says nothing of shipments with several. */
		isSinglePieces: boolean;
		/** The newest hand-over of the carrier before. Null if the service has no list of them. */
		lastHandOverId: number | null;
	};
	response: ResponseOf<'handOverShipments'>;
	/** States of the shipments, and hand-overs that are new. */
	found: ShipmentState | PastHandOver;
	value: HandedOver;
}

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
	const recalled = await recall(journal, write);

	const byCarrier = groupBy(items, ({ carrierCode }) => carrierCode.toUpperCase());
	const planned = await client.mapParallel([...byCarrier.values()], async (ofCarrier) =>
		planHandOver(run, ofCarrier, settings.lookbackDays).catch((failure: unknown) => ({
			plans: [],
			failed: ofCarrier.map(({ item }): ItemResult => ({ items: [item], failure })),
		})),
	);
	const failed = planned.flatMap((each) => each.failed);
	if (failed.length > 0 && !context.continueOnFail()) return failed;

	const handedOver = await runUntilFirstFailure(
		run,
		planned.map(({ plans }) => plans),
		async (plan) => {
			const { carrierCode } = plan;
			const settled = recalled.filter(({ about: [first] }) =>
				isSameCode(first?.carrierCode ?? '', carrierCode),
			);
			// The outcomes say what came of the other ones.
			const open = plan.shipments.filter(({ shipment }) => !journal.has(journal.keyOf(shipment)));
			const toSend = open.filter(({ state }) => state.handedOver !== true);
			if (toSend.length > 0) {
				const isSinglePieces = toSend.every(({ state }) => state.pieces.length === 1);
				const about = toSend.map(({ shipment }) => shipment);
				const [last] = await client
					.listHandOvers({ carrierCode: [carrierCode] }, 1)
					.catch(() => [{ id: null }]);
				const lastHandOverId = last ? last.id : 0;
				const request = { about, carrierCode, isSinglePieces, lastHandOverId };
				settled.push(...(await writeOnce(journal, request, write)));
			}
			const alreadyHandedOver = open.flatMap(({ state }) => (state.handedOver ? state.id : []));
			const { done, failures } = toResults(plan, settled, alreadyHandedOver);
			if (plan.isOneOfAll && done.every(isNothing)) return failures;
			const saved = await client.mapParallel(done, async (json) => {
				const file = {
					urlField: 'protocolUrl',
					binaryField: settings.binaryPropertyName,
					failedField: 'protocolNotDownloaded',
					fileName: fileNameOf(['protocol', carrierCode, today(context), json.handOverId], 'pdf'),
				};
				const output = json.protocolUrl ? await attachFile(run, { json }, file) : { json };
				return { items: plan.items, ...output };
			});
			return [...saved, ...failures];
		},
	);
	const results = [...failed, ...handedOver];
	const outputs = new Set(results.flatMap((result) => result.items));
	const idle = [...new Set(items.map(({ item }) => item))].filter((item) => !outputs.has(item));
	// Without Continue, the run ends at the first failure, so that items without output are not idle.
	if (idle.length > 0 && results.every((result) => !('failure' in result))) {
		results.push({ items: idle, json: toOutput(null, NOTHING, []) });
	}
	const hints = results.flatMap((result) =>
		'json' in result && isNothing(result.json)
			? `${String(result.json.message)}. Shipments that are handed over or canceled, or older than 'Lookback Days' (${settings.lookbackDays}), are left out`
			: [],
	);
	showHints(run, hints);
	return results;
}

const isNothing = ({ shipmentIds }: IDataObject) => (shipmentIds as number[]).length === 0;

function handOverWrite(
	{ client }: NodeRun,
	{ date, lookbackDays, maxWaitMs }: HandOverSettings,
): Write<HandOverKind> {
	return {
		client,
		maxWaitMs: Math.min(maxWaitMs, 4_000),
		send: async ({ about, carrierCode }) =>
			client.call('handOverShipments', {
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

function judgeHandOver({
	request: { about, carrierCode, isSinglePieces },
	response,
	failure,
	found,
}: Seen<HandOverKind>): Verdict<HandOverKind> {
	const { result, correlationId } = response ?? {};
	const past = found.filter((each): each is PastHandOver => !('pieces' in each));
	// With several, it is not certain which of them it is.
	const isOnlyOne = new Set(past.map(({ id }) => id)).size === 1;
	const handOver = result ?? (isOnlyOne ? past[0] : undefined);
	const value: HandedOver = {
		handOverId: handOver?.id ?? null,
		protocolUrl: handOver?.protocolUrl ?? null,
		labelsUrl: handOver?.labelsUrl ?? null,
		recovered: !response,
		correlationId: correlationId ?? null,
	};
	const isCounted = isSinglePieces && result?.packagesCount === about.length;
	const states = found.filter((each) => 'pieces' in each);
	const inRecords = new Set(states.filter(({ handedOver }) => handedOver).map(({ id }) => id));
	const confirmed = about.filter(({ id }) => isCounted || inRecords.has(id));
	const unsure = about.filter((each) => !confirmed.includes(each));
	const reason = failure
		? reasonOf(failure)
		: `The service handed over ${result?.packagesCount ?? 'an unknown number'} of ${about.length} shipments`;
	// One error for the shipments of the same items: the records do not show that they are handed over.
	const unknown = [...groupBy(unsure, ({ items }) => items.join()).values()].flatMap((group) => {
		const shipmentIds = group.map(({ id }) => id);
		const error = new ItemError(
			`Could not confirm that ${carrierCode} received ${group.length === 1 ? 'shipment' : 'shipments'} ${shipmentIds.join(', ')}`,
			`${reason}. Run the workflow again later: shipments that were handed over by then are left out.`,
			{ carrierCode, shipmentIds },
			true,
		);
		return group.map((each) => ({
			about: [each],
			outcome: { kind: 'unknown' as const, errors: [error] },
		}));
	});
	const done = confirmed.map((each) => ({
		about: [each],
		outcome: { kind: 'done' as const, value },
	}));
	return { settled: [...done, ...unknown], unsure };
}

/** The shipments of one carrier: one request, and one output item. */
interface HandOverPlan {
	carrierCode: string;
	items: number[];
	isOneOfAll: boolean;
	shipments: Array<{ shipment: CarrierShipment; state: ShipmentState }>;
}

/** Reads the shipments of the items of a carrier, and decides which of them are handed over. */
async function planHandOver(
	{ client }: NodeRun,
	items: readonly [HandOverItem, ...HandOverItem[]],
	lookbackDays: number,
): Promise<{ plans: HandOverPlan[]; failed: ItemResult[] }> {
	const [{ carrierCode }] = items;
	const ids = items.flatMap(({ shipmentIds = [] }) => shipmentIds);
	const itemsForAll = items.filter(({ shipmentIds }) => !shipmentIds).map(({ item }) => item);
	const isForAll = itemsForAll.length > 0;
	const states = await readStates(client, carrierCode, { ids, isForAll, lookbackDays });

	const failed: ItemResult[] = [];
	const chosen = new Map<number, HandOverPlan['shipments'][number]>();
	const choose = (state: ShipmentState, by: number[]) => {
		const { id } = state;
		const before = chosen.get(id)?.shipment.items ?? [];
		const shipment = { carrierCode, id, items: [...new Set([...before, ...by])] };
		chosen.set(id, { shipment, state });
	};
	for (const { item, shipmentIds = [] } of items) {
		for (const id of shipmentIds) {
			const state = states.get(id);
			if (!state || 'failure' in state) {
				failed.push({ items: [item], failure: state?.failure });
			} else if (state.canceled) {
				const failure = new ItemError(
					`Shipment ${id} is canceled and cannot be handed over`,
					"Remove it from the items, or choose 'All Not Handed Over'.",
					{ carrierCode, shipmentId: id },
					true,
				);
				failed.push({ items: [item], failure });
			} else choose(state, [item]);
		}
	}
	for (const state of isForAll ? states.values() : []) {
		if ('failure' in state) failed.push({ items: itemsForAll, failure: state.failure });
		else if (!state.canceled && state.handedOver === false) choose(state, itemsForAll);
	}
	if (chosen.size === 0 && !isForAll) return { plans: [], failed };

	const shipments = [...chosen.values()];
	const ofShipments = shipments.flatMap(({ shipment }) => shipment.items);
	const distinct = new Set([...itemsForAll, ...ofShipments]);
	const isOneOfAll = items.every((each) => each.isOneOfAll);
	const ordered = [...distinct].sort((a, b) => a - b);
	return { plans: [{ carrierCode, items: ordered, isOneOfAll, shipments }], failed };
}

/** The content of one output item for each hand-over, and each error for each of its items. */
function toResults(
	{ carrierCode }: HandOverPlan,
	settled: ReadonlyArray<Settled<HandOverKind>>,
	alreadyHandedOver: number[],
): { done: IDataObject[]; failures: ItemResult[] } {
	const byError = new Map<unknown, Set<number>>();
	const confirmed: Array<{ id: number; value: HandedOver }> = [];
	for (const { about, outcome } of settled) {
		for (const { id, items } of about) {
			if (outcome.kind === 'done') confirmed.push({ id, value: outcome.value });
			else {
				const [error] = outcome.errors;
				byError.set(error, new Set([...(byError.get(error) ?? []), ...items]));
			}
		}
	}
	const failures = [...byError].flatMap(([failure, items]) =>
		[...items].map((item) => ({ items: [item], failure })),
	);
	const handOvers = [...groupBy(confirmed, ({ value }) => JSON.stringify(value)).values()].map(
		(group) => ({ shipmentIds: group.map(({ id }) => id), ...group[0].value }),
	);
	// Without any, the item says that there was nothing to do.
	if (handOvers.length === 0 && (alreadyHandedOver.length > 0 || failures.length === 0)) {
		handOvers.push(NOTHING);
	}
	const done = handOvers.map((handOver, index) =>
		toOutput(carrierCode, handOver, index === handOvers.length - 1 ? alreadyHandedOver : []),
	);
	return { done, failures };
}

type HandOver = HandedOver & { shipmentIds: number[] };

const NOTHING: HandOver = {
	shipmentIds: [],
	handOverId: null,
	protocolUrl: null,
	labelsUrl: null,
	recovered: false,
	correlationId: null,
};

function toOutput(
	carrierCode: string | null,
	{ handOverId, shipmentIds, ...more }: HandOver,
	alreadyHandedOver: number[],
): IDataObject {
	const packagesCount = shipmentIds.length;
	const done = `${packagesCount} ${packagesCount === 1 ? 'shipment was' : 'shipments were'} handed over`;
	return {
		carrierCode,
		message: `${packagesCount === 0 ? 'Nothing to hand over' : done}${carrierCode === null ? '' : ` to ${carrierCode}`}`,
		handOverId,
		packagesCount,
		shipmentIds,
		alreadyHandedOver,
		...more,
	};
}
