import {
	addressProblems,
	findOffer,
	likelyProblems,
	type Offers,
} from '../../../nodes/ParcelShipping/orders/validate';
import type { Problem } from '../../../nodes/ParcelShipping/orders/order';
import type { Carrier, CarrierService } from '../../../nodes/ParcelShipping/transport/contract';
import { findByCode } from '../../../nodes/ParcelShipping/lists';

const carrier = (code: string, status: string): Carrier => ({
	id: 1,
	code,
	name: `${code} carrier`,
	description: '',
	activated: null,
	status,
});
const service = (code: string, sender: boolean, cover: boolean): CarrierService => ({
	code,
	name: `${code} service`,
	senderAddressEnabled: sender,
	coverAddressEnabled: cover,
});

describe('The carrier and the service of an order', () => {
	const services = [service('HOME', false, false), service('RETURN', true, false)];
	const offers: Offers = {
		carriers: [carrier('ANT', 'Active'), carrier('OWL', 'Inactive')],
		services: new Map([['ANT', services]]),
	};
	const find = (carrierCode: string, serviceType: string) =>
		findOffer({ carrierCode, serviceType }, offers);

	test('are found without case, with the codes as the service writes them', () => {
		expect(find('ant', 'home')).toEqual({
			wanted: { carrierCode: 'ANT', serviceType: 'HOME' },
			service: services[0],
			services,
		});
	});

	test('an unknown carrier is reported with the existing ones', () => {
		expect(find('ELK', 'HOME').problem).toEqual({
			field: 'carrierCode',
			caption: 'Carrier',
			found: '"ELK"',
			expected: 'a carrier of the account: ANT, OWL',
		});
	});

	test('a code that matches exactly comes before one that differs in case', () => {
		const codes = [{ code: 'Ant' }, { code: 'ant' }];
		expect(findByCode(codes, 'ant')).toBe(codes[1]);
		expect(findByCode(codes, 'ANT')).toBe(codes[0]);
		expect(findByCode(codes, 'bee')).toBeUndefined();
	});

	test('an inactive carrier is reported with what to do', () => {
		expect(find('OWL', 'HOME').problem).toMatchObject({
			found: '"OWL", which is not activated in the account',
			expected: expect.stringContaining('Activate OWL carrier'),
		});
	});

	test('an unknown service is reported with the existing ones', () => {
		expect(find('ANT', 'POINT').problem).toEqual({
			field: 'serviceType',
			caption: 'Service',
			found: '"POINT"',
			expected: 'a service of ANT: HOME, RETURN',
		});
	});

	test.each([
		['', ''],
		['', 'HOME'],
		['ANT', ''],
	])('that an item lacks are not reported here (%j, %j)', (carrierCode, serviceType) => {
		expect(find(carrierCode, serviceType)).toMatchObject({ wanted: { carrierCode, serviceType } });
		expect(find(carrierCode, serviceType).problem).toBeUndefined();
	});

	test('a sender address is refused for a service that does not accept it, naming those that do', () => {
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
		] satisfies Problem[]);
		expect(addressProblems(body, find('ANT', 'RETURN'))).toEqual([]);
	});

	test('a cover address is refused for a service that does not accept it', () => {
		expect(addressProblems({ coverZip: '01001' }, find('ANT', 'RETURN'))).toMatchObject([
			{ field: 'coverZip', caption: 'Cover Address', found: 'set (Cover Postal Code)' },
		]);
		expect(addressProblems({}, find('ANT', 'HOME'))).toEqual([]);
	});
});

describe('What an order probably lacks', () => {
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
	])('%s (%s) with %j: %j', (code, name, body, expected) => {
		const problems = likelyProblems(body, { ...service(code, true, true), name });
		expect(problems.map(({ field }) => field)).toEqual(expected);
	});

	test('is named with the service, in the words of the form', () => {
		const point = { ...service('POINT', true, true), name: 'Ant pickup point' };
		expect(likelyProblems({}, point)).toMatchObject([
			{
				caption: 'Pickup Point Code',
				message: 'Pickup Point Code is missing, which Ant pickup point probably needs',
			},
		]);
	});

	test('is not guessed without a service', () => {
		expect(likelyProblems({}, undefined)).toEqual([]);
	});
});
