import {
	completeTimezone,
	readTimezone,
} from '../../../nodes/ParcelShipping/tracking/accountTimezone';
import { Budget } from '../../../nodes/ParcelShipping/tracking/budget';
import { clientOf, responseOf } from '../../support/respondingClient';
import { watchOf } from '../../support/watched';

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

describe('With an empty Timezone', () => {
	const MINUTE_MS = 60_000;
	let accounts = 0;
	let nowMs = 0;
	beforeAll(() => jest.spyOn(Date, 'now').mockImplementation(() => nowMs));
	afterAll(() => jest.restoreAllMocks());

	/** A trigger of a new account, and how often it has asked for the timezone. */
	function setAccount() {
		const account = `https://api.example.com ${++accounts}`;
		const asked = { times: 0, warnings: 0 };
		/** The form as a poll at this minute completes it. The service responds with this. */
		const completeAt = async (minute: number, response: ReturnType<typeof responseOf>) => {
			nowMs = minute * MINUTE_MS;
			const context = {
				getWorkflow: () => ({ id: account }),
				getNode: () => ({ id: 'n' }),
				logger: { warn: () => asked.warnings++, debug: () => undefined },
			};
			const respond = () => (asked.times++, response);
			const { client } = clientOf(respond, { headerValue: account });
			const watch = watchOf({ account, timezone: 'UTC', isTimezoneAssumed: true });
			const budget = new Budget(() => nowMs, MINUTE_MS);
			const completed = await completeTimezone({ context, client, watch, budget } as never);
			return [completed.timezone, completed.isTimezoneAssumed];
		};
		return { asked, completeAt };
	}
	const prague = responseOf(200, { result: { timeZone: 'Europe/Prague' } });
	const silent = responseOf(200, { result: {} });

	test('that of the account counts, which is asked every ten minutes, also by two triggers at once', async () => {
		const { asked, completeAt } = setAccount();
		const zones = await Promise.all([completeAt(0, prague), completeAt(0, prague)]);
		expect(zones).toEqual([
			['Europe/Prague', false],
			['Europe/Prague', false],
		]);
		expect(await completeAt(10, silent)).toEqual(['Europe/Prague', false]);
		expect(asked.times).toBe(1);
		expect(await completeAt(11, silent)).toEqual(['UTC', false]);
	});

	test.each([
		['the service does not say it', silent],
		['the service cannot say it', responseOf(404, 'Not found')],
	])('that of the workflow counts if %s, and the log says so', async (_, response) => {
		const { asked, completeAt } = setAccount();
		expect(await completeAt(0, response)).toEqual(['UTC', false]);
		expect(await completeAt(10, prague)).toEqual(['UTC', false]);
		expect(asked).toEqual({ times: 1, warnings: 1 });
		expect(await completeAt(11, prague)).toEqual(['Europe/Prague', false]);
	});

	test.each([
		['a wrong password', responseOf(401, '')],
		['a maintenance page', responseOf(200, '<html>Maintenance</html>')],
		['a short failure', responseOf(503, '')],
	])('what earlier polls knew counts for ten minutes after %s', async (_, response) => {
		const { asked, completeAt } = setAccount();
		expect(await completeAt(0, response)).toEqual(['UTC', true]);
		expect(await completeAt(10, prague)).toEqual(['UTC', true]);
		expect(await completeAt(11, prague)).toEqual(['Europe/Prague', false]);
		expect(asked).toEqual({ times: 2, warnings: 0 });
	});
});
