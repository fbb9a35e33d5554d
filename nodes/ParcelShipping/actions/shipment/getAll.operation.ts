import type { IDataObject } from 'n8n-workflow';

import { filtersField, readFilters } from '../../descriptions/filters';
import { requestOptionsField } from '../../descriptions/requestOptions';
import { readLimit, returnAllFields } from '../../descriptions/returnAll';
import { shipmentFilters } from '../../descriptions/shipmentFilters';
import { isSimplified, simplify, simplifyField } from '../../descriptions/simplify';
import type { ItemOperation } from '../operation';

/** The service documents few fields of the list and sends more; what it doesn't send is left out. */
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
		'Find shipments by text, carrier, status, order or day of creation, one item per shipment. For movements use Track.',
	fields: [...returnAllFields, simplifyField, filtersField(shipmentFilters), requestOptionsField],

	async executeItem({ context, client }, itemIndex) {
		const given = context.getNodeParameter('filters', itemIndex, {}) as IDataObject;
		const filters = readFilters(shipmentFilters, given, context.getTimezone());
		const limit = readLimit(context, itemIndex);

		const question = JSON.stringify(['findShipments', filters, limit]);
		const shipments = await client.once(question, async () => client.listShipments(filters, limit));
		const isSimple = isSimplified(context, itemIndex);
		return shipments.map((shipment) => {
			const record = shipment as unknown as IDataObject;
			return { json: isSimple ? simplify(record, SIMPLE_FIELDS) : record };
		});
	},
};
