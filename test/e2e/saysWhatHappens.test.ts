import type { Page } from 'playwright-core';

import { creationForm, orderOf } from '../support/shop';
import { browserTest } from './support/browser';
import { E2eSetup } from './support/e2eSetup';
import { type Editor, openEditor } from './support/editor';
import { chain, inputNodes, node, PARCEL_SHIPPING, start } from './support/nodes';

let setup: E2eSetup;
let page: Page;
let editor: Editor;
let close: () => Promise<void>;

beforeAll(async () => {
	({ setup, page, editor, close } = await openEditor());
});
beforeEach(() => setup.sandbox.reset());
afterAll(async () => {
	await close?.();
});

const parcels = (name: string, parameters: object) =>
	node({
		type: PARCEL_SHIPPING,
		name,
		parameters: parameters as Record<string, unknown>,
		credentials: setup.credentials,
	});

browserTest(
	'A user who changes an order that was shipped sees what its shipment has otherwise',
	() => page,
	async () => {
		const create = parcels('Create', creationForm());
		await setup.run(...inputNodes([orderOf('ANT', 'FIX-1')]), create);
		const showOutputOf = async (order: object, expected: string) => {
			const workflow = chain('Orders', [start(), ...inputNodes([order]), create]);
			await editor.open(setup.suite.url, await setup.store(workflow));
			await editor.openNode('Create');
			await editor.executeStep();
			await editor.output.getByText(expected).first().waitFor();
		};
		const paid = { cod: true, codPrice: 1290, codCurrency: 'CZK' };
		await showOutputOf(orderOf('ANT', 'FIX-1', paid), 'without Cash on Delivery 1290 CZK');
		await showOutputOf(orderOf('CRANE', 'FIX-1'), 'with Carrier ANT instead of CRANE');
		expect(setup.sandbox.database.shipments()).toHaveLength(1);
	},
);

browserTest(
	'The filter Custom Shipment Number finds no number that only contains it',
	() => page,
	async () => {
		setup.sandbox.seedShipments(2, {
			each: (index) => ({ packageNumberCustom: index === 0 ? 'CSV-200' : 'CSV-2002' }),
		});
		const find = parcels('Find', { resource: 'shipment', operation: 'getAll' });
		await editor.open(setup.suite.url, await setup.store(chain('Find', [start(), find])));
		await editor.openNode('Find');
		await page.getByTestId('collection-parameter-add').first().click();
		await page.getByRole('option', { name: 'Custom Shipment Number', exact: true }).click();
		const filter = page.getByTestId('parameter-input-packageNumberCustom').getByRole('textbox');
		await filter.fill('CSV-200');
		await editor.executeStep();
		await editor.output.getByText('CSV-200', { exact: true }).first().waitFor();
		expect(await editor.output.innerText()).not.toContain('CSV-2002');
	},
);

browserTest(
	'The trigger shows its default timezone, and a test event says which one was assumed',
	() => page,
	async () => {
		setup.sandbox.seedShipments(1);
		setup.sandbox.advance(24);
		const { credentials } = setup;
		const trigger = node({ type: `${PARCEL_SHIPPING}Trigger`, name: 'Events', credentials });
		await editor.open(setup.suite.url, await setup.store(chain('Events', [trigger])));
		await editor.openNode('Events');
		await page.getByText("If empty, the workflow's timezone is used").waitFor();
		await page.getByRole('button', { name: 'Fetch Test Event' }).first().click();
		await editor.output.getByText("were read in the workflow's timezone").first().waitFor();
	},
);

browserTest(
	'A user drags the carrier and the shipment ID of an event of an additional piece into Get',
	() => page,
	async () => {
		// Its records say which main shipment a piece belongs to.
		const service = await E2eSetup.open({ dialect: 'documented' });
		const { sandbox, credentials } = service;
		const [main, second] = sandbox.seedShipments(1, { pieceCount: 2 });
		sandbox.addEvent(second?.packageNumberCarrier ?? '', { code: '701' });
		const trigger = node({ type: `${PARCEL_SHIPPING}Trigger`, name: 'Events', credentials });
		await editor.open(service.suite.url, await service.store(chain('Events', [trigger])));
		await page.getByTestId('execute-workflow-button').click();
		await page.getByText('Workflow executed successfully').waitFor();

		await editor.find(page.getByTestId('canvas-handle-plus'), 'parcel');
		await editor.chooseAction('Get a shipment');
		await editor.input.getByText(String(second?.id)).first().waitFor();
		await editor.chooseCredential(service.credential);
		await editor.map('carrierCode', 'carrierCode');
		await editor.map('shipmentId', 'shipmentId');
		await editor.executeStep();
		// n8n shows the first item only, or all of them, as it was last time.
		await editor.output.getByTestId('radio-button-table').click();
		await editor.output
			.getByText(main?.packageNumberCarrier ?? '')
			.first()
			.waitFor();
		await editor.output.getByText(String(main?.id)).first().waitFor();
		await service.close();
	},
);
