import { findOffer, type Offers, type Wanted } from '../orders/offers';
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
	const [carriers, responses] = await Promise.all([
		client.carriers(age),
		Promise.allSettled(codes.map(async (code) => client.services(code, age))),
	]);
	const services = new Map<string, CarrierService[]>();
	for (const [index, response] of responses.entries()) {
		const carrierCode = codes[index] as string;
		if (response.status === 'fulfilled') {
			services.set(carrierCode.toUpperCase(), response.value);
		} else if (!findOffer({ carrierCode, serviceType: '' }, { carriers, services }).problem) {
			throw response.reason;
		}
	}
	const offers = { carriers, services };
	const isOffered = [...distinct.values()].every((each) => !findOffer(each, offers).problem);
	return isOffered || age === 'new' ? offers : await readOffers(client, wanted, 'new');
}
