import { ServiceError } from '../domain/validation';
import { authenticate } from './authentication';
import type { OperationId } from './contract';
import { type FileContents, jobFile, protocolFile, shipmentLabelFile } from './labelFiles';
import { runOperation, signIn } from './operations';
import type { PlainRequest, RecordedRequest, RouteName, ServiceResponse } from './request';
import type { ServiceState } from './state';

type Params = Record<string, string>;
type Response = ServiceResponse<FileContents>;

interface Route {
	name: RouteName;
	method: string;
	pattern: RegExp;
	run(request: RecordedRequest, params: Params, state: ServiceState): Response;
}

export interface Received {
	request: RecordedRequest;
	route: Route | null;
	params: Params;
	isMalformed: boolean;
}

function newRoute(name: RouteName, method: string, url: string, run: Route['run']): Route {
	const pattern = new RegExp(`^${url.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
	return { name, method, pattern, run };
}

function fileRoute(url: string, contents: (name: string, state: ServiceState) => FileContents) {
	return newRoute('labelFile', 'GET', `/files/${url}/{name}`, (_request, { name = '' }, state) => ({
		status: 200,
		file: contents(name, state),
	}));
}

const fileRoutes = [
	fileRoute('job', jobFile),
	fileRoute('protocol', (id, state) => protocolFile(Number(id), state)),
	fileRoute('shipment', (id, state) => shipmentLabelFile(Number(id), state)),
];

let known: Route[] | undefined;

/** By their paths under the base URL of the provider. A fixed segment comes before a parameter. */
function routesOf({ contract }: ServiceState): Route[] {
	return (known ??= [
		...Object.entries(contract)
			.sort(([, a], [, b]) => (a.path < b.path ? -1 : 1))
			.map(([name, { method, path }]) =>
				newRoute(name as OperationId, method, path, (request, params, state) =>
					runOperation(name as OperationId, request, params, state),
				),
			),
		...fileRoutes,
	]);
}

const isUnder = (base: string, address: string) => `${address}/`.startsWith(`${base}/`);

function find(
	method: string,
	address: string,
	base: string,
	state: ServiceState,
): Pick<Received, 'route' | 'params'> {
	const path = isUnder(base, address) ? address.slice(base.length) : '';
	if (method === 'POST' && path === state.sessions.settings.path) {
		return { route: newRoute('signIn', method, path, signIn), params: {} };
	}
	const ignoresSlash = state.dialect.ignoresTrailingSlash || state.options.pathsWithoutSlash;
	for (const url of ignoresSlash ? [path, `${path}/`] : [path]) {
		for (const route of routesOf(state)) {
			const found = route.method === method ? route.pattern.exec(url) : null;
			if (found) return { route, params: { ...found.groups } };
		}
	}
	return { route: null, params: {} };
}

type Asked = Pick<PlainRequest, 'method' | 'url'>;

/** The operation of a request, which is not carried out. null for an unknown path. */
export const operationOf = ({ method, url }: Asked, base: string, state: ServiceState) =>
	find(method, pathOf(url), base, state).route?.name ?? null;

const pathOf = (url: string) => url.replace(/^\w+:\/\/[^/?]*|\?.*$/g, '');

export function receive(plain: PlainRequest, base: string, state: ServiceState): Received {
	const { method, url, headers, body } = plain;
	const path = pathOf(url);
	const { route, params } = find(method, path, base, state);
	const request: RecordedRequest = {
		operationId: route?.name ?? null,
		method,
		path,
		query: Object.fromEntries(new URLSearchParams(url.split('?')[1] ?? '')),
		body: undefined,
		headers: {},
		status: null,
		at: state.runtime.nowMs(),
		finishedAt: null,
		correlationId: state.runtime.newId(),
	};
	for (const name in headers) request.headers[name.toLowerCase()] = headers[name];
	if (isUnder(base, path)) state.requests.push(request);
	let isMalformed = false;
	try {
		for (const name in params) params[name] = decodeURIComponent(params[name] ?? '');
		request.body = body ? JSON.parse(body) : undefined;
	} catch {
		isMalformed = true;
	}
	return { request, route, params, isMalformed };
}

/** The response to a request that is refused before it is carried out, or null. */
export function reject(
	received: Received,
	state: ServiceState,
	isOpen = false,
): ServiceResponse | null {
	const { request, route, isMalformed } = received;
	try {
		if (!route) throw new ServiceError(404, `Unknown endpoint: ${request.method} ${request.path}`);
		if (isMalformed) throw new ServiceError(400, 'The address or the body is malformed');
		if (!isOpen && route.name !== 'signIn') {
			const { credentials } = state.database.seed;
			authenticate(request, credentials, state.sessions, state.options.accept);
		}
		return null;
	} catch (error) {
		return errorResponse(error, received, state);
	}
}

export function carryOut(received: Received, state: ServiceState): Response {
	try {
		const { route, request, params } = received;
		return (route as Route).run(request, params, state);
	} catch (error) {
		return errorResponse(error, received, state);
	}
}

/** The response to a request that failed, in the dialect of the provider. */
export function errorResponse(
	error: unknown,
	{ request, params }: Received,
	{ dialect }: ServiceState,
): ServiceResponse {
	const known = error instanceof ServiceError;
	const rejection = known ? error : new ServiceError(500, `The sandbox failed: ${String(error)}`);
	return dialect.fail(rejection, request.operationId, request.correlationId, Number(params['id']));
}
