import {
	type IDataObject,
	type INode,
	type JsonObject,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { isServiceFailure } from './errors';

/** What a failed item shows, whether it is thrown or handed to the error branch. */
export interface FailureText {
	/** What happened. */
	message: string;
	/** What to do. */
	description: string;
	details: IDataObject;
}

/** Input that can't be sent, or a row that the service refused: said in words, with facts beside it. */
export class ItemRefusal extends Error {
	constructor(
		message: string,
		readonly description: string,
		readonly details: IDataObject = {},
		/** Whether the service said no, as opposed to this node before asking. */
		readonly byService = false,
	) {
		super(message);
		this.name = 'ItemRefusal';
	}
}

export function textOf(thrown: unknown): FailureText {
	if (isServiceFailure(thrown)) {
		const { message, description, endpoint, status, correlationId, retryAfterMs, details } =
			thrown.facts;
		return {
			message,
			description,
			details: withoutUndefined({
				...details,
				endpoint,
				statusCode: status,
				correlationId,
				retryAfterMs,
			}),
		};
	}
	if (thrown instanceof ItemRefusal) {
		const { message, description, details } = thrown;
		return { message, description, details };
	}
	const error = thrown as { message?: string; description?: string | null };
	return {
		message: error.message ?? String(thrown),
		description: error.description ?? '',
		details: {},
	};
}

/** The only place that makes n8n errors. */
export function toNodeError(
	node: INode,
	thrown: unknown,
	itemIndex?: number,
	more?: string,
): NodeApiError | NodeOperationError {
	const { message, description, details } = textOf(thrown);
	const fullDescription = [
		description,
		details.correlationId && `Correlation ID: ${String(details.correlationId)}.`,
		more,
	]
		.filter(Boolean)
		.join(' ');
	const shared = {
		message,
		description: fullDescription,
		...(itemIndex === undefined ? {} : { itemIndex }),
	};

	if (isServiceFailure(thrown)) {
		const { cause, status, retryAfterMs } = thrown.facts;
		const error = new NodeApiError(node, details as JsonObject, {
			...shared,
			...(status === undefined ? {} : { httpCode: String(status) }),
			...(cause === undefined
				? {}
				: { failure: { cause, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } as never }),
		});
		return Object.assign(error, { message, context: { ...error.context, details } });
	}
	const error =
		thrown instanceof ItemRefusal && thrown.byService
			? new NodeApiError(node, details as JsonObject, shared)
			: new NodeOperationError(node, message, shared);
	// Set again because n8n rewords messages in which it finds a code such as ECONNREFUSED.
	return Object.assign(error, { message, context: { ...error.context, details } });
}

function withoutUndefined(data: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
}
