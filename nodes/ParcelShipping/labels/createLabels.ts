import { chunk, groupBy } from '../lists';
import type { NodeRun } from '../run';
import type { LabelGroup } from '../transport/endpoints';
import {
	isMissingEndpoint,
	isRefusal,
	isServiceError,
	ItemError,
	mayHaveActed,
} from '../transport/errors';
import { requestWithoutRefused, SplitBudget } from '../transport/numbers';
import { memoryOfTries } from '../writes/sent';
import { type LabelSettings, noLabelError, requestLabels } from './files';

const MAX_SHIPMENTS_PER_REQUEST = 1_000;

/** A shipment, or a piece of one, whose label an item asks for. */
export interface WantedLabel {
	id: number;
	/** Undefined if the input does not say it. */
	carrierCode?: string | undefined;
	item: number;
}

/** The labels of one carrier in one response. */
export interface CreatedLabels {
	/** Those of the request. */
	ids: number[];
	items: number[];
	group: LabelGroup;
	/** Which, the service does not say. */
	labelsMissing: number;
	/** Another group of the response may have labels of these shipments: nobody says which carrier they have. */
	isShared: boolean;
}

/** Shipments without a label, and why. */
export interface Unlabeled {
	ids: number[];
	items: number[];
	failure: unknown;
}

/** Creates the labels of each carrier with as few requests as possible. A shipment that is refused fails alone. */
export async function createLabels(
	run: NodeRun,
	wanted: readonly WantedLabel[],
	settings: LabelSettings,
): Promise<Array<CreatedLabels | Unlabeled>> {
	const carrierOf = new Map<number, string | undefined>();
	for (const { id, carrierCode } of wanted) carrierOf.set(id, carrierCode ?? carrierOf.get(id));
	const itemsOf = (ids: readonly number[]) => {
		const own = new Set(ids);
		return [...new Set(wanted.filter(({ id }) => own.has(id)).map(({ item }) => item))];
	};
	const progress = progressOfLabels(run.context);
	const request = async (numbers: string[]): Promise<CreatedLabels[]> => {
		const ids = numbers.map(Number);
		const newIds = ids.filter((id) => !progress[id]);
		for (const id of newIds) progress[id] = 'requested';
		const groups = await requestLabels(run.client, ids, settings).catch((thrown: unknown) => {
			if (!mayHaveActed(thrown)) for (const id of newIds) delete progress[id];
			// A response without labels may say that one of the shipments is the reason: then the others are requested without
			// it. If it gives no reason, none of them has a label.
			if (thrown instanceof ItemError && !isServiceError(thrown) && !thrown.details.serviceMessage)
				return [];
			throw thrown;
		});
		if (groups.length > 0) for (const id of ids) progress[id] = 'created';
		const counts = groups.map(({ labelsCount }) => Number(labelsCount ?? Infinity));
		const count = counts.reduce((sum, each) => sum + each, 0);
		const labelsMissing = Math.max(0, ids.length - count);
		const isShared = groups.length > 1;
		return groups.map((group) => ({ ids, items: itemsOf(ids), group, labelsMissing, isShared }));
	};
	// One carrier can refuse what another one accepts.
	const byCarrier = groupBy([...carrierOf.keys()], (id) => carrierOf.get(id)?.toUpperCase());
	const parts = [...byCarrier.values()].flatMap((own) => chunk(own, MAX_SHIPMENTS_PER_REQUEST));
	const created = await run.client.mapParallel(parts, async (part) => {
		const numbers = part.map(String);
		const split = await requestWithoutRefused(numbers, request, new SplitBudget(), isAboutIds);
		const labeled = new Set(split.rows.flatMap(({ ids }) => ids));
		const missing = split.answered.map(Number).filter((id) => !labeled.has(id));
		const failures: Array<[ids: number[], failure: unknown]> = [
			[missing, noLabelError(missing)],
			...split.refused.map(({ number, failure }): [number[], unknown] => [[+number], failure]),
			[split.failed.map(Number), split.failure],
		];
		const unlabeled = failures.map(([ids, failure]) => ({ ids, items: itemsOf(ids), failure }));
		return [...split.rows, ...unlabeled.filter(({ ids }) => ids.length > 0)];
	});
	return created.flat();
}

/** Also a response without any label, whose `errors` may name one ID. */
const isAboutIds = (failure: unknown) =>
	!isServiceError(failure) || (isRefusal(failure) && !isMissingEndpoint(failure));

/** 'created': its file exists. 'requested': the response was lost, or it had no label. Services may count both as printed. */
export type LabelProgress = 'created' | 'requested';

/** What all tries have done for the label of a shipment, by its ID. */
export const progressOfLabels = (context: NodeRun['context']) =>
	memoryOfTries<LabelProgress>(context, 'labels');
