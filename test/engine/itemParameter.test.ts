import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import { itemParameter } from '../../nodes/ParcelShipping/itemParameter';
import { sandboxCredential } from '../support/credentials';
import { type Engine, startEngine } from '../support/engine';
import { manualTrigger } from '../support/host';

const TYPE = 'test.itemParameter';

/** The values that this package reads, those that n8n reads, and how often the package called n8n. */
let reading: { own: unknown[]; byN8n: unknown[]; calls: number };

const readingNode: INodeType = {
	description: {
		...{ ...manualTrigger.description, inputs: ['main'] },
		properties: [{ displayName: 'Value', name: 'value', type: 'json', default: '' }],
	},
	async execute() {
		const items = this.getInputData();
		const getNodeParameter = this.getNodeParameter.bind(this);
		const readByN8n = (index: number) =>
			getNodeParameter('value', index, '', { skipValidation: true });
		const value = itemParameter(this, items, 'value');
		let calls = 0;
		this.getNodeParameter = ((...given: Parameters<typeof getNodeParameter>) => {
			calls++;
			return getNodeParameter(...given);
		}) as typeof this.getNodeParameter;
		const own = items.map((_, index) => outcomeOf(() => value(index)));
		reading = { own, byN8n: items.map((_, index) => outcomeOf(() => readByN8n(index))), calls };
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
		list: [1],
		in: { a: 1 },
	},
	{ id: 22, name: '=Petr {{ 1 }}', zip: '=', nothing: 0, empty: ' ', no: true, list: [], in: {} },
	{ id: '0012', other: 'a field that the other items do not have' },
];

let engine: Engine;
beforeAll(async () => {
	const credential = sandboxCredential('http://127.0.0.1:1/api');
	engine = await startEngine(credential, { [TYPE]: readingNode });
});

const FAST = true;
test.each<[string, INodeParameters[string], boolean?]>([
	['text', 'ANT', FAST],
	['a number', 7, FAST],
	['text with braces that is not an expression', '{{ $json.id }}', FAST],
	['a field', '={{ $json.id }}', FAST],
	['a locator with a field', { __rl: true, mode: 'code', value: '={{ $json.id }}' }, FAST],
	['an object with text and a field', { recZip: '11000', recName: '={{ $json.id }}' }, FAST],
	['a field whose value looks like an expression', '={{ $json.name }}'],
	['a field that most items do not have', '={{ $json.other }}'],
	['a field within a field', '={{ $json.in.a }}'],
	['text around a field', '=No. {{ $json.id }}'],
	['an invalid expression', '={{ $json. }}'],
	['an object with a calculation', { recName: '={{ $json.id }}', vs: '={{ $itemIndex }}' }],
])('Reads the same value as n8n for %s', async (_, value, isFast = false) => {
	const { error } = await engine.run({ type: TYPE, parameters: { value }, items });
	if (error) throw error;
	expect(reading.own).toEqual(reading.byN8n);
	// n8n needs so much time for an expression that ten thousand orders would block it for seconds.
	if (isFast) expect(reading.calls).toBe(0);
});
