import { readStates } from '../../../nodes/ParcelShipping/changes/state';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import { clientOf, responseOf } from '../../support/respondingClient';

const MAIN = { id: 1, carrierCode: 'ANT', packageNumberCarrier: 'A1' };

/** What is known of shipment 1, of which the list and the detail say this. */
async function stateOf(listed: object, detailed: object[], readsAll: boolean, account: string) {
	const data = [{ ...MAIN, ...listed }];
	const detail = detailed.map((piece, index) => ({ ...MAIN, id: index + 1, ...piece }));
	const { client } = clientOf(
		({ path }) =>
			responseOf(200, {
				result: path.includes('Find') ? { data, total: 1, filtered: 1 } : detail,
			}),
		{ headerValue: account },
	);
	const states = await readStates(client, 'ANT', { ids: [1], readsAll });
	return states.get(1);
}

const WAITS = { canceled: false, submittedCarrier: false };

test('an additional piece that the list has as well is no shipment of its own', async () => {
	const data = [
		{ ...MAIN, ...WAITS },
		{ ...MAIN, ...WAITS, id: 2, masterId: 1 },
	];
	const { client } = clientOf(() => responseOf(200, { result: { data, total: 2 } }));
	const states = await readStates(client, 'ANT', { ids: [], readsAll: true });
	expect([...states.keys()]).toEqual([1]);
});

test.each<[name: string, listed: object, detailed: object[], readsAll: boolean, state: object]>([
	[
		'has its number of pieces from the list, where the detail has one piece',
		{ pieceCount: 2 },
		[WAITS],
		true,
		{ pieceCount: 2, canceled: false, handedOver: false },
	],
	[
		'has as many pieces as its detail, if the list does not say it',
		{},
		[WAITS, WAITS],
		true,
		{ pieceCount: 2, canceled: false, handedOver: false },
	],
	[
		'is canceled if only its detail says it in a known way',
		{ ...WAITS, canceled: 'yes' },
		[{ ...WAITS, canceled: true }],
		true,
		{ pieceCount: null, canceled: true, handedOver: false },
	],
	[
		'may have more pieces than a detail with one piece',
		{},
		[WAITS],
		false,
		{ pieceCount: null, canceled: false, handedOver: false },
	],
	[
		'is not canceled if one of its pieces is',
		{},
		[WAITS, { ...WAITS, canceled: true }],
		false,
		{ pieceCount: 2, canceled: false, handedOver: false },
	],
	[
		'is canceled if all of its pieces are',
		{},
		[{ ...WAITS, canceled: true }],
		false,
		{ pieceCount: null, canceled: true, handedOver: false },
	],
	[
		'was handed over if the list says so, where the detail says nothing',
		{ submittedCarrier: true },
		[{ canceled: false }],
		false,
		{ pieceCount: null, canceled: false, handedOver: true },
	],
])('a shipment %s', async (name, listed, detailed, readsAll, state) => {
	expect(await stateOf(listed, detailed, readsAll, name)).toMatchObject(state);
});

test('the error for an ID that has no detail says how to name a shipment of several pieces', async () => {
	const { client } = clientOf(() => responseOf(200, { result: [] }));
	const states = await readStates(client, 'ANT', { ids: [1002] });
	const { failure } = states.get(1002) as { failure: unknown };
	expect(describeError(failure)).toMatchObject({
		message: 'Carrier ANT has no shipment with ID 1002',
		description: expect.stringContaining('use the ID of the main piece'),
	});
});
