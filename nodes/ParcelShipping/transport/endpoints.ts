import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { EndpointName } from './contract';
import { routes } from './contract.generated';

/** The shape of `result` in the response of an endpoint. `response.ts` checks it. */
export interface ResultShape {
	type: 'list' | 'page' | 'record' | 'boolean';
	/** What the record, or each element, must have. */
	has?: readonly string[];
	/** A single record counts as a list. */
	orRecord?: true;
	/** A page that contains everything counts as a list. */
	orPage?: true;
	/** A row that is null says nothing, and does not hide the others. */
	skipsNull?: true;
	/** A list counts as a page that contains everything. */
	orList?: true;
}

interface Behavior {
	/**
	 * Whether sending the request twice has the same effect as sending it once. The HTTP method does
	 * not show it, because most reads are POSTs. A request to an endpoint that is not safe is never
	 * repeated if the service may have acted.
	 */
	safe: boolean;
	result: ResultShape;
	/** A service may have this path instead of the one in `routes`. */
	secondPath?: string;
	/** A response with an error status may contain rows, too. See `response.ts`. */
	hasRowsOnError?: true;
	/** Not every service has it. */
	isOptional?: true;
}

export interface Endpoint extends Behavior {
	title: string;
	method: 'GET' | 'POST';
	/** The path of a request. Until one is chosen, the first one; see `callEndpoint` in `sender.ts`. */
	path: string;
}

const behaviors = {
	createShipments: {
		safe: false,
		result: { type: 'list', has: ['statusCode'], skipsNull: true },
		hasRowsOnError: true,
		secondPath: routes.createShipmentsOfCarrier.path,
		// Not every service has one of the two.
		isOptional: true,
	},
	// A row without a number must not hide the others, so callers check the rows.
	cancelShipments: {
		safe: false,
		result: { type: 'list', skipsNull: true },
		hasRowsOnError: true,
	},
	// Not safe: a second request for the same shipments may order a second pickup, or be refused because
	// of the first one, and then the protocol of the first one is lost.
	handOverShipments: { safe: false, result: { type: 'record' } },
	findHandOvers: { safe: true, result: { type: 'page', has: ['id'] } },
	findPickupPoints: { safe: true, result: { type: 'page', has: ['code'], orList: true } },
	findPrinters: { safe: true, result: { type: 'list', orPage: true } },
	findBatches: { safe: true, result: { type: 'page', has: ['id'] } },
	getBatch: { safe: true, result: { type: 'record', has: ['id'] } },
	findShipments: { safe: true, result: { type: 'page', has: ['id', 'carrierCode'] } },
	getShipment: {
		safe: true,
		result: { type: 'list', has: ['id'], orRecord: true },
		secondPath: routes.getShipmentShort.path,
	},
	findCarriers: { safe: true, result: { type: 'list', has: ['code'] } },
	findServices: { safe: true, result: { type: 'list', has: ['code'] } },
	getAccount: { safe: true, result: { type: 'record' } },
	findServiceAddons: { safe: true, result: { type: 'list', has: ['code'] } },
	// Safe despite its name: it only creates a file and a hash. Only `sendToPrinter` prints on paper.
	printLabels: { safe: true, result: { type: 'list' }, secondPath: '/Label/Print' },
	sendToPrinter: { safe: false, result: { type: 'boolean' } },
	// One row without a number or status must not fail the others, so callers check the rows.
	trackShipments: { safe: true, result: { type: 'list', skipsNull: true } },
} as const satisfies Readonly<Record<EndpointName, Behavior>>;

/** What may happen only once. The client offers these to `writes/` alone, see `UnsafeCalls` in `client.ts`. */
export type UnsafeEndpoint = {
	[Name in EndpointName]: (typeof behaviors)[Name]['safe'] extends true ? never : Name;
}[EndpointName];

export function endpointOf(name: EndpointName): Endpoint {
	return { ...routes[name], ...behaviors[name] };
}

/** The endpoint as messages name it. */
export function nameOfEndpoint({ title, method, path }: Endpoint): string {
	return `${title} (${method} ${path})`;
}

type PathValues = Readonly<Record<string, string | number>>;

/** Puts values into a path such as `/{carrier_code}/{id}/Detail`. */
function fillPath(path: string, values: PathValues): string {
	return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** Half of a pair of characters cannot be part of an address. */
const wellFormed = (query: object): IDataObject =>
	Object.fromEntries(
		Object.entries(query).map(([name, value]) => [name, Buffer.from(String(value)).toString()]),
	);

export interface EndpointRequest {
	path?: unknown;
	query?: unknown;
	body?: unknown;
}

/** The request as n8n's HTTP helpers take it. */
export function toHttpRequest(
	base: string,
	{ method, path }: Endpoint,
	request: EndpointRequest,
	timeout: number,
): IHttpRequestOptions {
	const hasBody = request.body !== undefined;
	return {
		method,
		url: base + fillPath(path, (request.path ?? {}) as PathValues),
		headers: {
			Accept: 'application/json',
			...(hasBody ? { 'Content-Type': 'application/json' } : {}),
		},
		timeout,
		// Parsed in `response.ts`, so that a truncated JSON is an error and not a text.
		encoding: 'text',
		...(request.query ? { qs: wellFormed(request.query) } : {}),
		// As text, because n8n leaves out a body that is an empty object.
		...(hasBody ? { body: JSON.stringify(request.body) } : {}),
	};
}
