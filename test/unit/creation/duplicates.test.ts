import { cancelDuplicates } from '../../../nodes/ParcelShipping/creation/duplicates';
import type {
	CreateAct,
	CreationRun,
	OrderOutcome,
	Shipment,
} from '../../../nodes/ParcelShipping/creation/types';
import type { FoundShipment } from '../../../nodes/ParcelShipping/transport/shipmentRecords';
import { Journal } from '../../../nodes/ParcelShipping/writes/journal';
import { createdRow, orderWith, pieceOf, shipmentWith } from '../../support/orders';
import { contextOf } from '../writes/letters';

// What is only named. What is canceled is in the simulation. A request to cancel fails these tests, because
// there is no client.

const order = orderWith('A');
const shipmentOf = (via: 'response' | 'records', more: Partial<Shipment> = {}): Shipment => ({
	pieces: [{ row: createdRow(2, 'A'), batch: null, via }],
	...more,
});

/** Looks after creating shipment 2, or having read it back, while the service has these shipments. */
async function check(
	own: Shipment,
	found: FoundShipment[] | Error,
): Promise<OrderOutcome | undefined> {
	const journal = new Journal<CreateAct>(
		contextOf({}),
		'create',
		({ itemIndex }) => `${itemIndex}`,
	);
	const run = {
		journal,
		records: {
			find: async () => {
				if (found instanceof Error) throw found;
				return found;
			},
		},
		options: { ifExists: 'reuse', lookbackDays: 30 },
	} as unknown as CreationRun;
	const outcome: OrderOutcome = { targets: [order], outcome: { state: 'done', value: own } };
	return (await cancelDuplicates([outcome], run))[0];
}

const other = (id: number) => shipmentWith(pieceOf(id, 'A'));

test.each<[string, Shipment, FoundShipment[], number[]]>([
	['without another one', shipmentOf('response'), [other(2)], []],
	['that has the lowest ID', shipmentOf('response'), [other(2), other(3)], []],
	['that lacks a piece', shipmentOf('response', { isIncomplete: true }), [other(1)], [1]],
	['that was read back and is not listed any more', shipmentOf('records'), [other(3)], [3]],
])('nothing is canceled beside a shipment %s', async (_, own, found, named) => {
	const { outcome } = (await check(own, found)) ?? {};
	const duplicates = { living: named.map((id) => expect.objectContaining({ id })) };
	expect(outcome).toMatchObject({ state: 'done', value: { duplicates } });
});

test('what an earlier try has canceled stays known if the list cannot be read', async () => {
	const canceled = { id: 3, carrierCode: 'ANT', packageNumberCarrier: 'A3' };
	const own = shipmentOf('response', { duplicates: { living: [], canceled } });
	const { outcome } = (await check(own, new Error('No list'))) ?? {};
	expect(outcome).toMatchObject({ value: { duplicates: { canceled, notRead: 'No list' } } });
});
