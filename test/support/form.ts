// Provides n8n's context for loading the options of a form.
import { additionalDataFor, type loadPackage, StoredCredential } from './host';
import { sandboxCredential } from './credentials';

import { LoadOptionsContext } from 'n8n-core';
import { type ILoadOptionsFunctions, type INodeParameters, Workflow } from 'n8n-workflow';

interface Form {
	/** The node type, including the package name. */
	type: string;
	parameters: INodeParameters;
	/** Base URL of the provider. */
	url: string;
	/** The path of the field. */
	path: string;
}

export function formContext(
	{ nodeTypes, credentialType }: Awaited<ReturnType<typeof loadPackage>>,
	{ type, parameters, url, path }: Form,
): ILoadOptionsFunctions {
	const node = {
		id: 'node',
		name: 'Form',
		type,
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters,
		credentials: { parcelShippingApi: { id: '1', name: 'Sandbox' } },
	};
	const workflow = new Workflow({
		id: 'w',
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes,
	});
	const credential = new StoredCredential(sandboxCredential(url), credentialType);
	const additionalData = { ...additionalDataFor(credential), currentNodeParameters: parameters };
	const context = new LoadOptionsContext(workflow, node, additionalData, path);
	// The types of n8n-core and n8n-workflow differ in the workflow's name.
	return context as unknown as ILoadOptionsFunctions;
}
