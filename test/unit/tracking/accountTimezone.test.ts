import { readTimezone } from '../../../nodes/ParcelShipping/tracking/accountTimezone';

test.each([
	['Central Europe Standard Time', 'Europe/Budapest'],
	['GMT Standard Time', 'Europe/London'],
	['UTC', 'Etc/UTC'],
	['Europe/Prague', 'Europe/Prague'],
	[' Romance Standard Time ', 'Europe/Paris'],
	['Standard Time of the Moon', undefined],
	['', undefined],
	[null, undefined],
	[3, undefined],
])('the timezone of an account that the service calls %j is %s', (name, zone) => {
	expect(readTimezone(name)).toBe(zone);
});
