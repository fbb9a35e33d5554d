// Generated from contract/openapi.yaml by scripts/generateContract.ts. Do not edit.

/** Each endpoint's title, method and path in the contract. Not every provider has the optional ones. */
export const routes = {
	createShipments: { title: 'Create shipments', method: 'POST', path: '/Package/Create' },
	createShipmentsOfCarrier: {
		title: 'Create shipments of the carrier in the path',
		method: 'POST',
		path: '/{carrier_code}/Create',
	},
	findShipments: { title: 'List shipments', method: 'POST', path: '/Package/Find' },
	getShipment: { title: 'Get a shipment', method: 'GET', path: '/{carrier_code}/{id}/Detail' },
	getShipmentShort: {
		title: 'Get a shipment (path without the Detail segment)',
		method: 'GET',
		path: '/{carrier_code}/{id}',
	},
	trackShipments: {
		title: 'Get the tracking events of shipments',
		method: 'POST',
		path: '/{carrier_code}/Tracking',
	},
	cancelShipments: {
		title: 'Cancel shipments',
		method: 'POST',
		path: '/{carrier_code}/Cancel',
		isOptional: true,
	},
	handOverShipments: {
		title: 'Hand shipments over to the carrier',
		method: 'POST',
		path: '/{carrier_code}/Order',
		isOptional: true,
	},
	findHandOvers: {
		title: 'List hand-overs',
		method: 'POST',
		path: '/Pickup/Find',
		isOptional: true,
	},
	findPickupPoints: {
		title: 'List pickup points',
		method: 'POST',
		path: '/{carrier_code}/Branches',
		isOptional: true,
	},
	findServiceAddons: {
		title: 'List the additional services of a carrier',
		method: 'GET',
		path: '/{carrier_code}/ServiceAddons',
		isOptional: true,
	},
	findBatches: { title: 'List batches', method: 'POST', path: '/Batch/Find' },
	getBatch: { title: 'Get a batch with its orders', method: 'GET', path: '/Batch/{id}' },
	findCarriers: { title: 'List carriers', method: 'POST', path: '/Carrier/Find' },
	findServices: {
		title: 'List the services of a carrier',
		method: 'POST',
		path: '/Carrier/Services',
	},
	getAccount: { title: 'Get the account', method: 'GET', path: '/Account/Info', isOptional: true },
	printLabels: { title: 'Create label files', method: 'POST', path: '/Label/Print/' },
	findPrinters: { title: 'List printers', method: 'POST', path: '/Printer/Find', isOptional: true },
	sendToPrinter: {
		title: 'Send a print job to a named printer',
		method: 'POST',
		path: '/Printer/PrintLabel',
	},
} as const;

export const limits = {
	/** Maximum number of records per page. */
	pageLength: 100,
	/** How many days a print hash is valid. */
	hashValidityDays: 14,
} as const;
