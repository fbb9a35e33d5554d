// The context in which n8n calls the methods of a node while a user edits its form.
import { additionalDataFor, type loadPackage, StoredCredential } from './host';
import { sandboxCredential } from './credentials';

import { LoadOptionsContext } from 'n8n-core';
import { type ILoadOptionsFunctions, type INodeParameters, Workflow } from 'n8n-workflow';

interface Form {
	/** The type of the node, with its package. */
	type: string;
	parameters: INodeParameters;
	/** The address of the service. */
	url: string;
	/** The field that loads data. */
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
	// n8n-core and n8n-workflow type the name of a workflow differently.
	return context as unknown as ILoadOptionsFunctions;
}
