import { authenticate } from './authentication';
import type { Contract, OperationId } from './contract';
import { type FileContents, jobFile, protocolFile, shipmentLabelFile } from './labelFiles';
import { runOperation, signIn } from './operations';
import type { RouteName, ServiceRequest } from './requestLog';
import { errorResponse, type ServiceResponse, tooManyRequests } from './responses';
import type { ServiceState } from './state';

type Response = ServiceResponse<FileContents>;

export interface Route {
	name: RouteName;
	method: 'GET' | 'POST';
	/** With parameters: /:carrier_code/Tracking */
	url: string;
	needsCredential: boolean;
	run(request: ServiceRequest, state: ServiceState): Response;
}

type FileParams = { hash: string; id: string };

function fileRoute(
	url: string,
	contents: (params: FileParams, state: ServiceState) => FileContents,
): Route {
	return {
		name: 'labelFile',
		method: 'GET',
		url,
		needsCredential: true,
		run: ({ params }, state) => ({ status: 200, file: contents(params as FileParams, state) }),
	};
}

export const fileRoutes: Route[] = [
	fileRoute('/files/job/:hash', ({ hash }, state) => jobFile(hash, state)),
	fileRoute('/files/protocol/:id', ({ id }, state) => protocolFile(Number(id), state)),
	fileRoute('/files/shipment/:id', ({ id }, state) => shipmentLabelFile(Number(id), state)),
];

/** The routes of the contract, by their paths under the base URL of the service. */
export function operationRoutes(contract: Contract): Route[] {
	const names = Object.keys(contract) as OperationId[];
	return names.map((name) => ({
		name,
		method: contract[name].method,
		url: contract[name].path.replaceAll(/\{(\w+)\}/g, ':$1'),
		needsCredential: true,
		run: (request, state) => runOperation(name, request, state),
	}));
}

export function signInRoute({ sessions }: ServiceState): Route {
	const url = sessions.settings.path;
	return { name: 'signIn', method: 'POST', url, needsCredential: false, run: signIn };
}

/** The response to a request that is refused before it is read, or null. */
export function rejectEarly(
	{ needsCredential }: Route,
	request: ServiceRequest,
	state: ServiceState,
): ServiceResponse<never> | null {
	if (state.rateLimit?.take(state.runtime.nowMs()) === false) {
		const { retryAfterSeconds } = state.rateLimit.settings;
		const response = errorResponse(tooManyRequests(), request, state);
		return retryAfterSeconds === undefined
			? response
			: { ...response, headers: { 'retry-after': String(retryAfterSeconds) } };
	}
	try {
		if (needsCredential) authenticate(request, state);
		return null;
	} catch (error) {
		return errorResponse(error, request, state);
	}
}

export function runRoute(route: Route, request: ServiceRequest, state: ServiceState): Response {
	try {
		return route.run(request, state);
	} catch (error) {
		return errorResponse(error, request, state);
	}
}
