import { readOffers } from '../../../nodes/ParcelShipping/creation/readOffers';
import {
	addressProblems,
	countryProblems,
	findOffer,
	type OfferedService,
	type Offers,
} from '../../../nodes/ParcelShipping/orders/offers';
import type { Carrier, CarrierService } from '../../../nodes/ParcelShipping/transport/contract';
import { clientOf, responseOf, type Sent } from '../../support/respondingClient';

const carrier = (code: string, status: string) =>
	({ code, name: `${code} carrier`, status }) as Carrier;
const service = (code: string, senderAddressEnabled: boolean): CarrierService => ({
	code,
	name: `${code} service`,
	senderAddressEnabled,
	coverAddressEnabled: false,
});

const services = [service('HOME', false), service('RETURN', true)];
const offers: Offers = {
	carriers: [
		carrier('ANT', 'Active'),
		carrier('OWL', 'Inactive'),
		carrier('EMU', 'WaitingActivation'),
	],
	services: new Map([['ANT', services]]),
};
const find = (carrierCode: string, serviceType: string) =>
	findOffer({ carrierCode, serviceType }, offers);

test.each<[given: unknown[], countries: string[] | undefined]>([
	[
		['cz', 'SVK', ' Poland'],
		['CZ', 'SK', 'PL'],
	],
	[['CZ', 'Everywhere'], undefined],
	[['CZ', { code: 'SK' }], undefined],
])('a service that delivers to %j is read as one that delivers to %j', async (given, countries) => {
	const results: Record<string, object[]> = {
		'/Carrier/Find': [carrier('ANT', 'Active')],
		'/Carrier/Services': services,
		'/ANT/ServiceCountries': [{ code: 'HOME', countries: given }],
	};
	const respond = ({ path }: Sent) => responseOf(200, { result: results[path] });
	const { client } = clientOf(respond, { headerValue: JSON.stringify(given) });
	const read = await readOffers(client, [{ carrierCode: 'ANT', serviceType: 'HOME' }]);
	expect(read.services.get('ANT')?.[0]).toEqual({
		...services[0],
		...(countries && { countries }),
	});
});

test('a service that has its countries in several rows delivers to all of them', async () => {
	const results: Record<string, object[]> = {
		'/Carrier/Find': [carrier('ANT', 'Active')],
		'/Carrier/Services': services,
		'/ANT/ServiceCountries': ['CZ', 'SK'].map((each) => ({ code: 'home', countries: [each] })),
	};
	const respond = ({ path }: Sent) => responseOf(200, { result: results[path] });
	const { client } = clientOf(respond, { headerValue: 'rows' });
	const read = await readOffers(client, [{ carrierCode: 'ANT', serviceType: 'HOME' }]);
	expect(read.services.get('ANT')?.[0]?.countries).toEqual(['CZ', 'SK']);
});

test('a service gets the order with its codes as the service writes them', () => {
	const codes = { carrierCode: 'ANT', serviceType: 'HOME' };
	expect(find('ant', 'home')).toMatchObject({ codes, service: services[0] });
});

test.each([
	['ELK', 'HOME', 'an active carrier of the account: ANT'],
	['OWL', 'HOME', 'an active carrier of the account: ANT'],
	// It waits for its activation.
	['EMU', 'HOME', 'an active carrier of the account: ANT'],
	['ANT', 'POINT', 'a service of ANT: HOME, RETURN'],
])('%s %s is refused, naming what there is: %s', (code, type, expected) => {
	const message = `Invalid Carrier and Service: "${code}/${type}"`;
	expect(find(code, type).problem).toMatchObject({ message, expected });
});

test('a carrier without services is refused', () => {
	const none = { ...offers, services: new Map() };
	const { problem } = findOffer({ carrierCode: 'ANT', serviceType: 'HOME' }, none);
	expect(problem?.expected).toBe('a service of ANT: there is none');
});

test('an address is not refused if the service does not say whether it accepts one', () => {
	const silent = { code: 'HOME', name: 'Home' } as CarrierService;
	const offer = { ...find('ANT', 'HOME'), service: silent };
	expect(addressProblems({ senderName: 'Jana', coverName: 'Shop' }, offer)).toEqual([]);
});

test.each<[body: object, service: string, captions: string[], expected: string]>([
	[{ senderName: 'Jana' }, 'HOME', ['Sender Address'], 'none, because HOME service'],
	[{ coverZip: '01001' }, 'RETURN', ['Cover Address'], 'none, because RETURN service'],
	[{ senderName: 'Jana' }, 'RETURN', [], ''],
])('the address %j for the service %s has the problems %j', (body, type, captions, expected) => {
	const problems = addressProblems(body, find('ANT', type));
	expect(problems.map(({ caption }) => caption)).toEqual(captions);
	expect(problems.map((each) => each.expected).join()).toContain(expected);
});

test.each<[recCountry: string, countries: string[] | undefined, more: object, expected: string[]]>([
	['SK', ['CZ', 'SK'], {}, []],
	['DE', ['CZ', 'SK'], {}, ['ANT that deliver to DE: RETURN service (RETURN)']],
	['PL', ['CZ', 'SK'], {}, ['No service of ANT delivers to PL']],
	['DE', undefined, {}, []],
	['DE', [], {}, []],
	// The pickup point decides the country.
	['DE', ['CZ'], { branchId: 'P-1' }, []],
])('a shipment to %s with a service that delivers to %j %j: %j', (...given) => {
	const [recCountry, countries, more, expected] = given;
	const [home, back] = services;
	const ant = [
		{ ...home, ...(countries ? { countries } : {}) },
		{ ...back, countries: ['DE'] },
	] as OfferedService[];
	const offer = findOffer(
		{ carrierCode: 'ant', serviceType: 'home' },
		{ ...offers, services: new Map([['ANT', ant]]) },
	);
	const problems = countryProblems({ recCountry, ...more }, offer);
	expect(problems.map((problem) => problem.expected)).toEqual(
		expected.map((text) => expect.stringContaining(text)),
	);
	expect(problems.map(({ message }) => message)).toEqual(
		expected.map(() => `HOME service does not deliver to ${recCountry}`),
	);
});
