import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

import { mapValues, sortBy } from 'lodash';

import type { StoredWorkflow, WorkflowNode } from '../../scripts/demo/rest';
import { readLabelsPdf } from '../support/readLabelsPdf';
import { type Pins, useSetup } from './support/e2eSetup';
import { executionsOf, readTable, untilThereIs } from './support/executions';
import { EVERY_FIVE_SECONDS } from './support/nodes';
import { type ShopName, startShop } from './support/shopApi';

// Runs each example as a user does after its import.

const samples = path.resolve(__dirname, '../../workflows/samples');

const setup = useSetup();

const pollOften = (node: WorkflowNode, more: object = {}): WorkflowNode => {
	if (!node.type.endsWith('.parcelShippingTrigger')) return node;
	return { ...node, parameters: { ...node.parameters, pollTimes: EVERY_FIVE_SECONDS, ...more } };
};

/** Executes a stored example and expects no error. */
async function run(workflow: StoredWorkflow, trigger = 'Run Manually') {
	const execution = await setup.execute(workflow, trigger);
	expect(execution.error).toBeUndefined();
	return execution;
}

/** Executes an example that has a trigger to run by hand. */
const runExample = async (id: string) => run(await setup.storeExample(id));

const DELIVERED = { category: 'Delivered', name: 'Delivered', delivered: true };

/** Adds a shipment to the sandbox and returns its tracking number. */
function seed(packageNumberCustom: string, more: object = {}): string {
	const [shipment] = setup.sandbox.seedShipments(1, { packageNumberCustom, hoursAgo: 0, ...more });
	return String(shipment?.packageNumberCarrier);
}

/** Returns the data of a shipment and of its creation request. */
const shipmentOf = (reference: string) => {
	const shipments = setup.sandbox.database.shipments();
	const found = shipments.find(({ packageNumberCustom }) => packageNumberCustom === reference);
	return found && { ...found, ...found.input };
};

const references = () =>
	setup.sandbox.database.shipments().map((shipment) => shipment.packageNumberCustom);

interface Shop {
	example: string;
	trigger: string;
	shop?: ShopName;
	/** What is saved in the shop about a shipment, or the data for the shop. */
	saved: (reference: string, number: string, link: string) => object;
	/** What tells the customer of the first order. */
	told?: (number: string, link: string) => string[];
	shipped: Record<string, object>;
	refused: RegExp;
}

const inWooCommerce: Shop['saved'] = (reference, number, link) => ({
	id: Number(reference),
	order: {
		meta_data: [
			{ key: 'shipment_status', value: 'shipped' },
			{ key: 'tracking_number', value: number },
			{ key: 'tracking_link', value: link },
		],
	},
});

