import { LookUp } from '../creation/lookUp';
import type { FoundRecord } from '../creation/types';
import { ORDER_LOOKBACK_DAYS } from '../descriptions/shipmentNumbers';
import { groupBy } from '../lists';
import { mainIdOf, searchStart } from '../records';
import type { ItemResult, NodeRun } from '../run';
import { ItemError } from '../transport/errors';

/** An input item that names shipments by their order numbers. */
export interface OrderNumbers {
	item: number;
	orderNumbers: string[];
}

/**
 * Reads the parameters of every item before anything is sent, finds the shipments of the items with order
 * numbers, of all carriers and with as few requests as possible, and executes all items. Without
 * *Continue*, nothing is executed if an item is invalid or a shipment is not found. `toItems` gets the
 * pieces of an item's orders: the living ones, or canceled ones if there are no others.
 */
export async function executeFound<Item extends object, Named extends OrderNumbers>(
	run: NodeRun,
	read: (itemIndex: number, run: NodeRun) => Item | Named,
	toItems: (named: Named, pieces: FoundRecord[]) => Item[],
	execute: (items: Item[]) => Promise<ItemResult[]>,
): Promise<ItemResult[]> {
	const valid: Array<Item | Named> = [];
	const found: Item[] = [];
	const failed: ItemResult[] = [];
	const mustStop = () => failed.length > 0 && !run.context.continueOnFail();
	for (const item of run.items.keys()) {
		try {
			valid.push(read(item, run));
		} catch (failure) {
			failed.push({ items: [item], failure });
		}
	}
	if (mustStop()) return failed;
	const references = valid.flatMap((each) => ('orderNumbers' in each ? each.orderNumbers : []));
	const since = searchStart(Date.now(), ORDER_LOOKBACK_DAYS);
	const records = await new LookUp(run.client).find(undefined, references, since);
	const byReference = groupBy(records, ({ reference }) => reference);
	for (const each of valid) {
		if (!('orderNumbers' in each)) {
			found.push(each);
			continue;
		}
		try {
			const pieces = each.orderNumbers.flatMap((number) =>
				livingOf(number, byReference.get(number)),
			);
			found.push(...toItems(each, pieces));
		} catch (failure) {
			failed.push({ items: [each.item], failure });
		}
	}
	return mustStop() ? failed : [...failed, ...(await execute(found))];
}

function livingOf(packageNumberCustom: string, pieces: FoundRecord[] = []): FoundRecord[] {
	if (pieces.length === 0) {
		throw new ItemError(
			`No shipment has the order number ${packageNumberCustom}`,
			`Check the order number. Shipments of the last ${ORDER_LOOKBACK_DAYS} days are searched, those of all carriers.`,
			{ packageNumberCustom },
			true,
		);
	}
	const living = pieces.filter(({ isCanceled }) => !isCanceled);
	return living.length > 0 ? living : pieces;
}

/** The item once per carrier, with the IDs of the pieces. */
function idsByCarrier<Named extends OrderNumbers>(named: Named, pieces: readonly FoundRecord[]) {
	return [...groupBy(pieces, ({ carrierCode }) => carrierCode)].map(([carrierCode, own]) => ({
		...named,
		carrierCode,
		shipmentIds: own.map(({ id }) => id),
	}));
}

/** The IDs of all pieces, for their labels. */
export function labelIdsByCarrier<Named extends OrderNumbers>(
	named: Named,
	pieces: readonly FoundRecord[],
) {
	const canceled = pieces.find(({ isCanceled }) => isCanceled);
	if (!canceled) return idsByCarrier(named, pieces);
	const { reference: packageNumberCustom, id } = canceled;
	throw new ItemError(
		`The shipment with the order number ${packageNumberCustom} is canceled and has no label`,
		'Remove it from the items, or create the shipment again.',
		{ packageNumberCustom, shipmentId: id },
		true,
	);
}

/** The IDs of the main shipments. An order with several living ones is refused. */
export function mainIdsByCarrier(named: OrderNumbers, pieces: readonly FoundRecord[]) {
	const mains = [...groupBy(pieces, ({ reference }) => reference).values()].flatMap((own) => {
		const marked = own.filter(({ record }) => mainIdOf(record) === undefined);
		return marked.length > 0 ? refuseSeveral(marked) : own;
	});
	return idsByCarrier(named, mains);
}

function refuseSeveral(mains: FoundRecord[]): FoundRecord[] {
	const living = mains.filter(({ isCanceled }) => !isCanceled);
	if (living.length < 2) return mains;
	const packageNumberCustom = mains[0]?.reference;
	const shipmentIds = living.map(({ id }) => id);
	const names = living.map(({ id, carrierCode }) => `${id} of ${carrierCode}`).join(', ');
	throw new ItemError(
		`Order number ${packageNumberCustom} has ${living.length} shipments: ${names}`,
		"It is not certain which of them you mean. Set 'Shipments' to 'By ID' and enter the ID of one, or of each.",
		{ packageNumberCustom, shipmentIds },
	);
}
