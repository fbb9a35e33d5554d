import { type CreationOptions, itemsOf, type Order, referenceOf } from '../orders/order';
import type { CheckedOrders } from '../orders/check';
import { endsWithError, type ItemResult, nameFailedItems, type NodeRun, showHints } from '../run';
import { ShipmentRecords } from '../transport/shipments';
import { withLock } from '../writes/lock';
import { attachLabels } from './attachLabels';
import { createShipments } from './create';
import { hintsOf, secondAmounts } from './hints';
import { OrderNotes } from './notes';
import { toItems } from './output';
import { printCreated, type PrinterOf } from './print';
import { addPrinting } from './printOutput';
import { isCreated } from './shipments';

/**
 * Runs the steps while no other execution of this process creates one of these orders: `createShipments` (it names its
 * own steps), output, printing. Label files are read without the lock.
 */
export async function createAndPrint(
	run: NodeRun,
	{ orders, invalid }: CheckedOrders,
	options: CreationOptions,
	printerOf: PrinterOf | undefined,
): Promise<ItemResult[]> {
	const { context, client } = run;
	const notes = new OrderNotes(context, client.http.memory);
	const records = new ShipmentRecords(client);
	const isStopped = !context.continueOnFail() && invalid.length > 0;
	// An invalid item whose order an earlier try has sent has the outcome of that order.
	const sentBefore = invalid.flatMap(({ itemIndex }) => {
		const target = notes.ofItems([itemIndex])?.target;
		return target ? [{ ...target, itemIndex, sameItems: [] }] : [];
	});
	const sentItems = new Set(itemsOf(sentBefore));
	const failed = invalid.filter(({ itemIndex }) => !sentItems.has(itemIndex));
	const known = [...orders.map((order) => asSent(order, notes)), ...sentBefore];
	// With an invalid item, a run that ends with an error sends nothing, and names what earlier tries have created.
	const toCreate = isStopped ? known.filter((order) => notes.of(order)) : known;
	const invalidItems = new Map(invalid.map(({ itemIndex, failure }) => [itemIndex, failure]));
	const locks = toCreate.map((order) =>
		JSON.stringify([client.http.address.origin, referenceOf(order)]),
	);
	const results = await withLock(locks, async () => {
		const creation = { context, client, records, notes, options };
		const created = await createShipments(toCreate, creation, invalidItems);
		const outputs: ItemResult[] = [
			...failed.map(({ itemIndex, failure }) => ({ items: [itemIndex], failure })),
			...toItems(created),
		];
		const isOfEarlierExecution = (order: Order) => notes.isOfEarlierExecution(order);
		// A run that fails prints nothing: the next one prints the shipments that exist then.
		const printing =
			printerOf && !endsWithError(run, outputs)
				? await printCreated(run, created, creation, printerOf)
				: { labels: [], results: new Map(), printed: [] };
		const { results, hints } = addPrinting(run, outputs, printing.labels, printing.results);
		const failures = outputs.flatMap((result) =>
			'failure' in result
				? [{ ...result, failure: client.http.withoutSecrets(result.failure) }]
				: [],
		);
		const facts = { failures, printed: printing.printed, isOfEarlierExecution };
		const now = created.flatMap(({ order, shipment }) =>
			shipment && isCreated(shipment) ? order : [],
		);
		showHints(run, [
			...hintsOf(created, nameFailedItems(run), facts),
			...hints,
			...(await secondAmounts(now, creation)),
		]);
		return results;
	});
	return options.labels === 'attach' && !endsWithError(run, results)
		? await attachLabels(run, results)
		: results;
}

/** An item keeps the order number that it was sent with: a number that is made of the time is another one in a retry. */
function asSent(order: Order, notes: OrderNotes): Order {
	const sent = notes.of(order)?.target;
	if (!sent) return order;
	return { ...order, body: { ...order.body, packageNumberCustom: referenceOf(sent) } };
}
