import { HOUR_MS, type ShiftedClock } from '../domain/clock';
import type { Credentials, SignInSettings } from '../domain/seed';
import { WrongCredential } from '../domain/validation';
import type { CredentialMethod } from '../options';
import type { Runtime, RecordedRequest } from './request';

/** Issued tokens. Each expires some hours after its last use. */
export class Sessions {
	/** Number of sign-ins. */
	signIns = 0;
	private readonly lastUsedMs = new Map<string, number>();

	constructor(
		readonly settings: SignInSettings,
		private readonly clock: ShiftedClock,
		private readonly runtime: Runtime,
	) {}

	/** The token, and when it expires without being used. */
	open(): { token: string; expiresMs: number } {
		const token = `session-${++this.signIns}-${this.runtime.newId()}`;
		const nowMs = this.clock.nowMs();
		this.lastUsedMs.set(token, nowMs);
		return { token, expiresMs: nowMs + this.settings.lifetimeHours * HOUR_MS };
	}

	use(token: string): boolean {
		const lastUsed = this.lastUsedMs.get(token);
		const nowMs = this.clock.nowMs();
		if (lastUsed === undefined || nowMs - lastUsed > this.settings.lifetimeHours * HOUR_MS) {
			return false;
		}
		this.lastUsedMs.set(token, nowMs);
		return true;
	}

	expireAll(): void {
		this.lastUsedMs.clear();
	}

	clear(): void {
		this.expireAll();
		this.signIns = 0;
	}
}

/** Throws if the request has none of the accepted credentials. */
export function authenticate(
	request: RecordedRequest,
	known: Credentials,
	sessions: Sessions,
	accepted = Object.keys(checks) as CredentialMethod[],
): void {
	if (accepted.some((method) => checks[method](request, known, sessions))) return;
	const names = [known.header.name, 'Authorization', sessions.settings.headerName];
	const hasHeader = names.some((name) => headerOf(request, name) !== undefined);
	throw new WrongCredential(!hasHeader && request.query[known.query.name] === undefined);
}

const checks: Record<
	CredentialMethod,
	(request: RecordedRequest, known: Credentials, sessions: Sessions) => boolean
> = {
	header: (request, { header }) => headerOf(request, header.name) === header.value,
	bearer: (request, { bearer }) => headerOf(request, 'Authorization') === `Bearer ${bearer.token}`,
	basic: (request, { basic }) => {
		const pair = Buffer.from(`${basic.username}:${basic.password}`).toString('base64');
		return headerOf(request, 'Authorization') === `Basic ${pair}`;
	},
	query: (request, { query }) => request.query[query.name] === query.value,
	signIn: (request, _known, sessions) => {
		const value = headerOf(request, sessions.settings.headerName);
		return value !== undefined && sessions.use(value.replace(/^Bearer /, ''));
	},
};

function headerOf(request: RecordedRequest, name: string): string | undefined {
	const value = request.headers[name.toLowerCase()];
	return typeof value === 'string' ? value : undefined;
}
