import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { Catalogue } from '../service/catalogue';
import { connect } from '../service/connection';
import { ItemRefusal, toNodeError } from '../service/nodeError';
import { readChosen } from './chosen';

export async function searchServices(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const carrierCode = readChosen(this, 'carrierCode');
	if (!carrierCode) {
		throw toNodeError(
			this.getNode(),
			new ItemRefusal(
				'There is no carrier to list the services of',
				'Choose the carrier first, or give the service by its code.',
			),
		);
	}
	const wanted = filter.toLowerCase();
	const services = await new Catalogue(await connect(this)).services(carrierCode);
	return {
		results: services
			.filter(({ name, code }) => `${name} ${code}`.toLowerCase().includes(wanted))
			.map(({ name, code }) => ({ name: `${name} (${code})`, value: code })),
	};
}
