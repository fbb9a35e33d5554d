import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

import type { SandboxOptions } from '../../sandbox';
import type { StoredWorkflow } from '../../scripts/demo/rest';
import { readLabelsPdf } from '../support/readLabelsPdf';
import { E2eSetup } from './support/e2eSetup';
import { storeExample, unpublish, untilThereIs } from './support/examples';
import { type Execution, executionsOf } from './support/executions';
import { textOfPdf } from './support/labelsOnDisk';

const samples = path.resolve(__dirname, '../../workflows/samples');

let setup: E2eSetup;

beforeEach(async () => {
	setup = await E2eSetup.open();
});

afterEach(async () => {
	await setup.close();
});

/** Returns the data of a shipment and of its creation request. */
const shipmentOf = (reference: string) => {
	const { input, ...shipment } = setup.sandbox.database
		.shipments()
		.find(({ packageNumberCustom }) => packageNumberCustom === reference) ?? { input: {} };
	return { ...shipment, ...input };
};

const references = () =>
	setup.sandbox.database.shipments().map((shipment) => shipment.packageNumberCustom);

const numbers = () =>
	setup.sandbox.database.shipments().map((shipment) => shipment.packageNumberCarrier);

describe('Orders from WooCommerce', () => {
	let workflow: StoredWorkflow;
	let execution: Execution;

	beforeEach(async () => {
		workflow = await storeExample(setup, 'ordersWooCommerce');
		execution = await setup.execute(workflow, 'Order in WooCommerce');
		expect(execution.error).toBeUndefined();
	});

	test('are shipped if they are paid or cash on delivery', () => {
		expect(references()).toEqual(['WEB-1042', 'WEB-1043']);
		expect(shipmentOf('WEB-1042')).toMatchObject({
			carrierCode: 'ANT',
			serviceType: 'ANT-HOME',
			price: 1289,
			cod: false,
			recName: 'Jana Nováková',
			recStreet: 'Dlouhá 12',
			recZip: '11000',
			recPhone: '+420777123456',
			recEmail: 'jana.novakova@example.com',
		});
		expect(shipmentOf('WEB-1043')).toMatchObject({
			serviceType: 'ANT-COD',
			cod: true,
			codPrice: 539.5,
			codCurrency: 'CZK',
			vs: '1043',
			recCompany: 'Svoboda a syn',
			recStreet: 'Náměstí 3, 2. patro',
			recPhone: '+420608111222',
		});
	});

	test('return the number of each shipment to the shop, with the order ID of the shop', () => {
		const [first, second] = numbers();
		expect(execution.jsonOf('Shipment Data for the Shop')).toMatchObject([
			{ orderId: 1042, shipmentNumber: first, alreadyExisted: false },
			{ orderId: 1043, shipmentNumber: second, alreadyExisted: false },
		]);
	});

	test('that are refused are reported in one email, with the reason', () => {
		const [mail, ...others] = execution.jsonOf('Email About Refused Orders');
		expect(others).toEqual([]);
		expect(mail).toMatchObject({ to: 'orders@example.com', subject: '1 order was not shipped' });
		expect(mail?.text).toMatch(/^WEB-1044\n/);
		expect(mail?.text).toContain('Recipient Phone');
		expect(mail?.text).toContain('777555444');
	});

	test('that change later are not shipped again', async () => {
		const again = await setup.execute(workflow, 'Order in WooCommerce');
		expect(references()).toEqual(['WEB-1042', 'WEB-1043']);
		const shopData = again.jsonOf('Shipment Data for the Shop');
		expect(shopData.map(({ alreadyExisted }) => alreadyExisted)).toEqual([true, true]);
		expect(shopData.map(({ shipmentNumber }) => shipmentNumber)).toEqual(numbers());
	});
});

