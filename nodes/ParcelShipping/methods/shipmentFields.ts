import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { mapperFields } from '../fields/creation/mapperFields';
import { Catalogue } from '../service/catalogue';
import { connect } from '../service/connection';
import { readChosen } from './chosen';

/** The fields of the form, after the service that is chosen in it. */
export async function getShipmentFields(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const carrierCode = readChosen(this, 'carrierCode');
	const serviceType = readChosen(this, 'serviceType');
	if (!carrierCode || !serviceType) return { fields: mapperFields() };

	const catalogue = new Catalogue(await connect(this));
	// A code from an expression need not be one of the account's.
	const isKnown = (await catalogue.carriers()).some(({ code }) => code === carrierCode);
	const services = isKnown ? await catalogue.services(carrierCode) : [];
	return { fields: mapperFields(services.find(({ code }) => code === serviceType)) };
}
