import type { IDataObject } from 'n8n-workflow';

import { ItemError } from '../transport/errors';
import type { Decision } from './existing';
import type { Order } from './order';
import type { OutputOutcome } from './output';

/** An item that would not be sent. */
export interface RefusedItem {
	itemIndex: number;
	failure: unknown;
	order?: Order;
}

/** What would happen to each item, and the shipment as it would be sent. */
export function foretell(
	refused: readonly RefusedItem[],
	decisions: readonly Decision[],
	endpointOf: (carrierCode: string) => string,
): OutputOutcome[] {
	const describe = (order: Order | undefined, rest: IDataObject): IDataObject => ({
		...rest,
		carrierCode: order?.carrierCode ?? null,
		endpoint: order ? endpointOf(order.carrierCode) : null,
		request: (order?.body ?? null) as IDataObject | null,
	});
	const refuse = ({ itemIndex, failure, order }: RefusedItem): OutputOutcome => {
		const items = [itemIndex];
		// That the service could not be asked says nothing about the item.
		if (!(failure instanceof ItemError)) return { items, failure };
		return {
			items,
			json: describe(order, { wouldDo: 'refuse', problems: problemsOf(failure) }),
		};
	};
	return [
		...refused.map(refuse),
		...decisions.map((decision): OutputOutcome => {
			const { order } = decision;
			const items = [order.itemIndex];
			if ('canceled' in decision) return { items, json: describe(order, { wouldDo: 'create' }) };
			if ('existing' in decision) {
				const shipments = decision.existing.map(({ row }) => row as IDataObject);
				return { items, json: describe(order, { wouldDo: 'reuse', shipments }) };
			}
			return refuse({ itemIndex: order.itemIndex, failure: decision.failure, order });
		}),
	];
}

function problemsOf({ message, description, details }: ItemError): IDataObject[] {
	const { problems } = details;
	return Array.isArray(problems) ? (problems as IDataObject[]) : [{ message, description }];
}
