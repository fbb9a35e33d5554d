import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { mapperFields } from '../creation/mapperFields';
import { askService } from './askService';

/** The fields of the form, after the service that is chosen in it. */
export async function getShipmentFields(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const carrierCode = readChosen(this, 'carrierCode');
	const serviceType = readChosen(this, 'serviceType');
	if (!carrierCode || !serviceType) return { fields: mapperFields() };

	return await askService(this, async (client) => {
		// A code from an expression need not be one of the account's.
		const isKnown = (await client.carriers()).some(({ code }) => code === carrierCode);
		const services = isKnown ? await client.services(carrierCode) : [];
		return { fields: mapperFields(services.find(({ code }) => code === serviceType)) };
	});
}

/** Undefined while an expression has no value yet: the editor hands such a one on as it is. */
function readChosen(context: ILoadOptionsFunctions, field: string): string | undefined {
	const chosen = context.getCurrentNodeParameter(field, { extractValue: true });
	return typeof chosen === 'string' && chosen !== '' && !chosen.startsWith('=')
		? chosen
		: undefined;
}
