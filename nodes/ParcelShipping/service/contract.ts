import type { components, operations } from './contract.generated';

type Schemas = components['schemas'];

export type ShipmentCreation = Schemas['ShipmentCreation'];
export type CreatedShipment = Schemas['CreatedShipment'];
export type CreationEnvelope = Schemas['CreationEnvelope'];
export type Batch = Schemas['Batch'];
export type BatchOrder = Schemas['BatchOrder'];
export type Carrier = Schemas['Carrier'];
export type CarrierService = Schemas['CarrierService'];
export type LabelGroup = Schemas['LabelGroup'];
export type TrackingResult = Schemas['TrackingResult'];
export type TrackingEvent = Schemas['TrackingEvent'];
export type ShipmentDetail = Schemas['ShipmentDetail'];
export type ShipmentRecord = Schemas['ShipmentRecord'];

export type EndpointName = keyof operations;

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

export type AnswerOf<Name extends EndpointName> =
	Operation<Name> extends {
		responses: { 200: { content: { 'application/json': infer Answer } } };
	}
		? Answer
		: never;

/** The most records that one page of a paged endpoint holds. */
export const PAGE_LENGTH = 100;

/** How long a print hash can be used. */
export const HASH_VALIDITY_DAYS = 14;
