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
import { type LabelFormat, noLabelError, requestLabels } from './files';

const MAX_SHIPMENTS_PER_REQUEST = 1_000;

/** The label of a shipment, or of a piece of one, that an item wants. */
export interface WantedLabel {
	id: number;
	item: number;
	/** Undefined if the input does not say it, like the order number. */
	carrierCode?: string | undefined;
	orderNumber?: string | undefined;
}

/** The labels of one request, by carrier, or why there are none. */
export type RequestedLabels = { ids: number[]; items: number[] } & (
	| {
			groups: LabelGroup[];
			/** The response does not say which. */
			labelsMissing: number;
	  }
	| { failure: unknown }
);

/** Creates the labels of each carrier with as few requests as possible. A shipment that is refused fails alone. */
export async function createLabels(
	run: NodeRun,
	wanted: readonly WantedLabel[],
	format: LabelFormat,
): Promise<RequestedLabels[]> {
	const requested = requestedLabels(run.context);
	const request = async (numbers: string[]) => {
		const ids = numbers.map(Number);
		const newIds = ids.filter((id) => !requested[id]);
		for (const id of newIds) requested[id] = 'requested';
		const groups = await requestLabels(run.client, ids, format).catch((thrown: unknown) => {
			if (!mayHaveActed(thrown)) for (const id of newIds) delete requested[id];
			// Without a reason, none of them has a label. With one, the others are requested without the shipment that it names.
			if (thrown instanceof ItemError && !isServiceError(thrown) && !thrown.details.serviceMessage)
				return [];
			throw thrown;
		});
		if (groups.length > 0) for (const id of ids) requested[id] = 'created';
		const counts = groups.map(({ labelsCount }) => Number(labelsCount ?? Infinity));
		const labelsMissing = Math.max(
			0,
			counts.reduce((rest, count) => rest - count, ids.length),
		);
		return groups.length > 0 ? [{ ids, groups, labelsMissing }] : [];
	};
	const carrierOf = new Map<number, string | undefined>();
	for (const { id, carrierCode } of wanted) carrierOf.set(id, carrierCode ?? carrierOf.get(id));
	// One carrier can refuse what another one accepts.
	const byCarrier = groupBy([...carrierOf.keys()], (id) => carrierOf.get(id)?.toUpperCase());
	const parts = [...byCarrier.values()].flatMap((own) => chunk(own, MAX_SHIPMENTS_PER_REQUEST));
	const created = await run.client.mapParallel(parts, async (part) => {
		const numbers = part.map(String);
		const split = await requestWithoutRefused(numbers, request, new SplitBudget(), isAboutIds);
		const labeled = new Set(split.rows.flatMap(({ ids }) => ids));
		const missing = split.answered.map(Number).filter((id) => !labeled.has(id));
		const failures = [
			{ ids: missing, failure: noLabelError() },
			...split.refused.map(({ number, failure }) => ({ ids: [Number(number)], failure })),
			{ ids: split.failed.map(Number), failure: split.failure },
		];
		return [...split.rows, ...failures.filter(({ ids }) => ids.length > 0)];
	});
	return created.flat().map((each) => {
		const ids = new Set(each.ids);
		const items = wanted.filter(({ id }) => ids.has(id)).map(({ item }) => item);
		return { ...each, items: [...new Set(items)] };
	});
}

/** Also a response without any label, whose `errors` may name one ID. */
const isAboutIds = (failure: unknown) =>
	!isServiceError(failure) || (isRefusal(failure) && !isMissingEndpoint(failure));

/** 'created': the file exists. 'requested': the response was lost, or had no label. Providers may count both as printed. */
export const requestedLabels = (context: NodeRun['context']) =>
	memoryOfTries<'created' | 'requested'>(context, 'labels');
