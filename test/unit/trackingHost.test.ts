import { type INode, type INodeTypes, type IPollFunctions, Workflow } from 'n8n-workflow';

import { ParcelShippingTrigger } from '../../nodes/ParcelShipping/ParcelShippingTrigger.node';
import { Budget, infosOf, isNoted, memoryOf, note } from '../../nodes/ParcelShipping/tracking/host';

describe('The budget of a poll', () => {
	test('limits the time of each request, and ends if the service asks for a pause', () => {
		let ms = 0;
		const budget = new Budget(() => ms, 34_000);
		const timeouts = [0, 20_000, 33_500].map((now) => {
			ms = now;
			return [budget.timeoutMs(), budget.isLate(), budget.isSpent()];
		});
		expect(timeouts).toEqual([
			[20_000, false, false],
			[14_000, false, false],
			[1_000, true, true],
		]);
		expect(
			new Budget(
				() => ms,
				34_000,
				10,
				() => true,
			).isSpent(),
		).toBe(true);
	});

	test('keeps a part of the time for what comes later', () => {
		let ms = 4_000;
		const budget = new Budget(() => ms, 30_000);
		ms += 10_000;
		expect(budget.spend(1 / 2)).toBe(5_000);
		ms += 5_000;
		expect([budget.isSpent(1 / 2), budget.isSpent(1 / 4)]).toEqual([true, false]);
	});

	test.each([10, 11, 37, 500])('of %i requests leaves some for each part', (max) => {
		const budget = new Budget(() => 0, 60_000, max);
		const [list = 0, numbers = 0, events = 0] = [1 / 2, 1 / 4, 0].map((kept) => {
			let requests = 0;
			for (; !budget.isSpent(kept); requests++) budget.spend(kept);
			return requests;
		});
		expect(list).toBeGreaterThanOrEqual(5);
		expect(Math.min(numbers, events)).toBeGreaterThanOrEqual(2);
		expect(list + numbers + events).toBe(max);
	});
});

describe('The memory of the process', () => {
	const contextOf = (id: string) =>
		({ getWorkflow: () => ({ id: 'w' }), getNode: () => ({ id }) }) as unknown as IPollFunctions;

	test('belongs to a node, and forgets the shipments of another account', () => {
		const memory = memoryOf(contextOf('a'));
		expect(memoryOf(contextOf('a'))).toBe(memory);
		expect(memoryOf(contextOf('b'))).not.toBe(memory);
		const ofOne = infosOf(memory, 'one');
		expect(infosOf(memory, 'one')).toBe(ofOne);
		expect(infosOf(memory, 'two')).not.toBe(ofOne);
	});

	test('knows for an hour what was logged', () => {
		const memory = memoryOf(contextOf('c'));
		note(memory, 'x', 0);
		expect(isNoted(memory, 'x', 3_599_999)).toBe(true);
		expect(isNoted(memory, 'y', 3_599_999)).toBe(false);
		expect(isNoted(memory, 'x', 3_600_000)).toBe(false);
	});
});

test.each([
	[{}, ["were read in the workflow's timezone, because Timezone is empty"]],
	[{ timezone: '' }, ["were read in the workflow's timezone, because Timezone is empty"]],
	[{ timezone: 'Europe/Prague' }, []],
])('after a test event with %j, the editor says that a timezone was assumed: %j', (form, texts) => {
	const trigger = new ParcelShippingTrigger();
	const getType = () => trigger;
	const nodeTypes = { getByName: getType, getByNameAndVersion: getType } as unknown as INodeTypes;
	const node: INode = {
		...{ id: '1', name: 'Trigger', type: 'trigger', typeVersion: 1 },
		...{ position: [0, 0], parameters: form },
	};
	const { expression } = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	// As the editor does it.
	const hints = (trigger.description.hints ?? []).filter(({ displayCondition = '' }) =>
		expression.getSimpleParameterValue(node, displayCondition, 'internal', {}),
	);
	expect(hints.map(({ message }) => message)).toEqual(
		texts.map((text) => expect.stringContaining(text) as string),
	);
});
