import { readChoice } from '../descriptions/options';
import {
	carrierOfItem,
	chosenShipmentIdsField,
	packageNumberField,
	readOrderNumbers,
	readShipmentIds,
	readShipmentNumbers,
} from '../descriptions/shipmentNumbers';
import { missingPieces } from '../labels/select';
import { groupBy } from '../lists';
import { DEFAULT_LOOKBACK_DAYS } from '../parameterValues';
import { searchStart } from '../records';
import type { ItemResult, NodeRun } from '../run';
import { ItemError } from '../transport/errors';
import {
	isActive,
	type FoundShipment,
	mayLackPieces,
	ShipmentRecords,
} from '../transport/shipments';

/** An input item that names shipments by their order numbers. */
export interface OrderNumbers {
	item: number;
	orderNumbers: string[];
}

/** `lacksDetail`: its detail was needed and could not be found. */
type ReadShipment = FoundShipment & { lacksDetail?: boolean };

/** Shipments that an item names by their IDs or tracking numbers. */
export interface NamedShipments {
	item: number;
	/** Undefined if only the records say it. */
	carrierCode: string | undefined;
	ids: number[];
	numbers: string[];
}

/** Reads the fields of `namedShipmentFields`. */
export function readNamed(
	item: number,
	{ context, items }: NodeRun,
): OrderNumbers | NamedShipments {
	const given = context.getNodeParameter('shipments', item, 'orderNumbers');
	const way = readChoice('Shipments', given, ['orderNumbers', 'numbers', 'ids']);
	if (way === 'orderNumbers') return { item, orderNumbers: readOrderNumbers(context, item) };
	const carrierCode = carrierOfItem(items[item]);
	const { name, displayName } = packageNumberField;
	const parameter = way === 'ids' ? chosenShipmentIdsField.name : name;
	const value: unknown = context.getNodeParameter(parameter, item, '');
	return way === 'ids'
		? { item, carrierCode, ids: readShipmentIds(value), numbers: [] }
		: { item, carrierCode, ids: [], numbers: readShipmentNumbers(value, displayName) };
}

/**
 * Reads the parameters of every item before anything is sent, and finds the shipments of the items with
 * order numbers, of all carriers and with as few requests as possible. The details complete those whose pieces or
 * numbers the list does not have. `toItems` gets the shipments of an item's orders: the living ones, or canceled ones if
 * there are no others. Without *Continue*, `items` is empty if one of them failed.
 */
export async function readItems<Item extends object, Named extends OrderNumbers>(
	run: NodeRun,
	read: (itemIndex: number, run: NodeRun) => Item | Named,
	toItems: (named: Named, shipments: FoundShipment[]) => Item[],
): Promise<{ items: Item[]; failed: ItemResult[] }> {
	const failed: ItemResult[] = [];
	const orFail = <Result>(item: number, attempt: () => Result[]): Result[] => {
		try {
			return attempt();
		} catch (failure) {
			failed.push({ items: [item], failure });
			return [];
		}
	};
	const mustStop = () => failed.length > 0 && !run.context.continueOnFail();
	const valid = [...run.items.keys()].flatMap((item) => orFail(item, () => [read(item, run)]));
	if (mustStop()) return { items: [], failed };
	const orderNumbers = valid.flatMap((each) => ('orderNumbers' in each ? each.orderNumbers : []));
	const wanted = new Set(orderNumbers);
	// One alone is found however old its shipment is.
	const days = wanted.size > 1 ? DEFAULT_LOOKBACK_DAYS : Infinity;
	const since = searchStart(Date.now(), days);
	const records = new ShipmentRecords(run.client);
	const complete = async (shipment: FoundShipment): Promise<ReadShipment> => {
		try {
			const whole = await records.withDetail(shipment);
			return {
				...whole,
				lacksDetail: whole.pieces.every((each) => shipment.pieces.includes(each)),
			};
		} catch (failure) {
			records.failed.set(shipment.reference, failure);
			return shipment;
		}
	};
	const found = await records.find(wanted, since).then(
		async (shipments) => {
			const whole = run.client.mapParallel(withoutCanceledParts(shipments), async (each) =>
				isFromDetail(each) || hasEverything(each) ? each : complete(each),
			);
			return groupBy(withoutParts(await whole), ({ reference }) => reference);
		},
		(failure: unknown) => ({ failure }),
	);
	const [unread] = records.unread.values();
	const items = valid.flatMap((each) => {
		if (!('orderNumbers' in each)) return [each];
		return orFail(each.item, () => {
			if ('failure' in found) throw found.failure;
			if (unread) throw noDetail(unread);
			const failedNumber = each.orderNumbers.find((number) => records.failed.has(number));
			if (failedNumber !== undefined) throw records.failed.get(failedNumber);
			const ofOrders = each.orderNumbers.flatMap((number) =>
				shipmentsOfOrder(number, found.get(number)),
			);
			return toItems(each, ofOrders);
		});
	});
	return { items: mustStop() ? [] : items, failed };
}

