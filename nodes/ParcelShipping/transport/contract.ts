import {
	limits,
	type operations,
	type ShipmentDetail,
	type ShipmentRecord,
} from './contract.generated';

export type {
	Batch,
	BatchOrder,
	CancellationRow,
	Carrier,
	CarrierService,
	CreatedShipment,
	CreationEnvelope,
	HandOver,
	LabelGroup,
	PickupPoint,
	Printer,
	ShipmentCreation,
	ShipmentDetail,
	ShipmentRecord,
	TrackingEvent,
	TrackingResult,
} from './contract.generated';

/** List records are documented with few fields. Many services send the fields of the detail, too. */
export type ListedShipment = ShipmentRecord & Partial<ShipmentDetail>;

/** The contract has these as operations of their own. They are the second paths of others. */
type SecondPath = 'createShipmentsOfCarrier' | 'getShipmentShort';

export type EndpointName = Exclude<keyof operations, SecondPath>;

type Operation<Name extends EndpointName> = operations[Name];

export type PathOf<Name extends EndpointName> = Operation<Name>['parameters'] extends {
	path: infer Path;
}
	? Path
	: undefined;

export type QueryOf<Name extends EndpointName> = Operation<Name>['parameters'] extends {
	query?: infer Query;
}
	? Query
	: undefined;

export type BodyOf<Name extends EndpointName> =
	Operation<Name> extends {
		requestBody: { content: { 'application/json': infer Body } };
	}
		? Body
		: undefined;

export type ResponseOf<Name extends EndpointName> =
	Operation<Name> extends {
		responses: { 200: { content: { 'application/json': infer Response } } };
	}
		? WithList<Response>
		: never;

/** Where the service may send a list or a single record, `readResponse` always returns a list. */
type WithList<Response> = Response extends { result: infer Result }
	? Extract<Result, readonly unknown[]> extends never
		? Response
		: Omit<Response, 'result'> & { result: Extract<Result, readonly unknown[]> }
	: Response;

export const PAGE_LENGTH = limits.pageLength;
export const HASH_VALIDITY_DAYS = limits.hashValidityDays;
