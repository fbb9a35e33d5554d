import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';

import type { StoredCredential, StoredWorkflow, WorkflowNode } from '../../../scripts/demo/rest';
import { closeBrowser, openSignedIn } from './browser';
import { E2eSetup } from './e2eSetup';
import { chain, PARCEL_SHIPPING } from './nodes';

/** The form reacts to a change and saves it after a short pause. */
const SETTLE_MS = 2_500;

/** The input of a mapped field. Its wrapper and its hint have similar IDs. */
const FIELD_INPUT = /^parameter-input-(?!field$|hint$)/;

/** Opens a browser and a new sandbox for the tests of a file. */
export function useEditor(): Editor {
	jest.setTimeout(240_000);
	const editor = new Editor();
	beforeAll(async () => {
		editor.setup = await E2eSetup.open();
		editor.page = await openSignedIn(editor.setup.suite);
	});
	beforeEach(async () => editor.setup.reset());
	afterAll(async () => {
		if (editor.page) await closeBrowser(editor.page);
		await editor.setup.close();
	});
	return editor;
}

/** A test in the browser. If it fails, a screenshot is saved. */
export function browserTest(name: string, user: { page: Page }, run: () => Promise<void>): void {
	test(name, async () => {
		try {
			await run();
		} catch (error) {
			const file = path.join(mkdtempSync(path.join(tmpdir(), 'parcel-screen-')), 'screen.png');
			await user.page.screenshot({ path: file });
			console.error(`Screenshot: ${file}`);
			throw error;
		}
	});
}

/** The parts of n8n's editor that a user of this package needs. */
class Editor {
	setup!: E2eSetup;
	page!: Page;

	/** The open node with its input and its output. */
	get form(): Locator {
		return this.page.getByTestId('ndv');
	}

	get input(): Locator {
		return this.page.getByTestId('ndv-input-panel');
	}

	/** The panel with the output or the error of the open node. */
	get output(): Locator {
		return this.page.getByTestId('output-panel');
	}

	async open({ id }: StoredWorkflow): Promise<void> {
		await this.page.goto(`${this.setup.suite.url}/workflow/${id}`);
		await this.page.getByTestId('canvas-controls').waitFor();
	}

	/** Stores nodes in a row and opens them. With pinned data, a node needs no execution. */
	async openNodes(
		nodes: WorkflowNode[],
		pinData: Record<string, unknown> = {},
	): Promise<StoredWorkflow> {
		const workflow = await this.setup.store({ ...chain('Orders', nodes), pinData });
		await this.open(workflow);
		return workflow;
	}

	async openAndExecute(nodes: WorkflowNode[]): Promise<StoredWorkflow> {
		const workflow = await this.openNodes(nodes);
		await this.page.getByTestId('execute-workflow-button').click();
		await this.page.getByText('Workflow executed successfully').waitFor();
		return workflow;
	}

	node(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	/** Opens the nodes panel with one of its plus buttons and searches it. */
	async find(plus: Locator, search: string): Promise<void> {
		await plus.click();
		await this.page.getByTestId('node-creator-search-bar').waitFor();
		await this.page.keyboard.type(search);
	}

	/** Selects an action of the node that the search found. The new node opens. */
	async chooseAction(action: string): Promise<void> {
		await this.page.getByText('Parcel Shipping', { exact: true }).first().click();
		await this.page.getByText(action, { exact: true }).click();
		await this.form.waitFor();
	}

	async openNode(name: string): Promise<void> {
		await this.node(name).dblclick();
		await this.form.waitFor();
	}

	async closeNode(): Promise<void> {
		await this.page.getByTestId('ndv-close-button').click();
		await this.form.waitFor({ state: 'hidden' });
	}

	async chooseCredential({ id, name }: StoredCredential): Promise<void> {
		await this.page.getByTestId('node-credentials-select').click();
		const entry = this.page.getByTestId(`node-credentials-select-item-${id}`);
		await entry.getByText(name, { exact: true }).click();
	}

	/** A field with a list. It shows the name of the selected entry. */
	list(field: string): Locator {
		return this.page.getByTestId(`resource-locator-${field}`).getByTestId('rlc-input');
	}

	async choose(field: string, typed: string, name: string): Promise<void> {
		await this.list(field).click();
		const entries = this.page.getByTestId('rlc-item');
		await entries.first().waitFor();
		await this.page.getByTestId('rlc-search').fill(typed);
		await entries.filter({ hasText: name }).click();
		await entries.first().waitFor({ state: 'hidden' });
	}

	/** Drags a field of the input onto a field of the shipment. Tries again if the drop fails. */
	async map(from: string, field: string): Promise<void> {
		const source = this.input.getByText(from, { exact: true }).first();
		const target = this.page.getByTestId(`parameter-input-${field}`);
		const expression = target.getByText('{{');
		// The form moves while the previous field loads its preview.
		for (let tries = 0; tries < 4; tries++) {
			await source.dragTo(target, { steps: 8 });
			await expression.waitFor({ timeout: 5_000 }).catch(() => undefined);
			if (await expression.isVisible()) return;
		}
		throw new Error(`"${from}" was not mapped to ${field}`);
	}

	/** Opens *Add field to send* and returns its entries. Selecting an entry closes the list. */
	async openFieldList(): Promise<Locator> {
		await this.page.getByTestId('add-fields-select').getByRole('button').click();
		const fields = this.page.getByRole('menu').getByRole('menuitem');
		await fields.first().waitFor();
		return fields;
	}

	/** The fields of the shipment that the open form shows. */
	async mappedFields(): Promise<string[]> {
		const inputs = this.page.getByTestId('mapping-fields-container').getByTestId(FIELD_INPUT);
		await inputs.first().waitFor();
		const ids = await inputs.evaluateAll((all) =>
			all.map((input) => input.getAttribute('data-test-id') ?? ''),
		);
		return ids.map((id) => id.replace(FIELD_INPUT, ''));
	}

	/** Waits until n8n has saved the last change. */
	async save(): Promise<void> {
		await this.page.waitForTimeout(SETTLE_MS);
		await this.page.keyboard.press('Control+s');
		await this.page.waitForLoadState('networkidle');
	}

	/** Executes the open node, and waits until its output contains a text. */
	async executeStep(expected: RegExp | string): Promise<void> {
		await this.page.getByTestId('node-execute-button').click();
		await this.output.getByText(expected).first().waitFor();
	}

	/** One field below the other, so that a picture shows all of them. */
	async showAllOutputFields(): Promise<void> {
		await this.output.getByText('Schema', { exact: true }).click();
	}

	/** Fetches a test event of the open trigger. */
	async fetchTestEvent(expected: string): Promise<void> {
		await this.page.getByRole('button', { name: 'Fetch Test Event' }).first().click();
		await this.output.getByText(expected).first().waitFor();
	}

	/** The node of the package in the workflow as n8n has saved it. */
	async savedNode({ id }: StoredWorkflow): Promise<WorkflowNode> {
		await this.save();
		const { nodes } = await this.setup.n8n.getWorkflow(id);
		const saved = nodes.find(({ type }) => type === PARCEL_SHIPPING);
		if (!saved) throw new Error('The node was not saved');
		return saved;
	}
}
