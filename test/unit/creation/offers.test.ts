import type { Carrier, CarrierService } from '../../../nodes/ParcelShipping/transport/contract';
import { readOffers } from '../../../nodes/ParcelShipping/creation/lookUp';

const carrier = (code: string, status = 'Active') => ({ code, name: code, status }) as Carrier;
const services = (...codes: string[]) =>
	codes.map((code) => ({ code, name: code }) as CarrierService);

interface Offered {
	carriers: Carrier[];
	services: Record<string, CarrierService[]>;
}

/** A client whose shared responses may differ from new ones, and the ages that were asked for. */
function clientWith(shared: Offered, fresh: Offered) {
	const asked: string[] = [];
	const responses = { shared, new: fresh };
	const client = {
		async carriers(age: 'shared' | 'new' = 'new') {
			asked.push(age);
			return responses[age].carriers;
		},
		async services(code: string, age: 'shared' | 'new' = 'new') {
			const found = responses[age].services[code];
			if (!found) throw new Error(`No services of ${code}`);
			return found;
		},
	};
	return { client, asked };
}

const current: Offered = {
	carriers: [carrier('ANT'), carrier('OWL', 'Inactive')],
	services: { ANT: services('HOME', 'POINT') },
};
const wanted = (carrierCode: string, serviceType: string) => ({ carrierCode, serviceType });

test.each<[string, Offered]>([
	['lacks the carrier', { carriers: [carrier('OWL')], services: { OWL: [] } }],
	['shows the carrier as inactive', { ...current, carriers: [carrier('ANT', 'Inactive')] }],
	['lacks the service', { ...current, services: { ANT: services('POINT') } }],
])('A shared response that %s is read anew', async (_, shared) => {
	const { client, asked } = clientWith(shared, current);
	const offers = await readOffers(client, [wanted('ant', 'home')]);
	expect(asked).toEqual(['shared', 'new']);
	expect(offers.carriers).toBe(current.carriers);
	expect(offers.services.get('ANT')).toBe(current.services.ANT);
});

test.each([
	['ANT', 'HOME'],
	['ant', 'point'],
	// The item is refused because of what it lacks.
	['ANT', ''],
	['', 'HOME'],
])('A shared response is used if it has what an item wants (%j, %j)', async (...codes) => {
	const { client, asked } = clientWith(current, { carriers: [], services: {} });
	// Without a carrier, nothing is asked at all.
	await readOffers(client, [wanted(...codes)]);
	expect(asked).toEqual(codes[0] === '' ? [] : ['shared']);
});

test('Whether the services of an inactive carrier can be read does not matter', async () => {
	const { client } = clientWith(current, current);
	const offers = await readOffers(client, [wanted('OWL', 'NIGHT'), wanted('ANT', 'HOME')]);
	expect([...offers.services.keys()]).toEqual(['ANT']);
});

test('An error for the services of an active carrier is thrown', async () => {
	const { client } = clientWith(current, { ...current, services: {} });
	await expect(readOffers(client, [wanted('ANT', 'MOON')])).rejects.toThrow('No services of ANT');
});
