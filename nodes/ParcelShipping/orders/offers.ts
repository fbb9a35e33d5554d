import type { ResponseAge, Client } from '../transport/client';
import type { CarrierService } from '../transport/contract';
import { findCarrierProblem, type Offer } from './validate';
import { findByCode } from '../records';

/** What each carrier offers, by its code as the items have it. */
export type Offers = Map<string, Offer>;

/**
 * Reads what the carriers offer. An answer that other executions got may be some minutes old, so it
 * saves a round of requests, but nothing is refused because of it.
 */
export async function readOffers(
	client: Client,
	codes: string[],
	age: ResponseAge,
): Promise<Offers> {
	if (codes.length === 0) return new Map();
	const [carriers, services] = await Promise.all([
		client.carriers(age),
		Promise.allSettled(codes.map(async (code) => client.services(code, age))),
	]);
	const offerOf = async (given: string, index: number): Promise<Offer> => {
		const problem = findCarrierProblem(given, carriers);
		if (problem) return { problem };
		const carrierCode = findByCode(carriers, given)?.code ?? given;
		if (carrierCode !== given) {
			return { carrierCode, services: await client.services(carrierCode, age) };
		}
		const settled = services[index] as PromiseSettledResult<CarrierService[]>;
		if (settled.status === 'rejected') throw settled.reason;
		return { carrierCode, services: settled.value };
	};
	const offers = await Promise.all(codes.map(offerOf));
	return new Map(codes.map((code, index) => [code, offers[index] as Offer]));
}
