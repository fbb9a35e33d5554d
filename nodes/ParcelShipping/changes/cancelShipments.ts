import { planRequests } from '../transport/trackingRequests';
import { noNumberError } from './cancelMessages';
import { cancelTogether, isFromEarlierTry, keyOf, type Outcome } from './cancelTogether';
import { OpenRequests } from './openRequests';
import { readState } from './shipmentState';
import { type ItemResult, type NodeRun, runUntilFirstFailure } from '../run';

// Nothing is canceled twice, and nothing is reported as canceled that is not:
// - Each number is sent once. After a lost answer, the records of the service decide.
// - A refused number may be one that was canceled before. The records decide that, too.

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
	numbers: string[];
	alreadyCanceled: boolean;
}

type FailedItem = { items: number[]; failure: unknown };

export async function cancelShipments(
	run: NodeRun,
	items: readonly CancelItem[],
	maxWaitMs: number,
): Promise<ItemResult[]> {
	const open = new OpenRequests(run.context, 'cancellations');
	const found = (
		await run.client.mapParallel(items, async (item) => findTargets(run, item, open))
	).flat();
	const failed = found.filter((each) => 'failure' in each);
	if (failed.length > 0 && !run.context.continueOnFail()) return failed;

	const targets = found.filter((each) => 'numbers' in each);
	const requests = planRequests(targets.filter(({ alreadyCanceled }) => !alreadyCanceled));
	const outcomes = await runUntilFirstFailure(
		run,
		requests.map((request) => [request]),
		async (request) => cancelTogether(run, request, open, maxWaitMs),
	);
	const outcomeOf = new Map(outcomes.map((outcome) => [keyOf(outcome), outcome]));
	return [...failed, ...targets.flatMap((target) => toResults(target, outcomeOf))];
}

/** Turns IDs into the carrier's numbers. */
async function findTargets(
	{ client }: NodeRun,
	wanted: CancelItem,
	open: OpenRequests,
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
					// The ID of a further piece stands for that piece alone.
					const isMain = state.id === id;
					const pieces = state.pieces.filter((piece) => isMain || piece.id === id);
					const numbers = pieces.map(({ number }) => number).filter((number) => number !== '');
					const alreadyCanceled =
						pieces.every(({ canceled }) => canceled) &&
						!numbers.some((number) => isFromEarlierTry(open, { carrierCode, number }));
					if (numbers.length === 0 && !alreadyCanceled) {
						return { items: [item], failure: noNumberError(carrierCode, id) };
					}
					return { item, carrierCode, id, numbers, alreadyCanceled };
				},
				(failure: unknown) => ({ items: [item], failure }),
			),
	);
}

function toResults(target: Target, outcomeOf: ReadonlyMap<string, Outcome>): ItemResult[] {
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
	const outcomes = numbers.flatMap((number) => outcomeOf.get(keyOf({ carrierCode, number })) ?? []);
	// Without Continue, the run ended before this request.
	if (outcomes.length < numbers.length) return [];
	const failed = outcomes.find((outcome) => 'failure' in outcome);
	if (failed && 'failure' in failed) return [{ items, failure: failed.failure }];
	const canceled = outcomes.filter((outcome) => 'recovered' in outcome);
	return [
		{
			items,
			json: {
				...shipment,
				alreadyCanceled: canceled.every(({ alreadyCanceled }) => alreadyCanceled),
				recovered: canceled.some(({ recovered }) => recovered),
				correlationId: canceled[0]?.correlationId ?? null,
			},
		},
	];
}
