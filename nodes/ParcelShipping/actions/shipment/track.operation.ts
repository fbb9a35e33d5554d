import { deepCopy, type IDataObject } from 'n8n-workflow';

import { carrierCodeField, readLocator } from '../../descriptions/locators';
import { outputField, readChoice } from '../../descriptions/options';
import {
	byOrderNumber,
	orderNumberField,
	packageNumberField,
	readOrderNumbers,
	readShipmentNumbers,
	shipmentsField,
} from '../../descriptions/shipmentNumbers';
import { modelNotice } from '../../descriptions/tools';
import { chunk, countOf, groupBy, listTexts } from '../../lists';
import { isRecord } from '../../records';
import type { FoundShipment } from '../../transport/shipments';
import { momentOf, readEvents } from '../../tracking/history';
import { toEventFields } from '../../tracking/items';
import { requestWithoutRefused, SplitBudget } from '../../transport/splitRequests';
import { refusalOf, rowOf } from '../../transport/trackingRows';
import { NUMBERS_PER_REQUEST, type TrackingResult } from '../../transport/contract';
import { describeError, ItemError } from '../../transport/errors';
import { toSentence } from '../../transport/serviceMessage';
import { type OrderNumbers, readItems } from '../readItems';
import type { BulkOperation } from '../operation';
import { type ItemResult, type NodeRun, runUntilFirstFailure, showHints } from '../../run';

export const operation: BulkOperation = {
	name: 'Track',
	value: 'track',
	action: 'Track shipment',
	description: "Retrieve the tracking events of shipments by order number or the carrier's number",
	pattern: {
		task: 'Get the tracking events of an order:',
		parameters: "shipments: 'orderNumbers', orderNumber: expr('{{ $json.orderNumber }}')",
		output: 'packageNumberCarrier, carrierCode, events',
		note: 'events is a list, oldest first, of objects with date, name, category, eventGroup and delivered. To react to events, use Parcel Shipping Trigger instead.',
	},
	fields: [
		modelNotice('order and shipment numbers, and events with their places.'),
		shipmentsField('numbers', 'How to choose the shipments to track', {
			orderNumbers: byOrderNumber('All shipments of an order of your shop, with all pieces'),
			numbers: ['By Shipment Number', "By the carrier's number of the shipment"],
		}),
		{ ...carrierCodeField, displayOptions: { show: { shipments: ['numbers'] } } },
		{ ...packageNumberField, displayOptions: { show: { shipments: ['numbers'] } } },
		orderNumberField,
		outputField('shipments', {
			shipments: ['One Item per Shipment', 'Each shipment with the list of its events'],
			events: [
				'One Item per Event',
				'Each event with the number of its shipment. None for a shipment without events.',
			],
		}),
	],

	async executeAll(run) {
		const { items, failed } = await readItems(run, readTrackItem, toTrackItems);
		const unassigned = items.flatMap((each) => each.unassigned ?? []);
		if (unassigned.length > 0) {
			const names = [...new Set(unassigned)];
			showHints(run, [
				`${countOf(names.length, 'shipment', 'has')} no number of the carrier yet and cannot be tracked: ${listTexts(names)}. Run the workflow again later.`,
			]);
		}
		return [...failed, ...(await trackAll(run, items))];
	},
};

interface TrackingRequest {
	carrierCode: string;
	numbers: string[];
}

/** What one input item asks for. */
interface TrackItem extends TrackingRequest {
	item: number;
	output: 'shipments' | 'events';
	/** The order of each number, if the item has order numbers. */
	orderOf?: ReadonlyMap<string, string>;
	/** Shipments of these orders that have no number yet. */
	unassigned?: string[];
}

/** What the service returned for one shipment number. */
type Tracked = { carrierCode: string; number: string } & (
	| { row: TrackingResult }
	| { failure: unknown }
);

const keyOf = ({ carrierCode, number }: Omit<Tracked, 'row'>) => `${carrierCode} ${number}`;

async function trackAll(run: NodeRun, items: TrackItem[]): Promise<ItemResult[]> {
	const splitBudgets = new Map(items.map((each) => [each.carrierCode, new SplitBudget()]));
	const requests = planRequests(items).map((request) => [request]);
	const tracked = await runUntilFirstFailure(
		run,
		requests,
		async (request) => track(run, request, splitBudgets.get(request.carrierCode) as SplitBudget),
		(each) => 'failure' in each,
	);
	const byKey = new Map(tracked.map((each) => [keyOf(each), each]));
	return items.flatMap((each) => toResults(run, each, byKey));
}

/** As few requests as possible: each carrier's numbers together, and each number once. */
export function planRequests(wanted: readonly TrackingRequest[]): TrackingRequest[] {
	const byCarrier = groupBy(wanted, ({ carrierCode }) => carrierCode);
	return [...byCarrier].flatMap(([carrierCode, group]) => {
		const distinct = [...new Set(group.flatMap(({ numbers }) => numbers))];
		return chunk(distinct, NUMBERS_PER_REQUEST).map((numbers) => ({ carrierCode, numbers }));
	});
}

type OrdersItem = OrderNumbers & Pick<TrackItem, 'output'>;

