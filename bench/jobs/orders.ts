// Orders of a shop, as workflow items and as creation requests. The workflows map the same fields.
import { mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

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
			shipping: `${carrier}/${service}`,
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

/** Creates the request object in code. */
export function requestOf(order: ShopOrder): Record<string, unknown> {
	return { serviceType: order.service, ...mapValues(FIELDS, (shopField) => order[shopField]) };
}
