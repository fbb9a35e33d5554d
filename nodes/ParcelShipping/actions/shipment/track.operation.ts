import { deepCopy, type IDataObject } from 'n8n-workflow';

import { choices } from '../../descriptions/options';
import { readShipmentFields } from '../../descriptions/shipmentNumbers';
import { chunk, groupBy } from '../../lists';
import { readChoice } from '../../parameterValues';
import { isRecord } from '../../records';
import { endsWithError } from '../../run';
import { eventGroups } from '../../tracking/eventGroups';
import { type HistoryEvent, type Moment, momentOf, readEvents } from '../../tracking/history';
import { toEventFields } from '../../tracking/items';
import type { Client } from '../../transport/client';
import { PAGE_LENGTH, type TrackingResult } from '../../transport/endpoints';
import { describeError, ItemError, reword } from '../../transport/errors';
import { requestWithoutRefused, rowOf, SplitBudget } from '../../transport/numbers';
import type { PieceRecord } from '../../transport/shipments';
import { readItems, readNamed } from '../readItems';
import type { Operation } from '../operation';

const shipments = readShipmentFields('How to choose the shipments to track');

type Piece = Pick<PieceRecord, 'id' | 'carrierCode' | 'number' | 'reference'>;

/** What the provider returned for one tracking number. */
type Tracked = { row: TrackingResult } | { failure: unknown };

const keyOf = ({ carrierCode, number }: Pick<Piece, 'carrierCode' | 'number'>) =>
	`${carrierCode} ${number}`;

/** Dates without an offset may seem some hours ahead in the time zone of the workflow. What is further ahead is planned. */
const HOURS_AHEAD = 14;

export const operation: Operation = {
	name: 'Track',
	value: 'track',
	action: 'Track shipment',
	description: 'Retrieve where shipments are, or all of their tracking events',
	fields: [
		...shipments,
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			noDataExpression: true,
			default: 'latest',
			description: 'What to output of each shipment',
			options: choices({
				all: ['All Events', 'The status, and the list of all events, latest first'],
				latest: ['Latest Event Only', 'The status in one sentence, and the event that says it'],
			}),
		},
	],

	async execute(run) {
		const { context, client } = run;
		const given = context.getNodeParameter('output', 0, 'latest');
		const isAll = readChoice('Output', given, ['latest', 'all']) === 'all';
		const { items, failed } = await readItems(run, shipments, (named, ofOrders) => [
			{ ...named, pieces: ofOrders.flatMap(({ pieces }) => pieces) },
		]);
		const found = await client.mapParallel(items, async ({ item, carrierCode, named, pieces }) => {
			// Only the records say the carrier of a number or ID, unless the item does.
			const read = async (each: number | string): Promise<Piece[]> =>
				typeof each === 'number' || carrierCode === undefined
					? readNamed(client, each, carrierCode)
					: [{ id: 0, carrierCode, number: each, reference: '' }];
			return await client.mapParallel(named, read).then(
				(own) => ({ items: [item], pieces: [...own.flat(), ...pieces] }),
				(failure: unknown) => ({ items: [item], failure }),
			);
		});
		const results = [...failed, ...found.filter((each) => 'failure' in each)];
		if (endsWithError(run, results)) return results;
		const wanted = found.filter((each) => 'pieces' in each);
		const tracked = await trackAll(
			client,
			wanted.flatMap(({ pieces }) => pieces),
		);
		const zone = context.getTimezone();
		// Without periods, which only the trigger reports.
		const moment = momentOf(Date.now(), { zone, idZone: zone }, {}, HOURS_AHEAD);
		for (const each of wanted) {
			// Two records can have one number, and a failed request counts once, whatever numbers were in it.
			const byNumber = new Map(
				each.pieces.map((piece) => [piece.number === '' ? piece.id : keyOf(piece), piece]),
			);
			const failures = new Set<unknown>();
			for (const piece of byNumber.values()) {
				const of = tracked.get(keyOf(piece)) ?? { row: undefined };
				if ('failure' in of) failures.add(of.failure);
				else results.push({ items: each.items, json: toJson(piece, of.row, isAll, moment) });
			}
			results.push(...[...failures].map((failure) => ({ items: each.items, failure })));
		}
		return results;
	},
};

/** The numbers of each carrier together, as few requests as possible. */
async function trackAll(client: Client, pieces: readonly Piece[]): Promise<Map<string, Tracked>> {
	const tracked = new Map<string, Tracked>();
	const byCarrier = groupBy(pieces, ({ carrierCode }) => carrierCode);
	const requests = [...byCarrier].flatMap(([carrierCode, own]) => {
		const numbers = [...new Set(own.map(({ number }) => number).filter(Boolean))];
		const budget = new SplitBudget();
		return chunk(numbers, PAGE_LENGTH).map((part) => ({ carrierCode, part, budget }));
	});
	await client.mapParallel(requests, async ({ carrierCode, part, budget }) => {
		let correlationId = '';
		const request = async (packages: string[]) => {
			const path = { carrier_code: carrierCode };
			const response = await client.call('trackShipments', { path, body: { packages } });
			({ correlationId } = response);
			return response.result;
		};
		// A request that fails affects only the numbers in it, and a number that is refused only itself.
		const split = await requestWithoutRefused(part, request, budget);
		const put = (number: string, result: Tracked) =>
			tracked.set(`${carrierCode} ${number}`, result);
		for (const number of split.answered) {
			const row = rowOf(split.rows, { carrierCode, number, correlationId });
			put(number, row instanceof ItemError ? { failure: row } : { row });
		}
		for (const { number, failure } of split.refused) {
			const named = { packageNumberCarrier: number, carrierCode };
			const details = { ...named, ...describeError(failure).details };
			put(number, { failure: reword(failure, { details }) });
		}
		for (const number of split.left?.numbers ?? []) put(number, { failure: split.left?.failure });
	});
	return tracked;
}

/** Where the shipment is, in one sentence, with the event that says it. */
function toJson(
	{ carrierCode, number, reference }: Piece,
	row: TrackingResult | undefined,
	isAll: boolean,
	moment: Moment,
): IDataObject {
	const listed = Array.isArray(row?.events) ? row.events.filter(isRecord) : [];
	const shipment = { carrier: carrierCode, number, addedOn: 0, marks: '', latest: '' };
	const history = readEvents(listed, shipment, moment);
	const latest = history.findLast(({ at }) => at <= moment.soon) ?? history.at(-1);
	const order = reference === '' ? {} : { packageNumberCustom: reference };
	const all = isAll ? { events: history.toReversed().map(toFields) } : {};
	const packageNumberCarrier = row?.packageNumberCarrier ?? null;
	const status = row ? toStatus(latest) : UNASSIGNED;
	return deepCopy({ ...status, ...order, packageNumberCarrier, carrierCode, ...all });
}

const UNASSIGNED = { status: 'The carrier has not assigned a tracking number yet', date: null };

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
