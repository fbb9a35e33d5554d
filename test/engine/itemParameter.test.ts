import { startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';

import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import { itemParameter } from '../../nodes/ParcelShipping/descriptions/itemParameter';

const TYPE = 'test.itemParameter';

/** What this package reads, what n8n reads, and how often n8n was asked for the former. */
interface Reading {
	own: unknown[];
	byN8n: unknown[];
	asked: number;
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
		let asked = 0;
		this.getNodeParameter = ((...args: Parameters<typeof getNodeParameter>) => {
			asked++;
			return getNodeParameter(...args);
		}) as typeof this.getNodeParameter;
		reading = { own: items.map((_, index) => outcomeOf(() => value(index))), byN8n, asked };
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
	{ id: '0012', other: 'a field that the others lack' },
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
	['text with braces that is no expression', '{{ $json.id }}'],
	['a field of the item', '={{ $json.id }}'],
	['a field of the item, written tightly', '={{$json.id}}'],
	['a locator with a field of the item', { __rl: true, mode: 'code', value: '={{ $json.id }}' }],
	['an object with text and a field', { recZip: '11000', recName: '={{ $json.id }}' }],
];

test.each(plain)(
	'For %s, the value is the one that n8n gives, without asking it',
	async (_, value) => {
		const { own, byN8n, asked } = await readingOf(value);
		expect(own).toEqual(byN8n);
		expect(asked).toBe(0);
	},
);

const other: Array<[string, INodeParameters[string]]> = [
	['a field that may look like an expression', '={{ $json.name }}'],
	['a field with null or a number', '={{ $json.nothing }}'],
	['an empty field', '={{ $json.empty }}'],
	['a field that says false', '={{ $json.no }}'],
	['a list', '={{ $json.list }}'],
	['an object of the item', '={{ $json.in }}'],
	['a field that most items lack', '={{ $json.other }}'],
	['a name that every object has', '={{ $json.constructor }}'],
	['a field within a field', '={{ $json.in.a }}'],
	['text around a field', '=No. {{ $json.id }}'],
	['two expressions', '={{ $json.id }}{{ $json.zip }}'],
	['something to work out', '={{ $json.id + 1 }}'],
	['a part of a name', '={{ $json.id.toString() }}'],
	['what is no expression at all', '={{ $json. }}'],
	['a list of expressions', ['={{ $json.id }}', '={{ $itemIndex }}']],
	['an object with names that are paths', { 'a.b': '={{ $json.id }}' }],
	['an object with something to work out', { recName: '={{ $json.id }}', vs: '={{ $itemIndex }}' }],
];

test.each(other)('For %s, the value is the one that n8n gives', async (_, value) => {
	const { own, byN8n } = await readingOf(value);
	expect(own).toEqual(byN8n);
});
