import type { ILoadOptionsFunctions, ResourceMapperField } from 'n8n-workflow';

import { mappedFieldNames, mappedFields } from '../orders/fields';
import { kinds } from '../orders/values';

/**
 * Shows the fields that are mapped, and in the whole form those that a new node shows. None is required here,
 * because n8n would report a missing one by the name that it has at the provider.
 */
export function mapperFields(
	mapped: readonly string[] = [],
	isWholeForm = true,
): ResourceMapperField[] {
	return mappedFieldNames.map((name) => {
		const { caption, kind, isShown } = mappedFields[name];
		return {
			id: name,
			displayName: caption,
			// n8n gives every hidden switch the value false, which would replace that of the order.
			type: isWholeForm ? kinds[kind].mapperType : 'string',
			required: false,
			display: true,
			removed: !(isShown && isWholeForm) && !mapped.includes(name),
			defaultMatch: false,
			canBeUsedToMatch: false,
		};
	});
}

const fieldsOf = (mapper: 'shipment' | 'overrides') =>
	async function (this: ILoadOptionsFunctions) {
		const mapped = Object.keys(Object(this.getCurrentNodeParameter(`${mapper}.value`)));
		return { fields: mapperFields(mapped, mapper === 'shipment') };
	};

/** The same for every carrier and service: when n8n loads different fields, it removes the values that the user has mapped. */
export const resourceMapping = {
	getShipmentFields: fieldsOf('shipment'),
	getOverrideFields: fieldsOf('overrides'),
};
