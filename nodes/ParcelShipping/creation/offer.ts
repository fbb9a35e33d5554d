import type { Carrier, CarrierService, ShipmentCreation } from '../transport/contract';
import { coverFieldNames, creationFields, senderFieldNames } from './creationFields';
import { type Problem, showFound } from './problem';

/** What a carrier offers, prepared once for all items that want it; or why it can't be used. */
export type Offer = { problem: Problem } | { carrierCode: string; services: CarrierService[] };

const MOST_CODES = 20;

/** Why nothing can be created for this carrier. */
export function problemOfCarrier(carrierCode: string, carriers: Carrier[]): Problem | undefined {
	const carrier = carriers.find(({ code }) => code === carrierCode);
	const problem = { field: 'carrierCode', label: 'Carrier', found: showFound(carrierCode) };
	if (!carrier) {
		return { ...problem, expected: `a carrier of the account: ${listCodes(carriers)}` };
	}
	if (carrier.status !== 'Inactive') return undefined;
	return {
		...problem,
		found: `${showFound(carrierCode)}, which is not activated in the account`,
		expected: `an active carrier; activate ${carrier.name} in the administration of the shipping service, then run this again`,
	};
}

/** What the carrier and the service don't take. */
export function problemsOfService(
	serviceType: string,
	body: Partial<ShipmentCreation>,
	offer: Offer,
): Problem[] {
	if ('problem' in offer) return [offer.problem];
	const { carrierCode, services } = offer;
	if (serviceType === '') return [];
	const service = services.find(({ code }) => code === serviceType);
	if (!service) {
		return [
			{
				field: 'serviceType',
				label: 'Service',
				found: showFound(serviceType),
				expected: `a service of ${carrierCode}: ${listCodes(services)}`,
			},
		];
	}
	return addresses.flatMap(({ label, flag, names }) => {
		if (service[flag] !== false) return [];
		const given = names.filter((name) => body[name] !== undefined);
		const [first] = given;
		if (first === undefined) return [];
		const accepting = services.filter((other) => other[flag]);
		return [
			{
				field: first,
				label,
				found: `given (${given.map((name) => creationFields[name].label).join(', ')})`,
				expected:
					`none, because ${service.name} (${service.code}) does not accept it` +
					(accepting.length > 0 ? `; it is accepted by ${listCodes(accepting)}` : ''),
			},
		];
	});
}

const addresses = [
	{ label: 'Sender Address', flag: 'senderAddressEnabled', names: senderFieldNames },
	{ label: 'Cover Address', flag: 'coverAddressEnabled', names: coverFieldNames },
] as const;

function listCodes(entries: Array<{ code: string }>): string {
	const codes = entries.slice(0, MOST_CODES).map(({ code }) => code);
	return codes.join(', ') + (entries.length > MOST_CODES ? ', …' : '');
}
