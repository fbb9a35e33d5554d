import type { ShipmentCreation } from '../../contract/types.generated';
import type { Database } from './database';

const countryPattern = /^[A-Z]{2}$/;
const currencyPattern = /^[A-Z]{3}$/;

export class ServiceError extends Error {
	constructor(
		readonly status: number,
		message: string,
		readonly errors: string[] = [],
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

const requiredFields = ['recStreet', 'recCity', 'recZip', 'recCountry'] as const;

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

	const { branchId, recCountry = '', pieceCount = 1, codCurrency, orderId } = input;
	const { code, countries, branches } = service;
	const errors: string[] = [];
	const refuse = (isWrong: unknown, error: string) => {
		if (isWrong) errors.push(error);
	};
	refuse(!input.recName && !input.recCompany, 'recName or recCompany is missing');
	for (const field of new Set([...requiredFields, ...(carrier.needs ?? [])])) {
		refuse(!input[field], `${field} is missing`);
	}
	errors.push(...validateAddress(input, 'rec'));
	// A shipment to a pickup point goes to the country of that point.
	const goesToCountry = countries && !branchId && countryPattern.test(recCountry);
	refuse(
		goesToCountry && !countries.includes(recCountry),
		`${code} does not deliver to ${recCountry}`,
	);
	for (const kind of ['sender', 'cover'] as const) {
		if (!usesAddress(input, kind)) continue;
		if (service[`${kind}Address`]) errors.push(...validateAddress(input, kind));
		else errors.push(`Service ${code} does not accept a ${kind} address`);
	}
	refuse(pieceCount < 1, 'pieceCount must be at least 1');
	refuse(pieceCount > 1 && carrier.onePieceOnly, `Carrier ${carrier.code} accepts one piece only`);
	if (input.cod || service.alwaysCod) {
		refuse(!(Number(input.codPrice) > 0), 'codPrice is missing');
		refuse(!codCurrency, 'codCurrency is missing');
		const isCode = !codCurrency || currencyPattern.test(codCurrency);
		refuse(!isCode, 'codCurrency must be a three-letter currency code');
	}
	if (branches && !branchId) errors.push(`branchId is missing: ${code} delivers to a pickup point`);
	else if (branches && !branches.some(({ id }) => id === branchId)) {
		errors.push(`Unknown pickup point ${JSON.stringify(branchId)}`);
	}
	const hasOrder = orderId === undefined || database.seed.orders.some(({ id }) => id === orderId);
	refuse(!hasOrder, `Order ${orderId} does not exist in this account`);
	return errors;
}

const addressParts = 'Name Company Street City Zip Country Phone Email'.split(' ');

export function usesAddress(input: ShipmentCreation, kind: 'sender' | 'cover'): boolean {
	return addressParts.some((part) => Boolean(input[`${kind}${part}` as keyof ShipmentCreation]));
}

const patterns = [
	['Phone', /^\+\d{8,15}$/, 'must be a plus sign, the country prefix and digits without spaces'],
	['Country', countryPattern, 'must be a two-letter country code'],
	['Email', /^[^\s@]+@[^\s@]+$/, 'is not an email address'],
] as const;

function validateAddress(input: ShipmentCreation, kind: 'rec' | 'sender' | 'cover'): string[] {
	return patterns.flatMap(([part, pattern, problem]) => {
		const value = input[`${kind}${part}`];
		return !value || pattern.test(value) ? [] : [`${kind}${part} ${problem}`];
	});
}
