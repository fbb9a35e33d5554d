import { findOffer, type Offers, type Wanted } from '../orders/validate';
import type { Client } from '../transport/client';
import type { CarrierService } from '../transport/contract';

/**
 * Reads what the carriers offer. A response that other executions got may be some minutes old, so it
 * saves a round of requests, but no order is refused because its carrier or service is not in it.
 */
export async function readOffers(
	client: Pick<Client, 'carriers' | 'services'>,
	wanted: readonly Wanted[],
	age: 'shared' | 'new' = 'shared',
): Promise<Offers> {
	const distinct = new Map(
		wanted
			.filter(({ carrierCode }) => carrierCode !== '')
			.map((each) => [JSON.stringify([each.carrierCode, each.serviceType]), each]),
	);
	if (distinct.size === 0) return { carriers: [], services: new Map() };
	const codes = [...new Set([...distinct.values()].map(({ carrierCode }) => carrierCode))];
	// Asking for the services already now saves a round trip. The client sends each request once, and one
	// that fails matters only if the carrier turns out to be usable.
	const [carriers] = await Promise.all([
		client.carriers(age),
		Promise.allSettled(codes.map(async (code) => client.services(code, age))),
	]);
	const services = new Map<string, CarrierService[]>();
	for (const carrierCode of codes) {
		const { problem, wanted: own } = findOffer(
			{ carrierCode, serviceType: '' },
			{ carriers, services },
		);
		if (!problem) services.set(own.carrierCode, await client.services(own.carrierCode, age));
	}
	const offers = { carriers, services };
	const isOffered = [...distinct.values()].every((each) => !findOffer(each, offers).problem);
	return isOffered || age === 'new' ? offers : await readOffers(client, wanted, 'new');
}
