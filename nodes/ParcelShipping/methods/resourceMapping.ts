import type {
	ILoadOptionsFunctions,
	INodeType,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { mappedFieldNames, mappedFields } from '../orders/fields';
import { type FieldKind, kinds } from '../orders/kinds';

/** The form shows no placeholder in a mapped field, so the caption contains the format. */
const KINDS_WITH_EXAMPLE: readonly FieldKind[] = ['phone', 'country', 'currency'];

/**
 * The fields of *Create*, the same for every carrier and service: when n8n loads different fields,
 * it removes the values that the user has mapped.
 */
async function getShipmentFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const mapped = this.getCurrentNodeParameter('shipment.value') as object | null | undefined;
	return { fields: mapperFields(Object.keys(mapped ?? {})) };
}

/** Shows the fields that a new node shows and those that are mapped. */
export function mapperFields(mapped: readonly string[] = []): ResourceMapperField[] {
	return mappedFieldNames.map((name) =>
		toMapperField(name, mappedFields[name].isShown === true || mapped.includes(name)),
	);
}

function toMapperField(name: keyof typeof mappedFields, isShown: boolean): ResourceMapperField {
	const { caption, kind, required, example } = mappedFields[name];
	return {
		id: name,
		displayName: KINDS_WITH_EXAMPLE.includes(kind) ? `${caption} (${example})` : caption,
		type: kinds[kind].mapperType,
		required: required ?? false,
		display: true,
		removed: !isShown,
		defaultMatch: false,
		canBeUsedToMatch: false,
	};
}

type Methods = NonNullable<INodeType['methods']>;

export const resourceMapping: NonNullable<Methods['resourceMapping']> = { getShipmentFields };
