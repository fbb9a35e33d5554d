import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import { creationForm, orderOf } from '../support/shop';
import { E2eSetup } from './support/e2eSetup';
import type { Execution } from './support/executions';
import { connect, inputNodes, node, PARCEL_SHIPPING, set, start, START } from './support/nodes';

/** Several pieces, and refused orders in the middle. Links by position would be wrong. */
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

let setup: E2eSetup;
let execution: Execution;

beforeAll(async () => {
	setup = await E2eSetup.open();
	const create = node({
		type: PARCEL_SHIPPING,
		name: 'Create',
		parameters: creationForm(),
		onError: 'continueErrorOutput',
		credentials: setup.credentials,
	});
	const piece = set('Piece', { number: '$json.packageNumberCarrier', label: orderNumber });
	const refused = set('Refused', {
		order: orderNumber,
		gift: "$('Orders').item.json.gift",
		error: '$json.error',
		message: '$json.message',
	});
	const nodes = [start(), ...inputNodes(orders), create, piece, merge(), linkedData(), refused];
	const workflow = await setup.store(
		connect('Item links', nodes, [
			{ from: START, to: 'Orders as array' },
			{ from: 'Orders as array', to: 'Orders' },
			{ from: 'Orders', to: 'Create' },
			{ from: 'Create', to: 'Piece' },
			{ from: 'Create', output: 1, to: 'Refused' },
			{ from: 'Piece', to: 'Merge' },
			{ from: 'Orders', to: 'Merge', input: 1 },
			{ from: 'Merge', to: 'Linked Data' },
		]),
	);
	execution = await setup.execute(workflow);
});
afterAll(() => setup.close());

const orderNumber = "$('Orders').item.json.packageNumberCustom";

/** Adds to each piece the order it belongs to. */
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

/** Uses expressions for the data of nodes before the merge: the order, the piece and the shipment. */
const linkedData = () =>
	set('Linked Data', {
		number: "$('Piece').item.json.number",
		order: orderNumber,
		gift: "$('Orders').item.json.gift",
		created: "$('Create').item.json.id",
		merged: '$json.gift',
	});

test('After a merge, expressions still find the order, the number and the shipment of each piece', () => {
	expect(execution.error).toBeUndefined();
	const shipments = setup.sandbox.database.shipments();
	expect(shipments).toHaveLength(7);
	const expected = shipments.map(({ id, packageNumberCarrier, packageNumberCustom }) => ({
		number: packageNumberCarrier,
		order: packageNumberCustom,
		gift: giftOf[packageNumberCustom],
		created: String(id),
		merged: giftOf[packageNumberCustom],
	}));
	const byNumber = (a: { number?: unknown }, b: { number?: unknown }) =>
		String(a.number).localeCompare(String(b.number));
	expect([...execution.jsonOf('Linked Data')].sort(byNumber)).toEqual(expected.sort(byNumber));
});

test('The pieces are in the order of the input items', () => {
	expect(execution.jsonOf('Linked Data').map(({ order }) => order)).toEqual([
		'LINK-1',
		'LINK-1',
		'LINK-3',
		'LINK-5',
		'LINK-5',
		'LINK-5',
		'LINK-6',
	]);
});

test('A refused order is in the error output, with its own fields and the error', () => {
	const refused = execution.jsonOf('Create', 1);
	const [, byNode, , byCarrier] = JSON.parse(JSON.stringify(orders)) as object[];
	const errorFields = { error: expect.any(String), message: expect.any(String) };
	expect(refused).toEqual([
		{
			...byNode,
			...errorFields,
			details: { packageNumberCustom: 'LINK-2', problems: expect.any(Array) },
		},
		{ ...byCarrier, ...errorFields, details: expect.any(Object) },
	]);
	expect(refused[1]?.details).toMatchObject({
		carrierCode: 'CRANE',
		packageNumberCustom: 'LINK-4',
		carrierErrors: 'recPhone is missing',
		correlationId: expect.any(String),
	});
});

test('After the error output, an expression finds the refused order', () => {
	expect(execution.jsonOf('Refused')).toMatchObject([
		{ order: 'LINK-2', gift: 'refused by the node' },
		{ order: 'LINK-4', gift: 'refused by the carrier' },
	]);
});

test('A failed item matches the example in docs/shipment.md', () => {
	const page = readFileSync(path.resolve(__dirname, '../../docs/shipment.md'), 'utf8');
	const [, shown = ''] = /<!-- example:failed order -->\s+```json\n([\s\S]*?)```/.exec(page) ?? [];
	// The page has another order.
	const example = JSON.parse(shown.replace('WEB-2026-0042', 'LINK-2')) as object;
	expect(execution.jsonOf('Create', 1)[0]).toMatchObject(example);
});