const shops: Shop[] = [
	{
		example: 'ordersWooCommerce',
		trigger: 'Order in WooCommerce',
		shop: 'wooCommerce',
		saved: inWooCommerce,
		told: (number, link) => [
			...['"status":"fulfilled","is_fulfilled":true', '"item_id":1442,"qty":2'],
			...[`"_tracking_number","value":"${number}"`, `"_tracking_url","value":"${link}"`],
		],
		shipped: {
			1042: { serviceType: 'ANT-HOME', cod: false, recPhone: '+420777123456' },
			1043: { cod: true, codPrice: 539.5, codCurrency: 'CZK', vs: '1043' },
		},
		refused: /^Order 1044: Recipient Postal Code is missing/,
	},
	{
		// One carrier in the country and another one abroad.
		example: 'ordersShopify',
		trigger: 'Paid Order in Shopify',
		shop: 'shopify',
		saved: (reference, number, link) => {
			const [note, tag] =
				reference === '1202' ? ['Please leave it with the neighbor', 'gift'] : ['', ''];
			const order = {
				note: `Tracking number: ${number}\n${link}\n${note}`,
				tags: `shipped, ${tag}`,
			};
			return { id: 5_500_000_000_000 + Number(reference), order };
		},
		told: (number, link) => [
			...['"notifyCustomer":true', '"fulfillmentOrderId":"gid://shopify/FulfillmentOrder/1"'],
			...[`"number":"${number}"`, `"url":"${link}"`],
		],
		shipped: {
			1201: { serviceType: 'ANT-HOME' },
			1202: { serviceType: 'CRANE-EU', recZip: '01067', recPhone: '+493511234567' },
		},
		refused: /^Order 1203: .*Recipient Phone is missing/s,
	},
	{
		example: 'ordersShoptet',
		trigger: 'Change in Shoptet',
		saved: (orderCode, shipmentNumber, trackingLink) => ({
			...{ orderCode, shipmentNumber, trackingLink },
		}),
		shipped: {
			2026000057: { cod: true, codPrice: 1289, codCurrency: 'CZK', vs: '2026000057' },
			2026000058: { cod: false, recZip: '01001', recCountry: 'SK' },
		},
		refused: /^Order 2026000059: Recipient Street is missing/,
	},
	{
		// The shipping method chooses the carrier, and the label is printed.
		example: 'shippingMethodRules',
		trigger: 'Order in WooCommerce',
		shop: 'wooCommerce',
		saved: inWooCommerce,
		shipped: {
			1051: { serviceType: 'ANT-HOME', recPhone: '+420777123456', printed: true },
			1052: { serviceType: 'ANT-POINT', branchId: 'P-002', printed: true },
			1053: { serviceType: 'BEAVER-PARCEL', recPhone: '+421905123456', printed: true },
		},
		refused: /^Order 1054: No rule fits the shipping method "Drone"/,
	},
];

test.each(shops)(
	'$example ships each order once, saves its number in the shop, tells the customer, and one email has the refused ones',
	async ({ example, trigger, shop, saved, told, shipped, refused }) => {
		const api = shop && (await startShop(setup, shop));
		const workflow = await setup.storeExample(example, api?.select);
		/** Runs the workflow and returns what the shop gets. */
		const ship = async () => {
			const execution = await run(workflow, trigger);
			const forShop = api?.updates.splice(0) ?? execution.jsonOf('Shipment Data for the Shop');
			return { execution, forShop };
		};
		const { execution, forShop } = await ship();
		// n8n sends the requests of several items at once, so that they arrive in any order.
		const fulfillments = api?.fulfillments.map((sent) => JSON.stringify(sent)) ?? [];
		const expected = Object.entries(shipped).map(([reference, fields], index) => {
			const shipment = shipmentOf(reference);
			expect(shipment).toMatchObject(fields);
			const number = String(shipment?.packageNumberCarrier);
			const link = new URL(`/sandbox/tracking/${number}`, setup.sandbox.home).href;
			const texts = index === 0 && told ? told(number, link) : [];
			const fulfillment = fulfillments.find((sent) => sent.includes(number)) ?? '';
			for (const text of texts) expect(fulfillment).toContain(text);
			return saved(reference, number, link);
		});
		expect(forShop).toEqual(expected);
		expect(fulfillments).toHaveLength(told ? expected.length : 0);
		const mails = execution.jsonOf('Email About Refused Orders').map(({ text }) => text);
		expect(mails).toEqual([expect.stringMatching(refused)]);

		// The shop sends its orders again when they change.
		expect((await ship()).forShop).toEqual(expected);
		expect(references().sort()).toEqual(Object.keys(shipped));
		api?.close();
	},
);

test.each<[string, ShopName, trigger: string, create: string]>([
	['ordersWooCommerce', 'wooCommerce', 'Order in WooCommerce', 'Create Shipment'],
	['ordersShopify', 'shopify', 'Paid Order in Shopify', 'Create Shipment'],
	['shippingMethodRules', 'wooCommerce', 'Order in WooCommerce', 'Create and Print'],
])('%s saves nothing about an order without a shipment', async (example, name, trigger, create) => {
	const shop = await startShop(setup, name);
	// The items of failed orders, as some versions of n8n pass them on.
	const asFailed = (pins: Pins): Pins => ({ ...pins, [create]: pins[trigger] ?? [] });
	await run(await setup.storeExample(example, shop.select, asFailed), trigger);
	expect(shop.updates).toEqual([]);
	shop.close();
});

