import { deepCopy, type IDataObject } from 'n8n-workflow';

import { piecesWithId, piecesWithNumber } from '../../changes/records';
import { outputField, readChoice } from '../../descriptions/options';
import { namedShipmentFields } from '../../descriptions/shipmentNumbers';
import { chunk, countOf, groupBy, listTexts } from '../../lists';
import { isRecord } from '../../records';
import {
	endsWithError,
	type ItemResult,
	type NodeRun,
	runUntilFirstFailure,
	showHints,
} from '../../run';
import { eventGroups } from '../../tracking/eventGroups';
import { type HistoryEvent, momentOf, readEvents } from '../../tracking/history';
import { toEventFields } from '../../tracking/items';
import type { Client } from '../../transport/client';
import { NUMBERS_PER_REQUEST, type TrackingResult } from '../../transport/endpoints';
import { describeError, ItemError } from '../../transport/errors';
import { refusalOf, requestWithoutRefused, rowOf, SplitBudget } from '../../transport/numbers';
import { toSentence } from '../../transport/response';
import type { PieceRecord } from '../../transport/shipments';
import { type NamedShipments, type OrderNumbers, readItems, readNamed } from '../readItems';
import type { BulkOperation } from '../operation';

export const operation: BulkOperation = {
	name: 'Track',
	value: 'track',
	action: 'Track shipment',
	description: 'Retrieve where shipments are, or all of their tracking events',
	pattern: {
		task: 'Find out where the shipments of an order are:',
		parameters: "shipments: 'orderNumbers', orderNumber: expr('{{ $json.orderNumber }}')",
		output:
			'status, date, packageNumberCustom, packageNumberCarrier, carrierCode, eventGroup, delivered',
		note: "status is a sentence. For the list of all events, set output to 'all'. To react to events, use Parcel Shipping Trigger instead.",
	},
	fields: [
		...namedShipmentFields('How to choose the shipments to track'),
		{
			...outputField('latest', {
				all: ['All Events', 'The status, and the list of all events, latest first'],
				latest: ['Latest Event Only', 'The status in one sentence, and the event that says it'],
			}),
			description: 'What to output of each shipment',
		},
	],

	async executeAll(run) {
		const { items, failed } = await readItems<NamedShipments | OrderPieces, OrderNumbers>(
			run,
			(item) => {
				readOutput(run, item);
				return readNamed(item, run);
			},
			({ item }, shipments) => [{ item, pieces: shipments.flatMap(({ pieces }) => pieces) }],
		);
		const found = await run.client.mapParallel(items, async (each) => {
			const { item } = each;
			return await findPieces(run.client, each).then(
				(pieces) => ({ item, pieces }),
				(failure: unknown) => ({ items: [item], failure }),
			);
		});
		const notFound = found.filter((each) => 'failure' in each);
		const wanted = found.filter((each) => 'pieces' in each);
		const unassigned = new Set(
			wanted.flatMap(({ pieces }) => pieces.filter(({ number }) => number === '').map(nameOf)),
		);
		if (unassigned.size > 0) {
			showHints(run, [
				`${countOf(unassigned.size, 'shipment', 'has')} no tracking number yet and cannot be tracked: ${listTexts([...unassigned])}. Run the workflow again later.`,
			]);
		}
		const results = [...failed, ...notFound];
		return endsWithError(run, results) ? results : [...results, ...(await trackAll(run, wanted))];
	},
};

const readOutput = ({ context }: NodeRun, item: number) =>
	readChoice('Output', context.getNodeParameter('output', item, 'latest'), ['latest', 'all']);

type WantedPiece = Pick<PieceRecord, 'id' | 'carrierCode' | 'number' | 'reference'>;

interface OrderPieces {
	item: number;
	pieces: WantedPiece[];
}

const nameOf = ({ id, reference }: WantedPiece) =>
	reference === '' ? String(id) : `${id} of order ${reference}`;

/** Only the records say the carrier of a number or ID, unless the item does. */
async function findPieces(
	client: Client,
	named: NamedShipments | OrderPieces,
): Promise<WantedPiece[]> {
	const pieces = 'pieces' in named ? named.pieces : await findNamed(client, named);
	const [first] = pieces;
	if (!first || pieces.some(({ number }) => number !== '')) return pieces;
	const { id, carrierCode, reference } = first;
	throw new ItemError(
		`Carrier ${carrierCode} has not assigned a tracking number to shipment ${nameOf(first)} yet`,
		'Run the workflow again later.',
		{ packageNumberCustom: reference, carrierCode, shipmentId: id },
		true,
	);
}

async function findNamed(
	client: Client,
	{ carrierCode, ids, numbers }: NamedShipments,
): Promise<WantedPiece[]> {
	const found = await client.mapParallel([...ids, ...numbers], async (each) => {
		if (typeof each === 'number') return await piecesWithId(client, each, carrierCode);
		if (carrierCode === undefined) return await piecesWithNumber(client, each);
		return [{ id: 0, carrierCode, number: each, reference: '' }];
	});
	return found.flat();
}

interface TrackingRequest {
	carrierCode: string;
	numbers: string[];
}

