import type { IDataObject } from 'n8n-workflow';

import { chunk, groupBy } from '../lists';
import { type ItemResult, type NodeRun, runUntilFirstFailure } from '../run';
import type { Client } from '../transport/client';
import { NUMBERS_PER_REQUEST } from '../transport/contract';
import { ItemError, withDetails } from '../transport/errors';
import type { Outcome, TargetOutcome } from '../writes/journal';
import {
	type CancelAct,
	type CanceledNumber,
	type Cancellation,
	nameOfNumber,
	numberKeyOf,
	openCanceling,
	orderOf,
} from './cancelNumbers';
import { readState } from './shipmentState';

/** The shipments that one input item cancels. */
export type CancelItem = { item: number; carrierCode: string } & (
	| { numbers: string[] }
	| {
			shipmentIds: number[];
			/** The order numbers by which they were found, by ID. */
			references?: ReadonlyMap<number, string>;
	  }
);

/** Also returns what earlier tries have canceled for items that are not among `items` now. */
export async function cancelShipments(
	run: NodeRun,
	items: readonly CancelItem[],
	maxWaitMs: number,
): Promise<ItemResult[]> {
	const { context, client } = run;
	const canceling = openCanceling(context, client, maxWaitMs);
	const outcomes: Outcomes = new Map();
	const note = (noted: ReadonlyArray<TargetOutcome<CancelAct>>) => {
		for (const { targets, outcome } of noted) {
			for (const each of targets) outcomes.set(numberKeyOf(each), outcome);
		}
	};
	const recalled = await canceling.recall();
	note(recalled);
	const earlier = recalled.flatMap(({ targets }) => targets);

	const finding = client.mapParallel(items, async (item) => findShipments(client, item, earlier));
	const found = (await finding).flat();
	const failed = found.filter((each) => 'failure' in each);
	const shipments = found.filter((each) => 'numbers' in each);
	const numbers = shipments.flatMap((each) => each.numbers);
	if (failed.length === 0 || context.continueOnFail()) {
		const open = numbers.filter((each) => !outcomes.has(numberKeyOf(each)));
		const distinct = new Map(open.map((each) => [numberKeyOf(each), each]));
		const byCarrier = groupBy([...distinct.values()], ({ carrierCode }) => carrierCode);
		const requests = [...byCarrier.values()].flatMap((group) => chunk(group, NUMBERS_PER_REQUEST));
		const queues = requests.map((request) => [request]);
		await runUntilFirstFailure(run, queues, async (request) => {
			const canceled = await canceling.cancel(request);
			note(canceled);
			return canceled.map(({ outcome }) => (outcome.state === 'done' ? {} : { failure: outcome }));
		});
	}
	const reported = new Set(numbers.map(numberKeyOf));
	const others = earlier.filter((each) => !reported.has(numberKeyOf(each)));
	const byShipment = groupBy(others, ({ wantedId, number }) => wantedId ?? number).values();
	const all = [...shipments, ...[...byShipment].map((group) => toShipment(group))];
	return [...failed, ...all.flatMap((each) => toResults(each, outcomes))];
}

type Outcomes = Map<string, Outcome<Cancellation>>;

/** One output item. */
interface CanceledShipment {
	items: number[];
	/** What the output says about the shipment. */
	shipment: IDataObject;
	/** Empty if it was canceled before this run. */
	numbers: CanceledNumber[];
}

function toShipment(numbers: CanceledNumber[], items = numbers[0]?.items ?? []): CanceledShipment {
	const { wantedId: id, number, carrierCode, reference } = numbers[0] as CanceledNumber;
	const shipment = {
		...orderOf(reference),
		...(id === undefined ? {} : { id }),
		packageNumberCarrier: number,
		carrierCode,
	};
	return { items, shipment, numbers };
}

async function findShipments(
	client: Client,
	wanted: CancelItem,
	earlier: readonly CanceledNumber[],
): Promise<Array<CanceledShipment | { items: number[]; failure: unknown }>> {
	const { item, carrierCode } = wanted;
	const items = [item];
	if ('numbers' in wanted) {
		return wanted.numbers.map((number) => toShipment([{ carrierCode, number, items }]));
	}
	const { references } = wanted;
	const findShipment = async (id: number): Promise<CanceledShipment> => {
		// What an earlier try has sent needs no record.
		const known = earlier.filter(({ wantedId }) => wantedId === id);
		if (known.length > 0) return toShipment(known, items);
		const { id: shipmentId, pieces: all } = await client.once(
			`shipment ${carrierCode} ${id}`,
			async () => readState(client, carrierCode, id),
		);
		const reference = references?.get(id) ?? all[0]?.reference ?? '';
		// The ID of an additional piece stands for that piece alone.
		const pieces = all.filter((piece) => shipmentId === id || piece.id === id);
		const numbers = pieces
			.filter(({ number }) => number !== '')
			.map(({ number }) => ({ carrierCode, number, reference, shipmentId, wantedId: id, items }));
		if (pieces.every(({ isCanceled }) => isCanceled)) {
			const packageNumberCarrier = numbers[0]?.number ?? null;
			const shipment = { ...orderOf(reference), id, packageNumberCarrier, carrierCode };
			return { items, shipment, numbers: [] };
		}
		if (numbers.length > 0) return toShipment(numbers);
		throw new ItemError(
			`Shipment ${nameOfNumber(id, reference)} has no shipment number of carrier ${carrierCode} yet`,
			'A shipment is canceled by the number that the carrier assigns. Run the workflow again later.',
			{ ...orderOf(reference), carrierCode, shipmentId: id },
			true,
		);
	};
	return await client.mapParallel(wanted.shipmentIds, async (id) =>
		findShipment(id).catch((thrown: unknown) => ({
			items,
			failure: withDetails(thrown, orderOf(references?.get(id))),
		})),
	);
}

function toResults(
	{ items, shipment, numbers }: CanceledShipment,
	outcomes: Outcomes,
): ItemResult[] {
	const canceled: Cancellation[] = [];
	for (const number of numbers) {
		const outcome = outcomes.get(numberKeyOf(number));
		// Without Continue, the run ended before this request.
		if (!outcome) return [];
		if (outcome.state !== 'done') {
			return [{ items, failure: withDetails(outcome.errors[0], orderOf(number.reference)) }];
		}
		canceled.push(outcome.value);
	}
	const json = {
		...shipment,
		canceled: true,
		alreadyCanceled: canceled.every(({ via }) => via === 'existing'),
		recovered: canceled.some(({ via }) => via === 'records'),
		correlationId: canceled[0]?.correlationId ?? null,
	};
	return [{ items, json }];
}
