import { randomUUID } from 'node:crypto';

import { type INodeParameters, NodeHelpers } from 'n8n-workflow';

import { ParcelShipping } from '../../nodes/ParcelShipping/ParcelShipping.node';
import { ParcelShippingTrigger } from '../../nodes/ParcelShipping/ParcelShippingTrigger.node';
import { readExamples } from '../../scripts/demo/examples';
import type { WorkflowNode } from '../../scripts/demo/rest';
import { browserTest, useEditor } from './support/editor';
import { PARCEL_SHIPPING } from './support/nodes';

const editor = useEditor();

/** The shipment fields that a *Create* node sends, or undefined if it has no mapping. */
function sentFields({ parameters }: WorkflowNode): string[] | undefined {
	const { shipment } = parameters as { shipment?: { mappingMode: string; value: object } };
	return shipment?.mappingMode === 'defineBelow' ? Object.keys(shipment.value).sort() : undefined;
}

const { description: nodeDescription } = new ParcelShipping();
const { description: triggerDescription } = new ParcelShippingTrigger();

/** The values that a node executes with. n8n does not save those that equal their defaults. */
function effectiveValues({ name, type, parameters }: WorkflowNode): object {
	const description = type.endsWith('Trigger') ? triggerDescription : nodeDescription;
	const { descriptionType, toolDescription } = parameters;
	const values = NodeHelpers.getNodeParameters(
		description.properties,
		parameters as INodeParameters,
		true,
		false,
		{ typeVersion: 1 },
		description,
	);
	return { name, descriptionType, toolDescription, ...values };
}

/** The nodes of the package in all examples, in rows so that all are visible at once. */
const ownNodes = readExamples().flatMap(({ name: example, nodes }) =>
	nodes
		.filter(({ type }) => type.startsWith(PARCEL_SHIPPING))
		.map((node) => ({ ...node, id: randomUUID(), name: `${node.name} of ${example}` })),
);
const inRows = ownNodes.map((node, index) => ({
	...node,
	position: [(index % 6) * 240, Math.floor(index / 6) * 200] as [number, number],
}));

browserTest(
	'The forms of the examples show what is sent, and opening them changes nothing',
	editor,
	async () => {
		const { setup } = editor;
		const workflow = await setup.store({ name: 'Examples', nodes: inRows, connections: {} });
		await editor.open(workflow);
		for (const node of ownNodes) {
			await editor.openNode(node.name);
			await editor.form.getByTestId('parameter-item').first().waitFor();
			const shown = sentFields(node) && (await editor.mappedFields()).sort();
			expect([node.name, shown]).toEqual([node.name, sentFields(node)]);
			await editor.closeNode();
		}
		await editor.save();
		const { nodes: saved } = await setup.n8n.getWorkflow(workflow.id);
		expect(saved.map(effectiveValues)).toEqual(ownNodes.map(effectiveValues));
	},
);
