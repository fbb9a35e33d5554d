import { startEngine } from '../support/engine';
import { newAccount } from '../support/credentials';

import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import type { InvalidItem, Order } from '../../nodes/ParcelShipping/orders/order';
import { readForm } from '../../nodes/ParcelShipping/orders/readForm';
import { readOrders } from '../../nodes/ParcelShipping/orders/readOrders';
import {
	carrierCodeField,
	serviceTypeField,
} from '../../nodes/ParcelShipping/descriptions/locators';
import { mapperFields } from '../../nodes/ParcelShipping/methods/resourceMapping';
import { shipmentField } from '../../nodes/ParcelShipping/descriptions/createForm';
import { createClient } from '../../nodes/ParcelShipping/transport/client';
import type { ItemError } from '../../nodes/ParcelShipping/transport/errors';
import { type Sandbox, startSandbox } from '../../sandbox';
import { readOffers } from '../../nodes/ParcelShipping/creation/lookUp';

const TYPE = 'test.readOrders';

const SETTINGS = {
	cleanUp: false,
	phonePrefix: 'none',
	codMethods: '',
	ifExists: 'create',
	lookUpScope: 'allCarriers',
} as const;

interface Read {
	orders: Order[];
	invalid: Array<InvalidItem & { failure: ItemError }>;
	hints: string[];
}

/** A node with the form of *Create* that only reads its items. */
const readingNode: INodeType = {
	description: {
		displayName: 'Read Orders',
		name: 'readOrders',
		group: ['transform'],
		version: 1,
		description: '',
		defaults: { name: 'Read Orders' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'parcelShippingApi', required: true }],
		properties: [
			carrierCodeField,
			serviceTypeField,
			shipmentField,
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				default: {},
				options: [
					{ displayName: 'Additional Fields', name: 'additionalFields', type: 'json', default: '' },
				],
			},
		],
	},
	async execute() {
		const client = await createClient(this);
		const items = this.getInputData();
		const started = performance.now();
		const form = await readForm(this, items);
		const offers = await readOffers(client, form);
		const { orders, invalid, hints } = await readOrders(form, offers, SETTINGS);
		tookMs = performance.now() - started;
		lastRead = { orders, invalid: invalid as Read['invalid'], hints };
		return [items];
	},
};

let lastRead: Read | undefined;
let tookMs = 0;
let sandbox: Sandbox;
let engine: Awaited<ReturnType<typeof startEngine>>;

beforeAll(async () => {
	sandbox = await startSandbox();
	engine = await startEngine(newAccount(sandbox.url), { [TYPE]: readingNode });
});
beforeEach(() => {
	sandbox.reset();
	engine.credential.data = newAccount(sandbox.url);
	lastRead = undefined;
});
afterAll(() => sandbox.close());

async function read(parameters: INodeParameters, items: IDataObject[] = [{}]): Promise<Read> {
	const form = { carrierCode: 'ANT', serviceType: 'ANT-HOME' };
	const { error } = await engine.run({
		type: TYPE,
		parameters: { ...form, ...parameters },
		items: items.map((json) => ({ json })),
	});
	if (!lastRead) throw error ?? new Error('Nothing was read');
	return lastRead;
}

const shop = (more: IDataObject = {}): IDataObject => ({
	packageNumberCustom: '0012345678901234567890',
	price: 1200.5,
	recName: 'Jana Nováková',
	recStreet: 'Dlouhá 12',
	recCity: 'Praha',
	recZip: '01001',
	recCountry: 'CZ',
	...more,
});
const names = Object.keys(shop());
const mapped = Object.fromEntries(names.map((name) => [name, `={{ $json.${name} }}`]));
const byHand = { mappingMode: 'defineBelow', value: mapped };
const automatic = { mappingMode: 'autoMapInputData', value: null };
const sent = (more: IDataObject = {}) => ({ serviceType: 'ANT-HOME', ...shop(more) });

const problemsIn = ({ invalid }: Read) =>
	invalid.map(({ failure }) =>
		(failure.details.problems as Array<{ field: string }>).map(({ field }) => field),
	);

