import type { OperationId } from './contract';

export type RouteName = OperationId | 'signIn' | 'labelFile';

export interface PlainRequest {
	method: string;
	url: string;
	headers: Record<string, string | string[] | undefined>;
	body?: string | undefined;
}

export interface RecordedRequest {
	operationId: RouteName | null;
	method: string;
	path: string;
	query: Record<string, string>;
	body: unknown;
	/** Include the credential, so that tests can check it. The names are in lower case. */
	headers: Record<string, string | string[] | undefined>;
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

export interface ServiceResponse<File = never> {
	status: number;
	json?: Record<string, unknown>;
	file?: File;
	headers?: Record<string, string>;
}
