import { type INode, type INodeTypes, Workflow } from 'n8n-workflow';

import { ParcelShippingTrigger } from '../../nodes/ParcelShipping/ParcelShippingTrigger.node';

const trigger = new ParcelShippingTrigger();

const hintsOf = (parameters: INode['parameters']) => {
	const node: INode = {
		id: '1',
		name: 'Trigger',
		type: 'trigger',
		typeVersion: 1,
		position: [0, 0],
		parameters,
	};
	const nodeTypes = {
		getByName: () => trigger,
		getByNameAndVersion: () => trigger,
		getKnownTypes: () => ({}),
	} as INodeTypes;
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	// As the editor does it.
	return (trigger.description.hints ?? []).filter(({ displayCondition = '' }) =>
		workflow.expression.getSimpleParameterValue(
			workflow.getNode('Trigger') as INode,
			displayCondition,
			'internal',
			{},
		),
	);
};

test('after a test event, a hint says which timezone was assumed, unless one is configured', () => {
	const [hint, ...more] = hintsOf({});
	expect(hint?.message).toContain(
		"were read in the workflow's timezone, because Timezone is empty",
	);
	expect(more).toEqual([]);
	expect(hintsOf({ timezone: '' })).toHaveLength(1);
	expect(hintsOf({ timezone: 'Europe/Prague' })).toEqual([]);
});
