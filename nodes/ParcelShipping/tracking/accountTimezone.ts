import { IANAZone } from 'luxon';

import { keepLatest } from '../lists';
import { isServiceError } from '../transport/errors';
import { type Poll, warn } from './host';
import type { Watch } from './watch';
import { windowsZones } from './windowsZones.generated';

// The timezone of each account. This process asks for it once a day, ten minutes after a temporary failure,
// and after a restart. Without a response, the one of the saved state counts, see `idTimezone` there.

const MAX_ACCOUNTS = 100;
const ASK_AGAIN_MS = 24 * 3_600_000;
/** Until then, dates without an offset are read in another timezone. */
const ASK_AFTER_FAILURE_MS = 10 * 60_000;

/** It only helps, so it may not take long. */
const TIMEOUT_MS = 5_000;

interface Asked {
	timezone: Promise<string | undefined>;
	at: number;
}

const asked = new Map<string, Asked>();

/** The form with the timezone of the account, if the user has not set one and the service says it. */
export async function completeTimezone(poll: Poll): Promise<Watch> {
	const { watch } = poll;
	const timezone = watch.isTimezoneAssumed ? await accountTimezone(poll) : undefined;
	return timezone === undefined ? watch : { ...watch, timezone, isTimezoneAssumed: false };
}

/** The timezone of the account at the service; `undefined` if the service does not say it. */
async function accountTimezone({
	context,
	client,
	watch,
	budget,
}: Poll): Promise<string | undefined> {
	const now = budget.now();
	const known = asked.get(watch.account);
	if (known && (now - known.at < ASK_AGAIN_MS || budget.isSpent())) return await known.timezone;
	if (budget.isSpent()) return undefined;
	const warnOfAssumed = () => {
		const text = `The service does not say the timezone of the account, and Timezone is empty. Event dates without an offset are read in the timezone of the workflow, ${watch.timezone}. If dateTime is off by hours, set Timezone in the trigger`;
		warn(context, text);
		return undefined;
	};
	const timeoutMs = Math.min(TIMEOUT_MS, budget.spend());
	const asking: Asked = {
		at: now,
		timezone: client.call('getAccount', {}, timeoutMs).then(
			({ result }) => readTimezone(result.timeZone) ?? warnOfAssumed(),
			async (failure: unknown) => {
				const isTransient = isServiceError(failure) && failure.facts.isTransient;
				if (isTransient) asking.at = now - ASK_AGAIN_MS + ASK_AFTER_FAILURE_MS;
				return known ? await known.timezone : isTransient ? undefined : warnOfAssumed();
			},
		),
	};
	keepLatest(asked, watch.account, asking, MAX_ACCOUNTS);
	return await asking.timezone;
}

/** Services use the names of Windows. */
export function readTimezone(name: unknown): string | undefined {
	if (typeof name !== 'string') return undefined;
	const zone = windowsZones[name.trim()] ?? name.trim();
	return IANAZone.isValidZone(zone) ? zone : undefined;
}
