import type { CreationOptions } from '../orders/creationOptions';
import { itemsOf, type Order, referenceOf } from '../orders/order';
import type { ReadOrders } from '../orders/readOrders';
import { endsWithError, type ItemResult, nameFailedItems, type NodeRun, showHints } from '../run';
import { ShipmentRecords } from '../transport/shipmentRecords';
import { Journal } from '../writes/journal';
import { withLock } from '../writes/lock';
import { attachLabels } from './attachLabels';
import { createShipments } from './createShipments';
import { hintsOf } from './hints';
import { toItems } from './output';
import { printCreated } from './printCreated';
import { mayBePrintedMeanwhile, type PrinterOf } from './labelsToPrint';
import { idsOfPieces } from './shipments';
import type { CreateAct, CreationRun, Shipment } from './types';

/**
 * Runs the steps while no other execution of this process creates one of these orders: `createShipments` (it names its
 * own steps), output, printing. Label files are read without the lock.
 */
export async function createAndPrint(
	run: NodeRun,
	{ orders, invalid }: ReadOrders,
	options: CreationOptions,
	printerOf: PrinterOf | undefined,
): Promise<ItemResult[]> {
	const { context, client } = run;
	// The key of an order is its item, because its values may change in a retry (a reference made of the
	// current time, a corrected address), and it must not be sent again because of that.
	const keyOf = ({ itemIndex }: Order) => String(itemIndex);
	const idsOf = ({ pieces }: Shipment) => idsOfPieces(pieces);
	const journal = new Journal<CreateAct>(context, 'create', keyOf, idsOf);
	const isOfEarlierExecution = (order: Order) => journal.isTargetOfEarlierExecution(order);
	const stopOnError = !context.continueOnFail();
	const { doneOrPendingTargets } = journal;
	// An item whose order an earlier try has sent has the outcome of that order.
	const sentItems = new Set(itemsOf(doneOrPendingTargets));
	const invalidItems = invalid.filter(({ itemIndex }) => !sentItems.has(itemIndex));
	// With an invalid item, a run that ends with an error sends nothing, and the error names what earlier tries have created.
	const toCreate = stopOnError && invalidItems.length > 0 ? [] : orders;
	const records = new ShipmentRecords(client);
	const creation: CreationRun = { context, client, records, journal, options };

	const locks = [...toCreate, ...doneOrPendingTargets].map((order) =>
		JSON.stringify([client.address.origin, referenceOf(order)]),
	);
	const results = await withLock(locks, async () => {
		const outcomes = await createShipments(toCreate, creation);
		// What a retry could send, if it were valid now, has both errors: the earlier one and what is invalid.
		const notSendableItems = new Set(itemsOf(journal.notSendableTargets));
		const failedItems = invalid.filter(({ itemIndex }) => !notSendableItems.has(itemIndex));
		const outputs: ItemResult[] = [
			...failedItems.map(({ itemIndex, failure }) => ({ items: [itemIndex], failure })),
			...toItems(outcomes),
		];
		const mayAnyBePrintedMeanwhile = journal.doneOutcomes.some(
			({ targets: [order], outcome: { value } }) =>
				mayBePrintedMeanwhile(value, isOfEarlierExecution(order)),
		);
		// A run that fails prints nothing: the next one prints the shipments that exist then.
		const printing =
			printerOf && !endsWithError(run, outputs)
				? await printCreated(run, outputs, outcomes, {
						records,
						printerOf,
						isNewInThisTry: (order) =>
							!mayAnyBePrintedMeanwhile && journal.isRequestedInThisTry(order),
					})
				: { results: outputs, hints: [], printedOn: [] };
		const failures = outputs.filter((result) => 'failure' in result);
		const more = { failures, printedOn: printing.printedOn, isOfEarlierExecution };
		showHints(run, [...hintsOf(outcomes, nameFailedItems(run), more), ...printing.hints]);
		return printing.results;
	});
	return options.downloadLabels && !endsWithError(run, results)
		? await attachLabels(run, results)
		: results;
}
