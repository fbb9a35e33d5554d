import type { operations, ShipmentDetail, ShipmentRecord } from '../../../contract/types.generated';
import { limits } from './contract.generated';

export type * from '../../../contract/types.generated';

/** List records are documented with few fields. Many services send the fields of the detail, too. */
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

export type ResponseOf<Name extends EndpointName> = WithUsualShape<
	operations[Name]['responses'][200]['content']['application/json']
>;

/**
 * Where the service may send a page or a list, `readResponse` always returns a page; where it may send a
 * list or a single record, a list.
 */
type WithUsualShape<Response> = Response extends { result: infer Result }
	? Omit<Response, 'result'> & {
			result: Either<PageIn<Result>, Either<Extract<Result, readonly unknown[]>, Result>>;
		}
	: Response;

type Either<Preferred, Otherwise> = [Preferred] extends [never] ? Otherwise : Preferred;

type PageIn<Result> = Extract<Result, { data: unknown[]; total: number }>;

export const PAGE_LENGTH = limits.pageLength;

/** Not a documented limit. As many as a page holds keeps requests and responses small. */
export const NUMBERS_PER_REQUEST = PAGE_LENGTH;

export const HASH_VALIDITY_DAYS = limits.hashValidityDays;