describe('The same order is read', () => {
	test.each<[string, INodeParameters]>([
		['from fields mapped by hand', { shipment: byHand as never }],
		['without the mode and the schema that the editor adds', { shipment: { value: mapped } }],
		[
			'with the schema that the editor adds',
			{ shipment: { ...byHand, matchingColumns: [], schema: mapperFields() } as never },
		],
		['from an item mapped automatically', { shipment: automatic }],
		['from an expression that gives an object', { shipment: '={{ $json }}' }],
		['from an expression that gives JSON', { shipment: '={{ JSON.stringify($json) }}' }],
		['from a plain object of expressions', { shipment: mapped }],
		['from an expression that gives a whole mapping', { shipment: '={{ { value: $json } }}' }],
		['from an expression in place of all mapped values', { shipment: { value: '={{ $json }}' } }],
		[
			'with locators as the editor saves them',
			{
				shipment: automatic,
				carrierCode: { __rl: true, mode: 'list', value: 'ANT', cachedResultName: 'Ant Express' },
				serviceType: { __rl: true, mode: 'code', value: 'ANT-HOME' },
			},
		],
	])('%s', async (_, parameters) => {
		expect(await read(parameters, [shop()])).toEqual({
			orders: [{ itemIndex: 0, carrierCode: 'ANT', body: sent() }],
			invalid: [],
			hints: [],
		});
	});
});

test('all problems of all items are reported before any shipment is created', async () => {
	const wrong = { recPhone: '777 123 456', recCountry: 'Czechia', price: '1 200,50' };
	const input = [shop(), shop(wrong), shop({ recEmail: 'jana.example.com', cod: true })];
	const result = await read({ shipment: automatic }, input);

	expect(result.orders.map(({ itemIndex }) => itemIndex)).toEqual([0]);
	expect(result.invalid.map(({ itemIndex }) => itemIndex)).toEqual([1, 2]);
	expect(problemsIn(result)).toEqual([
		['price', 'recCountry', 'recPhone'],
		['recEmail', 'codPrice', 'codCurrency'],
	]);
	expect(result.invalid[0]?.failure.message).toBe(
		'Invalid Price: "1 200,50"; Invalid Recipient Country Code: "Czechia"; Invalid Recipient Phone: "777 123 456"',
	);
	expect(result.invalid[0]?.order?.body).not.toHaveProperty('price');
	expect(sandbox.database.shipments()).toEqual([]);
});

test("n8n's own type checks do not run first: every item is reported, not only the first", async () => {
	const shipment = { ...byHand, matchingColumns: [], schema: mapperFields() } as never;
	const result = await read({ shipment }, [shop({ price: '1 200,50' }), shop({ price: 'free' })]);
	expect(problemsIn(result)).toEqual([['price'], ['price']]);
});

describe('Automatic mapping', () => {
	test('reports the ignored fields once for the whole run', async () => {
		const input = [shop({ foo: 1, carrierCode: 'ANT' }), shop({ bar: 2, foo: 3 })];
		const { orders, hints } = await read({ shipment: automatic }, input);
		expect(orders.map(({ body }) => body)).toEqual([sent(), sent()]);
		expect(hints).toEqual([
			expect.stringContaining('Ignored fields that a shipment does not have: foo, bar.'),
		]);
	});

	test("ignores a shop's own orderId and says which ID belongs there", async () => {
		const { orders, hints } = await read({ shipment: automatic }, [shop({ orderId: 501 })]);
		expect(orders[0]?.body).toEqual(sent());
		expect(hints).toEqual([expect.stringContaining("shipping service's own administration")]);
	});

	test('joins first and last names, and leaves no trace of them in the request', async () => {
		const name = { recName: undefined, recFirstName: 'Jana', recLastName: 'Nováková' };
		const { orders, hints } = await read({ shipment: automatic }, [shop(name)]);
		expect(orders[0]?.body).toEqual(sent());
		expect(orders[0]?.cleaned).toEqual({ recName: [['Jana', 'Nováková'], 'Jana Nováková'] });
		expect(hints).toEqual([]);
	});

	test('refuses names of two persons', async () => {
		const result = await read({ shipment: automatic }, [shop({ recLastName: 'Svoboda' })]);
		expect(result.invalid[0]?.failure.message).toBe(
			`Recipient Name is "Jana Nováková", but 'Recipient Last Name' is "Svoboda"`,
		);
	});

	test('uses an orderId in Additional Fields', async () => {
		const options = { additionalFields: '={{ { orderId: $json.orderId } }}' };
		const input = [shop({ orderId: 501 })];
		const { orders } = await read({ shipment: automatic, options }, input);
		expect(orders[0]?.body).toEqual(sent({ orderId: 501 }));
	});
});

