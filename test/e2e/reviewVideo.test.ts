// What the video for n8n's reviewers shows, as far as it needs no published package: docs/publishing.md.
import type { Locator } from 'playwright-core';

import { sandboxCredential } from '../support/credentials';
import { orderItem } from '../support/shop';
import { browserTest, useEditor } from './support/editor';
import { executionsOf, untilThereIs } from './support/executions';
import { chain, EVERY_FIVE_SECONDS, oneItem, start } from './support/nodes';
import { recordFrame, saveScreencast } from './support/pictures';

const editor = useEditor();

afterAll(() => saveScreencast('../../.cache/review.gif'));

const act = async (action: Promise<void>) => {
	await action;
	await recordFrame(editor.page);
};
const click = (target: Locator) => act(target.click());

async function addNode(action: string): Promise<void> {
	const { page } = editor;
	await click(page.getByTestId('canvas-handle-plus').last());
	await act(page.getByTestId('node-creator-search-bar').fill('parcel'));
	await act(editor.chooseAction(action));
}

/** Creates a credential in the open node. Its test says whether the service accepts the secret. */
async function createCredential(): Promise<void> {
	const { page, setup } = editor;
	const data = sandboxCredential(setup.sandbox.url);
	const fill = (name: 'baseUrl' | 'headerName' | 'headerValue', text: unknown) =>
		act(page.getByTestId(`parameter-input-${name}`).locator('input').fill(String(text)));
	await click(page.getByTestId('node-credentials-select'));
	await click(page.getByTestId('node-credentials-select-item-new'));
	// n8n refuses to save it before it has given it a name.
	await page
		.getByTestId('credential-name')
		.getByTestId('inline-edit-preview')
		.filter({ hasText: 'Parcel Shipping account' })
		.waitFor();
	await fill('baseUrl', data.baseUrl);
	await fill('headerName', data.headerName);
	await fill('headerValue', 'a wrong key');
	await click(page.getByTestId('credential-save-button'));
	await click(page.getByText('More details'));
	await act(page.getByText('The service refused the credential').first().waitFor());
	await fill('headerValue', data.headerValue);
	await click(page.getByTestId('credential-save-button'));
	// n8n closes the form after a successful test, and tests again when it opens.
	await page.getByTestId('editCredential-modal').waitFor({ state: 'hidden' });
	await click(page.getByTestId('credential-edit-button'));
	await act(page.getByText('Connection tested successfully').waitFor());
	// Closes the node as well.
	await act(page.keyboard.press('Escape'));
}

browserTest(
	'A reviewer sees the credential test, an order that ships once, its label, and the trigger',
	editor,
	async () => {
		const { page, setup } = editor;
		const { sandbox } = setup;
		const order = orderItem('1042', { carrierCode: undefined, serviceType: undefined });
		await editor.openAndExecute([start(), oneItem('Order', order)]);
		await addNode('Create shipment');
		await createCredential();
		await act(editor.openNode('Create shipment'));
		await act(editor.choose('carrierService', 'home', 'Ant to the door'));
		await click(page.getByTestId('mapping-mode-select').locator('visible=true'));
		await click(page.getByRole('option', { name: 'Map Automatically' }));
		await act(editor.executeStep('packageNumberCarrier'));
		await act(editor.executeStep('already exist'));
		expect(sandbox.database.shipments()).toHaveLength(1);
		await act(editor.closeNode());

		await addNode('Create label files');
		await act(editor.executeStep('labels-ANT'));

		const trigger = setup.trigger('New Tracking Event', { pollTimes: EVERY_FIVE_SECONDS });
		const workflow = await setup.store(chain('Events', [trigger]));
		await act(editor.open(workflow));
		await act(editor.openNode('New Tracking Event'));
		sandbox.advance(9);
		await act(editor.fetchTestEvent('eventName'));
		await act(editor.closeNode());
		const before = (await executionsOf(setup.n8n, workflow.id)).length;
		await click(page.getByRole('button', { name: 'Publish' }).first());
		await click(page.getByRole('dialog').getByRole('button', { name: 'Publish' }));
		await act(page.getByText('Workflow published').first().waitFor());
		await page.keyboard.press('Escape');
		const [shipment] = sandbox.database.shipments();
		const number = String(shipment?.packageNumberCarrier);
		sandbox.addEvent(number, { name: 'Delivered', category: 'Delivered', delivered: true });
		const fired = await untilThereIs(
			async () => (await executionsOf(setup.n8n, workflow.id)).slice(before)[0],
		);
		expect(fired.jsonOf('New Tracking Event')).toMatchObject([{ eventGroup: 'delivered' }]);
		await act(page.getByTestId('radio-button-executions').click());
		await act(page.getByText('Succeeded').first().waitFor());
		await setup.unpublish(workflow);
	},
);