function readTrackItem(item: number, { context }: NodeRun): TrackItem | OrdersItem {
	const chosen = context.getNodeParameter('output', item, 'shipments');
	const output = readChoice('Output', chosen, ['shipments', 'events']);
	const given = context.getNodeParameter('shipments', item, 'numbers');
	const shipments = readChoice('Shipments', given, ['numbers', 'orderNumbers']);
	if (shipments === 'orderNumbers') {
		return { item, output, orderNumbers: readOrderNumbers(context, item) };
	}
	const { name, displayName } = packageNumberField;
	const carrierCode = readLocator(context, carrierCodeField, item);
	const numbers = readShipmentNumbers(context.getNodeParameter(name, item, ''), displayName);
	return { item, output, carrierCode, numbers };
}

function toTrackItems({ item, output }: OrdersItem, shipments: FoundShipment[]): TrackItem[] {
	const all = shipments.flatMap((shipment) => shipment.pieces);
	if (all[0] && all.every(({ number }) => number === '')) {
		const { reference: packageNumberCustom, id, carrierCode } = all[0];
		throw new ItemError(
			`Carrier ${carrierCode} has not assigned a number to shipment ${id} of order ${packageNumberCustom} yet`,
			'A shipment is tracked by the number that the carrier assigns. Run the workflow again later.',
			{ packageNumberCustom, carrierCode, shipmentId: id },
			true,
		);
	}
	return [...groupBy(all, ({ carrierCode }) => carrierCode)].map(([carrierCode, own]) => {
		// Two records can have one number.
		const orderOf = new Map(own.map(({ number, reference }) => [number, reference]));
		orderOf.delete('');
		const unassigned = own.flatMap(({ number, id, reference }) =>
			number === '' ? `${id} of order ${reference}` : [],
		);
		return { item, output, carrierCode, numbers: [...orderOf.keys()], orderOf, unassigned };
	});
}

/** A request that fails affects only the numbers in it, and a number that is refused only itself. */
async function track(
	{ client }: NodeRun,
	{ carrierCode, numbers }: TrackingRequest,
	splitBudget: SplitBudget,
): Promise<Tracked[]> {
	let correlationId = '';
	const errors: unknown[] = [];
	const request = async (packages: string[]) => {
		const path = { carrier_code: carrierCode };
		const response = await client.call('trackShipments', { path, body: { packages } });
		({ correlationId } = response);
		errors.push((response as { errors?: unknown }).errors);
		return response.result;
	};
	const split = await requestWithoutRefused(numbers, request, splitBudget);
	const notTracked = (number: string, failure: unknown) => ({ carrierCode, number, failure });
	return [
		...split.answered.map((number) => {
			const row = rowOf(split.rows, { carrierCode, number, correlationId, errors });
			return row instanceof ItemError ? notTracked(number, row) : { carrierCode, number, row };
		}),
		...split.refused.map(({ number, failure }) => {
			if (!splitBudget.hasResponse) return notTracked(number, failure);
			// Without the advice for a whole request, since the others were tracked.
			const { details } = describeError(failure);
			const requested = { carrierCode, number, correlationId: String(details.correlationId ?? '') };
			const said = toSentence(details.serviceMessage);
			return notTracked(number, refusalOf(requested, Number(details.statusCode), said));
		}),
		...split.failed.map((number) => notTracked(number, split.failure)),
	];
}

/**
 * The time zone of the workflow need not be that of the service, and dates mostly have no offset. So what happened
 * just now may seem to be some hours ahead. What is further ahead is planned.
 */
const HOURS_AHEAD = 14;

/** The results for the numbers of one item. A failed request counts once, whatever it contained. */
function toResults(
	{ context }: NodeRun,
	{ item, output, carrierCode, numbers, orderOf }: TrackItem,
	byKey: ReadonlyMap<string, Tracked>,
): ItemResult[] {
	const items = [item];
	const zone = context.getTimezone();
	// Periods are those of the trigger alone.
	const days = { noMovement: 0, waitingForPickup: 0 };
	const moment = momentOf(Date.now(), { zone, idZone: zone }, days, HOURS_AHEAD);
	const failures = new Set<unknown>();
	return numbers.flatMap((number): ItemResult[] => {
		const tracked = byKey.get(keyOf({ carrierCode, number }));
		if (!tracked) return [];
		if ('failure' in tracked) {
			const { failure } = tracked;
			if (failures.has(failure)) return [];
			failures.add(failure);
			return [{ items, failure }];
		}
		const { row } = tracked;
		const { packageNumberCarrier } = row;
		const listed = Array.isArray(row.events) ? row.events : [];
		const shipment = { carrier: carrierCode, number, addedOn: 0, marks: '', latest: '' };
		const history = readEvents(listed.filter(isRecord), shipment, moment);
		const events = history.map(({ event, isFirstOfGroup, isLatest }) => ({
			...toEventFields(event),
			isFirstOfGroup,
			isLatest,
		}));
		const records: IDataObject[] =
			output === 'events'
				? events.map((event) => ({ ...event, packageNumberCarrier }))
				: [{ ...row, events }];
		const packageNumberCustom = orderOf?.get(number);
		const order = packageNumberCustom === undefined ? {} : { packageNumberCustom };
		return records.map((json) => ({
			items,
			json: { ...deepCopy(json), ...order, carrierCode },
		}));
	});
}
