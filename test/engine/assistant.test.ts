// n8n's assistant builds workflows. Of community nodes it reads the descriptions and the builder hints, but no
// output schema. Each test runs the parameters of a hint, and checks the fields that the hint names.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { ParcelShipping } from '../../nodes/ParcelShipping/ParcelShipping.node';
import { ParcelShippingTrigger } from '../../nodes/ParcelShipping/ParcelShippingTrigger.node';
import { newAccount } from '../support/credentials';
import { type Engine, startEngine } from '../support/engine';
import { setStage } from '../support/triggerStage';

const stage = setStage();
let engine: Engine;
beforeEach(async () => {
	engine = await startEngine(newAccount(stage.sandbox.url));
});

const samples = path.resolve(__dirname, '../../workflows/samples');
const [wooCommerceOrder] = JSON.parse(
	readFileSync(path.join(samples, 'woocommerce-orders.json'), 'utf8'),
) as IDataObject[];

/** The parameters of the example in a hint, and the fields that it says the output items have. */
function readHint(text = ''): { parameters: INodeParameters; fields: string[] } {
	const [, example = ''] = /^<patterns>\n[^\n]+\n(\{.+\})\n/s.exec(text) ?? [];
	const [, fields = ''] = /^Output: ([\w, ]+)\./m.exec(text) ?? [];
	const read = new Function('expr', `return ${example}`) as (
		expr: (text: string) => string,
	) => INodeParameters;
	return { parameters: read((expression) => `=${expression}`), fields: fields.split(', ') };
}

const hintsOf = ({ builderHint }: ParcelShipping['description']) =>
	builderHint?.extraTypeDefContent ?? [];

/** The example of an operation, as the assistant sees it with the type of the operation. */
function hintOf(resource: string, operation: string) {
	const found = hintsOf(new ParcelShipping().description).find(({ displayOptions }) => {
		const { show } = displayOptions ?? {};
		return show?.resource?.includes(resource) && show.operation?.includes(operation);
	});
	return readHint(found?.content);
}

async function follow(resource: string, operation: string, items: IDataObject[]) {
	const { parameters, fields } = hintOf(resource, operation);
	const run = await engine.run({ parameters, items, onError: 'continueErrorOutput' });
	expect(run.errorItems).toEqual([]);
	expect(run.items.flatMap(({ json }) => fields.filter((field) => !(field in json)))).toEqual([]);
	return run.items;
}

const jsonOf = (items: INodeExecutionData[]) => items.map(({ json }) => json);

describe('A model that has only the hints can', () => {
	test('ship WooCommerce orders and make their labels, as files or on a printer', async () => {
		const shipments = await follow('shipment', 'create', [wooCommerceOrder ?? {}]);
		expect(jsonOf(shipments)).toMatchObject([
			{ packageNumberCustom: '1042', alreadyExisted: false },
		]);
		const [labels] = await follow('label', 'create', jsonOf(shipments));
		expect(labels?.binary?.data).toMatchObject({ fileExtension: 'pdf' });
		await follow('label', 'sendToPrinter', jsonOf(shipments));
	});

	test('cancel the shipment of an order by its order number', async () => {
		await follow('shipment', 'create', [wooCommerceOrder ?? {}]);
		const canceled = await follow('shipment', 'cancel', [{ orderNumber: '1042' }]);
		expect(jsonOf(canceled)).toMatchObject([{ canceled: true }]);
		expect(stage.sandbox.database.shipments()).toMatchObject([{ canceled: true }]);
	});

	test('email customers when their parcels are delivered, once each', async () => {
		const [hint] = hintsOf(new ParcelShippingTrigger().description);
		const { parameters, fields } = readHint(hint?.content);
		const [number] = stage.seed(1, { recEmail: 'jana@example.com', packageNumberCustom: '1042' });
		const host = await stage.publish('default', { ...parameters, simplify: true });
		stage.add(number, '701', { category: 'TransitOnTheWay' });
		stage.add(number, '702', { category: 'DeliveredAddress' });
		stage.add(number, '703', { category: 'Delivered' });
		await stage.poll(host);
		const { events } = host;
		expect(events).toMatchObject([
			{ recipientEmail: 'jana@example.com', packageNumberCustom: '1042', delivered: true },
		]);
		const ofFew = ['since', 'days', 'shipmentNotRead'];
		expect(fields.filter((field) => !(field in (events[0] ?? {})))).toEqual(ofFew);
	});
});
