// Configures n8n's own nodes the way an experienced user would.
import type { INodeParameters } from 'n8n-workflow';

import type { Step } from './workflow';

/** The latest version of the node in n8n 2.41. */
const HTTP_REQUEST_VERSION = 4.5;

const credential: INodeParameters = {
	authentication: 'predefinedCredentialType',
	nodeCredentialType: 'parcelShippingApi',
};

/** Skips the detection of the response format. */
const jsonResponse = { response: { response: { responseFormat: 'json' } } };

export function postJson(name: string, url: string, jsonBody: string, options = {}): Step {
	return {
		name,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: HTTP_REQUEST_VERSION,
		parameters: {
			...credential,
			method: 'POST',
			url,
			sendBody: true,
			contentType: 'json',
			specifyBody: 'json',
			jsonBody,
			options: { ...jsonResponse, ...options },
		},
	};
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
	return {
		name,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: HTTP_REQUEST_VERSION,
		parameters: {
			...credential,
			method: 'GET',
			url,
			options: { response: { response: { responseFormat: 'file', outputPropertyName: 'data' } } },
		},
	};
}

export function splitOut(name: string, field: string): Step {
	return {
		name,
		type: 'n8n-nodes-base.splitOut',
		parameters: { fieldToSplitOut: field, include: 'noOtherFields', options: {} },
	};
}

/** Combines all items into a list in one item. */
export function aggregate(name: string): Step {
	return {
		name,
		type: 'n8n-nodes-base.aggregate',
		parameters: { aggregate: 'aggregateAllItemData', destinationFieldName: 'data', options: {} },
	};
}

export function loopOverItems(name: string, batchSize: number): Step {
	return {
		name,
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { batchSize, options: {} },
	};
}

export function filter(name: string, leftValue: string, equals: number): Step {
	const operator = { type: 'number', operation: 'equals' };
	return {
		name,
		type: 'n8n-nodes-base.filter',
		typeVersion: 2,
		parameters: {
			conditions: {
				options: { caseSensitive: true, leftValue: '', typeValidation: 'strict' },
				conditions: [{ id: 'condition', leftValue, rightValue: equals, operator }],
				combinator: 'and',
			},
			options: {},
		},
	};
}
