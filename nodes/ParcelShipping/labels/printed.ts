import type { INodeProperties } from 'n8n-workflow';

import type { ItemResult, NodeRun } from '../run';
import { isNotFound, ItemError } from '../transport/errors';
import { Journal } from '../writes/journal';

interface PrintedKind {
	/** The ID of a shipment. */
	about: number;
	more: object;
	response: never;
	found: never;
	value: boolean | null;
}

/**
 * Whether the records of the shipments say that their labels were printed; undefined if they do not
 * say it. In a retry, the earlier try counts: creating labels may change what the records say.
 */
export async function readPrinted(
	{ context, client }: NodeRun,
	shipments: ReadonlyArray<{ id: number; carrierCode: string }>,
): Promise<Map<number, boolean | undefined>> {
	const journal = new Journal<PrintedKind>(context, 'printedBefore', String);
	const printed = new Map<number, boolean | undefined>();
	for (const { about, outcome } of journal.done) {
		const value = outcome.kind === 'done' ? (outcome.value ?? undefined) : undefined;
		for (const id of about) printed.set(id, value);
	}
	const unread = shipments.filter(({ id }) => !printed.has(id));
	await client.mapParallel(unread, async ({ carrierCode, id }) => {
		// A detail contains all pieces of its shipment.
		if (printed.has(id)) return;
		const { result } = await client.getShipment(carrierCode, id).catch((thrown: unknown) => {
			if (isNotFound(thrown)) return { result: [] };
			throw thrown;
		});
		for (const record of result) {
			if (typeof record.printed === 'boolean') printed.set(record.id, record.printed);
		}
	});
	for (const { id } of unread) {
		const value = printed.get(id) ?? null;
		journal.write({ about: [id], outcome: { kind: 'done', value } });
	}
	return printed;
}

export const skipPrintedOption: INodeProperties = {
	displayName: 'Skip Printed',
	name: 'skipPrinted',
	type: 'boolean',
	// On as soon as the user adds the option.
	default: true,
	description:
		'Whether to leave out shipments whose label was printed before, according to their records at the service. The items need the field carrierCode, which shipments from this node have. Reads one record per shipment.',
};

interface ItemShipments {
	item: number;
	shipmentIds: number[];
}

/**
 * Leaves out printed shipments if 'Skip Printed' is on. The output has an item for each input item with
 * such a shipment.
 */
export async function leaveOutPrinted<Item extends ItemShipments>(
	run: NodeRun,
	items: readonly Item[],
): Promise<{ toPrint: Item[]; skipped: ItemResult[]; failed: ItemResult[] }> {
	if (run.context.getNodeParameter('options.skipPrinted', 0, false) !== true) {
		return { toPrint: [...items], skipped: [], failed: [] };
	}
	const carrierOf = ({ item }: ItemShipments) => {
		const { carrierCode } = run.items[item]?.json ?? {};
		return typeof carrierCode === 'string' ? carrierCode.trim() : '';
	};
	const known = items.filter((each) => carrierOf(each) !== '');
	const failed = items
		.filter((each) => carrierOf(each) === '')
		.map(({ item }): ItemResult => ({ items: [item], failure: carrierMissingError(item) }));
	const shipments = known.flatMap((each) =>
		each.shipmentIds.map((id) => ({ id, carrierCode: carrierOf(each) })),
	);
	try {
		const printed = await readPrinted(run, shipments);
		const isPrinted = (id: number) => printed.get(id) === true;
		const skipped = known.flatMap(({ item, shipmentIds }): ItemResult[] => {
			const alreadyPrinted = shipmentIds.filter(isPrinted);
			if (alreadyPrinted.length === 0) return [];
			return [{ items: [item], json: { skipped: true, alreadyPrinted } }];
		});
		const toPrint = known
			.map((each) => ({
				...each,
				shipmentIds: each.shipmentIds.filter((id) => !isPrinted(id)),
			}))
			.filter(({ shipmentIds }) => shipmentIds.length > 0);
		return { toPrint, skipped, failed };
	} catch (failure) {
		failed.push(...known.map(({ item }) => ({ items: [item], failure })));
		return { toPrint: [], skipped: [], failed };
	}
}

function carrierMissingError(item: number): ItemError {
	return new ItemError(
		`Skip Printed needs the carrier of the shipments of item ${item}`,
		"Add the field carrierCode to the item, for example with Shipment: Get Many as the previous node, or turn off 'Skip Printed'.",
		{ field: 'skipPrinted', itemIndex: item },
	);
}
