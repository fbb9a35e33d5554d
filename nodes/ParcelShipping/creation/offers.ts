import type { Client } from '../transport/client';
import type { CarrierService } from '../transport/contract';
import { findOffer, type Offers, type Wanted } from '../orders/offers';

type OfferClient = Pick<Client, 'carriers' | 'services'>;

/**
 * Reads what the carriers offer. A response that other executions got may be some minutes old, so it
 * saves a round of requests, but no order is refused because its carrier or service is not in it.
 */
export async function readOffers(client: OfferClient, wanted: readonly Wanted[]): Promise<Offers> {
	const pairs = new Map(
		wanted.map(({ carrierCode, serviceType }) => [
			JSON.stringify([carrierCode, serviceType]),
			{ carrierCode, serviceType },
		]),
	);
	const distinct = [...pairs.values()].filter(({ carrierCode }) => carrierCode !== '');
	const codes = [...new Set(distinct.map(({ carrierCode }) => carrierCode))];
	const shared = await request(client, codes, 'shared');
	const isOffered = distinct.every((each) => findOffer(each, shared).problem === undefined);
	return isOffered ? shared : await request(client, codes, 'new');
}

async function request(
	client: OfferClient,
	codes: readonly string[],
	age: 'shared' | 'new',
): Promise<Offers> {
	if (codes.length === 0) return { carriers: [], services: new Map() };
	const reading = client.carriers(age);
	// The client sends each of these requests once. Asking for the services already now saves a round
	// trip, and one that fails matters only if the carrier turns out to be usable.
	void Promise.allSettled(codes.map(async (code) => client.services(code, age)));
	const carriers = await reading;
	const services = new Map<string, CarrierService[]>();
	const readServices = async (code: string) => {
		const offer = findOffer({ carrierCode: code, serviceType: '' }, { carriers, services });
		if (offer.problem) return;
		const { carrierCode } = offer.wanted;
		services.set(carrierCode, await client.services(carrierCode, age));
	};
	await Promise.all(codes.map(readServices));
	return { carriers, services };
}
