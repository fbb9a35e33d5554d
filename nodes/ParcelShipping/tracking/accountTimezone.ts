import { IANAZone } from 'luxon';

import { type Poll, warn } from './host';
import type { Watch } from './watch';
import { windowsZones } from './windowsZones.generated';

/** It only helps, so it may not take long. */
const TIMEOUT_MS = 5_000;

/** The form with the timezone of the account, if the user has not set one. Without any, that of the workflow counts. */
export async function completeTimezone({ context, client, watch, budget }: Poll): Promise<Watch> {
	if (!watch.isTimezoneAssumed || budget.isSpent()) return watch;
	const account = await client.account(Math.min(TIMEOUT_MS, budget.timeoutMs()));
	if (account.isUnknown) return watch;
	const timezone = readTimezone(account.timeZone);
	if (timezone === undefined) {
		const text = `The service does not say the timezone of the account, and Timezone is empty. Event dates without an offset are read in the timezone of the workflow, ${watch.timezone}. If dateTime is off by hours, set Timezone in the trigger`;
		warn(context, text);
	}
	return { ...watch, timezone: timezone ?? watch.timezone, isTimezoneAssumed: false };
}

/** Services use the names of Windows. */
export function readTimezone(name: unknown): string | undefined {
	if (typeof name !== 'string') return undefined;
	const zone = windowsZones[name.trim()] ?? name.trim();
	return IANAZone.isValidZone(zone) ? zone : undefined;
}
