import {
	completeTimezone,
	readTimezone,
} from '../../../nodes/ParcelShipping/tracking/accountTimezone';
import { Budget } from '../../../nodes/ParcelShipping/tracking/budget';
import { ServiceError } from '../../../nodes/ParcelShipping/transport/errors';
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
	const HOUR_MS = 3_600_000;
	const factsOf = (more: object) => ({
		...{ message: '', description: '', endpoint: '', mayHaveActed: false },
		...more,
	});
	let accounts = 0;

	/** A trigger of a new account, and how often it has asked for the timezone. */
	function setAccount() {
		const account = `https://api.example.com ${++accounts}`;
		const asked = { times: 0, warnings: 0 };
		const completeAt = async (nowMs: number, answer: () => unknown) => {
			const context = {
				getWorkflow: () => ({ id: account }),
				getNode: () => ({ id: 'n' }),
				logger: { warn: () => asked.warnings++, debug: () => undefined },
			};
			const call = async () => (asked.times++, await Promise.resolve({ result: answer() }));
			const watch = watchOf({ account, timezone: 'UTC', isTimezonePending: true });
			const budget = new Budget(() => nowMs, HOUR_MS);
			const poll = { context, client: { call }, watch, budget } as never;
			return (await completeTimezone(poll)).timezone;
		};
		return { asked, completeAt };
	}
	const prague = () => ({ timeZone: 'Europe/Prague' });
	const silent = () => ({});
	const failing = (more: object) => () => {
		throw new ServiceError(factsOf(more));
	};

	test('that of the account counts, which is asked once a day, also by two triggers at once', async () => {
		const { asked, completeAt } = setAccount();
		const zones = await Promise.all([completeAt(0, prague), completeAt(0, prague)]);
		expect(zones).toEqual(['Europe/Prague', 'Europe/Prague']);
		expect(await completeAt(23 * HOUR_MS, silent)).toBe('Europe/Prague');
		expect(asked.times).toBe(1);
		expect(await completeAt(25 * HOUR_MS, failing({ status: 500 }))).toBe('Europe/Prague');
	});

	test.each<[string, () => unknown]>([
		['the service does not say it', silent],
		['the service cannot say it', failing({ status: 404, isMissingEndpoint: true })],
	])('that of the workflow counts for a day if %s, and the log says so', async (_, answer) => {
		const { asked, completeAt } = setAccount();
		expect(await completeAt(0, answer)).toBe('UTC');
		expect(await completeAt(23 * HOUR_MS, prague)).toBe('UTC');
		expect(asked).toEqual({ times: 1, warnings: 1 });
		expect(await completeAt(24 * HOUR_MS, prague)).toBe('Europe/Prague');
	});

	test.each<[string, object]>([
		['a wrong password', { status: 401 }],
		['a maintenance page', { status: 200 }],
		['a short failure', { status: 503, isTransient: true }],
	])('it is asked again ten minutes after %s', async (_, failure) => {
		const { asked, completeAt } = setAccount();
		expect(await completeAt(0, failing(failure))).toBe('UTC');
		expect(await completeAt(HOUR_MS / 10, prague)).toBe('UTC');
		expect(await completeAt(HOUR_MS / 6, prague)).toBe('Europe/Prague');
		expect(asked).toEqual({ times: 2, warnings: 0 });
	});
});
