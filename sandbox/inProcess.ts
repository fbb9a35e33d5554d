import { ServiceError } from './domain/validation';
import { type FileContents, fileHeaders } from './http/labelFiles';
import type { RouteName, ServiceRequest } from './http/requestLog';
import { errorResponse, notFound, type ServiceResponse } from './http/responses';
import {
	fileRoutes,
	operationRoutes,
	rejectEarly,
	type Route,
	runRoute,
	signInRoute,
} from './http/routes';
import type { ServiceState } from './http/state';
import type { SandboxOptions } from './options';
import { createControls, createState, type ServiceControls } from './service';

export interface PlainRequest {
	method: string;
	/** Absolute, or without the origin: /api/Package/Find */
	url: string;
	headers: Record<string, string>;
	/** JSON. */
	body?: string | undefined;
}

export interface PlainResponse {
	/** null for an unknown path. */
	operation: RouteName | null;
	status: number;
	headers: Record<string, string>;
	/** A Buffer for a file. */
	body: string | Buffer;
}

export interface ServiceOptions
	extends Omit<SandboxOptions, 'port' | 'host' | 'latencyMs' | 'labelOrigin' | 'labelFileBytes'> {
	/** Base URL of the service. Default: http://service.test/api */
	url?: string;
}

/** The service without a server. It has no faults, and its files only name shipments. */
export interface ServiceInProcess extends ServiceControls {
	/** Carries out the request. Never throws. */
	answer(request: PlainRequest): PlainResponse;
	/** The operation of the request, which is not carried out. null for an unknown path. */
	operationOf(request: Pick<PlainRequest, 'method' | 'url'>): RouteName | null;
}

export function createService(options: ServiceOptions = {}): ServiceInProcess {
	const api = options.url ?? 'http://service.test/api';
	const addresses = { api, files: `${api}/files` };
	let lastId = 0;
	const state: ServiceState = createState(options, addresses, {
		nowMs: () => state.clock.nowMs(),
		newId: () => `00000000-0000-4000-8000-${String(++lastId).padStart(12, '0')}`,
	});
	known ??= toMatchers([...operationRoutes(state.contract), ...fileRoutes]);
	const matchers = [...toMatchers([signInRoute(state)]), ...known];
	const base = new URL(api).pathname;
	const slashes =
		state.dialect.ignoresTrailingSlash || options.pathsWithoutSlash ? ['', '/'] : [''];

	const find: Find = (method, path) => {
		if (!path.startsWith(`${base}/`)) return null;
		for (const slash of slashes) {
			for (const { route, pattern } of matchers) {
				if (route.method !== method) continue;
				const found = pattern.exec(path.slice(base.length) + slash);
				if (found) return { route, params: { ...found.groups } };
			}
		}
		return null;
	};
	return Object.assign(createControls(state, addresses), {
		answer: (request: PlainRequest) => answer(request, find, state),
		operationOf: ({ method, url }: Pick<PlainRequest, 'method' | 'url'>) =>
			find(method, splitUrl(url).path)?.route.name ?? null,
	});
}

type Find = (
	method: string,
	path: string,
) => { route: Route; params: Record<string, string> } | null;

/** Those of the contract, made once. */
let known: Matcher[] | undefined;

interface Matcher {
	route: Route;
	pattern: RegExp;
}

/** Like Fastify, a fixed segment comes before a parameter. */
function toMatchers(routes: Route[]): Matcher[] {
	const sortKey = ({ url }: Route) => url.replaceAll(':', '\uffff');
	return routes
		.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
		.map((route) => ({
			route,
			pattern: new RegExp(`^${route.url.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
		}));
}

function splitUrl(url: string): { path: string; query: string } {
	const [path = '', query = ''] = url.replace(/^\w+:\/\/[^/?]*/, '').split('?');
	return { path, query };
}

function answer(
	{ method, url, headers, body }: PlainRequest,
	find: Find,
	state: ServiceState,
): PlainResponse {
	const { path, query: queryText } = splitUrl(url);
	const found = find(method, path);
	const operationId = found?.route.name ?? null;
	const query = Object.fromEntries(new URLSearchParams(queryText));
	const sent: Record<string, string> = {};
	for (const name in headers) sent[name.toLowerCase()] = headers[name] ?? '';
	const recorded = state.log.newRecord({ operationId, method, path, query, headers: sent });
	state.log.requests.push(recorded);
	const request = { ...recorded, params: found?.params ?? {}, recorded };
	const response = respond(request, body, found?.route, state);
	recorded.status = response.status;
	recorded.finishedAt = recorded.at;
	const { json, file } = response;
	return {
		operation: operationId,
		status: response.status,
		headers: {
			...(json ? { 'content-type': 'application/json; charset=utf-8' } : {}),
			...state.dialect.headers(recorded.correlationId),
			...response.headers,
			...(file ? fileHeaders(file) : {}),
		},
		body: file ? renderNames(file) : json ? JSON.stringify(json) : '',
	};
}

function respond(
	request: ServiceRequest,
	body: string | undefined,
	route: Route | undefined,
	state: ServiceState,
): ServiceResponse<FileContents> {
	if (!route) return notFound(request, state);
	try {
		const params = Object.entries(request.params as Record<string, string>);
		request.params = Object.fromEntries(
			params.map(([name, text]) => [name, decodeURIComponent(text)]),
		);
		request.body = request.recorded.body = body ? JSON.parse(body) : undefined;
	} catch {
		const rejection = new ServiceError(400, 'The address or the body is malformed');
		return errorResponse(rejection, request, state);
	}
	return rejectEarly(route, request, state) ?? runRoute(route, request, state);
}

/** A file without labels, from which a test reads what they are of. */
function renderNames({ name, format, shipments }: FileContents): Buffer {
	const text = `${name} of shipments ${shipments.map(({ id }) => id).join(',')}`;
	return Buffer.from(format === 'pdf' ? `%PDF-1.7\n% ${text}\n%%EOF\n` : `^XA^FX${text}^FS^XZ\n`);
}
