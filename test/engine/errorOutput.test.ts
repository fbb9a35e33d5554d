// n8n decides which items leave through the error output, and its condition has changed since 2.0.
import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import { creationForm, orderItem } from '../support/shop';

import { WorkflowExecute } from 'n8n-core';
import type { INodeExecutionData } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../sandbox';

let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
	sandbox = await startSandbox();
	engine = await startEngine(sandboxCredential(sandbox.url));
});
beforeEach(() => sandbox.reset());
afterEach(() => jest.restoreAllMocks());
afterAll(() => sandbox.close());

type Condition = (item: INodeExecutionData) => boolean;

const hasOneOrTwoKeys: Condition = ({ error, json }) =>
	Boolean(error) ||
	Boolean(json.error && Object.keys(json).length === 1) ||
	Boolean(json.error && json.message && Object.keys(json).length === 2);

const hasThreeKeysAtMost: Condition = ({ error, json }) =>
	Boolean(error) ||
	Boolean(
		json.error && Object.keys(json).every((key) => ['error', 'message', 'details'].includes(key)),
	);

/** `handleNodeErrorOutput` in workflow-execute.js, by version of n8n-core. n8n 2.0.3 has 2.0.2. */
const conditions: Array<[version: string, condition: Condition]> = [
	['2.0.2', hasOneOrTwoKeys],
	['2.20.6', hasOneOrTwoKeys],
	['2.34.0', hasOneOrTwoKeys],
	['2.34.4', hasThreeKeysAtMost],
	['2.35.1', hasOneOrTwoKeys],
	['2.35.2', hasThreeKeysAtMost],
	['2.36.0', hasThreeKeysAtMost],
	['2.41.1', hasThreeKeysAtMost],
];

const orders = [
	orderItem('GOOD'),
	orderItem('NO-PHONE', { recPhone: '777' }),
	orderItem('NO-POINT', { serviceType: 'ANT-POINT', branchId: 'NOWHERE' }),
];

interface Internals {
	handleNodeErrorOutput(
		workflow: unknown,
		execution: unknown,
		output: INodeExecutionData[][],
		runIndex: number,
	): void;
}

/** Runs the node and returns the items before n8n sorts them into outputs. */
async function itemsBeforeRouting(): Promise<INodeExecutionData[]> {
	const prototype = WorkflowExecute.prototype as unknown as Internals;
	const original = prototype.handleNodeErrorOutput;
	let items: INodeExecutionData[] = [];
	jest.spyOn(prototype, 'handleNodeErrorOutput').mockImplementation(function (
		this: unknown,
		workflow,
		execution,
		output,
		runIndex,
	) {
		items = [...(output[0] ?? [])];
		original.call(this, workflow, execution, output, runIndex);
	});
	await engine.run({
		parameters: creationForm(),
		items: orders,
		onError: 'continueErrorOutput',
	});
	return items;
}

test.each(conditions)(
	'n8n-core %s sends exactly the refused orders to the error output',
	async (_, isFailed) => {
		expect((await itemsBeforeRouting()).map(isFailed)).toEqual([false, true, true]);
	},
);

test('the error output has the fields of the order and all details', async () => {
	const { items, errorItems } = await engine.run({
		parameters: creationForm(),
		items: orders,
		onError: 'continueErrorOutput',
	});
	expect(items.map(({ json }) => json.packageNumberCustom)).toEqual(['GOOD']);
	expect(errorItems).toEqual([
		{
			json: {
				...orders[1],
				error: expect.stringContaining('Invalid Recipient Phone'),
				message: expect.any(String),
				details: {
					packageNumberCustom: 'NO-PHONE',
					problems: [expect.objectContaining({ field: 'recPhone' })],
				},
			},
			pairedItem: [{ item: 1 }],
		},
		{
			json: {
				...orders[2],
				error: expect.any(String),
				message: expect.any(String),
				details: expect.objectContaining({ carrierErrors: expect.anything() }),
			},
			pairedItem: [{ item: 2 }],
		},
	]);
});

test('*Continue* keeps all details in the only output', async () => {
	const { items } = await engine.run({
		parameters: creationForm(),
		items: orders,
		onError: 'continueRegularOutput',
	});
	expect(items.map(({ json }) => Object.keys(json))).toEqual([
		expect.arrayContaining(['packageNumberCustom']),
		['error', 'message', 'details'],
		['error', 'message', 'details'],
	]);
});
