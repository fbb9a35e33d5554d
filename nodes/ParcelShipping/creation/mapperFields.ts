import type { ResourceMapperField } from 'n8n-workflow';

import type { CarrierService } from '../transport/contract';
import {
	coverFieldNames,
	type CreationFieldName,
	creationFieldNames,
	creationFields,
	kinds,
	senderFieldNames,
} from './fields';

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