test('a manually mapped orderId is sent', async () => {
	const shipment = { value: { ...mapped, orderId: '={{ $json.orderId }}' } };
	const { orders, hints } = await read({ shipment }, [shop({ orderId: 502 })]);
	expect(orders[0]?.body.orderId).toBe(502);
	expect(hints).toEqual([]);
});

test('a reference that some services refuse is a hint, not a problem', async () => {
	const { orders, hints } = await read({ shipment: automatic }, [
		shop({ packageNumberCustom: '#1001' }),
		shop({ packageNumberCustom: 'WEB/2026-0042' }),
		shop({ packageNumberCustom: 'A'.repeat(31) }),
	]);
	expect(orders).toHaveLength(3);
	expect(hints).toEqual([
		`Some services refuse a 'Custom Shipment Number' that is longer than 30 characters or contains anything but letters, digits, -, / and _: #1001, ${'A'.repeat(31)}.`,
	]);
});

describe('Additional fields', () => {
	const services = [{ code: 'SMS' }];

	test.each<[string, string]>([
		['as JSON', JSON.stringify({ services, weight: 2, price: 99 })],
		['as an object', `={{ ${JSON.stringify({ services, weight: 2, price: 99 })} }}`],
	])(
		'are merged last, including fields that only the carrier knows, %s',
		async (_, additionalFields) => {
			const input = [shop()];
			const { orders, hints } = await read(
				{ shipment: automatic, options: { additionalFields } },
				input,
			);
			expect(orders[0]?.body).toEqual(sent({ price: 99, services, weight: 2 }));
			expect(hints).toEqual([]);
		},
	);

	test.each([
		['{ services: ', 'additionalFields'],
		['[1]', 'additionalFields'],
		['{"price":"1,5"}', 'price'],
		['{"serviceType":"ANT-COD"}', 'additionalFields'],
	])('%s is refused', async (additionalFields, field) => {
		const result = await read({ shipment: automatic, options: { additionalFields } }, [shop()]);
		expect(problemsIn(result)).toEqual([[field]]);
	});
});

