import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { askService } from './askService';
import { readCarrierOptions } from './carrierOptions';

export async function getCarriers(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await askService(this, readCarrierOptions);
}
