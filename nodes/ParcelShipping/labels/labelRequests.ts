import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { chunk, groupBy } from '../lists';
import { HASH_VALIDITY_DAYS, type LabelGroup } from '../transport/contract';
import { describeError, ItemError } from '../transport/errors';
import { messageBeside } from '../transport/serviceMessage';
import { labelFileName, saveLabelFile, today } from './labelFile';
import type { ItemResult, NodeRun } from '../run';

export const MAX_SHIPMENTS_PER_REQUEST = 1_000;

const DAY_MS = 86_400_000;

export interface LabelSettings {
	format: 'pdf' | 'zpl';
	/** Undefined: the carrier decides. */
	onePerPage?: boolean;
	/** The binary field for the file. Undefined: the file is not downloaded. */
	binaryPropertyName?: string;
}

/** The labels that one input item requests. */
export interface ItemLabels {
	item: number;
	shipmentIds: number[];
	settings: LabelSettings;
}

export interface LabelRequest {
	/** The items that contain one of the shipments. */
	items: number[];
	shipmentIds: number[];
	settings: LabelSettings;
}

/** Combines items with the same settings into as few requests as possible, each shipment once. */
export function planLabelRequests(
	labels: readonly ItemLabels[],
	maxShipments: number,
): LabelRequest[] {
	const groups = groupBy(labels, ({ settings }) => JSON.stringify(settings));
	return [...groups.values()].flatMap((group) => {
		const ids = [...new Set(group.flatMap(({ shipmentIds }) => shipmentIds))];
		const { settings } = group[0];
		return chunk(ids, maxShipments).map((shipmentIds) => {
			const requested = new Set(shipmentIds);
			const items = group
				.filter((itemLabels) => itemLabels.shipmentIds.some((id) => requested.has(id)))
				.map(({ item }) => item);
			return { items, shipmentIds, settings };
		});
	});
}

/** The labels of one carrier, as the service created them. */
interface CarrierLabels {
	items: number[];
	group: LabelGroup;
	json: IDataObject;
	settings: LabelSettings;
}

type FailedItem = { items: number[]; failure: unknown };

export async function requestLabels(
	{ context, client }: NodeRun,
	{ items, shipmentIds, settings }: LabelRequest,
): Promise<Array<CarrierLabels | FailedItem>> {
	const { format, onePerPage } = settings;
	const failEach = (failure: unknown) => items.map((item) => ({ items: [item], failure }));
	try {
		const answer = await client.call('printLabels', {
			query: { type: format },
			body: { packages: shipmentIds, ...(onePerPage === undefined ? {} : { onePerPage }) },
		});
		const { result: groups } = answer;
		const hashExpiresAt = new Date(Date.now() + HASH_VALIDITY_DAYS * DAY_MS).toISOString();
		if (groups.length === 0) return failEach(noLabelsError(answer));

		addHintAboutMissing(context, groups, shipmentIds.length);
		// The response does not say which shipments are in which group, so each group is linked to
		// every item of the request.
		return groups.map((group) => ({
			items,
			group,
			json: { ...group, hashExpiresAt },
			settings,
		}));
	} catch (failure) {
		return failEach(failure);
	}
}

/** Downloads the file if the settings say so. If that fails, the error contains hash and link. */
export async function saveLabels(
	run: NodeRun,
	{ items, group, json, settings }: CarrierLabels,
): Promise<ItemResult> {
	const { format, binaryPropertyName } = settings;
	if (binaryPropertyName === undefined) return { items, json };
	try {
		const fileName = labelFileName(group, today(run.context), format);
		const file = await saveLabelFile(run, group.labelsUrl, format, fileName);
		return { items, json, binary: { [binaryPropertyName]: file } };
	} catch (thrown) {
		const { message, description, details } = describeError(thrown);
		const failure = new ItemError(
			`The labels of ${group.carrierName} were created, but their file was not saved: ${message}`,
			`${description} To print the labels, use Label, Send to Printer with the hash, or open labelsUrl.`,
			{ ...details, ...json },
			true,
		);
		return { items, failure };
	}
}

/** The service answered with an empty list. The reason may stand beside it. */
export function noLabelsError(answer: { correlationId: string }): ItemError {
	const serviceMessage = messageBeside(answer);
	return new ItemError(
		`The service created no labels${serviceMessage ? `: ${serviceMessage}` : ' for these shipments'}`,
		'Use Shipment, Get to check that the shipments are printable and not canceled.',
		{ correlationId: answer.correlationId, ...(serviceMessage ? { serviceMessage } : {}) },
		true,
	);
}

function addHintAboutMissing(
	context: IExecuteFunctions,
	groups: LabelGroup[],
	shipmentCount: number,
): void {
	const labelCount = groups.reduce((sum, { labelsCount }) => sum + labelsCount, 0);
	if (!(labelCount < shipmentCount)) return;
	context.addExecutionHints({
		type: 'warning',
		location: 'outputPane',
		message: `The service created ${labelCount} labels for ${shipmentCount} shipments. It does not report which are missing. Use Shipment, Get to check whether a shipment is printable.`,
	});
}
