// Configures n8n's own nodes the way an experienced user would.
import type { INodeParameters } from 'n8n-workflow';

import type { Step } from './workflow';

const step = (name: string, type: string, typeVersion: number, parameters: object): Step => ({
	name,
	type: `n8n-nodes-base.${type}`,
	typeVersion,
	parameters: parameters as INodeParameters,
});

/** In the latest version of the node in n8n 2.41. */
const httpRequest = (name: string, parameters: object) =>
	step(name, 'httpRequest', 4.5, {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'parcelShippingApi',
		...parameters,
	});

export function postJson(name: string, url: string, jsonBody: string, options = {}): Step {
	// Skips the detection of the response format.
	const response = { response: { responseFormat: 'json' } };
	const body = { sendBody: true, contentType: 'json', specifyBody: 'json', jsonBody };
	return httpRequest(name, { method: 'POST', url, ...body, options: { response, ...options } });
}

/** The *Pagination* option of the node, which requests one page after another. */
export const pagination = {
	pagination: {
		pagination: {
			paginationMode: 'updateAParameterInEachRequest',
			parameters: {
				parameters: [{ type: 'body', name: 'start', value: '={{ $pageCount * 100 }}' }],
			},
			paginationCompleteWhen: 'other',
			completeExpression: '={{ $pageCount * 100 >= $response.body.result.total }}',
			limitPagesFetched: false,
			requestInterval: 0,
		},
	},
};

export function getFile(name: string, url: string): Step {
	const response = { response: { responseFormat: 'file', outputPropertyName: 'data' } };
	return httpRequest(name, { method: 'GET', url, options: { response } });
}

export function splitOut(name: string, fieldToSplitOut: string): Step {
	return step(name, 'splitOut', 1, { fieldToSplitOut, include: 'noOtherFields', options: {} });
}

/** Combines all items into a list in one item. */
export function aggregate(name: string): Step {
	const whole = { aggregate: 'aggregateAllItemData', destinationFieldName: 'data', options: {} };
	return step(name, 'aggregate', 1, whole);
}

export function loopOverItems(name: string, batchSize: number): Step {
	return { ...step(name, 'splitInBatches', 3, { batchSize, options: {} }), isLoop: true };
}

export function filter(name: string, leftValue: string, rightValue: number): Step {
	const operator = { type: 'number', operation: 'equals' };
	const conditions = {
		options: { caseSensitive: true, leftValue: '', typeValidation: 'strict' },
		conditions: [{ id: 'condition', leftValue, rightValue, operator }],
		combinator: 'and',
	};
	return step(name, 'filter', 2, { conditions, options: {} });
}
