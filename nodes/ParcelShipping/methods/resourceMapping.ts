import type { ILoadOptionsFunctions, INodeType, ResourceMapperField } from 'n8n-workflow';

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

const mappedIn = (context: ILoadOptionsFunctions, mapper: string) =>
	Object.keys(Object(context.getCurrentNodeParameter(`${mapper}.value`)));

type Methods = NonNullable<INodeType['methods']>;

export const resourceMapping: NonNullable<Methods['resourceMapping']> = {
	/**
	 * The fields of *Create*, the same for every carrier and service: when n8n loads different fields,
	 * it removes the values that the user has mapped.
	 */
	async getShipmentFields() {
		return { fields: mapperFields(mappedIn(this, 'shipment')) };
	},

	/** The fields that may replace what an order of a shop contains. The user adds each of them. */
	async getOverrideFields() {
		return { fields: mapperFields(mappedIn(this, 'overrides'), false) };
	},
};
