import { deepCopy, type IDataObject, type INodeProperties } from 'n8n-workflow';

import { carrierCodeField, readLocator } from '../../descriptions/locators';
import { requestOptionsField } from '../../descriptions/requestOptions';
import { readShipmentNumbers } from '../../descriptions/shipmentNumbers';
import type { TrackingResult } from '../../transport/contract';
import { ItemError } from '../../transport/errors';
import {
	byNumber,
	planRequests,
	type Question,
	rowOf,
	type TrackingRequest,
} from '../../tracking/requests';
import type { BulkOperation, Outcome, Run } from '../operation';

const packageNumberField: INodeProperties = {
	displayName: 'Shipment Number',
	name: 'packageNumber',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 0012345678901234567890',
	description:
		"The carrier's number of the shipment (packageNumberCarrier), or several separated by commas",
};

const outputField: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	default: 'shipments',
	description: 'What an output item stands for',
	options: [
		{
			name: 'One Item per Shipment',
			value: 'shipments',
			description: 'Each shipment with the list of its events',
		},
		{
			name: 'One Item per Event',
			value: 'events',
			description: 'Each event with the number of its shipment; none for a shipment without events',
		},
	],
};

export const operation: BulkOperation = {
	name: 'Track',
	value: 'track',
	action: 'Track shipments',
	description:
		"Read the movements of shipments by their carrier and the carrier's shipment numbers. Numbers of all input items are asked together.",
	fields: [carrierCodeField, packageNumberField, outputField, requestOptionsField],

	async executeAll(run) {
		const questions: Question[] = [];
		const refused: Outcome[] = [];
		for (const item of run.items.keys()) {
			try {
				questions.push(readQuestion(run, item));
			} catch (failure) {
				refused.push({ items: [item], failure });
			}
		}
		const goesOn = run.context.continueOnFail();
		let hasFailed = refused.length > 0;
		const told: Told = new Map();
		await run.client.mapParallel(planRequests(questions), async (request) => {
			// Under *Stop* nothing is put out any more, so the rest would be asked for nothing.
			if (hasFailed && !goesOn) return;
			for (const [number, outcome] of await track(run, request)) {
				told.set(keyOf(request.carrierCode, number), outcome);
				hasFailed ||= 'failure' in outcome;
			}
		});
		return [...refused, ...questions.flatMap((question) => answer(run, question, told))];
	},
};

/** What became of a number, under its carrier and itself. */
type Told = Map<string, { row: TrackingResult } | { failure: unknown }>;

const keyOf = (carrierCode: string, number: string) => `${carrierCode} ${number}`;

function readQuestion({ context }: Run, item: number): Question {
	return {
		item,
		carrierCode: readLocator(context, carrierCodeField, item),
		numbers: readShipmentNumbers(
			context.getNodeParameter(packageNumberField.name, item, ''),
			packageNumberField.displayName,
		),
	};
}

/** A request that goes wrong fails its own numbers only. */
async function track({ client }: Run, request: TrackingRequest): Promise<Told> {
	const { carrierCode, numbers } = request;
	try {
		const { result, correlationId } = await client.call('trackShipments', {
			path: { carrier_code: carrierCode },
			body: { packages: numbers },
		});
		const rows = byNumber(result);
		return new Map(
			numbers.map((number) => {
				const row = rowOf(rows, { carrierCode, number, correlationId });
				return [number, row instanceof ItemError ? { failure: row } : { row }];
			}),
		);
	} catch (failure) {
		return new Map(numbers.map((number) => [number, { failure }]));
	}
}

/** The numbers of one item in their order; one failed request is one failure of the item. */
function answer({ context }: Run, question: Question, told: Told): Outcome[] {
	const { item, carrierCode, numbers } = question;
	const items = [item];
	const output = context.getNodeParameter(outputField.name, item, 'shipments');
	const failures = new Set<unknown>();
	return numbers.flatMap((number): Outcome[] => {
		const known = told.get(keyOf(carrierCode, number));
		if (!known) return [];
		if ('failure' in known) {
			if (failures.has(known.failure)) return [];
			failures.add(known.failure);
			return [{ items, failure: known.failure }];
		}
		const { row } = known;
		const results = output === 'events' ? eventsOf(row) : [row as unknown as IDataObject];
		return results.map((json) => ({ items, json: { ...deepCopy(json), carrier: carrierCode } }));
	});
}

function eventsOf({ packageNumberCarrier, events }: TrackingResult): IDataObject[] {
	return (events ?? []).map((event) => ({ ...event, packageNumberCarrier }));
}
