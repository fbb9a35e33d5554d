import type { Browser, Page } from 'playwright-core';

import { readExamples } from '../../scripts/demo/examples';
import type { WorkflowNode } from '../../scripts/demo/rest';
import { browserTest, openBrowser, openSignedIn } from './support/browser';
import { E2eSetup } from './support/e2eSetup';
import { Editor } from './support/editor';
import { storeExample } from './support/examples';
import { PARCEL_SHIPPING } from './support/nodes';

jest.setTimeout(240_000);

let setup: E2eSetup;
let browser: Browser;
let page: Page;
let editor: Editor;

beforeAll(async () => {
	browser = await openBrowser();
	setup = await E2eSetup.open();
	page = await openSignedIn(browser, setup.suite);
	editor = new Editor(page);
});

afterAll(async () => {
	await browser?.close();
	await setup?.close();
});

/** The shipment fields that a *Create* node sends, or undefined if it has no mapping. */
function sentFields({ parameters }: WorkflowNode): string[] | undefined {
	const { shipment } = parameters as { shipment?: { mappingMode: string; value: object } };
	return shipment?.mappingMode === 'defineBelow' ? Object.keys(shipment.value).sort() : undefined;
}

/** n8n does not save plain values that equal their defaults. */
function enteredValues({ name, parameters }: WorkflowNode): object {
	const entered = Object.entries(parameters).filter(
		([, value]) => (typeof value === 'object' && !Array.isArray(value)) || /^=/.test(String(value)),
	);
	return { name, ...Object.fromEntries(entered) };
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
			expect(saved.filter(isOwn).map(enteredValues)).toEqual(own.map(enteredValues));
		},
	);
}
