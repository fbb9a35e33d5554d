import { likelyHints, likelyProblems } from '../../../nodes/ParcelShipping/orders/likelyProblems';
import type { Offer } from '../../../nodes/ParcelShipping/orders/validate';
import { orderWith } from '../../support/orders';

const service = (code: string, name: string) => ({ code, name }) as never;
const offer: Offer = {
	carrierCode: 'ANT',
	services: [
		service('HOME', 'Ant to the door'),
		service('POINT', 'Ant pickup point'),
		service('BOX', 'Výdejní box'),
		service('CASH', 'Ant cash on delivery'),
		service('COD-POINT', 'Dobírka ParcelShop'),
	],
};

const fieldsOf = (serviceType: string, body = {}) =>
	likelyProblems({ serviceType, ...body }, offer).map(({ field }) => field);

test.each([
	['HOME', {}, []],
	['POINT', {}, ['branchId']],
	['POINT', { branchId: 'P-001' }, []],
	['BOX', {}, ['branchId']],
	['CASH', {}, ['cod']],
	['CASH', { cod: false }, ['cod']],
	['CASH', { cod: true }, []],
	['COD-POINT', {}, ['branchId', 'cod']],
	['POINTLESS', {}, []],
])('An order for %s with %j probably lacks %j', (serviceType, body, expected) => {
	expect(fieldsOf(serviceType, body)).toEqual(expected);
});

test('The problem names the service in the words of the form', () => {
	expect(likelyProblems({ serviceType: 'point' }, offer)).toMatchObject([
		{
			caption: 'Pickup Point Code',
			message: 'Pickup Point Code is missing, which Ant pickup point probably needs',
		},
	]);
});

test('One hint names all orders that lack the same field', () => {
	const orders = ['A', 'B'].map((reference) => orderWith(reference));
	for (const { body } of orders) body.serviceType = 'POINT';
	expect(likelyHints(orders, new Map([['ANT', offer]]))).toEqual([
		'Pickup Point Code is missing, which Ant pickup point probably needs: A, B.',
	]);
});

test('Nothing is guessed about a carrier that is not usable', () => {
	const problem = { field: 'carrierCode', caption: 'Carrier', found: '', expected: '' };
	expect(likelyProblems({ serviceType: 'POINT' }, { problem })).toEqual([]);
});