test('Orders from Shopify are shipped with one carrier in the country and another one abroad', async () => {
	const execution = await setup.execute(
		await storeExample(setup, 'ordersShopify'),
		'Paid Order in Shopify',
	);
	expect(execution.error).toBeUndefined();
	expect(references().sort()).toEqual(['SHOP-1201', 'SHOP-1202']);
	expect(shipmentOf('SHOP-1201')).toMatchObject({ carrierCode: 'ANT', serviceType: 'ANT-HOME' });
	expect(shipmentOf('SHOP-1202')).toMatchObject({
		carrierCode: 'CRANE',
		serviceType: 'CRANE-EU',
		price: 64.9,
		recCompany: 'Müller GmbH',
		recStreet: 'Hauptstraße 4, Hinterhaus',
		recZip: '01067',
		recPhone: '+493511234567',
	});
	expect(execution.jsonOf('Shipment Data for the Shop')).toMatchObject([
		{ orderId: 5500000001201, carrier: 'ANT' },
		{ orderId: 5500000001202, carrier: 'CRANE' },
	]);
	const [mail] = execution.jsonOf('Email About Refused Orders');
	expect(mail?.text).toMatch(/^#1203\n/);
	expect(mail?.text).toContain('recPhone is missing');
});

test('A table of orders is shipped in one batch per carrier, and the labels are saved and printed', async () => {
	const { files } = setup.suite;
	const outputFiles = () => readdirSync(files).filter((file) => /^(labels|refused)-/.test(file));
	for (const file of outputFiles()) rmSync(path.join(files, file));
	copyFileSync(path.join(samples, 'orders.csv'), path.join(files, 'orders.csv'));

	const execution = await setup.execute(
		await storeExample(setup, 'nightlyBatches'),
		'Run Manually',
	);
	expect(execution.error).toBeUndefined();

	const { database } = setup.sandbox;
	const batches = database.batches().map(({ carrierCode, packagesCount, errorsCount }) => {
		return { carrierCode, packagesCount, errorsCount };
	});
	expect(batches).toHaveLength(3);
	expect(batches).toEqual(
		expect.arrayContaining([
			{ carrierCode: 'ANT', packagesCount: 4, errorsCount: 0 },
			{ carrierCode: 'BEAVER', packagesCount: 2, errorsCount: 0 },
			{ carrierCode: 'CRANE', packagesCount: 1, errorsCount: 1 },
		]),
	);
	expect(shipmentOf('CSV-2002')).toMatchObject({ recZip: '01001', recCity: 'Žilina' });
	expect(shipmentOf('CSV-2003')).toMatchObject({ pieceCount: 2, recCompany: 'Svoboda, a syn' });
	expect(shipmentOf('CSV-2005')).toMatchObject({ branchId: 'P-002' });

	const pdfs = outputFiles().filter((file) => file.endsWith('.pdf'));
	expect(pdfs.map((file) => file.replace(/\d{4}-\d\d-\d\d/, 'day'))).toEqual([
		'labels-ANT-day.pdf',
		'labels-BEAVER-day.pdf',
		'labels-CRANE-day.pdf',
	]);
	const [ant = ''] = pdfs.map((file) => path.join(files, file));
	const print = textOfPdf(ant);
	expect(print).toContain('Jana Nováková');
	expect(print).toContain('Žofie Šťastná');
	expect(readLabelsPdf(readFileSync(ant)).flatMap(({ barcodes }) => barcodes)).toHaveLength(4);

	const jobs = database.printJobs();
	expect(jobs.map(({ printerName }) => printerName)).toEqual(Array(3).fill('Warehouse A4'));
	const [refused = ''] = outputFiles().filter((file) => file.endsWith('.csv'));
	const rows = readFileSync(path.join(files, refused), 'utf8');
	expect(rows).toMatch(/^.?order,reason,what to do\r?\n/);
	expect(rows).toContain('CSV-2006,');
	expect(rows).toContain('CSV-2008,');
	expect(rows).not.toContain('CSV-2001');
});

test('The shipment of an order that is canceled in the shop is canceled, or an email says that it is too late', async () => {
	const [waiting] = setup.sandbox.seedShipments(1, { packageNumberCustom: 'WEB-1042' });
	const [moving] = setup.sandbox.seedShipments(1, {
		packageNumberCustom: 'WEB-1043',
		hoursAgo: 30,
	});
	setup.sandbox.seedShipments(1, { packageNumberCustom: 'WEB-1044' });
	const workflow = await storeExample(setup, 'cancelInShop');
	const execution = await setup.execute(workflow, 'Order in WooCommerce');
	expect(execution.error).toBeUndefined();
	expect(execution.jsonOf('Canceled Shipment')).toEqual([
		{ order: '1042', shipmentNumber: waiting?.packageNumberCarrier },
	]);
	expect(execution.jsonOf('Too Late')).toMatchObject([
		{
			subject: 'Order 1043 was canceled too late',
			text: expect.stringContaining(
				`Shipment ${moving?.packageNumberCarrier} was not canceled. The service said: package.cancel.alreadysent`,
			),
		},
	]);
	const canceled = setup.sandbox.database.shipments().filter((each) => each.canceled);
	expect(canceled.map((each) => each.packageNumberCustom)).toEqual(['WEB-1042']);
});

test('The day is closed with one protocol per carrier, also if it runs twice', async () => {
	setup.sandbox.seedShipments(2);
	setup.sandbox.seedShipments(1, { serviceType: 'BEAVER-PARCEL' });
	const workflow = await storeExample(setup, 'closeTheDay');
	const execution = await setup.execute(workflow, 'Run Manually');
	expect(execution.error).toBeUndefined();
	expect(execution.jsonOf('Email with the Protocol')).toMatchObject([
		{ subject: 'ANT: 2 shipments handed over' },
		{ subject: 'BEAVER: 1 shipment handed over' },
	]);
	for (const item of execution.itemsOf('Email with the Protocol')) {
		expect(item.binary?.data).toMatchObject({ mimeType: 'application/pdf' });
	}
	const again = await setup.execute(workflow, 'Run Manually');
	expect(again.error).toBeUndefined();
	expect(setup.sandbox.database.handOvers()).toHaveLength(2);
});

test('Orders from Shoptet are shipped as the shop sends them', async () => {
	const execution = await setup.execute(
		await storeExample(setup, 'ordersShoptet'),
		'Change in Shoptet',
	);
	expect(execution.error).toBeUndefined();
	expect(references()).toEqual(['SHOPTET-2026000057', 'SHOPTET-2026000058']);
	expect(shipmentOf('SHOPTET-2026000057')).toMatchObject({
		cod: true,
		codPrice: 1289,
		codCurrency: 'CZK',
		vs: '2026000057',
		recStreet: 'Dlouhá 12',
		recCountry: 'CZ',
		recPhone: '+420777123456',
	});
	expect(shipmentOf('SHOPTET-2026000058')).toMatchObject({
		cod: false,
		recStreet: 'Hlavná 3',
		recZip: '01001',
		recCountry: 'SK',
		recPhone: '+421905123456',
	});
	expect(execution.jsonOf('Shipment Data for the Shop')).toMatchObject([
		{ orderCode: '2026000057' },
		{ orderCode: '2026000058' },
	]);
	const [mail] = execution.jsonOf('Email About Refused Orders');
	expect(mail?.text).toMatch(/^Order 2026000059: Recipient Street is missing/);
});

test('Every evening, one email lists the orders that have no shipment', async () => {
	setup.sandbox.seedShipments(1, { packageNumberCustom: 'WEB-1042' });
	const workflow = await storeExample(setup, 'eveningCheck');
	const execution = await setup.execute(workflow, 'Run Manually');
	expect(execution.error).toBeUndefined();
	expect(execution.jsonOf('Email About Orders')).toEqual([
		{
			to: 'orders@example.com',
			subject: 'Orders without a shipment: 2',
			text: expect.stringMatching(/^Order 1044, .*: create\nOrder 1046, .*: refuse\n/),
		},
	]);
	expect(references()).toEqual(['WEB-1042']);
});

describe.each<[string, SandboxOptions]>([
	['all fields in its list', {}],
	['the documented fields in its list', { listRecords: 'documented' }],
	['the documented dialect', { dialect: 'documented' }],
])('With a service that has %s', (_name, options) => {
	beforeEach(async () => {
		await setup.close();
		setup = await E2eSetup.open(options);
	});

	test('Cash on delivery is compared with the bank account, shipment by shipment', async () => {
		copyFileSync(path.join(samples, 'bank.csv'), path.join(setup.suite.files, 'bank.csv'));
		const orders = [
			{ packageNumberCustom: 'WEB-1043', codPrice: 539.5, vs: '1043' },
			{ packageNumberCustom: 'WEB-1061', codPrice: 350, vs: '1061' },
			{ packageNumberCustom: 'WEB-1062', codPrice: 1200, vs: '1062', pieceCount: 2 },
			{ packageNumberCustom: 'WEB-1063', codPrice: 45 },
		];
		const cash = { serviceType: 'ANT-COD', cod: true, codCurrency: 'CZK' };
		setup.sandbox.seedShipments(orders.length, {
			...cash,
			hoursAgo: 24 * 20,
			each: (index) => orders[index] ?? {},
		});
		setup.sandbox.seedShipments(1, {
			...cash,
			packageNumberCustom: 'WEB-1064',
			codPrice: 1,
			vs: '1',
		});

		const execution = await setup.execute(
			await storeExample(setup, 'cashOnDelivery'),
			'Run Manually',
		);
		expect(execution.error).toBeUndefined();
		const [mail, ...others] = execution.jsonOf('Email About Payments');
		expect(others).toEqual([]);
		expect(mail?.subject).toBe('Cash on delivery of 4 shipments');
		expect(String(mail?.text).split('\n').sort()).toEqual([
			'Paid differently: WEB-1061, 300.00 CZK instead of 350 CZK',
			'Paid: WEB-1043, 539.5 CZK',
			'Unpaid: WEB-1062, 1200 CZK',
			'Unpaid: WEB-1063, 45 CZK',
		]);
	});

	test('Every morning, the labels that are not printed yet are printed once', async () => {
		setup.sandbox.seedShipments(2);
		setup.sandbox.seedShipments(1, { serviceType: 'BEAVER-PARCEL' });
		const [canceled] = setup.sandbox.seedShipments(1);
		setup.sandbox.cancelShipment(canceled?.id ?? 0);
		setup.sandbox.seedShipments(1, { hoursAgo: 72 });
		const workflow = await storeExample(setup, 'morningPrintQueue');
		const execution = await setup.execute(workflow, 'Run Manually');
		expect(execution.error).toBeUndefined();
		expect(execution.jsonOf('Email About Labels')).toMatchObject([
			{ subject: 'Printed labels: 3', text: expect.stringContaining('Ant Express: 2') },
		]);
		const again = await setup.execute(workflow, 'Run Manually');
		expect(again.error).toBeUndefined();
		expect(again.jsonOf('Email About Labels')).toEqual([]);
		const jobs = setup.sandbox.database.printJobs();
		expect(jobs.map(({ printerName }) => printerName)).toEqual(Array(2).fill('Warehouse A4'));
	});
});

test('The shipping method of an order chooses its carrier, and the label is printed', async () => {
	const execution = await setup.execute(
		await storeExample(setup, 'shippingMethodRules'),
		'Order in WooCommerce',
	);
	expect(execution.error).toBeUndefined();
	expect(execution.jsonOf('Shipment Data for the Shop')).toMatchObject([
		{ orderId: 1051, carrier: 'ANT', printedOn: 'Warehouse A4' },
		{ orderId: 1052, carrier: 'ANT', printedOn: 'Warehouse A4' },
		{ orderId: 1053, carrier: 'BEAVER', printedOn: 'Warehouse A4' },
	]);
	expect(shipmentOf('WEB-1051')).toMatchObject({
		serviceType: 'ANT-HOME',
		recPhone: '+420777123456',
	});
	expect(shipmentOf('WEB-1052')).toMatchObject({ serviceType: 'ANT-POINT', branchId: 'P-002' });
	expect(shipmentOf('WEB-1053')).toMatchObject({ recPhone: '+421905123456' });
	const [mail, ...others] = execution.jsonOf('Email About Refused Orders');
	expect(others).toEqual([]);
	expect(mail?.subject).toBe('Refused orders: 1');
	expect(mail?.text).toMatch(/^Order 1054: No rule fits the shipping method "Drone"/);
});

describe('The return form', () => {
	const answers = {
		'Order Number': '1042',
		Name: 'Jana Nováková',
		'Street and House Number': 'Dlouhá 12',
		City: 'Praha',
		'Postal Code': '01001',
		Country: 'CZ',
		Phone: '+420 777 123 456',
		'E-Mail': 'jana.novakova@example.com',
	};

	/** Submits the published form like a browser and returns the execution. */
	const submit = async (workflow: StoredWorkflow, changed: Partial<typeof answers> = {}) => {
		const before = (await executionsOf(setup.n8n, workflow.id)).length;
		const form = workflow.nodes.find(({ name }) => name === 'Return Form');
		const body = new FormData();
		Object.values({ ...answers, ...changed }).forEach((value, index) =>
			body.append(`field-${index}`, value),
		);
		const url = `${setup.suite.url}/form/${String(form?.webhookId)}`;
		const response = await fetch(url, { method: 'POST', body });
		expect(response.status).toBe(200);
		return await untilThereIs(
			async () => (await executionsOf(setup.n8n, workflow.id)).slice(before)[0],
		);
	};

	test('makes the customer the sender, emails the label, and creates one return if it is submitted twice', async () => {
		const workflow = await storeExample(setup, 'returnShipments');
		await setup.n8n.publish(workflow);
		const first = await submit(workflow);
		const second = await submit(workflow);
		const refused = await submit(workflow, { 'Order Number': '1043', Phone: '777123456' });
		await unpublish(setup, workflow);

		expect([first, second, refused].map(({ error }) => error)).toEqual(Array(3).fill(undefined));
		expect(references()).toEqual(['RET-1042']);
		expect(shipmentOf('RET-1042')).toMatchObject({
			serviceType: 'ANT-RETURN',
			senderName: 'Jana Nováková',
			senderZip: '01001',
			senderPhone: '+420777123456',
			recCompany: 'Example Shop s.r.o.',
		});
		expect(first.jsonOf('Email to the Customer')).toMatchObject([
			{ to: 'jana.novakova@example.com', alreadyExisted: false },
		]);
		expect(second.jsonOf('Email to the Customer')).toMatchObject([{ alreadyExisted: true }]);
		for (const execution of [first, second]) {
			const [item] = execution.itemsOf('Email to the Customer');
			expect(item?.binary?.data).toMatchObject({ mimeType: 'application/pdf' });
		}
		const [mail] = refused.jsonOf('Refused Return');
		expect(mail).toMatchObject({
			to: 'returns@example.com',
			subject: 'Return of order 1043 was refused',
		});
		expect(mail?.text).toContain('Sender Phone');
	});
});
