import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import { orderItem } from '../support/shop';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../sandbox';

let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
	sandbox = await startSandbox();
	engine = await startEngine(sandboxCredential(sandbox.url));
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const rule = (condition: string, text: string, value: string) => ({
	condition,
	text,
	carrierService: { __rl: true, mode: 'list', value },
});
const byMethod = (rules: IDataObject[], options: IDataObject = {}) =>
	({
		resource: 'shipment',
		operation: 'create',
		carrierFrom: 'rules',
		shippingMethod: '={{ $json.method }}',
		rules: { rule: rules },
		shipment: { mappingMode: 'autoMapInputData', value: null },
		options,
	}) as INodeParameters;
const rules = [
	rule('contains', 'abroad', 'CRANE/CRANE-EU'),
	rule('equals', 'Letter', 'BEAVER/BEAVER-LETTER'),
	rule('contains', 'courier', 'ANT/ANT-HOME'),
];
const order = (reference: string, method: unknown) =>
	orderItem(reference, { carrierCode: undefined, serviceType: undefined, method } as IDataObject);

test('orders are shipped with the carriers that the rules choose from their shipping methods', async () => {
	const { items, error } = await engine.run({
		parameters: byMethod(rules),
		items: [order('R-1', 'Courier'), order('R-2', 'ABROAD by air'), order('R-3', 'letter')],
	});
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => [json.carrierCode, json.serviceType])).toEqual([
		['ANT', 'ANT-HOME'],
		['CRANE', 'CRANE-EU'],
		['BEAVER', 'BEAVER-LETTER'],
	]);
});

test('an order that no rule fits fails with its method and the rules, and the others are shipped', async () => {
	const { items, errorItems } = await engine.run({
		parameters: byMethod(rules),
		items: [order('R-1', 'Drone'), order('R-2', 'Courier'), order('R-3', undefined)],
		onError: 'continueErrorOutput',
	});
	expect(items.map(({ json }) => json.packageNumberCustom)).toEqual(['R-2']);
	expect(errorItems.map(({ json }) => [json.error, json.message])).toEqual([
		[
			'No rule fits the shipping method "Drone"',
			expect.stringContaining(`add one for "Drone" or with the condition 'Is Anything Else'`),
		],
		['Shipping Method is missing', expect.stringContaining('Drag it from the input')],
	]);
});

test('nothing is sent if one order fits no rule and the workflow stops', async () => {
	const { error } = await engine.run({
		parameters: byMethod(rules),
		items: [order('R-1', 'Courier'), order('R-2', 'Drone')],
	});
	expect(error?.message).toBe('No rule fits the shipping method "Drone"');
	expect(sandbox.database.shipments()).toEqual([]);
});

test('a rule with a service that its carrier does not have is refused by name', async () => {
	const { error } = await engine.run({
		parameters: byMethod([rule('any', '', 'ANT/ANT-MOON')]),
		items: [order('R-1', 'Courier')],
	});
	expect(error?.message).toBe('Invalid Service: "ANT-MOON"');
});

test('Dry Run shows which rule has chosen the carrier', async () => {
	const { items } = await engine.run({
		parameters: byMethod([...rules, rule('any', '', 'CRANE/CRANE-WORLD')], { dryRun: true }),
		items: [order('R-1', 'Courier'), order('R-2', 'Drone')],
	});
	expect(items.map(({ json }) => json)).toMatchObject([
		{
			carrierCode: 'ANT',
			rule: 'Rule 3 (Contains "courier")',
			request: { serviceType: 'ANT-HOME' },
		},
		{ carrierCode: 'CRANE', rule: 'Rule 4 (Is Anything Else)' },
	]);
});

test('a rule may contain expressions, which are evaluated for each order', async () => {
	const { items } = await engine.run({
		parameters: byMethod([
			rule('equals', '={{ $json.wanted }}', 'ANT/ANT-HOME'),
			rule('any', '', 'CRANE/CRANE-EU'),
		]),
		items: [
			{ ...order('R-1', 'Courier'), wanted: 'Courier' },
			{ ...order('R-2', 'Courier'), wanted: 'Letter' },
		],
	});
	expect(items.map(({ json }) => json.carrierCode)).toEqual(['ANT', 'CRANE']);
});
