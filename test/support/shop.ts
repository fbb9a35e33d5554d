import type { IDataObject, INodeParameters } from 'n8n-workflow';

/** An order with all fields that the sandbox's carriers require. */
export function orderItem(reference: string, more: IDataObject = {}): IDataObject {
	return {
		...{ carrierCode: 'ANT', serviceType: 'ANT-HOME', packageNumberCustom: reference },
		...{ price: 120.5, recName: `Recipient of ${reference}`, recStreet: 'Dlouhá 12' },
		...{ recCity: 'Praha', recZip: '01001', recCountry: 'CZ' },
		...{ recPhone: '+420777123456', recEmail: 'jana@example.com' },
		...more,
	};
}

/** The service of each carrier in these tests. */
export const SERVICE_OF: Readonly<Record<string, string>> = {
	ANT: 'ANT-HOME',
	BEAVER: 'BEAVER-PARCEL',
	CRANE: 'CRANE-EU',
};

export function orderOf(
	carrierCode: string,
	reference: string,
	more: IDataObject = {},
): IDataObject {
	return orderItem(reference, { carrierCode, serviceType: SERVICE_OF[carrierCode], ...more });
}

/** Form parameters that read carrier, service and shipment from each item. With a printer, it prints. */
export function creationForm({
	printerName,
	labels = printerName === undefined ? 'none' : 'print',
	...options
}: IDataObject = {}): INodeParameters {
	return {
		resource: 'shipment',
		operation: 'create',
		carrierService: '={{ $json.carrierCode }}/{{ $json.serviceType }}',
		shipment: { mappingMode: 'autoMapInputData', value: null },
		labels,
		...(printerName === undefined ? {} : { printerName }),
		options,
	} as INodeParameters;
}

export const ordersOf = (...references: string[]) => references.map((each) => orderItem(each));

/** An order that the node sends and the carrier refuses. */
export const refusedOrder = (reference: string) =>
	orderItem(reference, { serviceType: 'ANT-POINT', branchId: 'NOWHERE' });
