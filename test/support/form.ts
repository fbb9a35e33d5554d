// What n8n asks of a node while somebody fills its form.
import { additionalDataFor, type loadPackage, StoredCredential } from './host';
import { sandboxCredential } from './credentials';

import { LoadOptionsContext } from 'n8n-core';
import { type ILoadOptionsFunctions, type INodeParameters, Workflow } from 'n8n-workflow';

interface Form {
	/** The node's type, with its package. */
	type: string;
	parameters: INodeParameters;
	/** Address of the service. */
	url: string;
	/** Which field asks. */
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
	// n8n-core types the workflow's name more loosely than n8n-workflow.
	return context as unknown as ILoadOptionsFunctions;
}
