// The shipments in the sandbox, and the orders of a shop as workflow items and as creation requests. The
// workflows map the same fields.
import type { IDataObject } from 'n8n-workflow';

import type { Sandbox, SandboxShipment } from '../../sandbox';
import { HOUR_MS, localSecond } from '../../sandbox/domain/clock';

const SERVICES = [
	['ANT', 'ANT-HOME'],
	['BEAVER', 'BEAVER-PARCEL'],
	['CRANE', 'CRANE-EU'],
] as const;

export const CARRIER_COUNT: number = SERVICES.length;

/** Adds shipments that were created in the last 30 hours. */
export function seedRecent(sandbox: Sandbox, count: number) {
	const each = (index: number) => ({ serviceType: serviceAt(index)[1] });
	return sandbox.seedShipments(count, { hoursAgo: 30, spreadHours: 29, each });
}

/** Shipments with an event in the last hour, so that every poll requests all of them. */
export function seedMoving(sandbox: Sandbox, count: number) {
	const shipments = sandbox.seedShipments(count, { hoursAgo: 18.7 });
	addEventToEach(sandbox, shipments, 'TransitOnTheWay', 0.5);
	return shipments;
}

export function addEventToEach(
	sandbox: Sandbox,
	shipments: SandboxShipment[],
	category: string,
	hoursAgo: number,
): void {
	const date = localSecond(sandbox.now().getTime() - hoursAgo * HOUR_MS);
	for (const { packageNumberCarrier } of shipments) {
		sandbox.addEvent(packageNumberCarrier, { category, date });
	}
}

function serviceAt(index: number) {
	return SERVICES[index % CARRIER_COUNT] as (typeof SERVICES)[number];
}

export interface ShopOrder extends IDataObject {
	number: string;
	carrier: string;
	service: string;
}

let calls = 0;

/** Creates orders with unique numbers. */
export function shopOrders(count: number): ShopOrder[] {
	calls++;
	return Array.from({ length: count }, (_, index) => {
		const [carrier, service] = serviceAt(index);
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

/** Creates the request object in code. */
export function requestOf(order: ShopOrder): IDataObject {
	return {
		serviceType: order.service,
		packageNumberCustom: order.number,
		price: order.total,
		recName: order.name,
		recStreet: order.street,
		recCity: order.city,
		recZip: order.zip,
		recCountry: order.country,
		recPhone: order.phone,
		recEmail: order.email,
	};
}
