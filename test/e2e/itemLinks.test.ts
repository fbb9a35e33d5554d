import { orderOf } from '../support/shop';
import { E2eSetup } from './support/e2eSetup';
import { connect, inputNodes, node, set, start, START } from './support/nodes';

let setup: E2eSetup;
beforeAll(async () => {
	setup = await E2eSetup.open();
});
afterAll(() => setup.close());

/** Several pieces, and refused orders in the middle. Links by position would be wrong. */
const orders = [
	{ ...orderOf('ANT', 'LINK-1', { pieceCount: 2 }), gift: 'a card' },
	{ ...orderOf('ANT', 'LINK-2', { recPhone: '777 123' }), gift: 'refused by the node' },
	{ ...orderOf('BEAVER', 'LINK-3'), gift: 'a ribbon' },
	{ ...orderOf('CRANE', 'LINK-4', { recPhone: '' }), gift: 'refused by the carrier' },
	{ ...orderOf('ANT', 'LINK-5', { pieceCount: 3 }), gift: 'blue paper' },
	{ ...orderOf('CRANE', 'LINK-6'), gift: 'nothing' },
];

const ofOrder = {
	order: "$('Orders').item.json.packageNumberCustom",
	gift: "$('Orders').item.json.gift",
};

/** Adds to each piece the order that it belongs to. */
const merge = node({
	type: 'n8n-nodes-base.merge',
	name: 'Merge',
	typeVersion: 3,
	parameters: {
		mode: 'combine',
		advanced: true,
		mergeByFields: { values: [{ field1: 'order', field2: 'packageNumberCustom' }] },
		joinMode: 'enrichInput1',
		options: {},
	},
});

test('After a merge and in the error output, expressions find the order, the number and the shipment of each item', async () => {
	const nodes = [
		start(),
		...inputNodes(orders),
		setup.create({}, { onError: 'continueErrorOutput' }),
		set('Piece', { number: '$json.packageNumberCarrier', order: ofOrder.order }),
		merge,
		set('Linked Data', {
			...ofOrder,
			number: "$('Piece').item.json.number",
			created: "$('Create').item.json.id",
			merged: '$json.gift',
		}),
		set('Refused', ofOrder),
	];
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
	const execution = await setup.execute(workflow);
	expect(execution.error).toBeUndefined();

	const shipments = setup.sandbox.database.shipments();
	const pieceOf = (reference: string, gift: string, index = 0) => {
		const pieces = shipments.filter((each) => each.packageNumberCustom === reference);
		const { id, packageNumberCarrier: number } = pieces[index] ?? {};
		return { order: reference, gift, number, created: String(id), merged: gift };
	};
	expect(execution.jsonOf('Linked Data')).toEqual([
		pieceOf('LINK-1', 'a card'),
		pieceOf('LINK-1', 'a card', 1),
		pieceOf('LINK-3', 'a ribbon'),
		pieceOf('LINK-5', 'blue paper'),
		pieceOf('LINK-5', 'blue paper', 1),
		pieceOf('LINK-5', 'blue paper', 2),
		pieceOf('LINK-6', 'nothing'),
	]);
	expect(execution.jsonOf('Refused')).toEqual([
		{ order: 'LINK-2', gift: 'refused by the node' },
		{ order: 'LINK-4', gift: 'refused by the carrier' },
	]);
});
