import type { FindShipmentsRequest, ShipmentCreation } from '../../contract/types.generated';
import type { Database, StoredShipment } from '../domain/database';
import type { SignInSettings } from '../domain/seed';
import type { ShipmentContext } from '../domain/shipments';
import type { ServiceError } from '../domain/validation';
import type { OperationId } from '../http/contract';
import type { RouteName } from '../http/request';

/** How the provider responds: as in the interface document, or as in the public guide and client of a provider. */
export const dialectNames = ['interface', 'documented'] as const;
export type DialectName = (typeof dialectNames)[number];

export function readDialect(name: string): DialectName {
	const known = dialectNames.find((each) => each === name);
	if (known) return known;
	throw new Error(`Unknown dialect "${name}". Use one of: ${dialectNames.join(', ')}`);
}

export type Json = Record<string, unknown>;

export interface OperationInput {
	body: never;
	carrierCode: string;
	id: number;
	type: string;
	serviceType: string;
}

export interface DialectContext extends ShipmentContext {
	/** Number of requests so far. Dates change their form with it. */
	requestCount: number;
	correlationId: string;
}

export interface DialectResponse {
	status: number;
	json?: Json;
}

/** Converts requests before the domain handles them, and responses afterwards. */
export interface Dialect {
	missing: Partial<Record<OperationId, 404 | 405>>;
	signIn: Partial<SignInSettings>;
	/** Whether /Label/Print works like /Label/Print/. */
	ignoresTrailingSlash: boolean;
	/** The status of a request to an endpoint that not every provider has, if this one has none. */
	withoutExtras: 404 | 405;
	/** Whether one unknown number makes a whole cancellation fail. */
	refusesUnknownNumbers: boolean;
	headers(correlationId: string): Record<string, string>;
	/** Applies defaults, drops fields that are ignored, and corrects the spelling of codes. */
	readInput(name: OperationId, input: OperationInput, database: Database): OperationInput;
	/** The filters of the shipment list that the domain does not know, such as its statuses. */
	isSelected(
		shipment: StoredShipment,
		request: FindShipmentsRequest,
		context: ShipmentContext,
	): boolean;
	validate(input: ShipmentCreation): string[];
	respond(name: OperationId, result: Json, context: DialectContext): DialectResponse;
	/** `name` is null for an unknown path, `id` NaN for an operation without one. */
	fail(
		error: ServiceError,
		name: RouteName | null,
		correlationId: string,
		id: number,
	): DialectResponse;
}