/** What the provider returned for one tracking number. */
type Tracked = { carrierCode: string; number: string } & (
	| { row: TrackingResult }
	| { failure: unknown }
);

const keyOf = ({ carrierCode, number }: Pick<WantedPiece, 'carrierCode' | 'number'>) =>
	`${carrierCode} ${number}`;

async function trackAll(run: NodeRun, wanted: OrderPieces[]): Promise<ItemResult[]> {
	const requests = planRequests(wanted.flatMap(({ pieces }) => pieces));
	const splitBudgets = new Map(requests.map(({ carrierCode }) => [carrierCode, new SplitBudget()]));
	const tracked = await runUntilFirstFailure(
		run,
		requests.map((request) => [request]),
		async (request) => track(run, request, splitBudgets.get(request.carrierCode) as SplitBudget),
		(each) => 'failure' in each,
	);
	const byKey = new Map(tracked.map((each) => [keyOf(each), each]));
	return wanted.flatMap((each) => toResults(run, each, byKey));
}

/** As few requests as possible: each carrier's numbers together, and each number once. */
export function planRequests(
	wanted: ReadonlyArray<Pick<WantedPiece, 'carrierCode' | 'number'>>,
): TrackingRequest[] {
	const byCarrier = groupBy(wanted, ({ carrierCode }) => carrierCode);
	return [...byCarrier].flatMap(([carrierCode, own]) => {
		const distinct = new Set(own.map(({ number }) => number).filter((number) => number !== ''));
		return chunk([...distinct], NUMBERS_PER_REQUEST).map((numbers) => ({ carrierCode, numbers }));
	});
}

/** A request that fails affects only the numbers in it, and a number that is refused only itself. */
async function track(
	{ client }: NodeRun,
	{ carrierCode, numbers }: TrackingRequest,
	splitBudget: SplitBudget,
): Promise<Tracked[]> {
	let correlationId = '';
	const request = async (packages: string[]) => {
		const path = { carrier_code: carrierCode };
		const response = await client.call('trackShipments', { path, body: { packages } });
		({ correlationId } = response);
		return response.result;
	};
	const split = await requestWithoutRefused(numbers, request, splitBudget);
	const notTracked = (number: string, failure: unknown) => ({ carrierCode, number, failure });
	return [
		...split.answered.map((number) => {
			const row = rowOf(split.rows, { carrierCode, number, correlationId });
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
 * The time zone of the workflow need not be that of the provider, and dates mostly have no offset. So what happened
 * just now may seem to be some hours ahead. What is further ahead is planned.
 */
const HOURS_AHEAD = 14;

/** The results for the numbers of one item. A failed request counts once, whatever it contained. */
function toResults(
	run: NodeRun,
	{ item, pieces }: OrderPieces,
	byKey: ReadonlyMap<string, Tracked>,
): ItemResult[] {
	const items = [item];
	const output = readOutput(run, item);
	const zone = run.context.getTimezone();
	// Periods are those of the trigger alone.
	const days = { noMovement: 0, waitingForPickup: 0 };
	const moment = momentOf(Date.now(), { zone, idZone: zone }, days, HOURS_AHEAD);
	const failures = new Set<unknown>();
	// Two records can have one number.
	const byNumber = new Map(pieces.map((piece) => [keyOf(piece), piece]));
	return [...byNumber].flatMap(([key, { carrierCode, number, reference }]): ItemResult[] => {
		const tracked = byKey.get(key);
		if (!tracked) return [];
		if ('failure' in tracked) {
			const { failure } = tracked;
			if (failures.has(failure)) return [];
			failures.add(failure);
			return [{ items, failure }];
		}
		const { packageNumberCarrier, events } = tracked.row;
		const listed = Array.isArray(events) ? events.filter(isRecord) : [];
		const shipment = { carrier: carrierCode, number, addedOn: 0, marks: '', latest: '' };
		const history = readEvents(listed, shipment, moment);
		const latest = history.findLast(({ at }) => at <= moment.soon) ?? history.at(-1);
		const order = reference === '' ? {} : { packageNumberCustom: reference };
		const shown = { ...toStatus(latest), ...order, packageNumberCarrier, carrierCode };
		const all = { events: history.toReversed().map(toFields) };
		return [{ items, json: deepCopy(output === 'all' ? { ...shown, ...all } : shown) }];
	});
}

/** Where the shipment is, in one sentence, with the event that says it. */
function toStatus(latest: HistoryEvent | undefined): IDataObject {
	if (!latest) return { status: 'The carrier has not reported anything yet', date: null };
	const { event, group, at } = latest;
	const reported = Object.entries(eventGroups).find(([value]) => value === group);
	const said = [reported?.[1].form[1], event.name].filter((text) => text).join(': ');
	const when = at === '' ? '' : ` (${at.slice(0, 16).replace('T', ' ')})`;
	return { status: `${said || 'Unknown status'}${when}`, ...toFields(latest) };
}

const toFields = ({ event, isFirstOfGroup, isLatest }: HistoryEvent): IDataObject => ({
	...toEventFields(event),
	isFirstOfGroup,
	isLatest,
});
