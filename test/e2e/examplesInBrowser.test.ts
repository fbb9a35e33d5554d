import { type INodeParameters, NodeHelpers } from 'n8n-workflow';
import type { Page } from 'playwright-core';

import { ParcelShipping } from '../../nodes/ParcelShipping/ParcelShipping.node';
import { ParcelShippingTrigger } from '../../nodes/ParcelShipping/ParcelShippingTrigger.node';
import { readExamples } from '../../scripts/demo/examples';
import type { WorkflowNode } from '../../scripts/demo/rest';
import { browserTest } from './support/browser';
import type { E2eSetup } from './support/e2eSetup';
import { type Editor, openEditor } from './support/editor';
import { storeExample } from './support/examples';
import { PARCEL_SHIPPING } from './support/nodes';

jest.setTimeout(240_000);

let setup: E2eSetup;
let page: Page;
let editor: Editor;
let close: () => Promise<void>;

beforeAll(async () => {
	({ setup, page, editor, close } = await openEditor());
});

afterAll(async () => {
	await close?.();
});

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

const isOwn = ({ type }: WorkflowNode) => type.startsWith(PARCEL_SHIPPING);

for (const { id, name, nodes } of readExamples().filter((example) => example.nodes.some(isOwn))) {
	browserTest(
		`The forms of "${name}" show what is sent, and opening them changes nothing`,
		() => page,
		async () => {
			const workflow = await storeExample(setup, id);
			const own = nodes.filter(isOwn);
			await editor.open(setup.suite.url, workflow);
			for (const node of own) {
				await editor.openNode(node.name);
				await editor.form.getByTestId('parameter-item').first().waitFor();
				const sent = sentFields(node);
				if (sent) expect((await editor.mappedFields()).sort()).toEqual(sent);
				await editor.closeNode();
			}
			await editor.save();
			const { nodes: saved } = await setup.n8n.getWorkflow(workflow.id);
			expect(saved.filter(isOwn).map(effectiveValues)).toEqual(own.map(effectiveValues));
		},
	);
}
