import { selectShipments } from '../../../nodes/ParcelShipping/labels/select';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import { clientOf, responseOf } from '../../support/respondingClient';
import { contextOf } from '../../support/tries';

test('a piece that only the list shows as canceled is not printed', async () => {
	const piece = { carrierCode: 'ANT', printed: false };
	const listed = [
		{ ...piece, id: 1, pieceCount: 3 },
		{ ...piece, id: 2, masterId: 1, canceled: true },
	];
	const { client } = clientOf(({ path }) =>
		responseOf(200, {
			result: path.includes('/1')
				? [
						{ id: 1, printed: false },
						{ id: 2, masterId: 1, printed: false },
						{ id: 3, masterId: 1, printed: false },
					]
				: { data: listed, total: 2, filtered: 2 },
		}),
	);
	const context = Object.assign(contextOf({}), {
		getNodeParameter: (_: string, __: number, fallback: unknown) => fallback,
	});
	const run = { context, client, items: [{ json: {} }] } as unknown as NodeRun;
	const all = { item: 0, way: 'notPrinted' as const, shipmentIds: [] };
	const { toPrint } = await selectShipments(run, [all]);
	expect(toPrint.map(({ id }) => id)).toEqual([1, 3]);
});
