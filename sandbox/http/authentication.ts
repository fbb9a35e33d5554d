import type { Credentials, SignInSettings } from '../domain/seed';
import { WrongCredential } from '../domain/validation';
import type { CredentialMethod } from '../options';
import type { Runtime, RecordedRequest } from './request';

export class Sessions {
	signIns = 0;
	readonly tokens = new Set<string>();

	constructor(
		readonly settings: SignInSettings,
		private readonly runtime: Runtime,
	) {}

	open(): string {
		const token = `session-${++this.signIns}-${this.runtime.newId()}`;
		this.tokens.add(token);
		return token;
	}

	clear(): void {
		this.tokens.clear();
		this.signIns = 0;
	}
}

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
		return value !== undefined && sessions.tokens.has(value.replace(/^Bearer /, ''));
	},
};

function headerOf(request: RecordedRequest, name: string): string | undefined {
	const value = request.headers[name.toLowerCase()];
	return typeof value === 'string' ? value : undefined;
}
