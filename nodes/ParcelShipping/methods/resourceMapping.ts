import type { ILoadOptionsFunctions, INodeType, ResourceMapperFields } from 'n8n-workflow';

import { mapperFields } from '../creation/mapperFields';
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

type Methods = NonNullable<INodeType['methods']>;

export const resourceMapping: NonNullable<Methods['resourceMapping']> = { getShipmentFields };
