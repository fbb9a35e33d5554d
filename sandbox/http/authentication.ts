import { HOUR_MS, type ShiftedClock } from '../domain/clock';
import type { Database } from '../domain/database';
import type { Credentials, SignInSettings } from '../domain/seed';
import { WrongCredential } from '../domain/validation';
import type { CredentialMethod, SandboxOptions } from '../options';
import type { Runtime, ServiceRequest } from './requestLog';

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

const allMethods: CredentialMethod[] = ['header', 'bearer', 'basic', 'query', 'signIn'];

/** What decides whether a request is signed in. */
interface SignedIn {
	database: Database;
	options: SandboxOptions;
	sessions: Sessions;
}

/** Throws if the request has none of the accepted credentials. */
export function authenticate(request: ServiceRequest, state: SignedIn): void {
	const { credentials } = state.database.seed;
	const methods = state.options.accept ?? allMethods;
	if (methods.some((method) => checks[method](request, credentials, state.sessions))) return;
	throw new WrongCredential(!hasCredential(request, credentials, state.sessions));
}

type CredentialCheck = (request: ServiceRequest, known: Credentials, sessions: Sessions) => boolean;

const checks: Record<CredentialMethod, CredentialCheck> = {
	header: (request, { header }) => headerOf(request, header.name) === header.value,
	bearer: (request, { bearer }) => headerOf(request, 'Authorization') === `Bearer ${bearer.token}`,
	basic: (request, { basic }) => {
		const pair = Buffer.from(`${basic.username}:${basic.password}`).toString('base64');
		return headerOf(request, 'Authorization') === `Basic ${pair}`;
	},
	query: (request, { query }) =>
		(request.query as Record<string, unknown>)[query.name] === query.value,
	signIn: (request, _known, sessions) => {
		const value = headerOf(request, sessions.settings.headerName);
		return value !== undefined && sessions.use(value.replace(/^Bearer /, ''));
	},
};

function hasCredential(
	request: ServiceRequest,
	{ header, query }: Credentials,
	{ settings }: Sessions,
): boolean {
	const names = [header.name, 'Authorization', settings.headerName];
	const hasHeader = names.some((name) => headerOf(request, name) !== undefined);
	return hasHeader || (request.query as Record<string, unknown>)[query.name] !== undefined;
}

function headerOf(request: ServiceRequest, name: string): string | undefined {
	const value = request.headers[name.toLowerCase()];
	return typeof value === 'string' ? value : undefined;
}
