import { groupBy } from '../lists';
import { isNumberCanceled } from '../changes/shipmentState';
import { describeError } from '../transport/errors';
import { toSentence } from '../transport/serviceMessage';
import { reuse, toDouble } from './existing';
import type { Ledger } from './ledger';
import type { LookUp } from './lookUp';
import {
	type CreationClient,
	type CreationSettings,
	type Double,
	type FoundRecord,
	type OrderResult,
	type Row,
} from './types';
import { type Order, pieceCountOf, referenceOf } from '../orders/order';

/**
 * Two n8n processes that look up the same order at the same moment find nothing and both create it.
 * So each looks again after creating: the living shipment with the lowest ID stays, and each process
 * cancels what it has created itself if that is another one.
 *
 * Why one shipment stays: only a process that sees a lower living ID cancels, so nobody cancels the
 * lowest. Why no other one stays: the process that created later looks after both exist, and its ID
 * is the higher one. If a process dies before it looks, the next look-up reports both.
 */
export async function cancelDoubles(
	results: readonly OrderResult[],
	{
		client,
		lookUp,
		ledger,
		settings,
	}: { client: CreationClient; lookUp: LookUp; ledger: Ledger; settings: CreationSettings },
): Promise<OrderResult[]> {
	if (!settings.checkForDuplicates || settings.ifExists === 'create') return [...results];
	const created = results.filter(isCreated);
	const isForAll = settings.lookUpScope === 'allCarriers';
	const groups = groupBy(created, ({ orders: [order] }) => (isForAll ? '' : order.carrierCode));
	const checked = new Map<OrderResult, OrderResult>();
	await client.mapParallel([...groups], async ([carrierCode, together]) => {
		const references = together.map(({ orders: [order] }) => referenceOf(order));
		const ids = together.flatMap(({ pieces }) => pieces.map(({ row }) => Number(row.id)));
		const found = await lookUp.findRecent(carrierCode || undefined, references, ids).then(
			(records) => ({ records: groupBy(records, ({ reference }) => reference) }),
			(thrown: unknown) => ({ problem: describeError(thrown).message }),
		);
		for (const result of together) {
			const next =
				'problem' in found
					? { ...result, uncheckedDouble: found.problem }
					: await settleDouble(
							client,
							result,
							found.records.get(referenceOf(result.orders[0])) ?? [],
						);
			checked.set(result, next);
			if (next !== result) ledger.settle(next);
		}
	});
	return results.map((result) => checked.get(result) ?? result);
}

type Created = OrderResult & { orders: [Order] };

/** Whether all pieces of a single order were created by this run, so that it may cancel them. */
function isCreated(result: OrderResult): result is Created {
	const { orders, pieces, refused, unknown, isUnmatched } = result;
	return (
		orders.length === 1 &&
		pieces.length > 0 &&
		pieces.every(({ alreadyExisted }) => !alreadyExisted) &&
		refused.length === 0 &&
		!unknown &&
		!isUnmatched
	);
}

/** The result, with both shipments if another run has created the order before. */
async function settleDouble(
	client: CreationClient,
	result: Created,
	withReference: readonly FoundRecord[],
): Promise<OrderResult> {
	const [order] = result.orders;
	const rows = result.pieces.map(({ row }) => row).sort((a, b) => Number(a.id) - Number(b.id));
	const lowestOwn = Number(rows[0]?.id);
	const own = new Set(rows.map(({ id }) => Number(id)));
	const living = withReference.filter(({ isCanceled }) => !isCanceled);
	const older = living.filter(({ id }) => !own.has(id) && id < lowestOwn);
	if (older.length === 0) return await cancelRecovered(client, result, living);
	const kept = reuse(order, older);
	const reason = await cancel(client, order.carrierCode, withNumbers(rows, living));
	return reason === undefined
		? { ...kept, canceledDouble: doubleOf(order, withNumbers(rows, living)) }
		: { ...result, doubleOf: { ...toDouble(lowest(older)), reason } };
}

/**
 * After a lost answer, the shipment of another run is read back together with the own one. With
 * several pieces, it is not certain which of them belong together, so that nothing is canceled.
 */
async function cancelRecovered(
	client: CreationClient,
	result: Created,
	living: readonly FoundRecord[],
): Promise<OrderResult> {
	const [order] = result.orders;
	const [first, ...others] = [...result.pieces].sort((a, b) => Number(a.row.id) - Number(b.row.id));
	if (!first || result.pieces.length <= pieceCountOf(order)) return result;
	const rows = others.map(({ row }) => row);
	const reason =
		pieceCountOf(order) > 1
			? 'Its answer was lost, and its pieces cannot be told apart'
			: await cancel(client, order.carrierCode, withNumbers(rows, living));
	if (reason === undefined) {
		return {
			...result,
			pieces: [first],
			canceledDouble: doubleOf(order, withNumbers(rows, living)),
		};
	}
	return { ...result, doubleOf: { ...toDouble(lowest(living)), reason } };
}

/** Some services assign the number after the answer, and it is in the record then. */
function withNumbers(rows: readonly Row[], records: readonly FoundRecord[]): Row[] {
	const numbers = new Map(records.map(({ id, record }) => [id, record.packageNumberCarrier]));
	return rows.map((row) => ({
		...row,
		packageNumberCarrier: row.packageNumberCarrier ?? numbers.get(Number(row.id)) ?? null,
	}));
}

/** Returns why a shipment was not canceled; undefined if it is canceled. */
async function cancel(
	client: CreationClient,
	carrierCode: string,
	rows: readonly Row[],
): Promise<string | undefined> {
	const packages = rows.flatMap(({ packageNumberCarrier }) => packageNumberCarrier ?? []);
	if (packages.length < rows.length) return 'The carrier has not assigned its number yet';
	const answer = await client
		.call('cancelShipments', { path: { carrier_code: carrierCode }, body: { packages } })
		.then(
			({ result }) => ({ result, problem: undefined }),
			(thrown: unknown) => ({ result: [], problem: describeError(thrown).message }),
		);
	const isCanceled = new Set(
		answer.result
			.filter(({ successfull }) => successfull === true)
			.map(({ packageNumberCarrier }) => String(packageNumberCarrier)),
	);
	// Canceling one piece may cancel the others, and an answer may get lost: the records decide.
	for (const number of packages.filter((each) => !isCanceled.has(each))) {
		const state = await isNumberCanceled(client, carrierCode, number).catch(() => undefined);
		if (state === true) continue;
		const row = answer.result.find((each) => String(each.packageNumberCarrier) === number);
		return answer.problem ?? toSentence(row?.message) ?? 'The service did not say why';
	}
	return undefined;
}

function doubleOf({ carrierCode }: Order, [first]: readonly Row[]): Double {
	const { id, packageNumberCarrier } = first ?? {};
	return { id: Number(id), carrierCode, packageNumberCarrier: packageNumberCarrier ?? null };
}

const lowest = (records: readonly FoundRecord[]): FoundRecord =>
	records.reduce((least, each) => (each.id < least.id ? each : least));
