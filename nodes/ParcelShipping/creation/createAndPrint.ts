import { attachFile } from '../files';
import { requestLabels } from '../labels/labels';
import { type CreationOptions, type Order, referenceOf } from '../orders/order';
import type { CheckedOrders } from '../orders/check';
import { idOf } from '../records';
import { endsWithError, type ItemResult, type NodeRun, showHints } from '../run';
import { ShipmentRecords } from '../transport/shipments';
import { withLock } from '../writes/lock';
import { createShipments } from './create';
import { hintsOf, secondAmounts } from './hints';
import { OrderNotes } from './notes';
import { toItems } from './output';
import { printCreated, type PrinterOf } from './print';
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
	const creation = { ...run, records: new ShipmentRecords(client), notes, options };
	const outputs: ItemResult[] = [];
	// An item keeps the order number that it was sent with: a number that is made of the time is another one in a retry.
	const known = orders.map((order): Order => {
		const sent = notes.of(order);
		const packageNumberCustom = referenceOf(sent?.target ?? order);
		return sent ? { ...order, body: { ...order.body, packageNumberCustom } } : order;
	});
	for (const { itemIndex, failure } of invalid) {
		// An invalid item whose order an earlier try has sent has the outcome of that order.
		const sent = notes.ofItems([itemIndex]);
		if (sent) known.push({ ...sent.target, itemIndex, sameItems: [] });
		else outputs.push({ items: [itemIndex], failure });
	}
	// With an invalid item, a run that ends with an error sends nothing, and names what earlier tries have created.
	const isStopped = !context.continueOnFail() && invalid.length > 0;
	const toCreate = isStopped ? known.filter((order) => notes.of(order)) : known;
	const invalidItems = new Map(invalid.map(({ itemIndex, failure }) => [itemIndex, failure]));
	const locks = toCreate.map((order) => JSON.stringify([client.http.base, referenceOf(order)]));
	const results = await withLock(locks, async () => {
		const created = await createShipments(toCreate, creation, invalidItems);
		for (const each of toItems(created)) outputs.push(each);
		// A run that fails prints nothing: the next one prints the shipments that exist then.
		const printing =
			printerOf && !endsWithError(run, outputs)
				? await printCreated(created, creation, printerOf, outputs)
				: { results: outputs, printed: [], hints: [] };
		const now = created.flatMap(({ order, shipment }) =>
			shipment && isCreated(shipment) ? order : [],
		);
		showHints(run, [
			...hintsOf(created, creation, outputs, printing.printed),
			...printing.hints,
			...(await secondAmounts(now, creation)),
		]);
		return printing.results;
	});
	return options.labels === 'attach' && !endsWithError(run, results)
		? await attachLabels(run, results)
		: results;
}

/** Attaches the label file to each shipment. Only the response to a creation has a link to it. */
async function attachLabels(run: NodeRun, results: ItemResult[]): Promise<ItemResult[]> {
	return await run.client.mapParallel(results, async (result) => {
		if ('failure' in result) return result;
		const { json } = result;
		const fields = ['labelUrl', 'labelNotDownloaded'] as const;
		// With the carrier's number, or the ID, the files of one day have different names.
		const { carrierCode, packageNumberCarrier, id } = json;
		const name = `label ${String(carrierCode)} ${String(packageNumberCarrier || id)}`;
		const attached = await attachFile(run, result, fields, name, async () => {
			const [labels] = await requestLabels(run.client, [idOf(json)], { type: 'pdf' });
			return labels?.labelsUrl ?? '';
		});
		return { ...result, ...attached };
	});
}
