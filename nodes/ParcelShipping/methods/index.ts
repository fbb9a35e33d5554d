import type { INodeType } from 'n8n-workflow';

import { getCarriers } from './getCarriers';
import { searchBatches } from './searchBatches';
import { searchCarriers } from './searchCarriers';
import { searchServices } from './searchServices';
import { searchShipments } from './searchShipments';
import { getShipmentFields } from './shipmentFields';

type Methods = NonNullable<INodeType['methods']>;

export const listSearch: NonNullable<Methods['listSearch']> = {
	searchBatches,
	searchCarriers,
	searchServices,
	searchShipments,
};

export const loadOptions: NonNullable<Methods['loadOptions']> = { getCarriers };

export const resourceMapping: NonNullable<Methods['resourceMapping']> = { getShipmentFields };
