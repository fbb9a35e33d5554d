import { hasStatus } from '../domain/shipments';
import type { Dialect } from './dialect';

/** The responses of the domain are those of the interface document, so nothing changes. */
export const interfaceDialect: Dialect = {
	missing: {},
	signIn: {},
	ignoresTrailingSlash: false,
	withoutExtras: 404,
	refusesUnknownNumbers: false,
	headers: () => ({}),
	readInput: (_name, input) => input,
	isSelected: (shipment, { status }, context) => !status || hasStatus(shipment, status, context),
	validate: () => [],
	respond: (_name, result, { correlationId }) => ({
		status: 200,
		json: { ...result, correlationId },
	}),
	fail: ({ status, message, errors }, _name, correlationId) => ({
		status,
		json: { correlationId, message, errors },
	}),
};
