import type { EndpointName } from './contract';

/** What `result` holds in the answer of an endpoint; `answer.ts` checks it. */
export type ResultShape =
	| { kind: 'creation' }
	| { kind: 'list'; elementsHave: string[] }
	| { kind: 'page'; elementsHave: string[] }
	| { kind: 'record'; has: string[] }
	| { kind: 'boolean' };

export interface Endpoint {
	title: string;
	method: 'GET' | 'POST';
	path: string;
	/**
	 * Whether asking twice does no more than asking once. The verb doesn't tell: most reads are
	 * POSTs. An endpoint that is not safe is never asked again once it may have acted.
	 */
	safe: boolean;
	result: ResultShape;
}

export const endpoints: Readonly<Record<EndpointName, Endpoint>> = {
	createShipments: {
		title: 'Create shipments',
		method: 'POST',
		path: '/Package/Create',
		safe: false,
		result: { kind: 'creation' },
	},
	createShipmentsOfCarrier: {
		title: 'Create shipments of a carrier',
		method: 'POST',
		path: '/{carrier_code}/Create',
		safe: false,
		result: { kind: 'creation' },
	},
	findBatches: {
		title: 'Find batches',
		method: 'POST',
		path: '/Batch/Find',
		safe: true,
		result: { kind: 'page', elementsHave: ['id'] },
	},
	getBatch: {
		title: 'Get a batch',
		method: 'GET',
		path: '/Batch/{id}',
		safe: true,
		result: { kind: 'record', has: ['id'] },
	},
	sendToPrinter: {
		title: 'Send labels to a printer',
		method: 'POST',
		path: '/Printer/PrintLabel',
		safe: false,
		result: { kind: 'boolean' },
	},
	findShipments: {
		title: 'Find shipments',
		method: 'POST',
		path: '/Package/Find',
		safe: true,
		result: { kind: 'page', elementsHave: ['id'] },
	},
	getShipment: {
		title: 'Get a shipment',
		method: 'GET',
		path: '/{carrier_code}/{id}/Detail',
		safe: true,
		result: { kind: 'list', elementsHave: ['id'] },
	},
	getShipmentShort: {
		title: 'Get a shipment',
		method: 'GET',
		path: '/{carrier_code}/{id}',
		safe: true,
		result: { kind: 'list', elementsHave: ['id'] },
	},
	findCarriers: {
		title: 'List carriers',
		method: 'POST',
		path: '/Carrier/Find',
		safe: true,
		result: { kind: 'list', elementsHave: ['code'] },
	},
	findServices: {
		title: 'List services of a carrier',
		method: 'POST',
		path: '/Carrier/Services',
		safe: true,
		result: { kind: 'list', elementsHave: ['code'] },
	},
	// Safe although it is called "print": it only makes a file and a hash, paper comes out of
	// `sendToPrinter` alone.
	printLabels: {
		title: 'Make labels',
		method: 'POST',
		path: '/Label/Print/',
		safe: true,
		result: { kind: 'list', elementsHave: [] },
	},
	trackShipments: {
		title: 'Track shipments',
		method: 'POST',
		path: '/{carrier_code}/Tracking',
		safe: true,
		result: { kind: 'list', elementsHave: [] },
	},
};

/** `/{carrier_code}/{id}/Detail` with the values put in; what is missing from them is a bug. */
export function fillPath(path: string, values: Readonly<Record<string, string | number>>): string {
	return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}
