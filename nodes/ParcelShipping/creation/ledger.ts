import { labelOf, type Order } from './order';
import type { BatchFacts, Row } from './piece';
import type { Settled } from './settled';

/** A request that was sent, or was about to be, and of which something is not known. */
export interface OpenRequest {
	id: string;
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

/** Plain JSON, because n8n saves it with the execution. Only what a retry needs. */
export interface LedgerPage {
	batches: BatchFacts[];
	settled: Record<string, { pieces: StoredPiece[]; refused?: Row[] }>;
	open: Record<string, StoredRequest>;
}

type StoredPiece = { row: Row; batch?: number; existed?: true; recovered?: true };
type StoredRequest = Omit<OpenRequest, 'id' | 'orders' | 'linked'> & {
	orders: string[];
	linked: string[];
};

/**
 * What this execution has sent already. n8n's *Retry On Fail* runs the node from its beginning, and
 * of all that the node knew, only `store` is left then.
 */
export class Ledger {
	private readonly page: LedgerPage;

	/** `runIndex`: in a loop, the next round creates the same orders again on purpose. */
	constructor(
		private readonly store: Record<string, unknown>,
		private readonly runIndex: number,
	) {
		const page = this.pages[runIndex] ?? { batches: [], settled: {}, open: {} };
		this.page = page;
		this.store.creation = { ...this.pages, [runIndex]: page };
	}

	/** Whether the order was sent, or found to exist, in an earlier try. It must not be sent again. */
	knows(order: Order): boolean {
		const key = keyOf(order);
		const open = Object.values(this.page.open);
		return key in this.page.settled || open.some(({ orders }) => orders.includes(key));
	}

	settledOf(order: Order): Settled | undefined {
		const stored = this.page.settled[keyOf(order)];
		if (!stored) return undefined;
		const pieces = stored.pieces.map(({ row, batch, existed, recovered }) => ({
			row,
			batch: batch === undefined ? null : (this.page.batches[batch] ?? null),
			alreadyExisted: existed ?? false,
			recovered: recovered ?? false,
		}));
		return { pieces, refused: stored.refused ?? [] };
	}

	/** Never sent again once it is here. */
	settle(order: Order, { pieces, refused }: Settled): void {
		this.page.settled[keyOf(order)] = {
			pieces: pieces.map(({ row, batch, alreadyExisted, recovered }) => ({
				row,
				...(batch ? { batch: this.numberOf(batch) } : {}),
				...(alreadyExisted ? { existed: true } : {}),
				...(recovered ? { recovered: true } : {}),
			})),
			...(refused.length > 0 ? { refused } : {}),
		};
	}

	/** Ids of all shipments that belong to settled orders. */
	settledIds(): number[] {
		return Object.values(this.page.settled).flatMap(({ pieces }) =>
			pieces.map(({ row }) => Number(row.id)),
		);
	}

	/** Written before anything is sent, so that nothing that was sent is unknown to a retry. */
	open(request: Omit<OpenRequest, 'id'>): OpenRequest {
		const numbers = Object.keys(this.page.open).map(Number);
		const id = String(Math.max(0, ...numbers) + 1);
		return this.keepOpen({ ...request, id });
	}

	keepOpen(request: OpenRequest): OpenRequest {
		const { id, orders, linked, ...rest } = request;
		this.page.open[id] = { ...rest, orders: orders.map(keyOf), linked: linked.map(keyOf) };
		return request;
	}

	close(request: OpenRequest): void {
		delete this.page.open[request.id];
	}

	/** Requests that an earlier try left open, with those of their orders that are here again. */
	openRequests(orders: readonly Order[]): OpenRequest[] {
		const byKey = new Map(orders.map((order) => [keyOf(order), order]));
		const resolve = (keys: string[]) => keys.flatMap((key) => byKey.get(key) ?? []);
		return Object.entries(this.page.open).map(([id, request]) => ({
			...request,
			id,
			orders: resolve(request.orders),
			linked: resolve(request.linked),
		}));
	}

	/** Labels at the same carrier of which another request is open as well. */
	labelsInOtherRequests({ id, orders }: OpenRequest): Set<string> {
		const others = Object.entries(this.page.open).filter(([other]) => other !== id);
		const keys = others.flatMap(([, request]) => request.orders.map(readKey));
		const [order] = orders;
		return new Set(
			keys
				.filter(({ carrierCode }) => carrierCode === order?.carrierCode)
				.map(({ label }) => label),
		);
	}

	/** Nothing is left that n8n could run again. */
	clear(): void {
		const others = Object.entries(this.pages).filter(([run]) => run !== String(this.runIndex));
		if (others.length === 0) delete this.store.creation;
		else this.store.creation = Object.fromEntries(others);
	}

	private get pages(): Record<string, LedgerPage> {
		return (this.store.creation ?? {}) as Record<string, LedgerPage>;
	}

	private numberOf(batch: BatchFacts): number {
		const text = JSON.stringify(batch);
		const index = this.page.batches.findIndex((known) => JSON.stringify(known) === text);
		return index >= 0 ? index : this.page.batches.push(batch) - 1;
	}
}

/**
 * The same item, carrier and label in the same execution is the same order. Its other values may
 * differ in a retry (an expression with the time, a corrected address): it was sent all the same.
 */
function keyOf(order: Order): string {
	return JSON.stringify([order.itemIndex, order.carrierCode, labelOf(order)]);
}

function readKey(key: string): { carrierCode: string; label: string } {
	const [, carrierCode, label] = JSON.parse(key) as [number, string, string];
	return { carrierCode, label };
}
