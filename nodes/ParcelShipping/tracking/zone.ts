import { IANAZone } from 'luxon';

import { isMissingEndpoint } from '../transport/errors';
import { warn } from './host';
import { WHOLE_LIST_MS } from './list';
import type { State } from './state';
import type { Poll } from './watch';
import { windowsZones } from './windowsZones.generated';

/** It only helps, so it may not take long. */
const TIMEOUT_MS = 5_000;

/**
 * The zone of dates without an offset: that of the form, of the account or of the workflow. `ofAccount` is null if the
 * account has none, `undefined` until the provider has told it: it is asked whenever the whole list is read.
 */
export async function readZone(poll: Poll, state?: State) {
	const { context, watch, nowMs } = poll;
	const isStart = state?.account !== watch.account;
	let ofAccount = isStart ? undefined : state.zone;
	if (watch.timezone) return { zone: watch.timezone, ofAccount };
	const isDue = isStart || Math.abs(nowMs - state.list.readAt) >= WHOLE_LIST_MS;
	if (ofAccount === undefined && isDue && poll.mayAsk()) ofAccount = await askAccount(poll);
	const zone = ofAccount ?? context.getTimezone();
	const what = `The provider does not tell the time zone of the account, and Timezone is empty. Event dates without an offset are read in the time zone of the workflow, ${zone}. If dateTime is off by hours, set Timezone in the trigger`;
	if (ofAccount === null) warn(context, what);
	return { zone, ofAccount };
}

async function askAccount({ client, ask }: Poll): Promise<string | null | undefined> {
	try {
		const limits = { timeoutMs: TIMEOUT_MS };
		const { result } = await ask(async () => client.call('getAccount', {}, limits));
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
