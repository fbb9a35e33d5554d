import type { EndpointName } from './contract';
import { routes } from './contract.generated';

/** What `result` holds in the answer of an endpoint; `answer.ts` checks it. */
export type ResultShape =
	| { kind: 'creation' }
	| { kind: 'list'; elementsHave: string[] }
	| { kind: 'page'; elementsHave: string[] }
	| { kind: 'record'; has: string[] }
	| { kind: 'boolean' };

interface Behaviour {
	/**
	 * Whether asking twice does no more than asking once. The verb doesn't tell: most reads are
	 * POSTs. An endpoint that is not safe is never asked again once it may have acted.
	 */
	safe: boolean;
	result: ResultShape;
}

export type Endpoint = Behaviour & { title: string; method: 'GET' | 'POST'; path: string };

const behaviours: Readonly<Record<EndpointName, Behaviour>> = {
	createShipments: { safe: false, result: { kind: 'creation' } },
	createShipmentsOfCarrier: { safe: false, result: { kind: 'creation' } },
	findBatches: { safe: true, result: { kind: 'page', elementsHave: ['id'] } },
	getBatch: { safe: true, result: { kind: 'record', has: ['id'] } },
	findShipments: { safe: true, result: { kind: 'page', elementsHave: ['id'] } },
	getShipment: { safe: true, result: { kind: 'list', elementsHave: ['id'] } },
	getShipmentShort: { safe: true, result: { kind: 'list', elementsHave: ['id'] } },
	findCarriers: { safe: true, result: { kind: 'list', elementsHave: ['code'] } },
	findServices: { safe: true, result: { kind: 'list', elementsHave: ['code'] } },
	// Safe although it is called "print": it only makes a file and a hash, paper comes out of
	// `sendToPrinter` alone.
	printLabels: { safe: true, result: { kind: 'list', elementsHave: [] } },
	sendToPrinter: { safe: false, result: { kind: 'boolean' } },
	// A row without a number or a status is the business of whoever asked, not of all the others.
	trackShipments: { safe: true, result: { kind: 'list', elementsHave: [] } },
};

export function endpointOf(name: EndpointName): Endpoint {
	return { ...routes[name], ...behaviours[name] };
}

/** `/{carrier_code}/{id}/Detail` with the values put in; what is missing from them is a bug. */
export function fillPath(path: string, values: Readonly<Record<string, string | number>>): string {
	return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}
