import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { EndpointName } from './contract';
import { routes } from './contract.generated';

/** The shape of `result` in the answer of an endpoint. `response.ts` checks it. */
export type ResultShape =
	| {
			kind: 'list';
			elementsHave: string[];
			/** A single record counts as a list. */
			orRecord?: true;
			/** A page that contains everything counts as a list. */
			orPage?: true;
			/** A list in each element that may be null instead of empty. */
			nullableList?: string;
	  }
	| { kind: 'page'; elementsHave: string[] }
	| { kind: 'record'; has: string[] }
	| { kind: 'boolean' };

interface Behavior {
	/**
	 * Whether sending the request twice has the same effect as sending it once. The HTTP method does
	 * not show it, because most reads are POSTs. A request to an endpoint that is not safe is never
	 * repeated if the service may have acted.
	 */
	safe: boolean;
	result: ResultShape;
	/** Another spelling of the path, tried if there is nothing at the first one. */
	otherPath?: string;
	/** A response with an error status may contain rows, too. See `response.ts`. */
	hasRowsOnError?: true;
}

export type Endpoint = Behavior & {
	title: string;
	method: 'GET' | 'POST';
	path: string;
	/** Not every service has it. */
	isOptional?: true;
};

const created: Behavior = {
	safe: false,
	result: { kind: 'list', elementsHave: ['statusCode'] },
	hasRowsOnError: true,
};
const detail: Behavior = {
	safe: true,
	result: { kind: 'list', elementsHave: ['id'], orRecord: true },
};

const behaviors: Readonly<Record<EndpointName, Behavior>> = {
	createShipments: created,
	createShipmentsOfCarrier: created,
	// A row without a number must not hide the others, so callers check the rows.
	cancelShipments: {
		safe: false,
		result: { kind: 'list', elementsHave: [] },
		hasRowsOnError: true,
	},
	// Not safe: a second request for the same shipments may order a second pickup, or be refused because
	// of the first one, and then the protocol of the first one is lost.
	handOverShipments: { safe: false, result: { kind: 'record', has: [] } },
	findPickupPoints: {
		safe: true,
		result: { kind: 'list', elementsHave: ['code'], orPage: true },
	},
	findPrinters: { safe: true, result: { kind: 'list', elementsHave: [], orPage: true } },
	findBatches: { safe: true, result: { kind: 'page', elementsHave: ['id'] } },
	getBatch: { safe: true, result: { kind: 'record', has: ['id'] } },
	findShipments: { safe: true, result: { kind: 'page', elementsHave: ['id'] } },
	getShipment: detail,
	getShipmentShort: detail,
	findCarriers: { safe: true, result: { kind: 'list', elementsHave: ['code'] } },
	findServices: { safe: true, result: { kind: 'list', elementsHave: ['code'] } },
	// Safe despite its name: it only creates a file and a hash. Only `sendToPrinter` prints on paper.
	printLabels: {
		safe: true,
		result: { kind: 'list', elementsHave: [] },
		otherPath: '/Label/Print',
	},
	sendToPrinter: { safe: false, result: { kind: 'boolean' } },
	// One row without a number or status must not fail the others, so callers check the rows.
	trackShipments: {
		safe: true,
		result: { kind: 'list', elementsHave: [], nullableList: 'events' },
	},
};

export function endpointOf(name: EndpointName): Endpoint {
	return { ...routes[name], ...behaviors[name] };
}

/** The endpoint as messages name it. */
export function nameOf({ title, method, path }: Endpoint): string {
	return `${title} (${method} ${path})`;
}

type PathValues = Readonly<Record<string, string | number>>;

/** Puts values into a path such as `/{carrier_code}/{id}/Detail`. */
export function fillPath(path: string, values: PathValues): string {
	return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

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
		...(request.query ? { qs: request.query as IDataObject } : {}),
		// As text, because n8n leaves out a body that is an empty object.
		...(hasBody ? { body: JSON.stringify(request.body) } : {}),
	};
}