test('An order that has its tracking number in WooCommerce is not sent again', async () => {
	const meta_data = [{ id: 1, key: 'tracking_number', value: '1' }];
	const addNumber = (pins: Pins): Pins =>
		mapValues(pins, (items) => items.map(({ json }) => ({ json: { ...json, meta_data } })));
	const workflow = await setup.storeExample('ordersWooCommerce', undefined, addNumber);
	await run(workflow, 'Order in WooCommerce');
	expect(setup.sandbox.requests).toEqual([]);
});

test('An order is completed in WooCommerce when its shipment is delivered, or an email has the reason', async () => {
	const api = await startShop(setup, 'wooCommerce');
	const workflow = await setup.storeExample('completeWooCommerce', (node) =>
		api.select(pollOften(node)),
	);
	const numbers = [seed('1042'), seed('RET-1')];
	await setup.publish(workflow);
	for (const number of numbers) setup.sandbox.addEvent(number, DELIVERED);
	const [mails] = await untilWritten(workflow.id, ['Not Completed']);
	expect(mails).toMatchObject([{ subject: 'Order RET-1 was not completed' }]);
	const meta_data = [{ key: 'shipment_status', value: 'delivered' }];
	expect(api.updates).toEqual([{ id: 1042, order: { status: 'completed', meta_data } }]);
	api.close();
});

