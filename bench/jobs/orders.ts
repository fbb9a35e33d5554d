// Orders of a shop, as workflow items and as creation requests.
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Step } from '../variants/workflow';

export interface ShopOrder extends IDataObject {
	number: string;
	carrier: string;
	service: string;
}

const SERVICES = [
	['ANT', 'ANT-HOME'],
	['BEAVER', 'BEAVER-PARCEL'],
	['CRANE', 'CRANE-EU'],
] as const;

export const SERVICE_CODES = SERVICES.map(([, service]) => service);

let calls = 0;

/** Creates orders with unique numbers, spread over three carriers by default. */
export function shopOrders(count: number, carrierCount: number = SERVICES.length): ShopOrder[] {
	calls++;
	return Array.from({ length: count }, (_, index) => {
		const [carrier, service] = SERVICES[index % carrierCount] as (typeof SERVICES)[number];
		return {
			number: `WEB-${process.pid}-${calls}-${index + 1}`,
			carrier,
			service,
			total: 499 + index,
			name: `Jana Nováková ${index + 1}`,
			street: `Dlouhá ${index + 1}`,
			city: 'Praha',
			zip: '11000',
			country: 'CZ',
			phone: '+420777123456',
			email: `jana${index + 1}@example.com`,
		};
	});
}

/** Maps the fields of the service to the fields of the shop. */
const FIELDS = {
	packageNumberCustom: 'number',
	price: 'total',
	recName: 'name',
	recStreet: 'street',
	recCity: 'city',
	recZip: 'zip',
	recCountry: 'country',
	recPhone: 'phone',
	recEmail: 'email',
} as const;

const mapFields = <Value>(map: (shopField: string) => Value): Record<string, Value> =>
	Object.fromEntries(Object.entries(FIELDS).map(([field, shopField]) => [field, map(shopField)]));

/** Creates the request object in code. */
export function requestOf(order: ShopOrder): Record<string, unknown> {
	return { serviceType: order.service, ...mapFields((shopField) => order[shopField]) };
}

/** Returns a JavaScript expression that creates the request object of an order. */
export function requestExpression(order: string): string {
	const fields = Object.entries(mapFields((shopField) => `${order}.${shopField}`));
	const properties = fields.map(([field, value]) => `${field}: ${value}`);
	return `{ serviceType: ${order}.service, ${properties.join(', ')} }`;
}

export function packageStep(parameters: INodeParameters): Step {
	const type = 'n8n-nodes-parcel-shipping.parcelShipping';
	return { name: 'Parcel Shipping', type, parameters };
}

/** Creates the orders of this shop, with every field mapped by an expression, as by drag and drop. */
export function createStep(options: INodeParameters): Step {
	return packageStep({
		resource: 'shipment',
		operation: 'create',
		carrierCode: '={{ $json.carrier }}',
		serviceType: '={{ $json.service }}',
		shipment: {
			mappingMode: 'defineBelow',
			value: mapFields((shopField) => `={{ $json.${shopField} }}`),
			matchingColumns: [],
			schema: [],
		},
		options,
	});
}
