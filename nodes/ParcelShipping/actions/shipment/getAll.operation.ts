import type { IDataObject } from 'n8n-workflow';

import { filtersField, readFilters, shipmentFilters } from '../../descriptions/filters';
import {
	isSimplified,
	readLimit,
	returnAllFields,
	simplify,
	simplifyField,
} from '../../descriptions/listing';
import { requestOptionsField } from '../../descriptions/options';
import type { ItemOperation } from '../operation';

/** Many services send more fields than the list is documented to have. */
const SIMPLE_FIELDS = [
	'id',
	'carrierCode',
	'carrierName',
	'packageNumberCarrier',
	'packageNumberCustom',
	'recName',
	'codPrice',
	'codCurrency',
	'status',
	'canceled',
];

export const operation: ItemOperation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many shipments',
	description:
		'Find shipments by text, carrier, status, order or creation date. To get tracking events, use Track.',
	fields: [...returnAllFields, simplifyField, filtersField(shipmentFilters), requestOptionsField],

	async executeItem({ context, client }, itemIndex) {
		const given = context.getNodeParameter('filters', itemIndex, {}) as IDataObject;
		const filters = readFilters(shipmentFilters, given, context.getTimezone());
		const limit = readLimit(context, itemIndex);

		const request = JSON.stringify(['findShipments', filters, limit]);
		const shipments = await client.once(request, async () => client.listShipments(filters, limit));
		const isSimple = isSimplified(context, itemIndex);
		return shipments.map((shipment) => {
			const record = shipment as unknown as IDataObject;
			return { json: isSimple ? simplify(record, SIMPLE_FIELDS) : record };
		});
	},
};
