import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/**
 * The options of a field by their values, in alphabetical order as n8n asks for: the name of each, or its
 * name and description. n8n shows two lines of a description.
 */
export function choices(
	byValue: Readonly<Record<string, string | readonly [name: string, description: string]>>,
): INodePropertyOptions[] {
	return Object.entries(byValue)
		.map(([value, choice]) => {
			if (typeof choice === 'string') return { name: choice, value };
			const [name, description] = choice;
			return { name, value, description };
		})
		.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** n8n shows the options in this order. */
export function optionsField(...options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: options.sort(byCaption),
	};
}

export const byCaption = (a: { displayName: string }, b: { displayName: string }) =>
	a.displayName < b.displayName ? -1 : 1;
