import type { INodeProperties } from 'n8n-workflow';

import { piecesWithId, piecesWithNumber } from '../changes/records';
import { type NamedShipments, shipmentsReader } from '../descriptions/shipmentNumbers';
import { type ItemShipments, missingPieces } from '../labels/select';
import { groupBy } from '../lists';
import { DEFAULT_LOOKBACK_DAYS } from '../parameterValues';
import { searchStart } from '../records';
import type { ItemResult, NodeRun } from '../run';
import type { Client } from '../transport/client';
import { ItemError } from '../transport/errors';
import {
	isActive,
	type FoundShipment,
	mayLackPieces,
	noDetailError,
	ShipmentRecords,
} from '../transport/shipments';

/** `lacksDetail`: its detail was needed and could not be found. */
type ReadShipment = FoundShipment & { lacksDetail?: boolean };

/**
 * Reads the shipments that every item names before anything is sent, and finds those of order numbers, of all carriers
 * and with as few requests as possible. `toItems` gets the shipments of an item's orders: the active ones, or canceled
 * ones if there are no others. Without *Continue*, `items` is empty if one of them failed.
 */
export async function readItems<Item>(
	run: NodeRun,
	fields: readonly INodeProperties[],
	toItems: (named: NamedShipments, ofOrders: FoundShipment[]) => Item[],
	adapt = (named: NamedShipments) => named,
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
	const read = shipmentsReader(run, fields);
	const valid = [...run.items.keys()].flatMap((item) => orFail(item, () => [adapt(read(item))]));
	if (mustStop()) return { items: [], failed };
	const find = await finderOf(
		run,
		valid.flatMap(({ orderNumbers }) => orderNumbers),
	);
	const items = valid.flatMap((named) =>
		orFail(named.item, () => toItems(named, named.orderNumbers.flatMap(find))),
	);
	return { items: mustStop() ? [] : items, failed };
}

/** What gives the shipments of an order number, or throws why there are none. */
async function finderOf({ client }: NodeRun, orderNumbers: readonly string[]) {
	const wanted = new Set(orderNumbers);
	// One alone is found however old its shipment is.
	const since = searchStart(Date.now(), wanted.size > 1 ? DEFAULT_LOOKBACK_DAYS : Infinity);
	const records = new ShipmentRecords(client);
	const complete = async (shipment: FoundShipment): Promise<ReadShipment> => {
		try {
			const whole = await records.withDetail(shipment);
			const lacksDetail = whole.pieces.every((piece) => shipment.pieces.includes(piece));
			return { ...whole, lacksDetail };
		} catch (failure) {
			records.failed.set(shipment.reference, failure);
			return shipment;
		}
	};
	const found = await records.find(wanted, since).then(
		async (shipments) => {
			const whole = client.mapParallel(withoutCanceledParts(shipments), async (each) =>
				each.pieces[0]?.mainId !== undefined || hasEverything(each) ? each : complete(each),
			);
			return groupBy(withoutParts(await whole), ({ reference }) => reference);
		},
		(failure: unknown) => ({ failure }),
	);
	return (orderNumber: string): FoundShipment[] => {
		if ('failure' in found) throw found.failure;
		if (records.failed.has(orderNumber)) throw records.failed.get(orderNumber);
		const shipments = found.get(orderNumber) ?? [];
		if (shipments.length === 0) {
			const message = `No shipment has the order number ${orderNumber}`;
			const advice = `Check the order number, and separate several with commas. If the shipment was created with an 'Order Number Prefix', enter the number with it. If you know only a part of it, or the recipient, use Shipment: Get Many with 'Search'. Of several order numbers, shipments of the last ${DEFAULT_LOOKBACK_DAYS} days are searched: run an older one alone.`;
			throw new ItemError(message, advice, { packageNumberCustom: orderNumber });
		}
		const active = shipments.filter(isActive);
		const meant = active.length > 0 ? active : shipments;
		const lacking = meant.find(({ lacksDetail }) => lacksDetail);
		if (lacking) throw noDetailError(lacking);
		return meant;
	};
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

const hasEverything = ({ pieces: [main, ...additional] }: FoundShipment) =>
	main !== undefined &&
	!mayLackPieces(main, 1 + additional.length) &&
	[main, ...additional].every(({ number }) => number !== '');

/** The pieces of an ID, which is a number, or of a tracking number. */
export const readNamed = async (client: Client, named: number | string, carrierCode?: string) =>
	typeof named === 'number'
		? piecesWithId(client, named, carrierCode)
		: piecesWithNumber(client, named, carrierCode);

/** The labels that an item wants: of IDs, of all active pieces of its orders, or else all that were not printed. */
export function labelsOf(
	{ item, way, named }: NamedShipments,
	ofOrders: readonly FoundShipment[],
): ItemShipments {
	const shipmentIds = named.map(Number);
	if (way !== 'orderNumbers') return { item, ...(named.length > 0 ? { shipmentIds } : {}) };
	const canceled = ofOrders.find((shipment) => !isActive(shipment));
	if (canceled) {
		const { reference: packageNumberCustom, id } = canceled;
		throw new ItemError(
			`The shipment with the order number ${packageNumberCustom} is canceled and has no label`,
			'Remove it from the items, or create the shipment again.',
			{ packageNumberCustom, shipmentId: id },
		);
	}
	const pieces = ofOrders.flatMap((each) => each.pieces).filter(({ isCanceled }) => !isCanceled);
	const incomplete = ofOrders.flatMap((each) => {
		const expected = Number(each.pieces[0]?.record.pieceCount ?? 0);
		return missingPieces(each, each.pieces.length, expected);
	});
	return { item, pieces, incomplete };
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
export function oneShipmentEach(shipments: readonly FoundShipment[]) {
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
