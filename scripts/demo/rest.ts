// n8n's internal REST API, which its editor uses.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Owner } from './n8n';

export interface WorkflowNode {
	id?: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
	[setting: string]: unknown;
}

export interface WorkflowDraft {
	id?: string;
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	pinData?: Record<string, unknown>;
	meta?: Record<string, unknown>;
}

export interface StoredWorkflow extends WorkflowDraft {
	id: string;
	versionId: string;
	active: boolean;
}

export interface StoredCredential {
	id: string;
	name: string;
	type: string;
}

/** n8n may close an idle connection at the moment at which the next request would use it. */
export const JSON_ONCE = { 'content-type': 'application/json', connection: 'close' };

const PUBLISH_TIMEOUT_MS = 30_000;

export class RestError extends Error {
	constructor(
		readonly status: number,
		action: string,
		body: string,
	) {
		super(`n8n rejected ${action} (${status}): ${body.slice(0, 500)}`);
	}
}

/** Catches the error of what does not exist. */
export function ifNotFound(error: unknown): undefined {
	if (!(error instanceof RestError) || error.status !== 404) throw error;
}

type User = Pick<Owner, 'email' | 'password'>;

export async function signIn(url: string, { email, password }: User): Promise<N8nRest> {
	// n8n ties a session to one browser id, which every request has to send.
	const browserId = randomUUID();
	const response = await fetch(`${url}/rest/login`, {
		method: 'POST',
		headers: { ...JSON_ONCE, 'browser-id': browserId },
		body: JSON.stringify({ emailOrLdapLoginId: email, password }),
	});
	if (!response.ok) throw new RestError(response.status, 'the sign-in', await response.text());
	const cookie = response.headers.getSetCookie().map((text) => text.split(';')[0]);
	return new N8nRest(url, { cookie: cookie.join('; '), 'browser-id': browserId });
}

export class N8nRest {
	constructor(
		readonly url: string,
		/** The session. */
		readonly headers: Readonly<Record<string, string>>,
	) {}

	async request<Data>(method: string, path: string, body?: unknown): Promise<Data> {
		const response = await fetch(`${this.url}/rest${path}`, {
			method,
			headers: { ...this.headers, ...JSON_ONCE },
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		if (!response.ok)
			throw new RestError(response.status, `${method} ${path}`, await response.text());
		return ((await response.json()) as { data: Data }).data;
	}

	createCredential(credential: { name: string; type: string; data: object }) {
		return this.request<StoredCredential>('POST', '/credentials', credential);
	}

	updateCredential(id: string, credential: { name: string; type: string; data: object }) {
		return this.request<StoredCredential>('PATCH', `/credentials/${id}`, credential);
	}

	/** Tests a stored credential with changes, as the credential's form in the editor does. */
	async testCredential(id: string, changes: object = {}) {
		type Stored = StoredCredential & { data: object };
		const stored = await this.request<Stored>('GET', `/credentials/${id}?includeData=true`);
		const { name, type, data } = stored;
		const credentials = { id, name, type, data: { ...data, ...changes } };
		type Test = { status: 'OK' | 'Error'; message: string };
		return await this.request<Test>('POST', '/credentials/test', { credentials });
	}

	createWorkflow(workflow: WorkflowDraft) {
		// n8n 2.0 stores only workflows that say whether they are active.
		return this.request<StoredWorkflow>('POST', '/workflows', { active: false, ...workflow });
	}

	getWorkflow(id: string) {
		return this.request<StoredWorkflow>('GET', `/workflows/${id}`);
	}

	/** Publishes a workflow and waits until its triggers are active. */
	async publish({ id, name, versionId }: StoredWorkflow): Promise<void> {
		await this.request('POST', `/workflows/${id}/activate`, { versionId });
		const deadlineMs = Date.now() + PUBLISH_TIMEOUT_MS;
		for (;;) {
			const publication = this.request<Publication>('GET', `/workflows/${id}/publication-status`);
			// Old versions have no status: they respond to the activation when it is complete.
			const { status = 'published', triggers = [] } = (await publication.catch(ifNotFound)) ?? {};
			if (status === 'published') return;
			if (status !== 'in_progress' || Date.now() > deadlineMs) {
				const reasons = triggers.map(({ errorMessage }) => errorMessage).filter(Boolean);
				throw new Error(`n8n could not publish "${name}" (${status}). ${reasons.join('; ')}`);
			}
			await sleep(100);
		}
	}
}

interface Publication {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	triggers: Array<{ nodeId: string; status: string; errorMessage: string | null }>;
}
