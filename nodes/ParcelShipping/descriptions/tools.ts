import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { readBoolean } from '../parameterValues';
import { ItemError } from '../transport/errors';

// What the node does differently as a tool of an AI model.

/** n8n makes the tool of a node by adding this to its type. */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

const FOR_TOOLS = { show: { '@tool': [true] } };

/** A field with another default, or another field, for tools. */
export const unlessTool = (
	field: INodeProperties,
	...forTools: INodeProperties[]
): INodeProperties[] => [
	{ ...field, displayOptions: { hide: { '@tool': [true] } } },
	...forTools.map(({ displayOptions, ...forTool }) => ({
		...forTool,
		displayOptions: { show: { ...displayOptions?.show, ...FOR_TOOLS.show } },
	})),
];

/** Only tools have this field: a person who executes the node has decided already. */
export const confirmField = (done: string): INodeProperties => ({
	displayName: 'Confirm',
	name: 'confirm',
	type: 'boolean',
	default: false,
	description: `Whether the shipments are ${done}. As long as this is off, the tool does nothing. Let the AI model decide, after it has asked the user.`,
	displayOptions: FOR_TOOLS,
});

export const confirmCreationField: INodeProperties = {
	...confirmField('created'),
	description:
		"Whether the shipments are created, which costs money. As long as this is off, the tool creates nothing. 'Dry Run' works without it. Let the AI model decide, after it has asked the user.",
};

export const modelNotice = (fields: string): INodeProperties => ({
	displayName: `The AI model gets what this tool returns: ${fields}`,
	name: 'modelNotice',
	type: 'notice',
	default: '',
	displayOptions: FOR_TOOLS,
});

/** Of a shipment that is read. */
export const RECORD_FIELDS =
	"the recipient's name, status, numbers and links. With 'Simplify' off, also address, phone, email and cash on delivery.";

export function requireConfirm(
	context: IExecuteFunctions,
	item: number,
	done: string,
	why = 'This cannot be undone.',
): void {
	if (!isTool(context)) return;
	if (readBoolean(context.getNodeParameter('confirm', item, false), 'Confirm')) return;
	throw new ItemError(
		`Confirm is off, so nothing was ${done}`,
		`${why} An AI model must set 'Confirm' to true, after the user has agreed.`,
		{ field: 'confirm' },
	);
}
