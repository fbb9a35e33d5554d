import type { ShipmentCreation } from '../transport/contract';
import { labelOf, type Order, pieceCountOf } from './order';
import type { BatchFacts, Row } from './piece';
import type { Settled } from './settled';

/** A request that was sent, or was about to be, and of which something is not known. */
export interface OpenRequest {
	id: string;
	/** Orders of which nothing is known. */
	orders: Order[];
	/** Rows of its answer that belong to none of its orders for certain. */
	rows: Row[];
	/** The orders that those rows may belong to. */
	linked: Order[];
	/** The day to search from. */
	since: string;
	known: number[] | null;
	batch: BatchFacts | null;
	/** Why it is open, in words. */
	reason: string;
	correlationId: string | null;
}

/** What a later try has to know of an order to find it and to tell of it. */
interface StoredOrder {
	item: number;
	carrierCode: string;
	serviceType: string;
	label: string;
	pieceCount: number;
}

type StoredPiece = { row: Row; batch?: number; existed?: true; recovered?: true };

type StoredRequest = Omit<OpenRequest, 'id' | 'orders' | 'linked'> & {
	orders: StoredOrder[];
	linked: StoredOrder[];
};

/** Plain JSON, because n8n saves it with the execution; batches are kept once, to keep it small. */
interface Page {
	batches: BatchFacts[];
	settled: Record<string, { order: StoredOrder; pieces: StoredPiece[]; refused?: Row[] }>;
	open: Record<string, StoredRequest>;
}

/**
 * What this execution has sent already. *Retry On Fail* and *Retry execution* run the node from its
 * beginning with the same items, and of all that it knew only `store` is left then.
 *
 * An order is known by its item. Its values may differ in a retry (a label made of the time, an
 * address that was corrected meanwhile), and it must not be sent a second time for that.
 */
export class Ledger {
	private readonly page: Page;

	/** By their text, so that a thousand batches are not compared with each piece. */
	private readonly batchNumbers: Map<string, number>;

	/** `runIndex`: in a loop, the next round has other items. */
	constructor(
		private readonly store: Record<string, unknown>,
		private readonly runIndex: number,
	) {
		this.page = this.pages[runIndex] ?? { batches: [], settled: {}, open: {} };
		this.store.creation = { ...this.pages, [runIndex]: this.page };
		const { batches } = this.page;
		this.batchNumbers = new Map(batches.map((batch, number) => [JSON.stringify(batch), number]));
	}

	/** Whether the order of this item was sent, or found to exist, by an earlier try. */
	knows(itemIndex: number): boolean {
		const open = Object.values(this.page.open).flatMap(({ orders }) => orders);
		return itemIndex in this.page.settled || open.some(({ item }) => item === itemIndex);
	}

	settle(order: Order, { pieces, refused }: Settled): void {
		this.page.settled[order.itemIndex] = {
			order: storedOrder(order),
			pieces: pieces.map(({ row, batch, alreadyExisted, recovered }) => ({
				row,
				...(batch ? { batch: this.numberOf(batch) } : {}),
				...(alreadyExisted ? { existed: true } : {}),
				...(recovered ? { recovered: true } : {}),
			})),
			...(refused.length > 0 ? { refused } : {}),
		};
	}

	/** Every order that is settled, as it was sent. */
	settledOrders(): Array<{ order: Order; settled: Settled }> {
		return Object.values(this.page.settled).map(({ order, pieces, refused }) => ({
			order: asOrder(order),
			settled: {
				pieces: pieces.map(({ row, batch, existed, recovered }) => ({
					row,
					batch: batch === undefined ? null : (this.page.batches[batch] ?? null),
					alreadyExisted: existed ?? false,
					recovered: recovered ?? false,
				})),
				refused: refused ?? [],
			},
		}));
	}

	settledIds(): number[] {
		return Object.values(this.page.settled).flatMap(({ pieces }) =>
			pieces.map(({ row }) => Number(row.id)),
		);
	}

	/** Written before a request is sent, so that no later try can miss that it was. */
	open(request: Omit<OpenRequest, 'id'>): OpenRequest {
		const numbers = Object.keys(this.page.open).map(Number);
		const id = String(Math.max(0, ...numbers) + 1);
		return this.keepOpen({ ...request, id });
	}

	keepOpen(request: OpenRequest): OpenRequest {
		const { id, orders, linked, ...rest } = request;
		this.page.open[id] = {
			...rest,
			orders: orders.map(storedOrder),
			linked: linked.map(storedOrder),
		};
		return request;
	}

	close({ id }: OpenRequest): void {
		delete this.page.open[id];
	}

	openRequests(): OpenRequest[] {
		return Object.entries(this.page.open).map(([id, { orders, linked, ...rest }]) => ({
			...rest,
			id,
			orders: orders.map(asOrder),
			linked: linked.map(asOrder),
		}));
	}

	/** Labels at the same carrier of which another request is open as well. */
	labelsInOtherRequests({ id, orders }: OpenRequest): Set<string> {
		const carrierCode = orders[0]?.carrierCode;
		const others = this.openRequests().filter((other) => other.id !== id);
		const same = others
			.flatMap((other) => other.orders)
			.filter((order) => order.carrierCode === carrierCode);
		return new Set(same.map(labelOf));
	}

	/** For when nothing is left that n8n could run again. */
	clear(): void {
		const others = Object.entries(this.pages).filter(([run]) => run !== String(this.runIndex));
		if (others.length === 0) delete this.store.creation;
		else this.store.creation = Object.fromEntries(others);
	}

	private get pages(): Record<string, Page> {
		return (this.store.creation ?? {}) as Record<string, Page>;
	}

	private numberOf(batch: BatchFacts): number {
		const text = JSON.stringify(batch);
		const number = this.batchNumbers.get(text) ?? this.page.batches.push(batch) - 1;
		this.batchNumbers.set(text, number);
		return number;
	}
}

function storedOrder(order: Order): StoredOrder {
	const { itemIndex: item, carrierCode, body } = order;
	const { serviceType } = body;
	return { item, carrierCode, serviceType, label: labelOf(order), pieceCount: pieceCountOf(order) };
}

/** Enough of the order to look for it, not to send it. */
function asOrder({ item, carrierCode, serviceType, label, pieceCount }: StoredOrder): Order {
	const body = { serviceType, packageNumberCustom: label, pieceCount } as ShipmentCreation;
	return { itemIndex: item, carrierCode, body };
}
