// Orders as a shop's workflow has them, and what becomes of them in a request.
import type { INodeParameters } from 'n8n-workflow';

export interface ShopOrder {
	number: string;
	carrier: string;
	service: string;
	total: number;
	name: string;
	street: string;
	city: string;
	zip: string;
	country: string;
	phone: string;
	email: string;
	[field: string]: string | number;
}

const SERVICES = [
	['ANT', 'ANT-HOME'],
	['BEAVER', 'BEAVER-PARCEL'],
	['CRANE', 'CRANE-EU'],
] as const;

export const SERVICE_CODES = SERVICES.map(([, service]) => service);

let round = 0;

/** Numbers that no other run of this process has used. */
export function shopOrders(count: number): ShopOrder[] {
	round++;
	return Array.from({ length: count }, (_, index) => {
		const [carrier, service] = SERVICES[index % SERVICES.length] as (typeof SERVICES)[number];
		return {
			number: `WEB-${process.pid}-${round}-${index + 1}`,
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

/** The service's field -> the shop's. */
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

/** As a program writes it. */
export function requestOf(order: ShopOrder): Record<string, unknown> {
	const fields = Object.entries(FIELDS).map(([field, own]) => [field, order[own]]);
	return { serviceType: order.service, ...Object.fromEntries(fields) };
}

/** As one drags the fields of the shop into the form. */
export const mappedForm: INodeParameters = {
	carrierCode: '={{ $json.carrier }}',
	serviceType: '={{ $json.service }}',
	shipment: {
		mappingMode: 'defineBelow',
		value: Object.fromEntries(
			Object.entries(FIELDS).map(([field, own]) => [field, `={{ $json.${own} }}`]),
		),
		matchingColumns: [],
		schema: [],
	},
};

/** One request object as an expression, of the item or of what a name stands for. */
export function requestExpression(order: string): string {
	const fields = Object.entries(FIELDS).map(([field, own]) => `${field}: ${order}.${own}`);
	return `{ serviceType: ${order}.service, ${fields.join(', ')} }`;
}
