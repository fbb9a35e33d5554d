import type { BodyOf } from '../transport/contract';
import {
	carrierCodes,
	createdFrom,
	createdTo,
	type Filters,
	readOnlyTrue,
	readText,
	readWholeNumber,
} from './filters';

export type ShipmentFilters = Omit<BodyOf<'findShipments'>, 'start' | 'length'>;

export const shipmentFilters: Filters<ShipmentFilters> = {
	search: {
		form: {
			displayName: 'Search',
			type: 'string',
			default: '',
			placeholder: 'e.g. ORDER-1042',
			description: 'Free text that the service looks for, such as a label, a number or a name',
		},
		read: readText,
	},
	carrierCodes,
	cod: {
		form: {
			displayName: 'Cash on Delivery Only',
			type: 'boolean',
			default: true,
			description: 'Whether to return cash-on-delivery shipments only',
		},
		read: readOnlyTrue,
	},
	onlyMaster: {
		form: {
			displayName: 'Main Shipments Only',
			type: 'boolean',
			default: true,
			description: 'Whether to leave out the further pieces of shipments of several pieces',
		},
		read: readOnlyTrue,
	},
	orderId: {
		form: {
			displayName: 'Order ID',
			type: 'number',
			default: '',
			placeholder: 'e.g. 501',
			description:
				"ID of an order in the shipping service's own administration, not the number of an order in your shop",
		},
		read: readWholeNumber,
	},
	createdFrom,
	createdTo,
	status: {
		form: {
			displayName: 'Status',
			type: 'string',
			default: '',
			placeholder: 'e.g. NotPicked',
			description: 'Name of a status, as the service calls it',
		},
		read: readText,
	},
};
