import type { IDataObject } from 'n8n-workflow';

import { saveFile, today } from '../files';
import { groupBy, listTexts } from '../lists';
import { DAY_MS } from '../records';
import type { ItemOutput, NodeRun } from '../run';
import type { Client } from '../transport/client';
import type { FileFormat } from '../transport/download';
import { HASH_VALIDITY_DAYS, type LabelGroup } from '../transport/endpoints';
import {
	describeError,
	type ErrorText,
	isMissingEndpoint,
	isRefusal,
	isServiceError,
	ItemError,
	mayHaveActed,
	reword,
} from '../transport/errors';
import { requestWithoutRefused, SplitBudget } from '../transport/numbers';
import { memoryOfTries } from '../writes/sent';

export interface LabelFormat {
	type: FileFormat;
	/** Undefined: the carrier decides. */
	onePerPage?: boolean;
	/** How many labels are left free on the first sheet. */
	skip?: number;
}

/** The label of a shipment, or of a piece of one, that an item wants. */
export interface WantedLabel {
	id: number;
	item: number;
	/** Undefined if the input does not say it, like the order number. */
	carrierCode?: string | undefined;
	orderNumber?: string | undefined;
}

/** The labels of one request, one group for each carrier, or why there are none. */
interface CreatedLabels {
	ids: number[];
	items: number[];
	/** As far as they are known. */
	orderNumbers: string[];
	/** The first one says how many labels are missing. The response does not say which. */
	groups: Array<LabelGroup & { labelsMissing?: number }>;
	failure?: unknown;
}

/** The labels that the tries have requested. Providers may count these as printed. */
export const requestedLabels = (context: NodeRun['context']) =>
	memoryOfTries<true>(context, 'labels');

/** Creates the labels of each carrier with as few requests as possible. A shipment that is refused fails alone. */
export async function createLabels(
	{ client, context }: NodeRun,
	wanted: readonly WantedLabel[],
	format: LabelFormat,
): Promise<CreatedLabels[]> {
	const requested = requestedLabels(context);
	const request = async (numbers: string[]) => {
		const ids = numbers.map(Number);
		const newIds = ids.filter((id) => !requested[id]);
		for (const id of newIds) requested[id] = true;
		const groups = await requestLabels(client, ids, format).catch((thrown: unknown) => {
			if (!mayHaveActed(thrown)) for (const id of newIds) delete requested[id];
			throw thrown;
		});
		const counts = groups.map(({ labelsCount }) => Number(labelsCount ?? ids.length));
		const labelsMissing = counts.reduce((left, count) => left - count, ids.length);
		if (labelsMissing > 0) Object.assign(groups[0] ?? {}, { labelsMissing });
		return [{ ids, groups }];
	};
	// One carrier can refuse what another one accepts.
	const byId = new Map(wanted.map((each) => [each.id, each]));
	const byCarrier = groupBy([...byId.values()], (each) => each.carrierCode?.toUpperCase());
	const created = await client.mapParallel([...byCarrier.values()], async (part) => {
		const numbers = part.map(({ id }) => String(id));
		const split = await requestWithoutRefused(numbers, request, new SplitBudget(), isAboutIds);
		const refused = split.refused.map(({ number, failure }) => ({ numbers: [number], failure }));
		const failed = [...refused, ...(split.left ? [split.left] : [])];
		return [
			...split.rows,
			...failed.map((each) => ({ ...each, ids: each.numbers.map(Number), groups: [] })),
		];
	});
	return created.flat().map((each) => {
		const own = wanted.filter(({ id }) => each.ids.includes(id));
		const items = [...new Set(own.map(({ item }) => item))];
		const orderNumbers = [...new Set(own.flatMap(({ orderNumber }) => orderNumber || []))];
		return { ...each, items, orderNumbers };
	});
}

/** Also a response without any label, whose `errors` may name one ID. */
const isAboutIds = (failure: unknown) =>
	!isServiceError(failure) || (isRefusal(failure) && !isMissingEndpoint(failure));

/** Creates the labels of these shipments. The response has one group per carrier. */
export async function requestLabels(
	client: Client,
	shipmentIds: number[],
	{ type, ...layout }: LabelFormat,
): Promise<LabelGroup[]> {
	const body = { packages: shipmentIds, ...layout };
	const { result, correlationId } = await client.call('printLabels', { query: { type }, body });
	if (result.length > 0) return result;
	throw new ItemError(
		'the provider returned none',
		'Use Shipment: Get to check that the shipment is printable and not canceled.',
		{ correlationId },
		// Some providers count the labels as printed.
		{ mayHaveActed: true },
	);
}

/** For example 'The label of order 1001 was not created: Canceled'. Without names, it is one label. */
export function describeLabels(
	{ ids, orderNumbers, hash = '' }: { ids: number[]; orderNumbers: string[]; hash?: string },
	{ message, details }: ErrorText,
	outcome = 'was not created',
): string {
	const [of, names] =
		orderNumbers.length > 0 ? ['order', orderNumbers] : ['shipment ID', ids.map(String)];
	const owner = names.length > 0 ? ` of ${of} ${listTexts(names)}` : hash && ` with hash ${hash}`;
	return `The label${owner} ${outcome}: ${String(details.serviceMessage ?? message)}`;
}

/** The output for a group, with its file. */
export async function saveLabels(
	run: NodeRun,
	group: LabelGroup,
	type: FileFormat,
	binaryPropertyName: string,
): Promise<ItemOutput> {
	const hashExpiresAt = new Date(Date.now() + HASH_VALIDITY_DAYS * DAY_MS).toISOString();
	const json: IDataObject = { ...group, hashExpiresAt };
	const { carrierCode, carrierName, labelsCount, hash, labelsUrl } = group;
	// Without the hash, two files of the same day would overwrite each other in a folder.
	const parts = ['labels', carrierCode, today(run.context), labelsCount, hash?.slice(0, 8)];
	const file = await saveFile(run, labelsUrl, type, parts.join(' ')).catch((thrown: unknown) => {
		const { message, description, details } = describeError(thrown);
		throw reword(thrown, {
			message: `The labels of ${carrierName} were created, but their file was not saved: ${message}`,
			description: `${description} To print the labels, use Label: Send to Printer with the hash.`,
			details: { ...details, ...json },
		});
	});
	return { json, binary: { [binaryPropertyName]: file } };
}
