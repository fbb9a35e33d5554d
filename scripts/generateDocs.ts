// Generates the parts of README.md and docs/*.md between `<!-- generated:… -->` and `<!-- end -->`
// from the nodes' forms. `--check` writes nothing, and exits with 1 if a page is out of date.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { INodeProperties } from 'n8n-workflow';
import * as prettier from 'prettier';

import { resources } from '../nodes/ParcelShipping/actions';
import { creationFieldNames, creationFields } from '../nodes/ParcelShipping/creation/fields';
import { categoriesOf, eventGroups } from '../nodes/ParcelShipping/tracking/eventGroups';
import { ParcelShippingTrigger } from '../nodes/ParcelShipping/ParcelShippingTrigger.node.js';

const root = path.resolve(__dirname, '..');

/** Absolute, because npm shows the README without the folder docs. */
const PAGES = 'https://github.com/parcel-shipping/n8n-nodes-parcel-shipping/blob/main/docs';

const sections: Record<string, (argument: string) => string> = {
	operations: () =>
		table(
			['Resource', 'Operation', 'What it does'],
			resources.flatMap(({ name, value, operations }) =>
				operations.map((operation) => [
					`[${name}](${PAGES}/${value}.md)`,
					operation.name,
					firstSentence(operation.description),
				]),
			),
		),
	'creation-fields': () => fieldTable(),
	parameters: (resourceName) => {
		const { operations = [] } = resources.find(({ value }) => value === resourceName) ?? {};
		return operations
			.map(
				({ name, description, fields }) =>
					`### ${name}\n\n${sentence(description)}\n\n${parameters(fields)}`,
			)
			.join('\n\n');
	},
	'event-groups': () =>
		table(
			['Group', '`eventGroup`', 'Meaning', 'Categories'],
			Object.entries(eventGroups).map(([value, { caption, description }]) => [
				caption,
				`\`${value}\``,
				description,
				categoriesOf(value)
					.map((name) => `\`${name}\``)
					.join(', '),
			]),
		),
	'trigger-parameters': () => parameters(new ParcelShippingTrigger().description.properties),
};

function fieldTable(): string {
	return table(
		['Field', 'Name', 'Required', 'Meaning', 'Example'],
		creationFieldNames.map((name) => {
			const { caption, description, example, required } = creationFields[name];
			return [caption, `\`${name}\``, required ? 'yes' : '', description, `\`${example}\``];
		}),
	);
}

function parameters(fields: INodeProperties[]): string {
	const rows = fields
		.filter(({ type }) => type !== 'notice')
		.flatMap((field) => [
			row(field, field.displayName),
			...optionsOf(field).map((option) =>
				row(option, `${field.displayName}: ${option.displayName}`),
			),
		]);
	return table(['Parameter', 'Name', 'Meaning', 'Default'], rows);
}

function optionsOf({ type, options = [] }: INodeProperties): INodeProperties[] {
	return type === 'collection' ? (options as INodeProperties[]) : [];
}

function row(field: INodeProperties, caption: string): string[] {
	const { name, description = '', options = [], type } = field;
	const choices =
		type === 'options' && options.length > 0
			? `One of: ${options.map((option) => option.name).join(', ')}.`
			: '';
	const meaning = [sentence(description), choices].filter(Boolean).join(' ');
	return [caption, `\`${name}\``, meaning, defaultOf(field)];
}

/** Descriptions in forms are HTML, and a single sentence has no full stop. */
function sentence(text: string): string {
	return text.replace(/<[^>]+>/g, '').replace(/[^.]$/, '$&.');
}

function firstSentence(text: string): string {
	return text.replace(/\. .*$|\.$/, '');
}

function defaultOf({ default: value }: INodeProperties): string {
	if (value === '' || value === undefined || (typeof value === 'object' && value !== null))
		return '';
	return `\`${String(value)}\``;
}

function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) =>
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}

function fillSections(text: string): string {
	return text.replace(
		/(<!-- generated:([\w-]+)(?: (\w+))? -->)[\s\S]*?(<!-- end -->)/g,
		(_, start: string, section: string, argument: string, end: string) =>
			`${start}\n\n${(sections[section] as (argument: string) => string)(argument)}\n\n${end}`,
	);
}

async function main(): Promise<void> {
	const pages = [
		'README.md',
		...readdirSync(path.join(root, 'docs'))
			.filter((file) => file.endsWith('.md'))
			.map((file) => `docs/${file}`),
	];
	for (const page of pages) {
		const file = path.join(root, page);
		const present = readFileSync(file, 'utf8');
		const wanted = await prettier.format(fillSections(present), {
			...(await prettier.resolveConfig(file)),
			filepath: file,
		});
		if (present === wanted) continue;
		if (process.argv.includes('--check')) {
			console.error(`${page} is out of date. Run: npm run generate`);
			process.exitCode = 1;
		} else {
			writeFileSync(file, wanted);
			console.log(`Wrote ${page}`);
		}
	}
}

main().catch((error: unknown) => {
	console.error(error);
	process.exit(1);
});
