import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { findOperation, nodeProperties, resources } from '../../nodes/ParcelShipping/actions';
import { creationFieldNames } from '../../nodes/ParcelShipping/orders/fields';
import { ParcelShipping } from '../../nodes/ParcelShipping/ParcelShipping.node';

const node = path.resolve(__dirname, '../../nodes/ParcelShipping');
const offered = nodeProperties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ displayOptions, options }) =>
		(displayOptions?.show?.resource ?? []).flatMap((resource) =>
			(options ?? []).map((option): [string, string] => [
				String(resource),
				String((option as INodePropertyOptions).value),
			]),
		),
	);
const registered = resources.flatMap(({ value, operations }) =>
	operations.map((operation): [string, string] => [value, operation.value]),
);

describe('Every operation', () => {
	test('is in the form once', () => {
		expect(registered.length).toBeGreaterThan(0);
		expect([...offered].sort()).toEqual([...registered].sort());
		expect(new Set(registered.map(String)).size).toBe(registered.length);
	});

	test.each(offered)('%s %s can be executed', (resource, operation) => {
		const found = findOperation(resource, operation);
		expect(found?.value).toBe(operation);
		const { executeItem, executeAll } = { executeItem: undefined, executeAll: undefined, ...found };
		expect([typeof executeItem, typeof executeAll].sort()).toEqual(['function', 'undefined']);
	});

	test.each(offered)('%s %s is in the file with its name', (resource, operation) => {
		expect(existsSync(path.join(node, `actions/${resource}/${operation}.operation.ts`))).toBe(true);
	});

	test.each(offered)('%s %s has an output schema', (resource, operation) => {
		expect(existsSync(path.join(node, `__schema__/v1.0.0/${resource}/${operation}.json`))).toBe(
			true,
		);
	});

	test('exists for every output schema', () => {
		const schemas = readdirSync(path.join(node, '__schema__/v1.0.0'), { recursive: true })
			.map(String)
			.filter((file) => file.endsWith('.json'))
			.map((file) => file.replace('.json', '').split(path.sep) as [string, string]);
		expect(schemas.map(String).sort()).toEqual(registered.map(String).sort());
	});

	test.each(registered)('%s %s has a name, an action and a description', (resource, value) => {
		const { name, action, description } = findOperation(resource, value) ?? {};
		expect(name).toMatch(/^[A-Z]/);
		expect(action?.toLowerCase()).toContain(resource.replace(/[A-Z]/g, ' $&').toLowerCase());
		// n8n's UX guidelines ask for an article, or for "many".
		expect(action).toMatch(/^[A-Z]\w+(?: over)? (?:a|an|many|the) /);
		expectSentences(description);
	});
});

/** One sentence ends without a period, several sentences end with one. */
function expectSentences(text: string | undefined): void {
	expect(text).toMatch(/^\S/);
	const isOneSentence = !/\. (?=[A-Z\d])/.test(text ?? '');
	expect(text?.endsWith('.')).toBe(!isOneSentence);
}

