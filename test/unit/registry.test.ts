import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { findOperation, nodeProperties, resources } from '../../nodes/ParcelShipping/actions';
import { creationFieldNames } from '../../nodes/ParcelShipping/orders/fields';
import { ParcelShipping } from '../../nodes/ParcelShipping/ParcelShipping.node';

const node = path.resolve(__dirname, '../../nodes/ParcelShipping');
const { methods, description } = new ParcelShipping();
const operationFields = nodeProperties.filter(({ name }) => name === 'operation');
const offered = operationFields.flatMap(({ displayOptions, options = [] }) =>
	(displayOptions?.show?.resource ?? []).flatMap((resource) =>
		(options as INodePropertyOptions[]).map(({ value }) => `${resource}/${value}`),
	),
);
const operations = resources.flatMap(({ value, operations: all }) =>
	all.map((operation) => ({ id: `${value}/${operation.value}`, resource: value, operation })),
);

/** One sentence ends without a period, several sentences end with one. */
function expectSentences(text = ''): void {
	const isOneSentence = !/\. (?=[A-Z\d])/.test(text);
	expect(text).toMatch(isOneSentence ? /^\S(.*[^.])?$/s : /^\S.*\.$/s);
}

test('every operation is in the form once, and has an output schema', () => {
	const ids = operations.map(({ id }) => id).sort();
	expect([...offered].sort()).toEqual(ids);
	expect(new Set(ids).size).toBe(ids.length);
	const schemas = readdirSync(path.join(node, '__schema__/v1.0.0'), { recursive: true })
		.map((file) => String(file).split(path.sep).join('/'))
		.filter((file) => file.endsWith('.json'));
	expect(schemas.sort()).toEqual(ids.map((id) => `${id}.json`));
});

test.each(operations)('$id can be executed and is described', ({ id, resource, operation }) => {
	expect(existsSync(path.join(node, `actions/${id}.operation.ts`))).toBe(true);
	const found = findOperation(resource, operation.value);
	const { executeItem, executeAll } = { executeItem: undefined, executeAll: undefined, ...found };
	expect([typeof executeItem, typeof executeAll].sort()).toEqual(['function', 'undefined']);

	expect(operation.name).toMatch(/^[A-Z]/);
	const words = resource.replace(/[A-Z]/g, ' $&').toLowerCase();
	expect(operation.action.toLowerCase().replace('-', ' ')).toContain(words);
	// n8n's UX guidelines ask for an article, or for "many".
	expect(operation.action).toMatch(/^[A-Z]\w+(?: over)? (?:a|an|many|the) /);
	expectSentences(operation.description);

	const forPeople = operation.fields.filter(
		({ displayOptions }) => !displayOptions?.show?.['@tool'],
	);
	const names = forPeople.map(({ name }) => name);
	expect(names).toEqual([...new Set(names)]);
});

test('the subtitle of a node is the action of its operation', () => {
	const [, actions = ''] = /^=\{\{ \((\{.*\})\)\[/.exec(String(description.subtitle)) ?? [];
	const expected = operations.map(({ id, operation }) => [id.replace('/', ':'), operation.action]);
	expect(JSON.parse(actions)).toEqual(Object.fromEntries(expected));
});

test('no resource changes or prints anything by default', () => {
	const defaults = operationFields.map(
		({ displayOptions, default: value }) => `${displayOptions?.show?.resource} ${value}`,
	);
	expect(defaults.join(', ')).toBe(
		'batch getAll, carrier getAll, handOver getAll, label print, pickupPoint getAll, printer getAll, shipment getAll',
	);
});

test('resources and their operations are in alphabetical order', () => {
	const lists = [resources, ...resources.map((resource) => resource.operations)];
	const names = lists.map((list) => list.map(({ name }) => name));
	expect(names).toEqual(names.map((each) => each.toSorted((a, b) => a.localeCompare(b))));
});

/** The fields of an operation with those inside collections. */
function fieldsBelow(where: string, fields: INodeProperties[]): Array<[string, INodeProperties]> {
	return fields.flatMap((field) => {
		const { type, options = [] } = field;
		const below = `${where} ${field.name}`;
		const groups =
			type === 'fixedCollection'
				? (options as INodePropertyCollection[]).map(({ values }) => values)
				: [type === 'collection' ? (options as INodeProperties[]) : []];
		return [[below, field], ...groups.flatMap((group) => fieldsBelow(below, group))];
	});
}

const fields = operations.flatMap(({ id, operation }) => fieldsBelow(id, operation.fields));

test.each(fields)('%s has a name and a description', (_, field) => {
	const { type, displayName, placeholder, modes = [], hint } = field;
	expect(displayName).toMatch(/^[A-Z]/);
	// n8n does not show a description for containers. Its own text for binary fields is a hint.
	if (['collection', 'fixedCollection', 'notice'].includes(type)) return;
	expectSentences(field.description ?? hint);
	const typed = modes.filter((mode) => mode.type !== 'list').map((mode) => mode.placeholder);
	const examples = [placeholder, ...typed].filter(Boolean);
	expect(examples.filter((example) => !example?.startsWith('e.g. '))).toEqual([]);
});

test('every list or mapping of a field has a method that loads it', () => {
	const needed = fields.flatMap(([, { modes = [], typeOptions }]) => [
		...modes.map((mode) => mode.typeOptions?.searchListMethod),
		typeOptions?.loadOptionsMethod,
		typeOptions?.resourceMapper?.resourceMapperMethod,
	]);
	const known = Object.values(methods).flatMap((group) => Object.keys(group));
	const names = needed.filter((name) => name !== undefined);
	expect(names).not.toEqual([]);
	expect(names.filter((name) => !known.includes(name))).toEqual([]);
});

test("the hints for n8n's AI name every field of a shipment, and contain no expressions", () => {
	const hinted = nodeProperties.filter(({ builderHint }) => builderHint);
	const hints = hinted.map(({ name, builderHint }) => `${name}: ${builderHint?.propertyHint}`);
	const words = hints.find((hint) => hint.startsWith('shipment:'))?.split(/\W+/) ?? [];
	expect(creationFieldNames.filter((name) => !words.includes(name))).toEqual([]);
	expect(hints.filter((hint) => /^(resource|operation):/.test(hint))).toEqual([]);
	expect(description.builderHint?.searchHint).toMatch(/\.$/);
	expect(JSON.stringify([hints, description.builderHint])).not.toContain('={{');
});
