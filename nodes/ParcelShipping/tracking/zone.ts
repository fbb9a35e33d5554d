import { IANAZone } from 'luxon';

import { isMissingEndpoint } from '../transport/errors';
import { memoryOf, warn } from './host';
import type { State } from './state';
import type { Poll } from './watch';
import { windowsZones } from './windowsZones.generated';

/** It only helps, so it may not take long, and its failure holds no other request back. */
const TIMEOUT_MS = 5_000;

const RETRY_MS = 30 * 60_000;

/**
 * The zone of dates without an offset: that of the form, of the account or of the workflow. `ofAccount` is null if the
 * account has none, `undefined` until the provider has told it. It is asked at the start and then every half hour.
 */
export async function readZone(poll: Poll, state?: State) {
	const { context, watch, nowMs } = poll;
	const isStart = state?.account !== watch.account;
	let ofAccount = isStart ? undefined : state.zone;
	if (watch.timezone) return { zone: watch.timezone, ofAccount };
	const memory = memoryOf(context);
	const isDue = isStart || Math.abs(nowMs - memory.zoneAskedAt) >= RETRY_MS;
	if (ofAccount === undefined && isDue) {
		memory.zoneAskedAt = nowMs;
		ofAccount = await askAccount(poll);
	}
	const zone = ofAccount ?? context.getTimezone();
	const what = `The provider does not tell the time zone of the account, and Timezone is empty. Event dates without an offset are read in the time zone of the workflow, ${zone}. If dateTime is off by hours, set Timezone in the trigger`;
	if (ofAccount === null) warn(context, what);
	return { zone, ofAccount };
}

async function askAccount({ client }: Poll): Promise<string | null | undefined> {
	try {
		const limits = { timeoutMs: TIMEOUT_MS };
		const { result } = await client.call('getAccount', {}, limits);
		return readZoneName(result.timeZone) ?? null;
	} catch (failure) {
		// Any other failure says nothing about the account, for example a wrong password.
		return isMissingEndpoint(failure) ? null : undefined;
	}
}

/** Providers use the names of Windows. */
export function readZoneName(name: unknown): string | undefined {
	if (typeof name !== 'string') return undefined;
	const zone = windowsZones[name.trim()] ?? name.trim();
	return IANAZone.isValidZone(zone) ? zone : undefined;
}