test('A status call from the provider saves what tracking says about the order, and not what the call says', async () => {
	const api = await startShop(setup, 'wooCommerce');
	const workflow = await setup.storeExample('statusCall', api.select);
	const number = seed('1042', { hoursAgo: 1 });
	await setup.publish(workflow);
	setup.sandbox.addEvent(number, { category: 'TransitReady', name: 'Ready', delivered: false });
	const call = async (body: object) =>
		fetch(`${setup.suite.url}/webhook/shipment-status`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
	await call({ unknown: 'call' });
	await call({ packageNumberCustom: '1042', status: 'Delivered' });
	const [update] = await untilThereIs(() => api.updates);
	const meta_data = [{ key: 'shipment_status', value: 'readyForPickup' }];
	expect(update).toEqual({ id: 1042, order: { meta_data } });
	api.close();
});

test('A table of orders is shipped in one batch per carrier, and the labels are saved and printed', async () => {
	const { files } = setup.suite;
	const outputFiles = () =>
		readdirSync(files)
			.filter((file) => /^(labels|refused)-/.test(file))
			.map((file) => path.join(files, file))
			.sort();
	for (const file of outputFiles()) rmSync(file);
	copyFileSync(path.join(samples, 'orders.csv'), path.join(files, 'orders.csv'));
	await runExample('nightlyBatches');

	const { database } = setup.sandbox;
	const batches = database.batches().map((batch) => {
		return `${batch.carrierCode}: ${batch.packagesCount} shipped, ${batch.errorsCount} refused`;
	});
	expect(batches.sort()).toEqual([
		'ANT: 4 shipped, 0 refused',
		'BEAVER: 2 shipped, 0 refused',
		'CRANE: 1 shipped, 1 refused',
	]);
	expect(shipmentOf('CSV-2002')).toMatchObject({ recZip: '01001', recCity: 'Žilina' });
	expect(shipmentOf('CSV-2003')).toMatchObject({ pieceCount: 2, recCompany: 'Svoboda, a syn' });
	expect(shipmentOf('CSV-2005')).toMatchObject({ branchId: 'P-002' });
	const jobs = database.printJobs();
	expect(jobs.map(({ printerName }) => printerName)).toEqual(Array(3).fill('Warehouse A4'));

	const names = outputFiles().map((file) => path.basename(file).replace(/-\d{4}-.*\./, '.'));
	const labelFiles = ['labels-ANT.pdf', 'labels-BEAVER.pdf', 'labels-CRANE.pdf'];
	expect(names).toEqual([...labelFiles, 'refused.csv']);
	const [ant = '', , , refused = ''] = outputFiles();
	const lines = readLabelsPdf(readFileSync(ant)).flat();
	expect(lines.filter((line) => /^\d{22}$/.test(line))).toHaveLength(4);
	expect(lines).toEqual(expect.arrayContaining(['Jana Nováková', 'Žofie Šťastná']));
	const rows = readFileSync(refused, 'utf8');
	expect(rows).toMatch(/^.?order,reason,what to do\r?\n/);
	expect(rows.match(/^CSV-\d+/gm)?.sort()).toEqual(['CSV-2006', 'CSV-2008']);
});

test('The shipment of an order that is canceled in the shop is canceled, or an email says that it is too late', async () => {
	const [waiting, moving] = [seed('1042'), seed('1043', { hoursAgo: 30 })];
	seed('1044');
	const workflow = await setup.storeExample('cancelInShop');
	const execution = await run(workflow, 'Order in WooCommerce');
	expect(execution.jsonOf('Canceled Shipment')).toEqual([
		{ order: '1042', shipmentNumber: waiting },
	]);
	const reason = `Shipment ${moving} of order 1043 was not canceled: package.cancel.alreadysent`;
	expect(execution.jsonOf('Too Late')).toMatchObject([
		{ subject: 'Order 1043 was canceled too late', text: expect.stringContaining(reason) },
	]);
	const canceled = setup.sandbox.database.shipments().filter((each) => each.canceled);
	expect(canceled.map((each) => each.packageNumberCustom)).toEqual(['1042']);
});

test('The day is closed with one protocol per carrier, also if it runs twice', async () => {
	setup.sandbox.seedShipments(2);
	setup.sandbox.seedShipments(1, { serviceType: 'BEAVER-PARCEL' });
	const workflow = await setup.storeExample('closeTheDay');
	const execution = await run(workflow);
	const pdf = { data: expect.objectContaining({ mimeType: 'application/pdf' }) };
	const text = 'The protocol is attached. Print it for the driver.';
	const emails = execution.itemsOf('Email with the Protocol');
	expect(sortBy(emails, 'json.subject')).toMatchObject([
		{ json: { subject: 'ANT: 2 shipments handed over', text }, binary: pdf },
		{ json: { subject: 'BEAVER: 1 shipment handed over', text }, binary: pdf },
	]);
	await run(workflow);
	expect(setup.sandbox.database.handOvers()).toHaveLength(2);
});

test('Every evening, one email lists the orders that have no shipment', async () => {
	seed('1042');
	const execution = await runExample('eveningCheck');
	expect(execution.jsonOf('Email About Orders')).toEqual([
		{
			to: 'orders@example.com',
			subject: 'Orders without a shipment: 2',
			text: expect.stringMatching(
				/^Order 1044, .*: can be shipped\nOrder 1046, .*: cannot be shipped: Recipient Street is missing\n/,
			),
		},
	]);
	expect(references()).toEqual(['1042']);
});

test('Cash on delivery is compared with the bank account, shipment by shipment', async () => {
	copyFileSync(path.join(samples, 'bank.csv'), path.join(setup.suite.files, 'bank.csv'));
	const orders = [
		{ packageNumberCustom: 'WEB-1043', codPrice: 539.5, vs: '1043' },
		{ packageNumberCustom: 'WEB-1061', codPrice: 350, vs: '1061' },
		{ packageNumberCustom: 'WEB-1062', codPrice: 1200, vs: '1062', pieceCount: 2 },
		{ packageNumberCustom: 'WEB-1063', codPrice: 45 },
		// Not delivered yet.
		{ packageNumberCustom: 'WEB-1064', codPrice: 1, vs: '1', hoursAgo: 0 },
	];
	for (const order of orders) {
		const cash = { serviceType: 'ANT-COD', cod: true, codCurrency: 'CZK' };
		setup.sandbox.seedShipments(1, { ...cash, hoursAgo: 24 * 20, ...order });
	}
	const execution = await runExample('cashOnDelivery');
	const [mail, ...others] = execution.jsonOf('Email About Payments');
	expect(others).toEqual([]);
	expect(mail?.subject).toBe('Cash on delivery of 4 shipments');
	expect(String(mail?.text).split('\n').sort()).toEqual([
		'Paid differently: WEB-1061, 300.00 CZK instead of 350.00 CZK',
		'Paid: WEB-1043, 539.50 CZK',
		'Unpaid: WEB-1062, 1200.00 CZK',
		'Unpaid: WEB-1063, 45.00 CZK',
	]);
});

test('Every morning, the labels that are not printed yet are printed once', async () => {
	setup.sandbox.seedShipments(2);
	setup.sandbox.seedShipments(1, { packageNumberCustom: '3', serviceType: 'BEAVER-PARCEL' });
	const [canceled] = setup.sandbox.seedShipments(1, { packageNumberCustom: '4' });
	setup.sandbox.cancelShipment(canceled?.id ?? 0);
	setup.sandbox.seedShipments(1, { packageNumberCustom: '5', hoursAgo: 72 });
	const workflow = await setup.storeExample('morningPrintQueue');
	const execution = await run(workflow);
	expect(execution.jsonOf('Email About Labels')).toMatchObject([
		{ subject: 'Printed labels: 3', text: expect.stringContaining('Ant Express: 2') },
	]);
	const again = await run(workflow);
	expect(again.jsonOf('Email About Labels')).toEqual([]);
	const jobs = setup.sandbox.database.printJobs();
	expect(jobs.map(({ printerName }) => printerName)).toEqual(Array(2).fill('Warehouse A4'));
});

test('The return form makes the customer the sender, emails the label, and creates one return if it is submitted twice', async () => {
	const workflow = await setup.storeExample('returnShipments');
	const form = workflow.nodes.find(({ name }) => name === 'Return Form');
	await setup.publish(workflow);
	const address = ['Jana Nováková', 'Dlouhá 12', 'Praha', '01001', 'CZ'];
	/** Submits the published form like a browser and returns the execution. */
	const submit = async (orderNumber: string, phone: string) => {
		const body = new FormData();
		const answers = [orderNumber, ...address, phone, 'jana.novakova@example.com'];
		answers.forEach((value, index) => body.append(`field-${index}`, value));
		const executions = async () => executionsOf(setup.n8n, workflow.id);
		const before = (await executions()).length;
		const url = `${setup.suite.url}/form/${String(form?.webhookId)}`;
		expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
		return await untilThereIs(async () => (await executions())[before]);
	};
	const first = await submit('1042', '+420 777 123 456');
	const second = await submit('1042', '+420 777 123 456');
	const refused = await submit('1043', '777123');

	expect([first, second, refused].map(({ error }) => error)).toEqual(Array(3).fill(undefined));
	expect(references()).toEqual(['RET-1042']);
	expect(shipmentOf('RET-1042')).toMatchObject({
		serviceType: 'ANT-RETURN',
		senderName: 'Jana Nováková',
		senderZip: '01001',
		senderPhone: '+420777123456',
		recCompany: 'Example Shop s.r.o.',
	});
	const sent = [first, second].flatMap((each) => each.itemsOf('Email to the Customer'));
	const to = 'jana.novakova@example.com';
	const binary = { data: { mimeType: 'application/pdf' } };
	expect(sent).toMatchObject([
		{ json: { to, alreadyExisted: false }, binary },
		{ json: { to, alreadyExisted: true }, binary },
	]);
	const [mail] = refused.jsonOf('Refused Return');
	expect(mail?.subject).toBe('Return of order 1043 was refused');
	expect(mail?.text).toContain('Sender Phone');
});

type Json = Record<string, unknown>;

/** Returns what the published workflow wrote in each branch, once each branch has written something. */
async function untilWritten(workflowId: string, branches: string[]) {
	return await untilThereIs(async () => {
		const executions = await executionsOf(setup.n8n, workflowId);
		const failed = executions.find(({ error }) => error);
		if (failed) throw new Error(failed.error?.message);
		const written = branches.map((branch) => executions.flatMap((each) => each.jsonOf(branch)));
		return written.every((branch) => branch.length > 0) && written;
	});
}

test('Tracking events send messages to the right people and add rows to the table of orders', async () => {
	const workflow = await setup.storeExample('trackingMessages', (node) => pollOften(node));
	const [home = '', point = '', damaged = '', onTheWay = ''] = [
		// Two pieces must result in one message.
		{ recName: 'Jana Nováková', recEmail: 'jana@example.com', pieceCount: 2 },
		{ recName: 'Petr Svoboda', recEmail: 'petr@example.com' },
		{ recName: 'Anna Müller', recEmail: 'anna@example.com' },
		{ recName: 'Luca Rossi', recEmail: 'luca@example.com' },
	].map((recipient, index) => seed(`WEB-${index + 1}`, recipient));
	await setup.publish(workflow);
	const { sandbox } = setup;
	sandbox.addEvent(home, DELIVERED);
	sandbox.addEvent(point, { name: 'Waiting at the pickup point', category: 'Waiting' });
	sandbox.addEvent(damaged, { name: 'The box is damaged', category: 'Depot' });
	sandbox.addEvent(onTheWay, { name: 'At the depot', category: 'TransitCarrier' });
	const branches = ['Delivered', 'Ready for Pickup', 'Trouble'];
	const messages = await untilWritten(workflow.id, branches);

	const sent = messages.map((branch) =>
		branch.map(({ shipment, orderNumber, to, status }) => [shipment, orderNumber, to, status]),
	);
	expect(sent).toEqual([
		[[home, 'WEB-1', 'jana@example.com', 'delivered']],
		[[point, 'WEB-2', 'petr@example.com', 'ready for pickup']],
		[[damaged, 'WEB-3', 'orders@example.com', 'trouble']],
	]);
	const [[delivered], [ready], [trouble]] = messages as [Json[], Json[], Json[]];
	expect(delivered?.text).toMatch(/^Hello Jana Nováková,\n/);
	expect(ready?.text).toContain(`Where it is: ${sandbox.home}`);
	expect(trouble?.text).toContain('The box is damaged');
	const rows = await readTable<{ shipment: string }>(setup.n8n, 'Orders and their shipments');
	const mine = [home, point, damaged, onTheWay];
	const own = rows.map(({ shipment }) => shipment).filter((each) => mine.includes(each));
	expect(own).toEqual([home, point, damaged]);
});

test('Inactive parcels are reported to customer service, each with its own message', async () => {
	// The days are over before publishing, because the test cannot wait for days.
	const existing = { options: { startFrom: 'existing' }, filters: { search: 'INACTIVE' } };
	const workflow = await setup.storeExample('inactiveParcels', (node) => pollOften(node, existing));
	const { sandbox } = setup;
	sandbox.setTracking('ANT', { lateHours: 10_000 });
	const [inactive, waiting = '', moving = ''] = sandbox
		.seedShipments(3, {
			hoursAgo: 6 * 24,
			each: (index) => ({ packageNumberCustom: `INACTIVE-${index}`, recEmail: 'jana@example.com' }),
		})
		.map(({ packageNumberCarrier }) => packageNumberCarrier);
	const date = new Date(sandbox.now().getTime() - 4 * 86_400_000).toISOString();
	sandbox.addEvent(waiting, { category: 'TransitReady', date });
	sandbox.addEvent(moving, { date });
	await setup.publish(workflow);
	const messages = await untilWritten(workflow.id, ['No Movement', 'Waiting for Pickup']);
	expect(messages).toMatchObject([
		[{ to: 'service@example.com', subject: 'No movement for 5 days: order INACTIVE-0' }],
		[{ to: 'service@example.com', subject: 'Not picked up for 3 days: order INACTIVE-1' }],
	]);
	const text = messages[0]?.[0]?.text;
	expect(text).toContain(`Shipment ${inactive} of carrier ANT (order INACTIVE-0)`);
	expect(text).toContain('jana@example.com');
});
