import { groupBy } from '../lists';

/** What the labels of one item are to be like, and where their file goes. */
export interface LabelSettings {
	format: 'pdf' | 'zpl';
	/** Left out where the carrier decides. */
	onePerPage?: boolean;
	/** Where the file goes in the output; left out when it is not to be downloaded. */
	binaryPropertyName?: string;
}

export interface LabelWish {
	item: number;
	shipmentIds: number[];
	settings: LabelSettings;
}

export interface LabelRequest {
	/** The items that named one of the shipments. */
	items: number[];
	shipmentIds: number[];
	settings: LabelSettings;
}

/**
 * As few requests as the wishes allow: all shipments with the same settings in one, whatever their
 * carrier, each once however many items name it.
 */
export function planLabelRequests(
	wishes: readonly LabelWish[],
	maxShipments: number,
): LabelRequest[] {
	const alike = groupBy(wishes, ({ settings }) => JSON.stringify(settings));
	return [...alike.values()].flatMap((group) => {
		const ids = [...new Set(group.flatMap(({ shipmentIds }) => shipmentIds))];
		const { settings } = group[0];
		return chunksOf(ids, maxShipments).map((shipmentIds) => {
			const asked = new Set(shipmentIds);
			const items = group
				.filter((wish) => wish.shipmentIds.some((id) => asked.has(id)))
				.map(({ item }) => item);
			return { items, shipmentIds, settings };
		});
	});
}

function chunksOf<Value>(values: Value[], length: number): Value[][] {
	return Array.from({ length: Math.ceil(values.length / length) }, (_, index) =>
		values.slice(index * length, (index + 1) * length),
	);
}
