// Fills the parts of README.md and docs/*.md that stand between `<!-- generated:… -->` and
// `<!-- end -->` from the built nodes, so that they say what the forms say. `--check` writes nothing
// and exits 1 when a page is out of date. Needs `gulp build` first.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import prettier from 'prettier';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const built = createRequire(path.join(root, 'dist/nodes/ParcelShipping/'));
const { resources } = built('./actions/index.js');
const { fieldTable } = built('./fields/creation/fieldTable.js');
const { ParcelShippingTrigger } = built('./ParcelShippingTrigger.node.js');

const sections = {
	operations: () =>
		table(
			['Resource', 'Operation', 'What it does'],
			resources.flatMap(({ name, operations }) =>
				operations.map((operation) => [name, operation.name, operation.description]),
			),
		),
	'creation-fields': () => fieldTable(),
	parameters: (resourceName) => {
		const { operations } = resources.find(({ value }) => value === resourceName);
		return operations
			.map(
				({ name, description, fields }) =>
					`### ${name}\n\n${sentence(description)}\n\n${parameters(fields)}`,
			)
			.join('\n\n');
	},
	'trigger-parameters': () => parameters(new ParcelShippingTrigger().description.properties),
};

function parameters(fields) {
	const rows = fields
		.filter(({ type }) => type !== 'notice')
		.flatMap((field) => [
			row(field, field.displayName),
			...(field.type === 'collection' ? field.options : []).map((option) =>
				row(option, `${field.displayName}: ${option.displayName}`),
			),
		]);
	return table(['Parameter', 'Name', 'Meaning', 'Default'], rows);
}

function row({ name, description = '', options = [], type, ...field }, label) {
	const choices =
		type === 'options' && options.length > 0
			? `One of: ${options.map((option) => option.name).join(', ')}.`
			: '';
	const meaning = [sentence(description), choices].filter(Boolean).join(' ');
	return [label, `\`${name}\``, meaning, shown(field.default)];
}

/** Texts of the form are HTML, and end without a full stop where they are one sentence. */
function sentence(text) {
	return text.replace(/<[^>]+>/g, '').replace(/[^.]$/, '$&.');
}

function shown(value) {
	if (value === '' || value === undefined || (typeof value === 'object' && value !== null))
		return '';
	return `\`${value}\``;
}

function table(head, rows) {
	const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}

function filled(text) {
	return text.replace(
		/(<!-- generated:([\w-]+)(?: (\w+))? -->)[\s\S]*?(<!-- end -->)/g,
		(_, begin, section, argument, end) => `${begin}\n\n${sections[section](argument)}\n\n${end}`,
	);
}

const pages = [
	'README.md',
	...readdirSync(path.join(root, 'docs'))
		.filter((file) => file.endsWith('.md'))
		.map((file) => `docs/${file}`),
];
for (const page of pages) {
	const file = path.join(root, page);
	const present = readFileSync(file, 'utf8');
	const wanted = await prettier.format(filled(present), {
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