describe('Carrier and service', () => {
	const chosen = {
		carrierCode: '={{ $json.carrier }}',
		serviceType: '={{ $json.service }}',
		shipment: automatic,
	};

	test.each([
		['ELK', 'ANT-HOME', 'carrierCode', 'Invalid Carrier: "ELK"'],
		['OWL', 'OWL-NIGHT', 'carrierCode', 'Carrier "OWL" is not activated in the account'],
		['ANT', 'BEAVER-PARCEL', 'serviceType', 'Invalid Service: "BEAVER-PARCEL"'],
		['', 'ANT-HOME', 'carrierCode', 'Carrier is missing'],
		['ANT', '', 'serviceType', 'Service is missing'],
	])('%p and %p are refused', async (carrier, service, field, message) => {
		const result = await read(chosen, [shop({ carrier, service })]);
		expect(problemsIn(result)).toEqual([[field]]);
		expect(result.invalid[0]?.failure.message).toBe(message);
	});

	test('codes are found without case, and sent as the service writes them', async () => {
		const result = await read(chosen, [
			shop({ carrier: 'ant', service: 'Ant-Home' }),
			shop({ carrier: 'ANT', service: 'ant-return', senderName: 'Jana' }),
			shop({ carrier: 'Crane', service: 'ant-home' }),
		]);
		expect(result.orders.map(({ carrierCode, body }) => [carrierCode, body.serviceType])).toEqual([
			['ANT', 'ANT-HOME'],
			['ANT', 'ANT-RETURN'],
		]);
		expect(result.invalid[0]?.failure.message).toBe('Invalid Service: "ant-home"');
	});

	test('a carrier whose activation is not finished is refused', async () => {
		sandbox.fault({
			operation: 'findCarriers',
			kind: 'body',
			rewrite: ((answer: { result: IDataObject[] }) => ({
				...answer,
				result: answer.result.map((carrier) => ({ ...carrier, status: 'WaitingActivation' })),
			})) as never,
		});
		const result = await read(chosen, [shop({ carrier: 'ANT', service: 'ANT-HOME' })]);
		expect(problemsIn(result)).toEqual([['carrierCode']]);
		expect(result.invalid[0]?.failure.message).toBe(
			'Carrier "ANT" is still waiting for its activation',
		);
	});

	test('a sender address for a service that does not accept it is reported before sending', async () => {
		const sender = { senderName: 'Jana', carrier: 'ANT' };
		const result = await read(chosen, [
			shop({ ...sender, service: 'ANT-HOME' }),
			shop({ ...sender, service: 'ANT-RETURN' }),
		]);
		expect(problemsIn(result)).toEqual([['senderName']]);
		expect(result.invalid[0]?.failure.description).toContain(
			'These services accept it: ANT-RETURN',
		);
		expect(result.orders.map(({ itemIndex }) => itemIndex)).toEqual([1]);
	});

	test('a sender or cover address is sent with its flag, and no flag without one', async () => {
		const { orders } = await read(chosen, [
			shop({ carrier: 'ANT', service: 'ANT-RETURN', senderName: 'Jana' }),
			shop({ carrier: 'CRANE', service: 'CRANE-EU', coverName: 'Shop' }),
			shop({ carrier: 'ANT', service: 'ANT-HOME' }),
		]);
		expect(orders.map(({ body }) => [body.senderEnabled, body.coverEnabled])).toEqual([
			[true, undefined],
			[undefined, true],
			[undefined, undefined],
		]);
	});

	test('a service whose name suggests a field that orders lack is a hint, one for all of them', async () => {
		const point = { carrier: 'ANT', service: 'ANT-POINT' };
		const { orders, hints } = await read(chosen, [
			shop({ ...point, packageNumberCustom: 'A' }),
			shop({ ...point, packageNumberCustom: 'B' }),
			shop({ ...point, branchId: 'P-001' }),
		]);
		expect(orders).toHaveLength(3);
		expect(hints).toEqual([
			expect.stringContaining('Ignored fields'),
			expect.stringMatching(/^Pickup Point Code is missing, which .* probably needs: A, B\.$/),
		]);
	});

	test('the services are requested once per carrier for any number of items', async () => {
		const ant = shop({ carrier: 'ANT', service: 'ANT-HOME' });
		const snail = shop({ carrier: 'SNAIL', service: 'SNAIL-PALLET' });
		const { orders } = await read(chosen, [ant, snail, ant, snail, ant]);
		expect(orders.map(({ carrierCode }) => carrierCode)).toEqual([
			'ANT',
			'SNAIL',
			'ANT',
			'SNAIL',
			'ANT',
		]);
		expect(sandbox.requests.map(({ operationId }) => operationId)).toEqual([
			'findCarriers',
			'findServices',
			'findServices',
		]);
	});

	test('nothing is requested if no item has a carrier', async () => {
		await read(chosen, [shop({ service: 'ANT-HOME' })]);
		expect(sandbox.requests).toEqual([]);
	});
});

test('an expression that fails for one item is reported, and the other items are read', async () => {
	const shipment = {
		value: { ...mapped, recName: "={{ $json.recName || $('Nowhere').item.json.name }}" },
	};
	const result = await read({ shipment }, [shop(), shop({ recName: '' })]);
	expect(result.orders.map(({ itemIndex }) => itemIndex)).toEqual([0]);
	expect(problemsIn(result)).toEqual([['shipment']]);
	expect(result.invalid[0]?.failure.message).toContain('expression without a value');
});

test.each(['{"recName":', '[1,2]', 'Jana'])('%s is not a shipment', async (text) => {
	const result = await read({ shipment: '={{ $json.text }}' }, [{ text }]);
	expect(problemsIn(result)).toEqual([['shipment']]);
});

test('the input is not changed', async () => {
	const input = [shop({ orderId: 501, cod: 'false' })];
	const before = structuredClone(input);
	await read({ shipment: automatic }, input);
	expect(input).toEqual(before);
});

test('10,000 items are read and checked in less than three seconds', async () => {
	const items = Array.from({ length: 10_000 }, () => shop());
	const { orders } = await read({ shipment: automatic }, items);
	console.log(`10,000 items read from n8n and checked in ${tookMs.toFixed(0)} ms`);
	expect(orders).toHaveLength(10_000);
	expect(tookMs).toBeLessThan(3000);
});
