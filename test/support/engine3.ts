import { type Engine, startEngine } from './engine';
import { PACKAGE } from './host';

import type { IExecuteFunctions, INodeType, IWorkflowDataProxyData } from 'n8n-workflow';

/** The same engine, with the functions that n8n 3 takes away from nodes hidden from them. */
export async function startEngine3({ nodeTypes, credential }: Engine): Promise<Engine> {
	const name = `${PACKAGE}.parcelShipping`;
	const node = nodeTypes.getByNameAndVersion(name);
	const execute = node.execute as NonNullable<INodeType['execute']>;
	return await startEngine(credential.data, {
		[name]: {
			description: node.description,
			async execute() {
				return await execute.call(withoutPairedItems(this));
			},
		},
	});
}

function withoutPairedItems(context: IExecuteFunctions): IExecuteFunctions {
	const original = context.getWorkflowDataProxy.bind(context);
	context.getWorkflowDataProxy = (itemIndex) =>
		new Proxy(original(itemIndex), {
			get: (target: IWorkflowDataProxyData, key: string) =>
				key === '$getPairedItem' ? undefined : target[key],
		});
	return context;
}
