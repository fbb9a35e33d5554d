import { deepCopy, type IDataObject, type INodeProperties } from 'n8n-workflow';

import { carrierCodeField, readLocator } from '../../descriptions/locators';
import { requestOptionsField } from '../../descriptions/options';
import { packageNumberField, readShipmentNumbers } from '../../descriptions/shipmentNumbers';
import { isEvent, toEventFields } from '../../tracking/output';
import { requestWithoutRefused, Splitting } from '../../transport/refusals';
import {
	byNumber,
	planRequests,
	type Question,
	refusalOf,
	rowOf,
	type TrackingRequest,
} from '../../transport/trackingRequests';
import type { TrackingResult } from '../../transport/contract';
import { describeError, ItemError } from '../../transport/errors';
import { toSentence } from '../../transport/serviceMessage';
import type { BulkOperation } from '../operation';
import { type ItemResult, type NodeRun, readEachItem, runUntilFirstFailure } from '../../run';

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
		const splittings = new Map(valid.map(({ carrierCode }) => [carrierCode, new Splitting()]));
		const answers = await runUntilFirstFailure(run, requests, async (request) =>
			track(run, request, splittings.get(request.carrierCode) ?? new Splitting()),
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

/** A request that fails affects only the numbers in it, and a number that is refused only itself. */
async function track(
	{ client }: NodeRun,
	{ carrierCode, numbers }: TrackingRequest,
	splitting: Splitting,
): Promise<NumberAnswer[]> {
	let correlationId = '';
	const request = async (packages: string[]) => {
		const answer = await client.call('trackShipments', {
			path: { carrier_code: carrierCode },
			body: { packages },
		});
		({ correlationId } = answer);
		return answer.result;
	};
	const answer = await requestWithoutRefused(numbers, request, splitting);
	const rows = byNumber(answer.rows);
	const isCarrierTracked = splitting.hasAnswer;
	return [
		...answer.answered.map((number): NumberAnswer => {
			const row = rowOf(rows, { carrierCode, number, correlationId });
			return {
				carrierCode,
				number,
				...(row instanceof ItemError ? { failure: row } : { row }),
			};
		}),
		...answer.refused.map(({ number, failure }) => ({
			carrierCode,
			number,
			failure: isCarrierTracked ? refusedNumber(carrierCode, number, failure) : failure,
		})),
		...answer.failed.map((number) => ({ carrierCode, number, failure: answer.failures[0] })),
	];
}

/** Without the advice for a whole request, since the others were answered. */
function refusedNumber(carrierCode: string, number: string, failure: unknown): ItemError {
	const { details } = describeError(failure);
	return refusalOf(
		{ carrierCode, number, correlationId: String(details.correlationId ?? '') },
		Number(details.statusCode),
		toSentence(details.serviceMessage),
	);
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
		const row = toOutput(answer.row);
		const { packageNumberCarrier, events } = row;
		const records =
			output === 'events' ? events.map((event) => ({ ...event, packageNumberCarrier })) : [row];
		return records.map((json) => ({ items, json: { ...deepCopy(json), carrierCode } }));
	});
}

function toOutput(row: TrackingResult): IDataObject & { events: IDataObject[] } {
	return { ...row, events: (row.events ?? []).filter(isEvent).map(toEventFields) };
}
