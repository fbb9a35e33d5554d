import { findByCode } from '../../../nodes/ParcelShipping/lists';
import {
	addressProblems,
	findOffer,
	likelyProblems,
	type Offers,
} from '../../../nodes/ParcelShipping/orders/validate';
import type { Carrier, CarrierService } from '../../../nodes/ParcelShipping/transport/contract';

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
	carriers: [carrier('ANT', 'Active'), carrier('OWL', 'Inactive')],
	services: new Map([['ANT', services]]),
};
const find = (carrierCode: string, serviceType: string) =>
	findOffer({ carrierCode, serviceType }, offers);

test.each([
	['ELK', 'HOME', 'Carrier', '"ELK"', 'a carrier of the account: ANT, OWL'],
	[
		'OWL',
		'HOME',
		'Carrier',
		'"OWL", which is not activated in the account',
		'Activate OWL carrier',
	],
	['ANT', 'POINT', 'Service', '"POINT"', 'a service of ANT: HOME, RETURN'],
])('%s %s is a problem of the field %s: %s', (code, type, caption, found, expected) => {
	const { problem } = find(code, type);
	expect(problem).toMatchObject({ caption, found, expected: expect.stringContaining(expected) });
});

test('an address is refused for a service that does not accept it, naming those that do', () => {
	const body = { senderName: 'Jana', senderCity: 'Praha' };
	expect(addressProblems(body, find('ANT', 'HOME'))).toEqual([
		{
			field: 'senderName',
			caption: 'Sender Address',
			found: 'set (Sender Name, Sender City)',
			expected:
				'none, because HOME service (HOME) does not accept it. These services accept it: RETURN',
			message:
				'Sender Address is set (Sender Name, Sender City), but HOME service does not accept it',
		},
	]);
	expect(addressProblems(body, find('ANT', 'RETURN'))).toEqual([]);
	expect(addressProblems({ coverZip: '01001' }, find('ANT', 'RETURN'))).toMatchObject([
		{ field: 'coverZip', caption: 'Cover Address', found: 'set (Cover Postal Code)' },
	]);
});

test('a code that matches exactly comes before one that differs in case', () => {
	const codes = [{ code: 'Ant' }, { code: 'ant' }];
	expect(findByCode(codes, 'ant')).toBe(codes[1]);
	expect(findByCode(codes, 'ANT')).toBe(codes[0]);
});

test.each([
	['HOME', 'Ant to the door', {}, []],
	['POINT', 'Ant pickup point', {}, ['branchId']],
	['POINT', 'Ant pickup point', { branchId: 'P-001' }, []],
	['BOX', 'Výdejní box', {}, ['branchId']],
	['CASH', 'Ant cash on delivery', {}, ['cod']],
	['CASH', 'Ant cash on delivery', { cod: false }, ['cod']],
	['CASH', 'Ant cash on delivery', { cod: true }, []],
	['COD-POINT', 'Dobírka ParcelShop', {}, ['branchId', 'cod']],
	['POINTLESS', 'Pointless', {}, []],
])('the service %s (%s) probably needs more than %j: %j', (code, name, body, expected) => {
	const problems = likelyProblems(body, { ...service(code, true), name });
	expect(problems.map(({ field }) => field)).toEqual(expected);
});

test('what an order probably lacks is named with the service, in the words of the form', () => {
	const point = { ...service('POINT', true), name: 'Ant pickup point' };
	const message = 'Pickup Point Code is missing, which Ant pickup point probably needs';
	expect(likelyProblems({}, point)).toMatchObject([{ caption: 'Pickup Point Code', message }]);
	expect(likelyProblems({}, undefined)).toEqual([]);
});
