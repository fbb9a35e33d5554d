import type {
	ILoadOptionsFunctions,
	INodeType,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import {
	coverFieldNames,
	type CreationFieldName,
	creationFieldNames,
	creationFields,
	kinds,
	senderFieldNames,
} from '../creation/fields';
import type { CarrierService } from '../transport/contract';
import { readFormValue, requestForForm } from './requestForForm';

/** The fields of *Create*. If the service is known, only those that it accepts. */
async function getShipmentFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const carrier = readFormValue(this, 'carrierCode');
	const service = readFormValue(this, 'serviceType');
	const areKnown = [carrier, service].every(({ value, isExpression }) => value && !isExpression);
	if (!areKnown) return { fields: mapperFields() };

	return await requestForForm(this, async (client) => {
		// The service refuses to list the services of a carrier that the account does not have.
		const isKnown = (await client.carriers()).some(({ code }) => code === carrier.value);
		const services = isKnown ? await client.services(carrier.value) : [];
		return { fields: mapperFields(services.find(({ code }) => code === service.value)) };
	});
}

type AddressFlags = Partial<Pick<CarrierService, 'senderAddressEnabled' | 'coverAddressEnabled'>>;

/** The fields that a service accepts; all fields if the service is not known yet. */
export function mapperFields(service: AddressFlags = {}): ResourceMapperField[] {
	const hidden = new Set<CreationFieldName>([
		...(service.senderAddressEnabled === false ? senderFieldNames : []),
		...(service.coverAddressEnabled === false ? coverFieldNames : []),
	]);
	return creationFieldNames.filter((name) => !hidden.has(name)).map(toMapperField);
}

function toMapperField(name: CreationFieldName): ResourceMapperField {
	const { caption, kind, required, isShown } = creationFields[name];
	return {
		id: name,
		displayName: caption,
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
