import { coverFields } from './cover';
import type { CoverFieldName, CreationField, CreationFieldName, SenderFieldName } from './field';
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

export const senderFieldNames = Object.keys(senderFields) as SenderFieldName[];

export const coverFieldNames = Object.keys(coverFields) as CoverFieldName[];
