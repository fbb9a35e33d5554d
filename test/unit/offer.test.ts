import { problemOfCarrier, problemsOfService } from '../../nodes/ParcelShipping/creation/offer';
import type { Carrier, CarrierService } from '../../nodes/ParcelShipping/transport/contract';

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
	const carriers = [carrier('ANT', 'Active'), carrier('OWL', 'Inactive')];
	const offer = {
		carrierCode: 'ANT',
		services: [service('HOME', false, false), service('RETURN', true, false)],
	};

	test('a carrier that does not exist is named with those that do', () => {
		expect(problemOfCarrier('ant', carriers)).toMatchObject({
			label: 'Carrier',
			found: '"ant"',
			expected: 'a carrier of the account: ANT, OWL',
		});
		expect(problemOfCarrier('ANT', carriers)).toBeUndefined();
	});

	test('a carrier that is not activated comes with what to do about it', () => {
		expect(problemOfCarrier('OWL', carriers)).toMatchObject({
			found: '"OWL", which is not activated in the account',
			expected: expect.stringContaining('activate OWL carrier'),
		});
	});

	test('a service that the carrier does not have is named with those that it has', () => {
		expect(problemsOfService('POINT', {}, offer)).toEqual([
			{
				field: 'serviceType',
				label: 'Service',
				found: '"POINT"',
				expected: 'a service of ANT: HOME, RETURN',
			},
		]);
	});

	test('a sender address is refused by a service that accepts none, with those that do', () => {
		const body = { senderName: 'Jana', senderCity: 'Praha' };
		expect(problemsOfService('HOME', body, offer)).toEqual([
			{
				field: 'senderName',
				label: 'Sender Address',
				found: 'given (Sender Name, Sender City)',
				expected: 'none, because HOME service (HOME) does not accept it; it is accepted by RETURN',
			},
		]);
		expect(problemsOfService('RETURN', body, offer)).toEqual([]);
	});

	test('a cover address is refused by a service that accepts none', () => {
		expect(problemsOfService('RETURN', { coverZip: '01001' }, offer)).toMatchObject([
			{ field: 'coverZip', label: 'Cover Address', found: 'given (Cover Postal Code)' },
		]);
		expect(problemsOfService('HOME', {}, offer)).toEqual([]);
	});
});
