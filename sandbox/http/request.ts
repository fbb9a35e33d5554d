import type { OperationId } from './contract';

/** The routes of the provider. Faults and recorded requests refer to them. */
export type RouteName = OperationId | 'signIn' | 'labelFile';

export interface PlainRequest {
	method: string;
	/** Absolute, or without the origin: /api/Package/Find */
	url: string;
	headers: Record<string, string | string[] | undefined>;
	/** JSON. */
	body?: string | undefined;
}

export interface RecordedRequest {
	/** null for an unknown path. */
	operationId: RouteName | null;
	method: string;
	/** Without the query. */
	path: string;
	query: Record<string, string>;
	body: unknown;
	/** Include the credential, so that tests can check it. The names are in lower case. */
	headers: Record<string, string | string[] | undefined>;
	/** null until a response is sent. */
	status: number | null;
	/** Wall-clock milliseconds, not the sandbox's clock. In process, the sandbox's clock. */
	at: number;
	finishedAt: number | null;
	correlationId: string;
}

/** The time and the IDs: real ones in the server, given ones in the simulation. */
export interface Runtime {
	nowMs(): number;
	newId(): string;
}

/** A response before it is sent. Files use `file` instead of `json`. */
export interface ServiceResponse<File = never> {
	status: number;
	json?: Record<string, unknown>;
	file?: File;
	headers?: Record<string, string>;
}
