import type { ResourceMapperField } from 'n8n-workflow';

import type { CarrierService } from '../transport/contract';
import {
	coverFieldNames,
	creationFieldNames,
	creationFields,
	senderFieldNames,
} from './creationFields';
import type { CreationFieldName } from './field';
import { kinds } from './kinds';

type AddressFlags = Partial<Pick<CarrierService, 'senderAddressEnabled' | 'coverAddressEnabled'>>;

/** The fields that a service accepts; all of them as long as it isn't known which service. */
export function mapperFields(service: AddressFlags = {}): ResourceMapperField[] {
	const left = new Set<CreationFieldName>([
		...(service.senderAddressEnabled === false ? senderFieldNames : []),
		...(service.coverAddressEnabled === false ? coverFieldNames : []),
	]);
	return creationFieldNames.filter((name) => !left.has(name)).map(asMapperField);
}

function asMapperField(name: CreationFieldName): ResourceMapperField {
	const { label, kind, required, shownAtOnce } = creationFields[name];
	return {
		id: name,
		displayName: label,
		type: kinds[kind].mapperType,
		required: required ?? false,
		display: true,
		removed: !shownAtOnce,
		defaultMatch: false,
		canBeUsedToMatch: false,
	};
}
