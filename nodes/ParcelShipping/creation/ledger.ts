import type { ShipmentCreation } from '../transport/contract';
import type { SentRequest } from './reconcile';
import {
	type BatchInfo,
	type Difference,
	type Double,
	type DoubleOf,
	type OrderResult,
	type Row,
	type UnknownOutcome,
} from './types';
import { type Order, pieceCountOf, referenceOf } from '../orders/order';

/** A request in the ledger with its number. */
export interface PendingRequest {
	id: string;
	request: SentRequest;
}

/** What a retry needs in order to find an order at the service and to report on it. */
interface StoredOrder {
	item: number;
	carrierCode: string;
	serviceType: string;
	reference: string;
	pieceCount: number;
}

interface StoredPiece {
	row: Row;
	batch?: number;
	existed?: true;
	recovered?: true;
	printed?: boolean;
}

interface StoredResult {
	order: StoredOrder;
	pieces: StoredPiece[];
	refused?: Row[];
	unknown?: UnknownOutcome;
	differences?: Difference[];
	canceledDouble?: Double;
	doubleOf?: DoubleOf;
}

type StoredRequest = Omit<SentRequest, 'orders' | 'candidates'> & {
	orders: StoredOrder[];
	candidates: StoredOrder[];
};

/** Plain JSON, because n8n saves it with the execution. Each batch is stored once to save space. */
interface StoredRun {
	batches: BatchInfo[];
	settled: Record<string, StoredResult>;
	pending: Record<string, StoredRequest>;
}

/**
 * Records what this execution has already sent. *Retry On Fail* and retrying a failed execution run
 * the node from the start with the same items, and `store` is all that remains of the earlier run.
 *
 * The key of an order is its item, because its values may change in a retry (a reference made of the
 * current time, a corrected address), and it must not be sent again because of that.
 */
export class Ledger {
	private readonly run: StoredRun;

	/** Numbers of the stored batches by their JSON, so that batches are not compared one by one. */
	private readonly batchNumbers: Map<string, number>;

	/** `runIndex` tells the iterations of a loop apart, which have different items. */
	constructor(
		private readonly store: Record<string, unknown>,
		private readonly runIndex: number,
	) {
		this.run = this.runs[runIndex] ?? { batches: [], settled: {}, pending: {} };
		this.store.creation = { ...this.runs, [runIndex]: this.run };
		const { batches } = this.run;
		this.batchNumbers = new Map(batches.map((batch, number) => [JSON.stringify(batch), number]));
	}

	/** Whether an earlier try has sent the order of this item, or has found its shipment. */
	has(itemIndex: number): boolean {
		const pending = Object.values(this.run.pending).flatMap(({ orders }) => orders);
		return itemIndex in this.run.settled || pending.some(({ item }) => item === itemIndex);
	}

	/** Whether no earlier try has sent or found anything. */
	get isEmpty(): boolean {
		return Object.keys(this.run.settled).length + Object.keys(this.run.pending).length === 0;
	}

	settle(result: OrderResult): void {
		const { pieces, refused, unknown, differences, canceledDouble, doubleOf } = result;
		const [order] = result.orders;
		if (!order) return;
		this.run.settled[order.itemIndex] = {
			order: storeOrder(order),
			pieces: pieces.map(({ row, batch, alreadyExisted, recovered, printed }) => ({
				row,
				...(batch ? { batch: this.numberOf(batch) } : {}),
				...(alreadyExisted ? { existed: true } : {}),
				...(recovered ? { recovered: true } : {}),
				...(printed === undefined ? {} : { printed }),
			})),
			...(refused.length > 0 ? { refused } : {}),
			...(unknown ? { unknown } : {}),
			...(differences ? { differences } : {}),
			...(canceledDouble ? { canceledDouble } : {}),
			...(doubleOf ? { doubleOf } : {}),
		};
	}

	settledResults(): OrderResult[] {
		return Object.values(this.run.settled).map(({ order, pieces, refused, ...rest }) => {
			const restored = pieces.map(({ row, batch, existed, recovered, printed }) => ({
				row,
				batch: batch === undefined ? null : (this.run.batches[batch] ?? null),
				alreadyExisted: existed ?? false,
				recovered: recovered ?? false,
				...(printed === undefined ? {} : { printed }),
			}));
			return {
				orders: [restoreOrder(order)],
				pieces: restored,
				refused: refused ?? [],
				batch: restored[0]?.batch ?? null,
				...rest,
			};
		});
	}

	settledIds(): number[] {
		return Object.values(this.run.settled).flatMap(({ pieces }) =>
			pieces.map(({ row }) => Number(row.id)),
		);
	}

	/** Must be called before a request is sent, so that no retry can miss that it was. */
	add(request: SentRequest): PendingRequest {
		const numbers = Object.keys(this.run.pending).map(Number);
		const pending = { id: String(Math.max(0, ...numbers) + 1), request };
		this.update(pending);
		return pending;
	}

	update({ id, request }: PendingRequest): void {
		const { orders, candidates, ...rest } = request;
		this.run.pending[id] = {
			...rest,
			orders: orders.map(storeOrder),
			candidates: candidates.map(storeOrder),
		};
	}

	remove({ id }: PendingRequest): void {
		delete this.run.pending[id];
	}

	pendingRequests(): PendingRequest[] {
		return Object.entries(this.run.pending).map(([id, { orders, candidates, ...rest }]) => ({
			id,
			request: {
				...rest,
				orders: orders.map(restoreOrder),
				candidates: candidates.map(restoreOrder),
			},
		}));
	}

	/** References at the same carrier that another pending request contains, too. */
	contestedReferences({ id, request }: PendingRequest): Set<string> {
		const carrierCode = request.orders[0]?.carrierCode;
		const others = this.pendingRequests().filter((other) => other.id !== id);
		const orders = others
			.flatMap((other) => other.request.orders)
			.filter((order) => order.carrierCode === carrierCode);
		return new Set(orders.map(referenceOf));
	}

	/** Must be called once n8n cannot run the node again for the same items. */
	clear(): void {
		const others = Object.entries(this.runs).filter(([run]) => run !== String(this.runIndex));
		if (others.length === 0) delete this.store.creation;
		else this.store.creation = Object.fromEntries(others);
	}

	private get runs(): Record<string, StoredRun> {
		return (this.store.creation ?? {}) as Record<string, StoredRun>;
	}

	private numberOf(batch: BatchInfo): number {
		const json = JSON.stringify(batch);
		const number = this.batchNumbers.get(json) ?? this.run.batches.push(batch) - 1;
		this.batchNumbers.set(json, number);
		return number;
	}
}

function storeOrder(order: Order): StoredOrder {
	const { itemIndex: item, carrierCode, body } = order;
	const { serviceType } = body;
	const reference = referenceOf(order);
	return { item, carrierCode, serviceType, reference, pieceCount: pieceCountOf(order) };
}

/** Enough of the order to search for it, not to send it. */
function restoreOrder(stored: StoredOrder): Order {
	const { item, carrierCode, serviceType, reference, pieceCount } = stored;
	const body = { serviceType, packageNumberCustom: reference, pieceCount } as ShipmentCreation;
	return { itemIndex: item, carrierCode, body };
}
