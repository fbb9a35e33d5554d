import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';

import type { StoredCredential, StoredWorkflow, WorkflowNode } from '../../../scripts/demo/rest';
import { openWindow } from './browser';
import { useSetup } from './e2eSetup';
import { chain, PARCEL_SHIPPING } from './nodes';
import { recordFrame } from './pictures';

/** The form reacts to a change and saves it after a short pause. */
const SETTLE_MS = 2_500;

/** The input of a mapped field. Its wrapper and its hint have similar IDs. */
const FIELD_INPUT = /^parameter-input-(?!field$|hint$)/;

/** Opens a browser and a new sandbox for the tests of a file. */
export function useEditor(): Editor {
	jest.setTimeout(240_000);
	const editor = new Editor();
	beforeAll(async () => {
		editor.page = await openWindow(editor.setup.suite);
	});
	beforeEach(() => Object.assign(editor, { actions: 0, isRecorded: false }));
	afterAll(async () => editor.page?.context().close());
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
	readonly setup = useSetup();
	page!: Page;

	/** How many clicks, typed texts and drags the user has made. */
	actions = 0;

	/** Whether the moving picture of the README shows what the user does. */
	isRecorded = false;

	/** The open node with its input and its output. */
	get form(): Locator {
		return this.page.getByTestId('ndv');
	}

	/** The panel with the output or the error of the open node. */
	get output(): Locator {
		return this.page.getByTestId('output-panel');
	}

	async act(action: Promise<void>): Promise<void> {
		this.actions++;
		await action;
		if (this.isRecorded) await recordFrame(this.page);
	}

	async click(target: Locator): Promise<void> {
		await this.act(target.click());
	}

	async open({ id }: StoredWorkflow): Promise<void> {
		await this.page.goto(`${this.setup.suite.url}/workflow/${id}`);
		await this.page.getByTestId('canvas-controls').waitFor();
	}

	/** Stores nodes in a row and opens them. */
	async openNodes(...nodes: WorkflowNode[]): Promise<StoredWorkflow> {
		const workflow = await this.setup.store(chain('Orders', nodes));
		await this.open(workflow);
		return workflow;
	}

	async executeWorkflow(): Promise<void> {
		await this.click(this.page.getByTestId('execute-workflow-button'));
		await this.page.getByText('Workflow executed successfully').waitFor();
	}

	/** Opens nodes in a row that were executed. The user's actions count from here on. */
	async openExecuted(...nodes: WorkflowNode[]): Promise<StoredWorkflow> {
		const workflow = await this.openNodes(...nodes);
		await this.executeWorkflow();
		this.actions = 0;
		return workflow;
	}

	node(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	/** The button at the end of a row of nodes. */
	get plus(): Locator {
		return this.page.getByTestId('canvas-handle-plus');
	}

	/** Adds an action of a node with one of n8n's plus buttons. Enter opens the node that the search has found. */
	async addNode(plus: Locator, name: string, action: string): Promise<void> {
		await this.click(plus.first());
		const search = async () => {
			const bar = this.page.getByTestId('node-creator-search-bar');
			await bar.fill(name);
			await this.page
				.getByTestId('node-creator-item-name')
				.getByText(name, { exact: true })
				.waitFor();
			await bar.press('Enter');
			await this.page.getByText(action, { exact: true }).waitFor();
		};
		await this.act(search());
		await this.click(this.page.getByText(action, { exact: true }));
		await this.form.waitFor();
	}

	async addParcelNode(action: string): Promise<void> {
		await this.addNode(this.plus, 'Parcel Shipping', action);
		// A user with a single credential finds it chosen.
		await this.chooseCredential(this.setup.credential);
	}

	async openNode(name: string): Promise<void> {
		await this.act(this.node(name).dblclick());
		await this.form.waitFor();
	}

	async closeNode(): Promise<void> {
		await this.click(this.page.getByTestId('ndv-close-button'));
		await this.form.waitFor({ state: 'hidden' });
	}

	async chooseCredential({ id, name }: StoredCredential): Promise<void> {
		await this.page.getByTestId('node-credentials-select').click();
		const entry = this.page.getByTestId(`node-credentials-select-item-${id}`);
		await entry.getByText(name, { exact: true }).click();
	}

	field(id: string): Locator {
		return this.page.getByTestId(`parameter-input-${id}`);
	}

	/** Types into a field. A rule has fields of its own. */
	async fill(id: string, text: string, rule = 0): Promise<void> {
		await this.act(this.field(id).nth(rule).getByRole('textbox').fill(text));
	}

	async chooseOption(id: string, name: string): Promise<void> {
		await this.click(this.field(id));
		await this.click(this.page.getByRole('option', { name }));
	}

	/** Chooses from a list that the provider fills. A rule has a list of its own. */
	async chooseFromList(id: string, name: string, rule = 0): Promise<void> {
		const list = this.page.getByTestId(`resource-locator-${id}`).nth(rule);
		await this.click(list.getByTestId('rlc-input'));
		const entries = this.page.getByTestId('rlc-item').locator('visible=true');
		await this.click(entries.filter({ hasText: name }));
		await entries.first().waitFor({ state: 'hidden' });
	}

	/** Drags a field of the input onto a field of the shipment. Tries again if the drop fails. */
	async drag(from: string, field: string): Promise<void> {
		const input = this.page.getByTestId('ndv-input-panel');
		const source = input.getByText(from, { exact: true }).first();
		const target = this.field(field);
		const expression = target.getByText('{{');
		const drop = async () => {
			// The form moves while the previous field loads its preview.
			for (let tries = 0; tries < 4; tries++) {
				await source.dragTo(target, { steps: 8 });
				await expression.waitFor({ timeout: 5_000 }).catch(() => undefined);
				if (await expression.isVisible()) return;
			}
			throw new Error(`"${from}" was not mapped to ${field}`);
		};
		await this.act(drop());
	}

	/** The fields of the shipment that the open form shows. */
	async mappedFields(): Promise<string[]> {
		const inputs = this.page.getByTestId('mapping-fields-container').getByTestId(FIELD_INPUT);
		await inputs.first().waitFor();
		const ids = await inputs.evaluateAll((all) =>
			all.map((input) => input.getAttribute('data-test-id') ?? ''),
		);
		return ids.map((id) => id.replace(FIELD_INPUT, '')).sort();
	}

	/** Executes the open node, and waits until its output contains a text. */
	async executeStep(expected: RegExp | string): Promise<void> {
		const execute = async () => {
			await this.page.getByTestId('node-execute-button').click();
			await this.output.getByText(expected).first().waitFor();
		};
		await this.act(execute());
	}

	/** Fetches a test event of the open trigger. */
	async fetchTestEvent(): Promise<void> {
		await this.page.getByRole('button', { name: 'Fetch Test Event' }).first().click();
		await this.output.getByText('eventId').first().waitFor();
	}

	/** The nodes of the package in the workflow as n8n has saved it. */
	async savedNodes({ id }: StoredWorkflow): Promise<WorkflowNode[]> {
		await this.page.waitForTimeout(SETTLE_MS);
		await this.page.keyboard.press('Control+s');
		await this.page.waitForLoadState('networkidle');
		const { nodes } = await this.setup.n8n.getWorkflow(id);
		return nodes.filter(({ type }) => type.startsWith(PARCEL_SHIPPING));
	}
}
