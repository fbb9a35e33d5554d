import type { IExecuteFunctions } from 'n8n-workflow';

import { itemsOf, type Order, referenceOf } from '../orders/order';
import type { AccountMemory } from '../transport/memory';
import { type PieceName, type Sent, SentNotes } from '../writes/sent';
import { mainPieceIdOf } from './shipments';
import type { Shipment } from './types';

/**
 * What was sent for the items of a run, in this try and before. By item, because the values of an order may change in a
 * retry (an order number that is made of the time, a corrected address). The memory of the process keeps for five minutes
 * what was sent, by order number.
 */
export class OrderNotes {
	private readonly notes: SentNotes<Order, Shipment>;

	constructor(
		context: IExecuteFunctions,
		private readonly memory: AccountMemory,
	) {
		this.notes = new SentNotes(context, 'create');
	}

	of(order: Order): Sent<Order, Shipment> | undefined {
		return this.ofItems(itemsOf([order]));
	}

	ofItems(items: readonly number[]): Sent<Order, Shipment> | undefined {
		return items.map((item) => this.notes.get(String(item))).find((sent) => sent !== undefined);
	}

	/** Whether an execution has sent it that a person has retried. */
	isOfEarlierExecution(order: Order): boolean {
		return itemsOf([order]).some((item) => this.notes.isOfEarlierExecution(String(item)));
	}

	/** Whether a person has corrected it since then. An order number may be made of the time. */
	isCorrected(order: Order): boolean {
		const valuesOf = ({ carrierCode, body }: Order) =>
			JSON.stringify({ carrierCode, ...body, packageNumberCustom: undefined });
		const sentAs = this.of(order)?.target ?? order;
		return this.isOfEarlierExecution(order) && valuesOf(order) !== valuesOf(sentAs);
	}

	sending(orders: readonly Order[]): void {
		for (const order of orders) {
			for (const item of itemsOf([order])) this.notes.sending(String(item), order);
			this.memory.sent.set(referenceOf(order), { carrierCode: order.carrierCode });
		}
	}

	/** The request certainly had no effect. What was sent before it may have had one. */
	forget(orders: readonly Order[]): void {
		for (const order of orders) {
			for (const item of itemsOf([order])) this.notes.forget(String(item));
			if (!this.of(order)) this.memory.sent.delete(referenceOf(order));
		}
	}

	done(order: Order, shipment: Shipment): void {
		for (const item of itemsOf([order])) this.notes.add(String(item), { done: shipment });
		const id = mainPieceIdOf(shipment);
		if (id === Infinity || this.isOfEarlierExecution(order)) return;
		const carrierCode = shipment.pieces[0]?.row.carrierCode ?? order.carrierCode;
		this.memory.sent.set(referenceOf(order), { carrierCode, id });
	}

	mayBe(order: Order, mayBe: PieceName[]): void {
		for (const item of itemsOf([order])) this.notes.add(String(item), { mayBe });
	}
}
