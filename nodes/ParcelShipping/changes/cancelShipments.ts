import { chunk, groupBy } from '../lists';
import { type ItemResult, type NodeRun, runUntilFirstFailure } from '../run';
import { NUMBERS_PER_REQUEST } from '../transport/contract';
import type { Outcome } from '../writes/journal';
import { type CancelJournal, type Cancellation, numberKeyOf, openCanceling } from './cancel';
import { noNumberError } from './messages';
import { type CanceledNumber, readState } from './shipmentState';

/** The shipments that one input item cancels. */
export type CancelItem = { item: number; carrierCode: string } & (
	| { numbers: string[] }
	| { shipmentIds: number[] }
);

/** One output item. */
interface Target {
	item: number;
	carrierCode: string;
	/** Only if the item has the ID of the shipment. */
	id?: number;
	/** The main shipment of that ID. */
	shipmentId?: number;
	numbers: string[];
	alreadyCanceled: boolean;
}

type FailedItem = { items: number[]; failure: unknown };

export async function cancelShipments(
	run: NodeRun,
	items: readonly CancelItem[],
	maxWaitMs: number,
): Promise<ItemResult[]> {
	const canceling = openCanceling(run.context, run.client, maxWaitMs);
	const outcomes = new Map<string, Outcome<Cancellation>>();
	const note = (about: CanceledNumber, outcome: Outcome<Cancellation>) => {
		outcomes.set(numberKeyOf(about), outcome);
	};
	for (const { about, outcome } of await canceling.recall()) {
		for (const each of about) note(each, outcome);
	}

	const found = (
		await run.client.mapParallel(items, async (item) => findTargets(run, item, canceling.journal))
	).flat();
	const failed = found.filter((each) => 'failure' in each);
	if (failed.length > 0 && !run.context.continueOnFail()) return failed;

	const targets = found.filter((each) => 'numbers' in each);
	const wanted = targets
		.filter(({ alreadyCanceled }) => !alreadyCanceled)
		.flatMap(({ carrierCode, numbers, shipmentId }) =>
			numbers.map((number) => ({
				carrierCode,
				number,
				...(shipmentId === undefined ? {} : { shipmentId }),
			})),
		)
		.filter((each) => !outcomes.has(numberKeyOf(each)));
	const distinct = new Map(wanted.map((each) => [numberKeyOf(each), each]));
	const byCarrier = groupBy([...distinct.values()], ({ carrierCode }) => carrierCode);
	const requests = [...byCarrier.values()].flatMap((group) => chunk(group, NUMBERS_PER_REQUEST));
	await runUntilFirstFailure(
		run,
		requests.map((request) => [request]),
		async (request) => {
			const settled = await canceling.cancel(request);
			for (const { about, outcome } of settled) for (const each of about) note(each, outcome);
			return settled.map(({ outcome }) => (outcome.kind === 'done' ? {} : { failure: outcome }));
		},
	);
	return [...failed, ...targets.flatMap((target) => toResults(target, outcomes))];
}

/** Turns IDs into the carrier's numbers. */
async function findTargets(
	{ client }: NodeRun,
	wanted: CancelItem,
	journal: CancelJournal,
): Promise<Array<Target | FailedItem>> {
	const { item, carrierCode } = wanted;
	if ('numbers' in wanted) {
		return wanted.numbers.map((number) => ({
			item,
			carrierCode,
			numbers: [number],
			alreadyCanceled: false,
		}));
	}
	return await client.mapParallel(wanted.shipmentIds, async (id) =>
		client
			.once(`shipment ${carrierCode} ${id}`, async () => readState(client, carrierCode, id))
			.then(
				(state): Target | FailedItem => {
					// The ID of an additional piece stands for that piece alone.
					const isMain = state.id === id;
					const pieces = state.pieces.filter((piece) => isMain || piece.id === id);
					const numbers = pieces.map(({ number }) => number).filter((number) => number !== '');
					const isOfThisRun = numbers.some((number) =>
						journal.has(numberKeyOf({ carrierCode, number })),
					);
					const alreadyCanceled = pieces.every(({ canceled }) => canceled) && !isOfThisRun;
					if (numbers.length === 0 && !alreadyCanceled) {
						return { items: [item], failure: noNumberError(carrierCode, id) };
					}
					return { item, carrierCode, id, shipmentId: state.id, numbers, alreadyCanceled };
				},
				(failure: unknown) => ({ items: [item], failure }),
			),
	);
}

function toResults(
	target: Target,
	outcomes: ReadonlyMap<string, Outcome<Cancellation>>,
): ItemResult[] {
	const { item, carrierCode, id, numbers } = target;
	const items = [item];
	const shipment = {
		...(id === undefined ? {} : { id }),
		packageNumberCarrier: numbers[0] ?? null,
		carrierCode,
		canceled: true,
	};
	if (target.alreadyCanceled) {
		const json = { ...shipment, alreadyCanceled: true, recovered: false, correlationId: null };
		return [{ items, json }];
	}
	const ofTarget = numbers.flatMap(
		(number) => outcomes.get(numberKeyOf({ carrierCode, number })) ?? [],
	);
	// Without Continue, the run ended before this request.
	if (ofTarget.length < numbers.length) return [];
	const canceled: Cancellation[] = [];
	for (const outcome of ofTarget) {
		if (outcome.kind !== 'done') return [{ items, failure: outcome.errors[0] }];
		canceled.push(outcome.value);
	}
	return [
		{
			items,
			json: {
				...shipment,
				alreadyCanceled: canceled.every(({ via }) => via === 'existing'),
				recovered: canceled.some(({ via }) => via === 'records'),
				correlationId: canceled[0]?.correlationId ?? null,
			},
		},
	];
}
