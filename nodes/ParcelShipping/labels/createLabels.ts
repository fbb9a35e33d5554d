import { chunk, groupBy, isSameCode } from '../lists';
import type { NodeRun } from '../run';
import type { LabelGroup } from '../transport/contract';
import { isMissingEndpoint, ItemError, mayHaveActed } from '../transport/errors';
import { isRefusal, requestWithoutRefused, SplitBudget } from '../transport/splitRequests';
import { memoryOfTries } from '../writes/journal';
import { type LabelSettings, noLabelError, requestLabels } from './files';

const MAX_SHIPMENTS_PER_REQUEST = 1_000;

/** A shipment, or a piece of one, whose label an item asks for. */
export interface WantedLabel {
	id: number;
	/** Undefined if the input does not say it. */
	carrierCode?: string | undefined;
	item: number;
}

/** The labels of one carrier. */
export interface CarrierLabels {
	ids: number[];
	items: number[];
	group: LabelGroup;
	/** How many are missing, if any are. Which, the service does not say. */
	missing: { labelsMissing?: number };
	/** Another group of the response may have labels of these shipments: nobody says their carrier, or both have it. */
	sharesShipments: boolean;
}

/** Shipments without a label, and why. */
export interface Unlabeled {
	ids: number[];
	items: number[];
	failure: unknown;
}

/** Creates the labels with as few requests as possible. A shipment that is refused fails alone, within `SplitBudget`. */
export async function createLabels(
	run: NodeRun,
	wanted: readonly WantedLabel[],
	settings: LabelSettings,
): Promise<Array<CarrierLabels | Unlabeled>> {
	const carrierOf = new Map<number, string | undefined>();
	for (const { id, carrierCode } of wanted) carrierOf.set(id, carrierCode ?? carrierOf.get(id));
	const itemsOf = (ids: readonly number[]) => {
		const own = new Set(ids);
		return [...new Set(wanted.filter(({ id }) => own.has(id)).map(({ item }) => item))];
	};
	const progress = progressOfLabels(run.context);
	const request = async (numbers: string[]): Promise<CarrierLabels[]> => {
		const ids = numbers.map(Number);
		const newIds = ids.filter((id) => !progress[id]);
		for (const id of newIds) progress[id] = 'requested';
		const groups = await requestLabels(run, ids, settings).catch((thrown: unknown) => {
			if (!mayHaveActed(thrown)) for (const id of newIds) delete progress[id];
			// No labels without a reason are none of any of them.
			if (thrown instanceof ItemError && !thrown.details.serviceMessage) return [];
			throw thrown;
		});
		const idsOfGroups = groups.map(({ carrierCode }) => {
			const own = ids.filter((id) => isSameCode(carrierOf.get(id) ?? carrierCode, carrierCode));
			return own.length > 0 ? own : ids;
		});
		const claims = groupBy(idsOfGroups.flat(), (id) => id);
		return groups.map((group, index): CarrierLabels => {
			const own = idsOfGroups[index] ?? ids;
			for (const id of own) progress[id] = 'created';
			const sharesShipments = own.some((id) => (claims.get(id)?.length ?? 0) > 1);
			const count = (sharesShipments ? groups : [group]).reduce(
				(sum, { labelsCount }) => sum + Number(labelsCount ?? Infinity),
				0,
			);
			const labelsMissing = (sharesShipments ? ids : own).length - count;
			const missing = labelsMissing > 0 ? { labelsMissing } : {};
			return { ids: own, items: itemsOf(own), group, missing, sharesShipments };
		});
	};
	// A carrier can be the reason for a refusal, so that its shipments come together.
	const byCarrier = groupBy([...carrierOf.keys()], (id) => carrierOf.get(id)?.toUpperCase());
	const chunks = chunk([...byCarrier.values()].flat(), MAX_SHIPMENTS_PER_REQUEST);
	const created = await run.client.mapParallel(chunks, async (part) => {
		const numbers = part.map(String);
		const splitBudget = new SplitBudget(undefined, true);
		const split = await requestWithoutRefused(numbers, request, splitBudget, isAboutIds);
		const labeled = new Set(split.rows.flatMap(({ ids }) => ids));
		const missing = split.answered.map(Number).filter((id) => !labeled.has(id));
		const failures: Array<[ids: number[], failure: unknown]> = [
			[missing, noLabelError(missing)],
			...split.refused.map(({ number, failure }): [number[], unknown] => [[+number], failure]),
			[split.failed.map(Number), split.failure],
		];
		const unlabeled = failures.map(([ids, failure]): Unlabeled => {
			const isNoLabel = failure instanceof ItemError && failure.details.shipmentIds !== undefined;
			const error = isNoLabel ? noLabelError(ids, failure.details) : failure;
			return { ids, items: itemsOf(ids), failure: error };
		});
		return [...split.rows, ...unlabeled.filter(({ ids }) => ids.length > 0)];
	});
	return created.flat();
}

/** Also a response without any label, whose `errors` may name one ID. */
const isAboutIds = (failure: unknown) =>
	failure instanceof ItemError || (isRefusal(failure) && !isMissingEndpoint(failure));

/** 'created': its file exists. 'requested': the response was lost. Services may count both as printed. */
export type LabelProgress = 'created' | 'requested';

/** What all tries have done for the label of a shipment, by its ID. */
export const progressOfLabels = (context: NodeRun['context']) =>
	memoryOfTries<LabelProgress>(context, 'labels');