test('the subtitle of a node is the action of its operation', () => {
	const { subtitle } = new ParcelShipping().description;
	const [, actions = ''] = /^=\{\{ \((\{.*\})\)\[/.exec(subtitle ?? '') ?? [];
	expect(JSON.parse(actions)).toMatchObject({
		'shipment:create': 'Create a shipment',
		'label:print': 'Create a label file',
	});
	expect(Object.keys(JSON.parse(actions) as object)).toHaveLength(registered.length);
});

test('no resource changes or prints anything by default', () => {
	const defaults = nodeProperties
		.filter(({ name }) => name === 'operation')
		.map(({ displayOptions, default: value }) => [displayOptions?.show?.resource, value]);
	expect(defaults).toEqual([
		[['batch'], 'getAll'],
		[['carrier'], 'getAll'],
		[['label'], 'print'],
		[['pickupPoint'], 'getAll'],
		[['printer'], 'getAll'],
		[['shipment'], 'getAll'],
	]);
});

test('resources and their operations are in alphabetical order', () => {
	const sorted = (names: string[]) => [...names].sort((a, b) => a.localeCompare(b));
	const names = resources.map(({ name }) => name);
	expect(names).toEqual(sorted(names));
	for (const { operations } of resources) {
		const inOrder = operations.map((operation) => operation.name);
		expect(inOrder).toEqual(sorted(inOrder));
	}
});

interface Field {
	where: string;
	field: INodeProperties;
}

/** The fields of an operation with those inside collections. */
function fieldsBelow(where: string, fields: INodeProperties[]): Field[] {
	return fields.flatMap((field) => {
		const below = `${where} ${field.name}`;
		const inside =
			field.type === 'collection'
				? fieldsBelow(below, (field.options ?? []) as INodeProperties[])
				: field.type === 'fixedCollection'
					? ((field.options ?? []) as INodePropertyCollection[]).flatMap(({ values }) =>
							fieldsBelow(below, values),
						)
					: [];
		return [{ where: below, field }, ...inside];
	});
}

const fields = resources.flatMap(({ value, operations }) =>
	operations.flatMap((operation) => fieldsBelow(`${value} ${operation.value}`, operation.fields)),
);

/** n8n does not show a description for these. */
const isContainer = ({ type }: INodeProperties) =>
	['collection', 'fixedCollection', 'notice'].includes(type);

test.each(fields.map(({ where, field }) => [where, field] as const))(
	'%s has a display name',
	(_, field) => {
		expect(field.displayName).toMatch(/^[A-Z]/);
	},
);

const entered = fields.filter(({ field }) => !isContainer(field));

test.each(entered.map(({ where, field }) => [where, field] as const))(
	'%s has a description',
	(_, field) => {
		// n8n's own text for binary fields is a hint.
		expectSentences(field.description ?? field.hint);
	},
);

const placeholders = entered.flatMap(({ where, field }) =>
	[field.placeholder, ...(field.modes ?? []).map(typedExample)].flatMap((text) =>
		text ? [[where, text] as const] : [],
	),
);

test.each(placeholders)('%s starts its placeholder with e.g.: %s', (_, text) => {
	expect(text).toMatch(/^e\.g\. /);
});

function typedExample({ type, placeholder }: { type: string; placeholder?: string }) {
	return type === 'list' ? undefined : placeholder;
}

test('no two fields of an operation have the same name', () => {
	for (const { operations } of resources) {
		for (const operation of operations) {
			const names = operation.fields.map(({ name }) => name);
			expect(names).toEqual([...new Set(names)]);
		}
	}
});

test('every list or mapping of a field has a method that loads it', () => {
	const { methods } = new ParcelShipping();
	const needed = fields.flatMap(({ field }) => [
		...(field.modes ?? []).map(({ typeOptions }) => typeOptions?.searchListMethod),
		field.typeOptions?.loadOptionsMethod,
		field.typeOptions?.resourceMapper?.resourceMapperMethod,
	]);
	const known = Object.values(methods).flatMap((group) => Object.keys(group));
	const names = needed.filter((name) => name !== undefined);
	expect(names).not.toEqual([]);
	expect(names.filter((name) => !known.includes(name))).toEqual([]);
});

describe("The hints for n8n's AI", () => {
	const hints = offeredHints(nodeProperties);

	test('name every field of a shipment', () => {
		const [hint = ''] = hints.get('shipment') ?? [];
		const words = hint.split(/\W+/);
		expect(creationFieldNames.filter((name) => !words.includes(name))).toEqual([]);
	});

	test('are not on the resource or the operation, and contain no expressions', () => {
		expect([hints.get('resource'), hints.get('operation')]).toEqual([undefined, undefined]);
		const { builderHint } = new ParcelShipping().description;
		expect(builderHint?.searchHint).toMatch(/\.$/);
		expect(JSON.stringify([...hints, builderHint])).not.toContain('={{');
	});

	function offeredHints(properties: INodeProperties[]): Map<string, string[]> {
		const found = new Map<string, string[]>();
		for (const { name, builderHint } of properties) {
			if (builderHint) found.set(name, [...(found.get(name) ?? []), builderHint.propertyHint]);
		}
		return found;
	}
});

test.each([
	[
		'ParcelShipping',
		['Print', 'Printer', 'Waybill', 'COD', 'Pickup Point', 'Return', 'ZPL', 'AWB'],
	],
	['ParcelShippingTrigger', ['Tracking', 'Delivered', 'Waybill', 'AWB', 'Return']],
])('%s is found by the words that people search for', (name, words) => {
	const codex = JSON.parse(readFileSync(path.join(node, `${name}.node.json`), 'utf8'));
	expect(codex.alias).toEqual(expect.arrayContaining(words));
	expect(new Set(codex.alias).size).toBe(codex.alias.length);
});
