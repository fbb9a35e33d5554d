import { IANAZone } from 'luxon';

import { isMissingEndpoint } from '../transport/errors';
import { memoryOf, warn } from './host';
import type { State } from './state';
import type { Poll } from './watch';
import { windowsZones } from './windowsZones.generated';

/** It only helps, so it may not take long. */
const TIMEOUT_MS = 5_000;

/** The account is asked again after this time, until it has told its zone. */
const RETRY_MS = 30 * 60_000;

interface Zone {
	/** Of dates without an offset. */
	zone: string;
	/** That of the account: null if it has none, undefined until the provider has told it. */
	ofAccount: string | null | undefined;
}

/** The zone of the form, of the account or of the workflow. */
export async function readZone(poll: Poll, state?: State): Promise<Zone> {
	const { context, watch, nowMs } = poll;
	let ofAccount = state?.account === watch.account ? state.zone : undefined;
	if (watch.timezone) return { zone: watch.timezone, ofAccount };
	const memory = memoryOf(context);
	const isStart = state?.account !== watch.account;
	const isDue = isStart || Math.abs(nowMs - memory.zoneAskedAt) >= RETRY_MS;
	if (ofAccount === undefined && isDue && poll.mayAsk()) {
		if (state) memory.zoneAskedAt = nowMs;
		ofAccount = await askAccount(poll);
	}
	const zone = ofAccount ?? context.getTimezone();
	if (ofAccount === null) {
		const text = `The provider does not tell the time zone of the account, and Timezone is empty. Event dates without an offset are read in the time zone of the workflow, ${zone}. If dateTime is off by hours, set Timezone in the trigger`;
		warn(context, text);
	}
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
