import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import { creationForm, orderOf } from '../support/shop';
import { Bench } from './support/bench';
import type { Execution } from './support/executions';
import { give, node, PARCEL_SHIPPING, set, start, START, wired } from './support/nodes';

/** Several pieces, and refused ones in the middle: who counts items comes to the wrong order. */
const orders = [
	{ ...orderOf('ANT', 'LINK-1', { pieceCount: 2 }), gift: 'a card for Jana' },
	{
		...orderOf('ANT', 'LINK-2', { recPhone: '777 123 456', recStreet: '' }),
		gift: 'refused by the node',
	},
	{ ...orderOf('BEAVER', 'LINK-3'), gift: 'a ribbon' },
	{ ...orderOf('CRANE', 'LINK-4', { recPhone: '' }), gift: 'refused by the carrier' },
	{ ...orderOf('ANT', 'LINK-5', { pieceCount: 3 }), gift: 'blue paper' },
	{ ...orderOf('CRANE', 'LINK-6'), gift: 'nothing' },
];
const giftOf = Object.fromEntries(
	orders.map((order) => [(order as IDataObject).packageNumberCustom, order.gift]),
) as Record<string, string>;

let bench: Bench;
let execution: Execution;

beforeAll(async () => {
	bench = await Bench.open();
	const create = node({
		type: PARCEL_SHIPPING,
		name: 'Create',
		parameters: creationForm(),
		onError: 'continueErrorOutput',
		credentials: bench.credentials,
	});
	const piece = set('Piece', { number: '$json.packageNumberCarrier', label: orderNumber });
	const refused = set('Refused', {
		order: orderNumber,
		gift: "$('Orders').item.json.gift",
		error: '$json.error',
		message: '$json.message',
	});
	const nodes = [start(), ...give(orders), create, piece, merge(), told(), refused];
	const workflow = await bench.store(
		wired('Item links', nodes, [
			{ from: START, to: 'Orders as one' },
			{ from: 'Orders as one', to: 'Orders' },
			{ from: 'Orders', to: 'Create' },
			{ from: 'Create', to: 'Piece' },
			{ from: 'Create', output: 1, to: 'Refused' },
			{ from: 'Piece', to: 'Merge' },
			{ from: 'Orders', to: 'Merge', input: 1 },
			{ from: 'Merge', to: 'Told' },
		]),
	);
	execution = await bench.execute(workflow);
});
afterAll(() => bench.close());

const orderNumber = "$('Orders').item.json.packageNumberCustom";

/** Each piece with the order that it belongs to. */
const merge = () =>
	node({
		type: 'n8n-nodes-base.merge',
		name: 'Merge',
		typeVersion: 3,
		parameters: {
			mode: 'combine',
			advanced: true,
			mergeByFields: { values: [{ field1: 'label', field2: 'packageNumberCustom' }] },
			joinMode: 'enrichInput1',
			options: {},
		},
	});

/** Reaches back over the merge to the order, to the node before it, and to the created shipment. */
const told = () =>
	set('Told', {
		number: "$('Piece').item.json.number",
		order: orderNumber,
		gift: "$('Orders').item.json.gift",
		created: "$('Create').item.json.id",
		merged: '$json.gift',
	});

test('Behind a merge, every piece still knows its order, its number and its shipment', () => {
	expect(execution.error).toBeUndefined();
	const booked = bench.sandbox.database.shipments();
	expect(booked).toHaveLength(7);
	const inBooks = booked.map(({ id, packageNumberCarrier, packageNumberCustom }) => ({
		number: packageNumberCarrier,
		order: packageNumberCustom,
		gift: giftOf[packageNumberCustom],
		created: String(id),
		merged: giftOf[packageNumberCustom],
	}));
	const byNumber = (a: { number?: unknown }, b: { number?: unknown }) =>
		String(a.number).localeCompare(String(b.number));
	expect([...execution.jsonOf('Told')].sort(byNumber)).toEqual(inBooks.sort(byNumber));
});

test('The pieces stand in the order of the orders', () => {
	expect(execution.jsonOf('Told').map(({ order }) => order)).toEqual([
		'LINK-1',
		'LINK-1',
		'LINK-3',
		'LINK-5',
		'LINK-5',
		'LINK-5',
		'LINK-6',
	]);
});

test('A refused order leaves through the error output with its own fields, and with what went wrong', () => {
	const refused = execution.jsonOf('Create', 1);
	const [, byNode, , byCarrier] = JSON.parse(JSON.stringify(orders)) as object[];
	const wrong = { error: expect.any(String), message: expect.any(String) };
	expect(refused).toEqual([
		{ ...byNode, ...wrong, details: { problems: expect.any(Array) } },
		{ ...byCarrier, ...wrong, details: expect.any(Object) },
	]);
	expect(refused[1]?.details).toMatchObject({
		carrierCode: 'CRANE',
		packageNumberCustom: 'LINK-4',
		carrierErrors: 'recPhone is missing',
		correlationId: expect.any(String),
	});
});

test('Behind the error output, an expression finds the order that was refused', () => {
	expect(execution.jsonOf('Refused')).toMatchObject([
		{ order: 'LINK-2', gift: 'refused by the node' },
		{ order: 'LINK-4', gift: 'refused by the carrier' },
	]);
});

test('A failed item looks as docs/shipment.md shows it', () => {
	const page = readFileSync(path.resolve(__dirname, '../../docs/shipment.md'), 'utf8');
	const [, shown = ''] = /<!-- example:failed order -->\s+```json\n([\s\S]*?)```/.exec(page) ?? [];
	expect(execution.jsonOf('Create', 1)[0]).toMatchObject(JSON.parse(shown) as object);
});
