import {
	type CancelNotes,
	cancelNotes,
	cancelShipments,
	type NamedShipment,
	nameOfOrder,
} from '../../changes/cancel';
import { carrierCodeField, readLocator } from '../../descriptions/locators';
import { readChoice } from '../../descriptions/options';
import {
	byOrderNumber,
	chosenShipmentIdsField,
	ONE_SHIPMENT,
	orderNumberField,
	packageNumberField,
	readOrderNumbers,
	readShipmentIds,
	readShipmentNumbers,
	shipmentsField,
} from '../../descriptions/shipmentNumbers';
import { confirmField, requireConfirm } from '../../descriptions/tools';
import { oneShipmentEach, type OrderNumbers, readItems } from '../readItems';
import { type BulkOperation, listDone } from '../operation';
import { type NodeRun } from '../../run';

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
				numbers: [
					'By Shipment Number',
					"By the carrier's number of the shipment, or of one of its pieces",
				],
				orderNumbers: byOrderNumber(ONE_SHIPMENT),
			},
		),
		{ ...carrierCodeField, displayOptions: { hide: { shipments: ['orderNumbers'] } } },
		{ ...packageNumberField, displayOptions: { show: { shipments: ['numbers'] } } },
		chosenShipmentIdsField,
		orderNumberField,
		confirmField('canceled'),
	],

	async executeAll(run) {
		const notes = cancelNotes(run.context);
		const { items, failed } = await readItems<CancelItem, OrderNumbers>(
			run,
			(item) => readCancelItem(item, run, notes),
			({ item }, shipments) =>
				oneShipmentEach(shipments).map((shipment): CancelItem => {
					const { id, carrierCode, reference } = shipment;
					return { named: [{ name: nameOfOrder(reference), item, carrierCode, id, shipment }] };
				}),
		);
		const named = items.flatMap((each) => each.named);
		return [...failed, ...(await cancelShipments(run, named, notes, failed))];
	},

	describeCompleted: (results) =>
		listDone('canceled', results, ({ packageNumberCustom: order, packageNumberCarrier, id }) => {
			const shipment = String(packageNumberCarrier ?? id);
			return order ? `order ${String(order)}, ${shipment}` : shipment;
		}),
};

type CancelItem = { named: NamedShipment[] };

function readCancelItem(
	item: number,
	{ context }: NodeRun,
	notes: CancelNotes,
): CancelItem | OrderNumbers {
	requireConfirm(context, item, 'canceled');
	const given = context.getNodeParameter('shipments', item, 'orderNumbers');
	const shipments = readChoice('Shipments', given, ['orderNumbers', 'ids', 'numbers']);
	if (shipments === 'orderNumbers') {
		const all = readOrderNumbers(context, item);
		// Of what an earlier try has sent, the order may have another shipment by now.
		return { item, orderNumbers: all.filter((each) => !notes.get(nameOfOrder(each))) };
	}
	const carrierCode = readLocator(context, carrierCodeField, item);
	if (shipments === 'ids') {
		const shipmentIds = context.getNodeParameter(chosenShipmentIdsField.name, item, '');
		const ids = readShipmentIds(shipmentIds);
		return { named: ids.map((id) => ({ name: `${carrierCode} ${id}`, item, carrierCode, id })) };
	}
	const { name, displayName } = packageNumberField;
	const numbers = readShipmentNumbers(context.getNodeParameter(name, item, ''), displayName);
	return {
		named: numbers.map((number) => {
			return { name: `${carrierCode} number ${number}`, item, carrierCode, number };
		}),
	};
}
