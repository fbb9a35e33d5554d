// Generates the parts of README.md and docs/*.md between `<!-- generated:… -->` and `<!-- end -->` from the nodes' forms.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { resources } from '../nodes/ParcelShipping/actions';
import { eventGroups } from '../nodes/ParcelShipping/tracking/eventGroups';
import { ParcelShippingTrigger } from '../nodes/ParcelShipping/ParcelShippingTrigger.node.js';
import { markdownTable } from './markdownTable';
import { writeFormatted } from './writeFormatted';

const root = path.resolve(__dirname, '..');

const { homepage } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
	homepage: string;
};

/** Absolute, because npm shows the README without the folder docs. */
const PAGES = `${homepage}/blob/main/docs`;

const sections: Record<string, (argument: string) => string> = {
	operations: () =>
		markdownTable(
			['Resource', 'Operations'],
			resources.map(({ name, value, operations }) => [
				`[${name}](${PAGES}/${pageOf(value)}.md)`,
				operations.map((operation) => operation.name).join(', '),
			]),
		),
	parameters: (resourceName) => {
		const { operations = [] } = resources.find(({ value }) => value === resourceName) ?? {};
		const shown = new Map<string, string>();
		return operations
			.map(({ name, description, fields }) => {
				const table = parameters(fields, name, shown);
				return [`### ${name}`, sentence(description), table].join('\n\n');
			})
			.join('\n\n');
	},
	'event-groups': () =>
		markdownTable(
			['Group', '`eventGroup`', 'Meaning', 'Categories'],
			Object.entries(eventGroups).map(([value, { form, categories }]) => [
				form[0],
				`\`${value}\``,
				form[1],
				categories.map((name) => `\`${name}\``).join(', '),
			]),
		),
	'trigger-parameters': () =>
		parameters(new ParcelShippingTrigger().description.properties, 'above'),
};

/** `pickup-point` for the resource `pickupPoint`. */
function pageOf(resource: string): string {
	const page = resource.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
	if (existsSync(path.join(root, `docs/${page}.md`))) return page;
	throw new Error(
		`Write docs/${page}.md, with <!-- generated:parameters ${resource} --> and <!-- end -->`,
	);
}

/** Fields that are the same in every node of n8n. */
const OF_N8N = ['Return All', 'Limit', 'Simplify'];

/** Fields with the same meaning as in an earlier operation of the page share a row, which names that operation. */
function parameters(
	fields: INodeProperties[],
	operation: string,
	shown = new Map<string, string>(),
): string {
	const rows: string[][] = [];
	const repeated = new Map<string, string[]>();
	const listed = fields
		.filter(({ type, displayName }) => type !== 'notice' && !OF_N8N.includes(displayName))
		.flatMap((field) => [
			row(field),
			...optionsOf(field).map((option) => row(option, `${field.displayName}: `)),
		]);
	for (const [caption, meaning] of listed) {
		const earlier = shown.get(caption + meaning);
		if (!meaning) continue;
		if (earlier) repeated.set(earlier, [...(repeated.get(earlier) ?? []), caption]);
		else rows.push([caption, meaning]);
		shown.set(caption + meaning, earlier ?? operation);
	}
	for (const [earlier, captions] of repeated)
		rows.push([captions.join(', '), `As in _${earlier}_`]);
	return rows.length > 0 ? markdownTable(['Parameter', 'Meaning'], rows) : '';
}

function optionsOf({ type, options = [] }: INodeProperties): INodeProperties[] {
	if (type === 'fixedCollection') {
		return (options as INodePropertyCollection[]).flatMap(({ values }) => values);
	}
	return type === 'collection' ? (options as INodeProperties[]) : [];
}

function row(field: INodeProperties, prefix = ''): [caption: string, meaning: string] {
	const { displayName, description = '', hint = '', options = [], type } = field;
	const value = defaultOf(field);
	const names = options.map(({ name }) => (name === value ? `${name} (default)` : name));
	const choices = type === 'options' && names.length > 0 ? `One of: ${names.join(', ')}.` : '';
	const meaning = [sentence(description || hint), choices || (value && `Default: ${value}`)];
	return [prefix + displayName, meaning.filter(Boolean).join(' ')];
}

/** Descriptions in forms are HTML, and a single sentence has no full stop. */
function sentence(text: string): string {
	return text.replace(/<[^>]+>/g, '').replace(/[^.]$/, '$&.');
}

/** As the form shows it: the caption of a choice, On or Off of a switch. */
function defaultOf({ default: value, options = [] }: INodeProperties): string {
	if (typeof value === 'boolean') return value ? 'On' : 'Off';
	const captions = new Map(
		options.map((option) => ['value' in option ? option.value : undefined, option.name]),
	);
	return [value]
		.flat()
		.filter((each) => typeof each !== 'object' && each !== undefined && each !== '')
		.map((each) => captions.get(each as string) ?? `\`${String(each)}\``)
		.join(', ');
}

function fillSections(text: string): string {
	return text.replace(
		/(<!-- generated:([\w-]+)(?: (\w+))? -->)[\s\S]*?(<!-- end -->)/g,
		(_, start: string, section: string, argument: string, end: string) =>
			`${start}\n\n${(sections[section] as (argument: string) => string)(argument)}\n\n${end}`,
	);
}

export async function generate(): Promise<void> {
	const docs = readdirSync(path.join(root, 'docs')).filter((file) => file.endsWith('.md'));
	for (const page of ['README.md', ...docs.map((file) => `docs/${file}`)]) {
		const file = path.join(root, page);
		await writeFormatted(file, fillSections(readFileSync(file, 'utf8')));
	}
}
