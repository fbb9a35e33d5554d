import { IANAZone } from 'luxon';

import { isMissingEndpoint } from '../transport/errors';
import { isDueAgain, warn } from './host';
import type { State } from './state';
import type { Poll } from './watch';
import { windowsZones } from './windowsZones.generated';

/** It only helps, so it may not take long. */
const TIMEOUT_MS = 5_000;

const RETRY_MS = 30 * 60_000;

/**
 * The zone of dates without an offset: that of the form, of the account or of the workflow. `ofAccount` is null if the
 * account has none, `undefined` until the provider has told it. It is asked at the start and then every half hour.
 */
export async function readZone({ ask, client, context, watch, nowMs }: Poll, state?: State) {
	const isOtherAccount = state?.account !== watch.account;
	let ofAccount = isOtherAccount ? undefined : state.zone;
	if (watch.timezone) return { zone: watch.timezone, ofAccount };
	if (ofAccount === undefined && (isDueAgain(context, 'zone', RETRY_MS, nowMs) || isOtherAccount)) {
		const limits = { timeoutMs: TIMEOUT_MS };
		ofAccount = await ask(async () => client.call('getAccount', {}, limits)).then(
			({ result }) => readZoneName(result.timeZone) ?? null,
			// Any other failure says nothing about the account, for example a wrong password.
			(failure: unknown) => (isMissingEndpoint(failure) ? null : undefined),
		);
	}
	const zone = ofAccount ?? context.getTimezone();
	const what = `The provider does not tell the time zone of the account, and Timezone is empty. Event dates without an offset are read in the time zone of the workflow, ${zone}. If dateTime is off by hours, set Timezone in the trigger`;
	if (ofAccount === null) warn(context, what);
	return { zone, ofAccount };
}

/** Providers use the names of Windows. */
export function readZoneName(name: unknown): string | undefined {
	if (typeof name !== 'string') return undefined;
	const zone = windowsZones[name.trim()] ?? name.trim();
	return IANAZone.isValidZone(zone) ? zone : undefined;
}
