import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { operations, ShipmentDetail, ShipmentRecord } from '../../../contract/types.generated';
import { limits, routes } from './contract.generated';
import { ItemError } from './errors';

export type * from '../../../contract/types.generated';

/** Also of the numbers in a request, for which no limit is documented. */
export const PAGE_LENGTH = limits.pageLength;

export const HASH_VALIDITY_DAYS = limits.hashValidityDays;

/** List records are documented with few fields. Many providers send the fields of the detail, too. */
export type ListedShipment = ShipmentRecord & Partial<ShipmentDetail>;

/** The contract has these as operations of their own. They are the second paths of others. */
type SecondPath = 'createShipmentsOfCarrier' | 'getShipmentShort';

export type EndpointName = Exclude<keyof operations, SecondPath>;

/** Only the second path of a creation has the carrier in it. */
type ParametersOf<Name extends EndpointName> = operations[Name extends 'createShipments'
	? 'createShipmentsOfCarrier'
	: Name]['parameters'];

export type BodyOf<Name extends EndpointName> = operations[Name] extends {
	requestBody: { content: { 'application/json': infer Body } };
}
	? Body
	: never;

export type RequestOf<Name extends EndpointName> = Pick<ParametersOf<Name>, 'path' | 'query'> &
	([BodyOf<Name>] extends [never] ? { body?: never } : { body: BodyOf<Name> });

interface Shapes {
	list: readonly unknown[];
	page: { data: unknown[]; total: number };
	record: object;
	boolean: boolean;
}

/** Where the contract has several shapes, `readResponse` always returns the one that `behaviors` names. */
export type ResponseOf<
	Name extends EndpointName,
	Response extends {
		result: unknown;
	} = operations[Name]['responses'][200]['content']['application/json'],
> = Omit<Response, 'result'> & {
	result: Extract<Response['result'], Shapes[(typeof behaviors)[Name]['result']]>;
};

export interface Endpoint {
	title: string;
	method: 'GET' | 'POST';
	path: string;
	/** A provider may have this path instead. */
	secondPath?: string;
	/**
	 * Whether sending the request twice has the same effect as sending it once. The HTTP method does
	 * not show it, because most reads are POSTs. A request to an endpoint that is not safe is never
	 * repeated if the provider may have acted.
	 */
	safe: boolean;
	result: keyof Shapes;
	/** What the record, or each row, must have. */
	has?: readonly string[];
	/** A response with an error status may contain rows, too. */
	hasRowsOnError?: true;
	/** Not every provider has it. */
	isOptional?: true;
}

const behaviors = {
	createShipments: {
		safe: false,
		result: 'list',
		has: ['statusCode'],
		hasRowsOnError: true,
		secondPath: routes.createShipmentsOfCarrier.path,
		// Not every provider has one of the two.
		isOptional: true,
	},
	// A row without a number must not hide the others, so callers check the rows.
	cancelShipments: { safe: false, result: 'list', hasRowsOnError: true },
	// Not safe: a second request for the same shipments may order a second pickup, or be refused because
	// of the first one, and then the protocol of the first one is lost.
	handOverShipments: { safe: false, result: 'record' },
	findHandOvers: { safe: true, result: 'page', has: ['id'] },
	findPickupPoints: { safe: true, result: 'page', has: ['code'] },
	findPrinters: { safe: true, result: 'list' },
	findBatches: { safe: true, result: 'page', has: ['id'] },
	getBatch: { safe: true, result: 'record', has: ['id'] },
	findShipments: { safe: true, result: 'page', has: ['id', 'carrierCode'] },
	getShipment: {
		safe: true,
		result: 'list',
		has: ['id'],
		secondPath: routes.getShipmentShort.path,
	},
	findCarriers: { safe: true, result: 'list', has: ['code'] },
	findServices: { safe: true, result: 'list', has: ['code'] },
	getAccount: { safe: true, result: 'record' },
	findServiceAddons: { safe: true, result: 'list', has: ['code'] },
	// Safe despite its name: it only creates a file and a hash. Only `sendToPrinter` prints on paper.
	printLabels: { safe: true, result: 'list', secondPath: '/Label/Print' },
	sendToPrinter: { safe: false, result: 'boolean' },
	// One row without a number or status must not fail the others, so callers check the rows.
	trackShipments: { safe: true, result: 'list' },
} as const satisfies Readonly<Record<EndpointName, Omit<Endpoint, 'title' | 'method' | 'path'>>>;

/** What may happen only once. The client offers these to `writes/` alone, see `UnsafeCalls` in `client.ts`. */
export type UnsafeEndpoint = {
	[Name in EndpointName]: (typeof behaviors)[Name]['safe'] extends true ? never : Name;
}[EndpointName];

export const endpoints = Object.fromEntries(
	Object.entries(behaviors).map(([name, behavior]) => [
		name,
		{ ...routes[name as EndpointName], ...behavior },
	]),
) as Readonly<Record<EndpointName, Endpoint>>;

export type EndpointRequest = Partial<Record<'path' | 'query' | 'body', unknown>>;

/** What a part of a path may be. Anything else could lead to another path. */
const PATH_VALUE = /^[0-9A-Za-z_-]{1,100}$/;

/** The request as n8n's HTTP helpers take it. */
export function toHttpRequest(
	base: string,
	{ method, path }: Endpoint,
	{ path: values, query, body }: EndpointRequest,
): IHttpRequestOptions & { url: string } {
	const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = String((values as Record<string, unknown>)[name]);
		if (PATH_VALUE.test(value)) return value;
		throw new ItemError(
			`Invalid ${name === 'id' ? 'ID' : 'carrier code'}: ${JSON.stringify(value.slice(0, 100))}`,
			'Letters, digits, hyphens and underscores are allowed. Choose it from the list, or check the value.',
		);
	});
	const hasBody = body !== undefined;
	return {
		method,
		url: base + filled,
		headers: { Accept: 'application/json', ...(hasBody && { 'Content-Type': 'application/json' }) },
		...(query ? { qs: query as IDataObject } : {}),
		// As text, because n8n leaves out a body that is an empty object.
		...(hasBody && { body: JSON.stringify(body) }),
	};
}