/** Of a shipment that is canceled in part, the active pieces count, which were found with the same ID. */
function withoutCanceledParts(shipments: readonly FoundShipment[]): FoundShipment[] {
	const keyOf = ({ carrierCode, id }: FoundShipment) => `${carrierCode} ${id}`;
	const active = new Set(shipments.filter(isActive).map(keyOf));
	return shipments.filter((each) => isActive(each) || !active.has(keyOf(each)));
}

/** The detail of a main piece that is canceled alone has the active ones, which the list shows as another shipment. */
function withoutParts(shipments: readonly ReadShipment[]): ReadShipment[] {
	const isPartOf = ({ pieces }: FoundShipment, whole: FoundShipment) =>
		pieces.length < whole.pieces.length &&
		pieces.every(({ id }) => whole.pieces.some((piece) => piece.id === id));
	return shipments.filter((each) => !shipments.some((other) => isPartOf(each, other)));
}

const isFromDetail = ({ pieces }: FoundShipment) => pieces[0]?.mainId !== undefined;

const hasEverything = ({ pieces: [main, ...additional] }: FoundShipment) =>
	main !== undefined &&
	!mayLackPieces(main, 1 + additional.length) &&
	[main, ...additional].every(({ number }) => number !== '');

const noDetail = ({ id, carrierCode }: Pick<FoundShipment, 'id' | 'carrierCode'>) =>
	new ItemError(
		`The provider lists shipment ${id} of ${carrierCode}, which may be of this order, and has no detail of it`,
		"Run the workflow again later, or choose 'By ID'.",
		{ carrierCode, shipmentId: id },
		true,
	);

function shipmentsOfOrder(
	packageNumberCustom: string,
	shipments: ReadShipment[] = [],
): FoundShipment[] {
	if (shipments.length === 0) {
		throw new ItemError(
			`No shipment has the order number ${packageNumberCustom}`,
			`Check the order number. If the shipment was created with an 'Order Number Prefix', enter the number with it. Of several order numbers, shipments of the last ${DEFAULT_LOOKBACK_DAYS} days are searched: run an older one alone.`,
			{ packageNumberCustom },
			true,
		);
	}
	const lacking = shipments.find(({ lacksDetail }) => lacksDetail);
	if (lacking) throw noDetail(lacking);
	const living = shipments.filter(isActive);
	return living.length > 0 ? living : shipments;
}

/** The item with all active pieces of its orders, for their labels. */
export function labelsByOrder<Named extends OrderNumbers>(
	named: Named,
	shipments: readonly FoundShipment[],
) {
	const canceled = shipments.find((shipment) => !isActive(shipment));
	if (canceled) {
		const { reference: packageNumberCustom, id } = canceled;
		throw new ItemError(
			`The shipment with the order number ${packageNumberCustom} is canceled and has no label`,
			'Remove it from the items, or create the shipment again.',
			{ packageNumberCustom, shipmentId: id },
			true,
		);
	}
	const pieces = shipments.flatMap((each) => each.pieces).filter(({ isCanceled }) => !isCanceled);
	const incomplete = shipments.flatMap((each) => {
		const expected = Number(each.pieces[0]?.record.pieceCount ?? 0);
		return missingPieces(each, each.pieces.length, expected);
	});
	return [{ ...named, pieces, incomplete }];
}

/** What tells the shipments of an order apart, as far as the records say it. */
function describeShipment({ id, carrierCode, pieces: [main] }: FoundShipment): string {
	const { created, codPrice, codCurrency } = main?.record ?? {};
	const facts = [
		created && `created ${created.slice(0, 16).replace('T', ' ')}`,
		main?.number && `tracking number ${main.number}`,
		Number(codPrice) > 0 && ['COD', codPrice, codCurrency].filter(Boolean).join(' '),
	].filter(Boolean);
	return [`${id} of ${carrierCode}`, ...facts].join(', ');
}

/** The one shipment of each order: several active ones are refused, and of canceled ones, it is the newest. */
export function oneShipmentEach(shipments: readonly FoundShipment[]): FoundShipment[] {
	const byOrder = groupBy(shipments, ({ reference }) => reference);
	return [...byOrder].map(([packageNumberCustom, own]) => {
		const active = own.filter(isActive);
		if (active.length < 2) return active[0] ?? own.reduce((a, b) => (b.id > a.id ? b : a));
		const names = active.map(describeShipment).join('; ');
		throw new ItemError(
			`Order number ${packageNumberCustom} has ${active.length} shipments: ${names}`,
			"It is not certain which of them you mean. Set 'Shipments' to 'By ID' and enter the ID of one, or of each.",
			{ packageNumberCustom, shipmentIds: active.map(({ id }) => id) },
		);
	});
}

/** The item once per carrier, with the IDs of the main shipments. */
export function mainIdsByCarrier(named: OrderNumbers, shipments: readonly FoundShipment[]) {
	const byCarrier = groupBy(oneShipmentEach(shipments), ({ carrierCode }) => carrierCode);
	return [...byCarrier].map(([carrierCode, own]) => ({
		...named,
		carrierCode,
		shipmentIds: own.map(({ id }) => id),
	}));
}
