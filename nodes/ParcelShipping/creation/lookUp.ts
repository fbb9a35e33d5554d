import { groupBy } from '../lists';
import type { CreationOptions } from '../orders/form';
import { type Order, pieceCountOf, referenceOf } from '../orders/order';
import { searchStart } from '../records';
import type { BatchFilter, Client } from '../transport/client';
import { PAGE_LENGTH } from '../transport/contract';
import { isLiving, type ShipmentRecord, ShipmentRecords } from '../transport/shipmentRecords';
import { notDone } from '../writes/journal';
import { compareWithOrder } from './differences';
import { judgeExisting } from './existing';
import { toBatchInfo } from './match';
import type { BatchInfo, Creation, OrderOutcome, RecoveredShipment } from './types';

/** The number of batches that are opened at most to find those of recovered shipments. */
const MAX_BATCHES = 20;

export interface LookUpResult {
	/** Orders without a living shipment. They are sent. */
	toSend: Order[];
	/** Orders that exist already, or that could not be looked up. They are not sent. */
	outcomes: OrderOutcome[];
}

/** Finds the shipments of orders. */
export class LookUp {
	private readonly records: ShipmentRecords;

	/** The batches of shipments whose creation got no response; undefined if a batch is missing. */
	private readonly batches = new Map<number, BatchInfo | undefined>();

	constructor(private readonly client: Client) {
		this.records = new ShipmentRecords(client);
	}

	/** Looks for the shipments of all orders and decides which orders are sent. */
	async findExisting(orders: readonly Order[], settings: CreationOptions): Promise<LookUpResult> {
		const { ifExists, lookbackDays } = settings;
		if (ifExists === 'create') return { toSend: [...orders], outcomes: [] };
		const createdFrom = searchStart(Date.now(), lookbackDays);
		const result: LookUpResult = { toSend: [], outcomes: [] };
		try {
			const found = await this.find(undefined, orders, createdFrom);
			const byReference = groupBy(found, ({ reference }) => reference);
			await this.client.mapParallel(orders, async (order) => {
				const living = (byReference.get(referenceOf(order)) ?? []).filter(isLiving);
				if (living.length === 0) {
					result.toSend.push(order);
				} else {
					const shipments =
						ifExists === 'reuse' ? await this.completeLowest(order, living) : lowestFirst(living);
					result.outcomes.push(judgeExisting(order, shipments, settings));
				}
			});
			return result;
		} catch (thrown) {
			// Nothing may be sent without knowing what exists.
			return { toSend: [], outcomes: notDone<Creation>(orders, thrown) };
		}
	}

	/** The shipments of the orders, canceled ones included. Without a carrier code, of all carriers. */
	async find(
		carrierCode: string | undefined,
		orders: readonly Order[],
		createdFrom: string,
	): Promise<ShipmentRecord[]> {
		const wanted = new Map(orders.map((order) => [referenceOf(order), pieceCountOf(order)]));
		return await this.records.find(carrierCode, wanted, createdFrom);
	}

	/**
	 * The shipments, lowest ID first. That one has all of its pieces, and the fields that are compared, as
	 * far as the service has them. Without its detail, they count as not compared.
	 */
	async completeLowest(order: Order, living: readonly ShipmentRecord[]): Promise<Shipments> {
		const [first, ...others] = lowestFirst(living);
		const isCompared = compareWithOrder(order, first.pieces).uncompared.length === 0;
		if (isCompared && !lacksPieces(order, first)) return [first, ...others];
		return [await this.withDetail(first), ...others];
	}

	/** The shipment as its list record shows it, if its detail cannot be read. */
	async withDetail(shipment: ShipmentRecord): Promise<ShipmentRecord> {
		return await this.records.withDetail(shipment).catch(() => shipment);
	}

	/** Shipments of orders whose response was lost, complete and with their batches. */
	async findCreated(
		carrierCode: string,
		orders: readonly Order[],
		createdFrom: string,
	): Promise<RecoveredShipment[]> {
		const found = await this.find(carrierCode, orders, createdFrom);
		const byReference = new Map(orders.map((order) => [referenceOf(order), order]));
		const shipments = await this.client.mapParallel(found, async (shipment) => {
			const order = byReference.get(shipment.reference);
			if (!order || !isLiving(shipment) || !lacksPieces(order, shipment)) return shipment;
			return await this.records.withDetail(shipment);
		});
		const missing = new Set(shipments.map(({ id }) => id).filter((id) => !this.batches.has(id)));
		for (const id of missing) this.batches.set(id, undefined);
		const filter = { carrierCodes: [carrierCode], createdFrom, sortOrder: 'desc' };
		// A shipment counts as recovered with or without its batch.
		if (missing.size > 0) await this.readBatches(missing, filter).catch(() => undefined);
		return shipments.map((shipment) => {
			const batch = this.batches.get(shipment.id);
			return batch ? { ...shipment, batch } : shipment;
		});
	}

	private async readBatches(missing: Set<number>, filter: BatchFilter): Promise<void> {
		const { data: batches } = await this.client.findBatches(filter, 0, PAGE_LENGTH);
		for (const { id } of batches.slice(0, MAX_BATCHES)) {
			if (missing.size === 0) return;
			const { result: batch } = await this.client.call('getBatch', { path: { id } });
			for (const order of batch.orders ?? []) {
				if (missing.delete(order.id)) this.batches.set(order.id, toBatchInfo(batch));
			}
		}
	}
}

type Shipments = [ShipmentRecord, ...ShipmentRecord[]];

const lowestFirst = (living: readonly ShipmentRecord[]) =>
	living.toSorted((a, b) => a.id - b.id) as Shipments;

/** Whether the shipment has more pieces than the list shows. */
function lacksPieces(order: Order, { pieces }: ShipmentRecord): boolean {
	return pieces.length < Math.max(pieceCountOf(order), pieces[0]?.record.pieceCount ?? 1);
}
