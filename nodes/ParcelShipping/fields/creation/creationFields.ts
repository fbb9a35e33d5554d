import { coverFields } from './cover';
import type { CreationField, CreationFieldName } from './field';
import { recipientFields } from './recipient';
import { senderFields } from './sender';
import { shipmentFields } from './shipment';

/** Every field of the form, in its order; the key is the service's own name of the field. */
export const creationFields: Readonly<Record<CreationFieldName, CreationField>> = {
	...shipmentFields,
	...recipientFields,
	...senderFields,
	...coverFields,
};

export const creationFieldNames = Object.keys(creationFields) as CreationFieldName[];

export const isSenderField = (name: string): boolean => name in senderFields;

export const isCoverField = (name: string): boolean => name in coverFields;
