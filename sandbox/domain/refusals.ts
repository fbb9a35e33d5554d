import type { ShipmentCreation } from '../contract.generated';
import type { Books } from './books';
import type { SeedCarrier, SeedService } from './seed';

const phoneForm = /^\+\d{8,15}$/;
const countryForm = /^[A-Z]{2}$/;
const currencyForm = /^[A-Z]{3}$/;
const emailForm = /^[^\s@]+@[^\s@]+$/;

/** Everything the carrier would complain about; empty when it takes the shipment. */
export function refusals(
	input: ShipmentCreation,
	books: Books,
	carrierInPath: string | null,
): string[] {
	const known = books.service(input.serviceType);
	if (!known) return [`Unknown service ${JSON.stringify(input.serviceType)}`];
	const { carrier, service } = known;
	if (carrierInPath !== null && carrier.code !== carrierInPath) {
		return [`Service ${service.code} does not belong to carrier ${carrierInPath}`];
	}
	if (carrier.activated === null) {
		return [`Carrier ${carrier.code} is not activated in this account`];
	}
	return [
		...recipientRefusals(input, carrier),
		...optionalAddressRefusals(input, service),
		...pieceRefusals(input, carrier),
		...codRefusals(input, service),
		...branchRefusals(input, service),
		...orderRefusals(input, books),
	];
}

function recipientRefusals(input: ShipmentCreation, carrier: SeedCarrier): string[] {
	const wanted = new Set<keyof ShipmentCreation>([
		'recStreet',
		'recCity',
		'recZip',
		'recCountry',
		...(carrier.needs ?? []),
	]);
	const texts = [...wanted].filter((field) => !input[field]).map((field) => `${field} is missing`);
	if (!input.recName && !input.recCompany) texts.unshift('recName or recCompany is missing');
	return [...texts, ...formRefusals(input, 'rec')];
}

function optionalAddressRefusals(input: ShipmentCreation, service: SeedService): string[] {
	const texts: string[] = [];
	for (const kind of ['sender', 'cover'] as const) {
		if (!usesAddress(input, kind)) continue;
		const accepted = kind === 'sender' ? service.senderAddress : service.coverAddress;
		if (!accepted) texts.push(`Service ${service.code} does not accept a ${kind} address`);
		else texts.push(...formRefusals(input, kind));
	}
	return texts;
}

export function usesAddress(input: ShipmentCreation, kind: 'sender' | 'cover'): boolean {
	const parts = ['Name', 'Company', 'Street', 'City', 'Zip', 'Country', 'Phone', 'Email'] as const;
	return parts.some((part) => Boolean(input[`${kind}${part}`]));
}

function formRefusals(input: ShipmentCreation, kind: 'rec' | 'sender' | 'cover'): string[] {
	const texts: string[] = [];
	const phone = input[`${kind}Phone` as const];
	const country = input[`${kind}Country` as const];
	const email = input[`${kind}Email` as const];
	if (phone && !phoneForm.test(phone)) {
		texts.push(`${kind}Phone must be a plus sign, the country prefix and digits without spaces`);
	}
	if (country && !countryForm.test(country)) {
		texts.push(`${kind}Country must be a two-letter country code`);
	}
	if (email && !emailForm.test(email)) texts.push(`${kind}Email is not an e-mail address`);
	return texts;
}

function pieceRefusals(input: ShipmentCreation, carrier: SeedCarrier): string[] {
	const count = input.pieceCount ?? 1;
	if (count < 1) return ['pieceCount must be at least 1'];
	if (count > 1 && carrier.onePieceOnly) return [`Carrier ${carrier.code} accepts one piece only`];
	return [];
}

function codRefusals(input: ShipmentCreation, service: SeedService): string[] {
	if (!input.cod && !service.alwaysCod) return [];
	const texts: string[] = [];
	if (!(Number(input.codPrice) > 0)) texts.push('codPrice is missing');
	if (!input.codCurrency) texts.push('codCurrency is missing');
	else if (!currencyForm.test(input.codCurrency)) {
		texts.push('codCurrency must be a three-letter currency code');
	}
	return texts;
}

function branchRefusals(input: ShipmentCreation, service: SeedService): string[] {
	if (!service.branches) return [];
	if (!input.branchId) return [`branchId is missing: ${service.code} delivers to a pickup point`];
	const known = service.branches.some((branch) => branch.id === input.branchId);
	return known ? [] : [`Unknown pickup point ${JSON.stringify(input.branchId)}`];
}

function orderRefusals(input: ShipmentCreation, books: Books): string[] {
	if (input.orderId === undefined) return [];
	const known = books.seed.orders.some((order) => order.id === input.orderId);
	return known ? [] : [`Order ${input.orderId} does not exist in the administration`];
}
