import { IANAZone } from 'luxon';

import { keepLatest } from '../lists';
import { DAY_MS } from '../records';
import { isMissingEndpoint } from '../transport/errors';
import { MINUTE_MS } from './dates';
import { warn } from './host';
import type { Poll, Watch } from './watch';
import { windowsZones } from './windowsZones.generated';

const MAX_ACCOUNTS = 100;

/** After a failure. Until then, the saved timezone counts. */
const RETRY_MS = 10 * MINUTE_MS;

/** It only helps, so it may not take long. */
const TIMEOUT_MS = 5_000;

interface AccountTimezone {
	/** Null if the service has none. `undefined` until it has responded. */
	timezone: string | null | undefined;
	nextRequestAt: number;
}

/** What this process knows of each account. Until a response, the saved state counts, see `idTimezone` there. */
const timezones = new Map<string, Promise<AccountTimezone>>();

/** The form with the timezone of the account, if the user has not set one. Without any, that of the workflow counts. */
export async function completeTimezone(poll: Poll): Promise<Watch> {
	const { watch, budget } = poll;
	if (!watch.isTimezonePending) return watch;
	const known = timezones.get(watch.account);
	// Nothing is awaited before the first request is remembered, so that two triggers that poll at once send one.
	const before = known && (await known);
	const isDue = budget.now() >= (before?.nextRequestAt ?? 0) && !budget.isSpent();
	const request = isDue ? requestTimezone(poll, before) : undefined;
	if (request) keepLatest(timezones, watch.account, request, MAX_ACCOUNTS);
	const { timezone } = (await request) ?? before ?? {};
	if (timezone === undefined) return watch;
	return { ...watch, timezone: timezone ?? watch.timezone, isTimezonePending: false };
}

async function requestTimezone(
	{ context, client, watch, budget }: Poll,
	before?: AccountTimezone,
): Promise<AccountTimezone> {
	const nowMs = budget.now();
	let timezone: string | null = null;
	try {
		const timeoutMs = Math.min(TIMEOUT_MS, budget.spend());
		const { result } = await client.call('getAccount', {}, { timeoutMs });
		timezone = readTimezone(result.timeZone) ?? null;
	} catch (failure) {
		// Any other failure says nothing about the account, for example a wrong password.
		if (!isMissingEndpoint(failure)) {
			return { timezone: before?.timezone, nextRequestAt: nowMs + RETRY_MS };
		}
	}
	if (timezone === null) {
		const text = `The service does not say the timezone of the account, and Timezone is empty. Event dates without an offset are read in the timezone of the workflow, ${watch.timezone}. If dateTime is off by hours, set Timezone in the trigger`;
		warn(context, text);
	}
	return { timezone, nextRequestAt: nowMs + DAY_MS };
}

/** Services use the names of Windows. */
export function readTimezone(name: unknown): string | undefined {
	if (typeof name !== 'string') return undefined;
	const zone = windowsZones[name.trim()] ?? name.trim();
	return IANAZone.isValidZone(zone) ? zone : undefined;
}
