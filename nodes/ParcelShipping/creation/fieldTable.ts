import { creationFieldNames, creationFields } from './creationFields';

/** All fields as a Markdown table, for the README. */
export function fieldTable(): string {
	const rows = creationFieldNames.map((name) => {
		const { label, description, example, required } = creationFields[name];
		return [label, `\`${name}\``, required ? 'yes' : '', description, `\`${example}\``];
	});
	return [
		['Field', 'Name', 'Required', 'Meaning', 'Example'],
		['---', '---', '---', '---', '---'],
		...rows,
	]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}
