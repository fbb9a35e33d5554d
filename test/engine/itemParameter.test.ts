import { startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';

import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import { itemParameter } from '../../nodes/ParcelShipping/itemParameter';

const TYPE = 'test.itemParameter';

/** The values that this package reads, those that n8n reads, and how often the package called n8n. */
interface Reading {
	own: unknown[];
	byN8n: unknown[];
	calls: number;
}

let reading: Reading;

const readingNode: INodeType = {
	description: {
		displayName: 'Reading',
		name: 'reading',
		group: ['transform'],
		version: 1,
		description: '',
		defaults: { name: 'Reading' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [{ displayName: 'Value', name: 'value', type: 'json', default: '' }],
	},
	async execute() {
		const items = this.getInputData();
		const getNodeParameter = this.getNodeParameter.bind(this);
		const read = (index: number) => getNodeParameter('value', index, '', { skipValidation: true });
		const byN8n = items.map((_, index) => outcomeOf(() => read(index)));

		const value = itemParameter(this, items, 'value');
		let calls = 0;
		this.getNodeParameter = ((...args: Parameters<typeof getNodeParameter>) => {
			calls++;
			return getNodeParameter(...args);
		}) as typeof this.getNodeParameter;
		reading = { own: items.map((_, index) => outcomeOf(() => value(index))), byN8n, calls };
		return [items];
	},
};

function outcomeOf(read: () => unknown): unknown {
	try {
		return read();
	} catch (thrown) {
		return { thrown: (thrown as Error).message };
	}
}

const items: IDataObject[] = [
	{
		id: 1,
		name: 'Jana',
		zip: '01100',
		nothing: null,
		empty: '',
		no: false,
		list: [1, 2],
		in: { a: 1 },
	},
	{ id: 22, name: '=Petr {{ 1 }}', zip: '=', nothing: 0, empty: ' ', no: true, list: [], in: {} },
	{ id: '0012', other: 'a field that the other items do not have' },
];

async function readingOf(value: INodeParameters[string]): Promise<Reading> {
	const engine = await startEngine(sandboxCredential('http://127.0.0.1:1/api'), {
		[TYPE]: readingNode,
	});
	const { error } = await engine.run({ type: TYPE, parameters: { value }, items });
	if (error) throw error;
	return reading;
}

const plain: Array<[string, INodeParameters[string]]> = [
	['text', 'ANT'],
	['a number', 7],
	['text with braces that is not an expression', '{{ $json.id }}'],
	['a field of the item', '={{ $json.id }}'],
	['a field of the item, without spaces', '={{$json.id}}'],
	['a locator with a field of the item', { __rl: true, mode: 'code', value: '={{ $json.id }}' }],
	['an object with text and a field', { recZip: '11000', recName: '={{ $json.id }}' }],
];

test.each(plain)('Reads the same value as n8n for %s, without calling n8n', async (_, value) => {
	const { own, byN8n, calls } = await readingOf(value);
	expect(own).toEqual(byN8n);
	expect(calls).toBe(0);
});

const other: Array<[string, INodeParameters[string]]> = [
	['a field whose value looks like an expression', '={{ $json.name }}'],
	['a field with null or a number', '={{ $json.nothing }}'],
	['an empty field', '={{ $json.empty }}'],
	['a boolean field', '={{ $json.no }}'],
	['a list', '={{ $json.list }}'],
	['an object of the item', '={{ $json.in }}'],
	['a field that most items do not have', '={{ $json.other }}'],
	['a property that every object has', '={{ $json.constructor }}'],
	['a field within a field', '={{ $json.in.a }}'],
	['text around a field', '=No. {{ $json.id }}'],
	['two expressions', '={{ $json.id }}{{ $json.zip }}'],
	['a calculation', '={{ $json.id + 1 }}'],
	['a method call', '={{ $json.id.toString() }}'],
	['an invalid expression', '={{ $json. }}'],
	['a list of expressions', ['={{ $json.id }}', '={{ $itemIndex }}']],
	['an object with names that are paths', { 'a.b': '={{ $json.id }}' }],
	[
		'an object with a field and a calculation',
		{ recName: '={{ $json.id }}', vs: '={{ $itemIndex }}' },
	],
];

test.each(other)('Reads the same value as n8n for %s', async (_, value) => {
	const { own, byN8n } = await readingOf(value);
	expect(own).toEqual(byN8n);
});
