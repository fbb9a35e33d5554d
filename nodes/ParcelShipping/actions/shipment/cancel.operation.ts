import {
	cancel,
	type CancelNotes,
	cancelNotes,
	type NamedShipment,
	nameOfOrder,
} from '../../changes/cancel';
import { piecesWithId, piecesWithNumber } from '../../changes/records';
import { readChoice } from '../../descriptions/options';
import {
	byOrderNumber,
	carrierOfItem,
	chosenShipmentIdsField,
	ONE_SHIPMENT,
	orderNumberField,
	packageNumberField,
	readOrderNumbers,
	readShipmentIds,
	readShipmentNumbers,
	shipmentsField,
} from '../../descriptions/shipmentNumbers';
import { countOf } from '../../lists';
import { type NodeRun, showDone } from '../../run';
import { oneShipmentEach, type OrderNumbers, readItems } from '../readItems';
import { type BulkOperation, listDone } from '../operation';

export const operation: BulkOperation = {
	name: 'Cancel',
	value: 'cancel',
	action: 'Cancel shipment',
	description:
		'Cancel shipments that are not handed over to the carrier yet. This cannot be undone.',
	pattern: {
		task: "Cancel the shipment of an order, by the shop's order number:",
		parameters: "shipments: 'orderNumbers', orderNumber: expr('{{ $json.orderNumber }}')",
		output: 'packageNumberCarrier, carrierCode, canceled',
		note: 'If the order has no shipment, or several, or the carrier has it already, the item fails.',
	},
	fields: [
		shipmentsField(
			'orderNumbers',
			'How to choose the shipments to cancel. Already canceled ones are returned as canceled.',
			{
				ids: ['By ID', 'By the ID in the service. Cancels all pieces of the shipment.'],
				numbers: ['By Tracking Number', 'Cancels the piece with this number of the carrier'],
				orderNumbers: byOrderNumber(ONE_SHIPMENT),
			},
		),
		{ ...packageNumberField, displayOptions: { show: { shipments: ['numbers'] } } },
		chosenShipmentIdsField,
		orderNumberField,
	],

	async executeAll(run) {
		const notes = cancelNotes(run.context);
		const { items, failed } = await readItems<NamedShipments, OrderNumbers>(
			run,
			(item) => readCancelItem(item, run, notes),
			({ item }, shipments) =>
				oneShipmentEach(shipments).map(({ id, reference, pieces }) => ({
					named: [{ name: nameOfOrder(reference), item, id, read: async () => pieces }],
				})),
		);
		const named = items.flatMap((each) => each.named);
		const results = [...failed, ...(await cancel(run, named, notes, failed))];
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

type NamedShipments = { named: NamedShipment[] };

function readCancelItem(
	item: number,
	{ context, client, items }: NodeRun,
	notes: CancelNotes,
): NamedShipments | OrderNumbers {
	const given = context.getNodeParameter('shipments', item, 'orderNumbers');
	const shipments = readChoice('Shipments', given, ['orderNumbers', 'ids', 'numbers']);
	if (shipments === 'orderNumbers') {
		const all = readOrderNumbers(context, item);
		// Of what an earlier try has sent, the order may have another shipment by now.
		return { item, orderNumbers: all.filter((each) => !notes.get(nameOfOrder(each))) };
	}
	const carrierCode = carrierOfItem(items[item]);
	if (shipments === 'ids') {
		const ids = readShipmentIds(context.getNodeParameter(chosenShipmentIdsField.name, item, ''));
		return {
			named: ids.map((id) => ({
				...{ name: `${carrierCode} ID ${id}`, item },
				read: async () => piecesWithId(client, id, carrierCode),
			})),
		};
	}
	const { name: parameter, displayName } = packageNumberField;
	const numbers = readShipmentNumbers(context.getNodeParameter(parameter, item, ''), displayName);
	return {
		named: numbers.map((number) => ({
			...{ name: `${carrierCode} number ${number}`, item, isNumber: true },
			read: async () => piecesWithNumber(client, number, carrierCode),
		})),
	};
}
