import { readOffers } from '../../../nodes/ParcelShipping/creation/lookUp';
import type { Carrier, CarrierService } from '../../../nodes/ParcelShipping/transport/contract';

const carrier = (code: string, status = 'Active') => ({ code, name: code, status }) as Carrier;
const services = (...codes: string[]) => codes.map((code) => ({ code }) as CarrierService);

interface Offered {
	carriers: Carrier[];
	services: Record<string, CarrierService[]>;
}

/** A client whose shared responses may differ from new ones. */
const clientWith = (shared: Offered, fresh: Offered) => ({
	carriers: async (age = 'new') => (age === 'shared' ? shared : fresh).carriers,
	async services(code: string, age = 'new') {
		const found = (age === 'shared' ? shared : fresh).services[code];
		if (!found) throw new Error(`No services of ${code}`);
		return found;
	},
});

const current: Offered = {
	carriers: [carrier('ANT'), carrier('OWL', 'Inactive')],
	services: { ANT: services('HOME', 'POINT') },
};

test.each<[string, Offered]>([
	['lacks the carrier', { carriers: [carrier('OWL')], services: { OWL: [] } }],
	['shows the carrier as inactive', { ...current, carriers: [carrier('ANT', 'Inactive')] }],
	['lacks the service', { ...current, services: { ANT: services('POINT') } }],
])('no order is refused because a shared response %s', async (_, shared) => {
	const wanted = [{ carrierCode: 'ant', serviceType: 'home' }];
	const offers = await readOffers(clientWith(shared, current), wanted);
	expect(offers.carriers).toBe(current.carriers);
	expect(offers.services.get('ANT')).toBe(current.services.ANT);
});

test('whether the services of an inactive carrier can be read does not matter', async () => {
	const wanted = [
		{ carrierCode: 'OWL', serviceType: 'NIGHT' },
		{ carrierCode: 'ANT', serviceType: 'HOME' },
	];
	const offers = await readOffers(clientWith(current, current), wanted);
	expect([...offers.services.keys()]).toEqual(['ANT']);
});

test('an error for the services of an active carrier is thrown', async () => {
	const client = clientWith(current, { ...current, services: {} });
	const reading = readOffers(client, [{ carrierCode: 'ANT', serviceType: 'MOON' }]);
	await expect(reading).rejects.toThrow('No services of ANT');
});
