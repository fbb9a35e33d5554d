import { cancel, cancelNotes, type NamedShipment, nameOfOrder } from '../../changes/cancel';
import { ONE_SHIPMENT, shipmentFields } from '../../descriptions/shipmentNumbers';
import { countOf } from '../../lists';
import { showDone } from '../../run';
import { oneShipmentEach, readItems, readNamed } from '../readItems';
import { type Operation, listDone } from '../operation';

const fields = shipmentFields(
	'How to choose the shipments to cancel. Already canceled ones are returned as canceled.',
	{
		ids: ['By ID', 'By the ID at the provider. Cancels all pieces of the shipment.'],
		numbers: ['By Tracking Number', 'Cancels the piece with this number of the carrier'],
		orderNumbers: ['By Order Number', ONE_SHIPMENT],
	},
);

export const operation: Operation = {
	name: 'Cancel',
	value: 'cancel',
	action: 'Cancel shipment',
	description:
		'Cancel shipments that are not handed over to the carrier yet. This cannot be undone.',
	fields,

	async execute(run) {
		const { context, client } = run;
		const notes = cancelNotes(context);
		const sentBefore: NamedShipment[] = [];
		const { items, failed } = await readItems<NamedShipment>(
			run,
			fields,
			({ item, carrierCode, named }, ofOrders) => [
				...named.map((each) => ({
					...{ name: `${carrierCode} ${typeof each} ${each}`, item },
					...(typeof each === 'number' ? { id: each } : {}),
					read: async () => readNamed(client, each, carrierCode),
				})),
				...oneShipmentEach(ofOrders).map(({ id, reference, pieces }) => ({
					...{ name: nameOfOrder(reference), item, id },
					read: async () => pieces,
				})),
			],
			// Of what an earlier try has sent, the order may have another shipment by now.
			(named) => {
				const isNew = (each: string) => !notes.get(nameOfOrder(each));
				const names = named.orderNumbers.filter((each) => !isNew(each)).map(nameOfOrder);
				sentBefore.push(...names.map((name) => ({ name, item: named.item, read: async () => [] })));
				return { ...named, orderNumbers: named.orderNumbers.filter(isNew) };
			},
		);
		const results = [...failed, ...(await cancel(run, [...sentBefore, ...items], notes, failed))];
		const done = results.flatMap((each) => ('failure' in each ? [] : [each.json]));
		const before = done.filter(({ alreadyCanceled }) => alreadyCanceled).length;
		showDone(run, results, [
			...(done.length > before ? [`${countOf(done.length - before, 'shipment')} canceled`] : []),
			...(before > 0 ? [`${countOf(before, 'shipment', 'was')} canceled before`] : []),
		]);
		return results;
	},

	describeCompleted: (results) =>
		listDone('canceled', results, ({ packageNumberCustom: order, packageNumberCarrier, id }) => {
			const shipment = String(packageNumberCarrier ?? id);
			return order ? `order ${String(order)}, ${shipment}` : shipment;
		}),
};
