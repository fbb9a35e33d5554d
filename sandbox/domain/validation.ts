import type { ShipmentCreation } from '../contract.generated';
import type { Database } from './database';
import type { SeedCarrier, SeedService } from './seed';

const phonePattern = /^\+\d{8,15}$/;
const countryPattern = /^[A-Z]{2}$/;
const currencyPattern = /^[A-Z]{3}$/;
const emailPattern = /^[^\s@]+@[^\s@]+$/;

/** A request that the service rejects as a whole. */
export class ServiceError extends Error {
	constructor(
		readonly status: number,
		message: string,
		readonly errors: string[] = [],
		/** What the error is about, such as a shipment number. */
		readonly reference?: string,
	) {
		super(message);
	}
}

export class WrongCredential extends ServiceError {
	constructor(readonly isMissing: boolean) {
		super(401, 'The credential is missing, invalid or expired');
	}
}

/** Returns every error that the carrier reports for a shipment. Empty if the carrier accepts it. */
export function validateShipment(
	input: ShipmentCreation,
	database: Database,
	carrierInPath: string | null,
): string[] {
	const known = database.service(input.serviceType);
	if (!known) return [`Unknown service ${JSON.stringify(input.serviceType)}`];
	const { carrier, service } = known;
	if (carrierInPath !== null && carrier.code !== carrierInPath) {
		return [`Service ${service.code} does not belong to carrier ${carrierInPath}`];
	}
	if (carrier.activated === null) {
		return [`Carrier ${carrier.code} is not activated in this account`];
	}
	return [
		...validateRecipient(input, carrier),
		...validateCountry(input, service),
		...validateOptionalAddresses(input, service),
		...validatePieces(input, carrier),
		...validateCod(input, service),
		...validateBranch(input, service),
		...validateOrder(input, database),
	];
}

function validateRecipient(input: ShipmentCreation, carrier: SeedCarrier): string[] {
	const required = new Set<keyof ShipmentCreation>([
		'recStreet',
		'recCity',
		'recZip',
		'recCountry',
		...(carrier.needs ?? []),
	]);
	const errors = [...required]
		.filter((field) => !input[field])
		.map((field) => `${field} is missing`);
	if (!input.recName && !input.recCompany) errors.unshift('recName or recCompany is missing');
	return [...errors, ...validateAddress(input, 'rec')];
}

/** A shipment to a pickup point goes to the country of that point. */
function validateCountry(
	{ branchId, recCountry = '' }: ShipmentCreation,
	{ code, countries }: SeedService,
): string[] {
	if (!countries || branchId || !countryPattern.test(recCountry)) return [];
	return countries.includes(recCountry) ? [] : [`${code} does not deliver to ${recCountry}`];
}

function validateOptionalAddresses(input: ShipmentCreation, service: SeedService): string[] {
	const errors: string[] = [];
	for (const kind of ['sender', 'cover'] as const) {
		if (!usesAddress(input, kind)) continue;
		const accepted = kind === 'sender' ? service.senderAddress : service.coverAddress;
		if (!accepted) errors.push(`Service ${service.code} does not accept a ${kind} address`);
		else errors.push(...validateAddress(input, kind));
	}
	return errors;
}

export function usesAddress(input: ShipmentCreation, kind: 'sender' | 'cover'): boolean {
	const parts = ['Name', 'Company', 'Street', 'City', 'Zip', 'Country', 'Phone', 'Email'] as const;
	return parts.some((part) => Boolean(input[`${kind}${part}`]));
}

function validateAddress(input: ShipmentCreation, kind: 'rec' | 'sender' | 'cover'): string[] {
	const errors: string[] = [];
	const phone = input[`${kind}Phone` as const];
	const country = input[`${kind}Country` as const];
	const email = input[`${kind}Email` as const];
	if (phone && !phonePattern.test(phone)) {
		errors.push(`${kind}Phone must be a plus sign, the country prefix and digits without spaces`);
	}
	if (country && !countryPattern.test(country)) {
		errors.push(`${kind}Country must be a two-letter country code`);
	}
	if (email && !emailPattern.test(email)) errors.push(`${kind}Email is not an email address`);
	return errors;
}

function validatePieces(input: ShipmentCreation, carrier: SeedCarrier): string[] {
	const count = input.pieceCount ?? 1;
	if (count < 1) return ['pieceCount must be at least 1'];
	if (count > 1 && carrier.onePieceOnly) return [`Carrier ${carrier.code} accepts one piece only`];
	return [];
}

function validateCod(input: ShipmentCreation, service: SeedService): string[] {
	if (!input.cod && !service.alwaysCod) return [];
	const errors: string[] = [];
	if (!(Number(input.codPrice) > 0)) errors.push('codPrice is missing');
	if (!input.codCurrency) errors.push('codCurrency is missing');
	else if (!currencyPattern.test(input.codCurrency)) {
		errors.push('codCurrency must be a three-letter currency code');
	}
	return errors;
}

function validateBranch(input: ShipmentCreation, service: SeedService): string[] {
	if (!service.branches) return [];
	if (!input.branchId) return [`branchId is missing: ${service.code} delivers to a pickup point`];
	const known = service.branches.some((branch) => branch.id === input.branchId);
	return known ? [] : [`Unknown pickup point ${JSON.stringify(input.branchId)}`];
}

function validateOrder(input: ShipmentCreation, database: Database): string[] {
	if (input.orderId === undefined) return [];
	const known = database.seed.orders.some((order) => order.id === input.orderId);
	return known ? [] : [`Order ${input.orderId} does not exist in this account`];
}
