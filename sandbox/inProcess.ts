import { createControls, type ServiceControls } from './controls';
import { type FileContents, fileHeaders } from './http/labelFiles';
import type { PlainRequest, RouteName } from './http/request';
import { carryOut, operationOf, receive, reject } from './http/routes';
import { createState, type ServiceState } from './http/state';
import type { SandboxOptions } from './options';

export type { PlainRequest } from './http/request';

export interface PlainResponse {
	operation: RouteName | null;
	status: number;
	headers: Record<string, string>;
	body: string | Buffer;
}

export interface ServiceOptions
	extends Omit<SandboxOptions, 'port' | 'latencyMs' | 'labelOrigin' | 'labelFileBytes'> {
	/** Base URL of the provider. Default: http://service.test/api */
	url?: string;
}

/** The provider without a server. It has no faults, and its files only name shipments. */
export interface ServiceInProcess extends ServiceControls {
	respond(request: PlainRequest): PlainResponse;
	/** The operation of the request, which is not carried out. null for an unknown path. */
	operationOf(request: Pick<PlainRequest, 'method' | 'url'>): RouteName | null;
}

export function createService(options: ServiceOptions = {}): ServiceInProcess {
	const api = options.url ?? 'http://service.test/api';
	const origins = { api, files: `${api}/files` };
	let lastId = 0;
	const state: ServiceState = createState(options, origins, {
		nowMs: () => state.clock.nowMs(),
		newId: () => `00000000-0000-4000-8000-${String(++lastId).padStart(12, '0')}`,
	});
	const base = new URL(api).pathname;
	return Object.assign(createControls(state, origins), {
		respond: (request: PlainRequest) => respond(request, base, state),
		operationOf: (request: Pick<PlainRequest, 'method' | 'url'>) =>
			operationOf(request, base, state),
	});
}

function respond(plain: PlainRequest, base: string, state: ServiceState): PlainResponse {
	const received = receive(plain, base, state);
	const { request } = received;
	const { status, json, file, headers } = reject(received, state) ?? carryOut(received, state);
	request.status = status;
	request.finishedAt = request.at;
	return {
		operation: request.operationId,
		status,
		headers: {
			...(json ? { 'content-type': 'application/json; charset=utf-8' } : {}),
			...state.dialect.headers(request.correlationId),
			...headers,
			...(file ? fileHeaders(file) : {}),
		},
		body: file ? renderNames(file) : json ? JSON.stringify(json) : '',
	};
}

/** A file without labels, from which a test reads what they are of. */
function renderNames({ name, format, shipments }: FileContents): Buffer {
	const text = `${name} of shipments ${shipments.map(({ id }) => id).join(',')}`;
	return Buffer.from(format === 'pdf' ? `%PDF-1.7\n% ${text}\n%%EOF\n` : `^XA^FX${text}^FS^XZ\n`);
}
