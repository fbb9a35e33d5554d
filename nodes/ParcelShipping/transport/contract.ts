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
		? WithList<Answer>
		: never;

/** Where the service may send a list or a single record, `readAnswer` always returns a list. */
type WithList<Answer> = Answer extends { result: infer Result }
	? Extract<Result, readonly unknown[]> extends never
		? Answer
		: Omit<Answer, 'result'> & { result: Extract<Result, readonly unknown[]> }
	: Answer;

export const PAGE_LENGTH = limits.pageLength;
export const HASH_VALIDITY_DAYS = limits.hashValidityDays;
