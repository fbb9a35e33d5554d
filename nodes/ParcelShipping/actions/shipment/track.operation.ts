import { deepCopy, type IDataObject, type INodeProperties } from 'n8n-workflow';

import { carrierCodeField, readLocator } from '../../descriptions/locators';
import { requestOptionsField } from '../../descriptions/options';
import { readShipmentNumbers } from '../../descriptions/shipmentNumbers';
import {
	byNumber,
	planRequests,
	type Question,
	rowOf,
	type TrackingRequest,
} from '../../tracking/requests';
import type { TrackingResult } from '../../transport/contract';
import { ItemError } from '../../transport/errors';
import type { BulkOperation, ItemResult, NodeRun } from '../operation';
import { readEachItem, runUntilFirstFailure } from '../runItems';

const packageNumberField: INodeProperties = {
	displayName: 'Shipment Number',
	name: 'packageNumber',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 0012345678901234567890',
	description:
		"The carrier's shipment number (packageNumberCarrier). Separate several numbers with commas.",
};

const outputField: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	default: 'shipments',
	description: 'What each output item represents',
	options: [
		{
			name: 'One Item per Shipment',
			value: 'shipments',
			description: 'Each shipment with the list of its events',
		},
		{
			name: 'One Item per Event',
			value: 'events',
			description:
				'Each event with the number of its shipment. Shipments without events are left out.',
		},
	],
};

export const operation: BulkOperation = {
	name: 'Track',
	value: 'track',
	action: 'Track a shipment',
	description:
		"Retrieve the tracking events of shipments by their carrier and the carrier's shipment numbers. The numbers of all input items are requested together.",
	fields: [carrierCodeField, packageNumberField, outputField, requestOptionsField],

	async executeAll(run) {
		const { valid, invalid } = readEachItem(run, (item) => readNumbers(run, item));
		if (invalid.length > 0 && !run.context.continueOnFail()) return invalid;

		const requests = planRequests(valid).map((request) => [request]);
		const answers = await runUntilFirstFailure(run, requests, async (request) =>
			track(run, request),
		);
		const answerByNumber = new Map(answers.map((answer) => [keyOf(answer), answer]));
		return [...invalid, ...valid.flatMap((question) => toResults(run, question, answerByNumber))];
	},
};

/** The answer for one shipment number. */
type NumberAnswer = { carrierCode: string; number: string } & (
	| { row: TrackingResult }
	| { failure: unknown }
);

const keyOf = ({ carrierCode, number }: { carrierCode: string; number: string }) =>
	`${carrierCode} ${number}`;

function readNumbers({ context }: NodeRun, item: number): Question {
	return {
		item,
		carrierCode: readLocator(context, carrierCodeField, item),
		numbers: readShipmentNumbers(
			context.getNodeParameter(packageNumberField.name, item, ''),
			packageNumberField.displayName,
		),
	};
}

/** A request that fails affects only the numbers in it. */
async function track(
	{ client }: NodeRun,
	{ carrierCode, numbers }: TrackingRequest,
): Promise<NumberAnswer[]> {
	try {
		const { result, correlationId } = await client.call('trackShipments', {
			path: { carrier_code: carrierCode },
			body: { packages: numbers },
		});
		const rows = byNumber(result);
		return numbers.map((number) => {
			const row = rowOf(rows, { carrierCode, number, correlationId });
			return {
				carrierCode,
				number,
				...(row instanceof ItemError ? { failure: row } : { row }),
			};
		});
	} catch (failure) {
		return numbers.map((number) => ({ carrierCode, number, failure }));
	}
}

/** The results for the numbers of one item. A failed request counts once, whatever it contained. */
function toResults(
	{ context }: NodeRun,
	{ item, carrierCode, numbers }: Question,
	answerByNumber: ReadonlyMap<string, NumberAnswer>,
): ItemResult[] {
	const items = [item];
	const output = context.getNodeParameter(outputField.name, item, 'shipments');
	const failures = new Set<unknown>();
	return numbers.flatMap((number): ItemResult[] => {
		const answer = answerByNumber.get(keyOf({ carrierCode, number }));
		if (!answer) return [];
		if ('failure' in answer) {
			if (failures.has(answer.failure)) return [];
			failures.add(answer.failure);
			return [{ items, failure: answer.failure }];
		}
		const { row } = answer;
		const records = output === 'events' ? eventsOf(row) : [row as unknown as IDataObject];
		return records.map((json) => ({ items, json: { ...deepCopy(json), carrier: carrierCode } }));
	});
}

function eventsOf({ packageNumberCarrier, events }: TrackingResult): IDataObject[] {
	return (events ?? []).map((event) => ({ ...event, packageNumberCarrier }));
}
