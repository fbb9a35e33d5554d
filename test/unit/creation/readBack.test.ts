import { findSinceRequest } from '../../../nodes/ParcelShipping/creation/readBack';
import type { CreationRun } from '../../../nodes/ParcelShipping/creation/types';
import type { FoundShipment } from '../../../nodes/ParcelShipping/transport/pieces';
import { orderWith, pieceOf, shipmentWith } from '../../support/orders';

/** The IDs of what is read back, with those that lack their detail in brackets, for orders A and B, if the detail of A's shipment always fails. */
async function readBack(found: FoundShipment[], pieceCount = 2): Promise<Array<number | number[]>> {
	const client = {
		mapParallel: async <Item>(items: Item[], work: (item: Item) => Promise<FoundShipment>) =>
			Promise.all(items.map(work)),
		list: async () => [],
	};
	const records = {
		find: async () => found,
		withDetail: async (shipment: FoundShipment) => {
			if (shipment.reference === 'A') throw new Error('The detail cannot be read');
			return shipment;
		},
	};
	const orders = ['A', 'B'].map((reference) => orderWith(reference, { pieceCount }));
	const details = { carrierCode: 'ANT', since: '2026-01-01' };
	const run = { client, records } as unknown as CreationRun;
	const read = await findSinceRequest(orders, details, run);
	return read.map(({ id, lacksDetail }) => (lacksDetail ? [id] : id));
}

test('a detail that cannot be read does not keep other orders unknown', async () => {
	const shipments = ['A', 'B'].map((reference, at) => shipmentWith(pieceOf(at + 1, reference)));
	expect(await readBack(shipments)).toEqual([[1], 2]);
});

test('a number that the list lacks is read from the detail, and needs not be there', async () => {
	const [withoutNumber] = [shipmentWith(pieceOf(2, 'B', { pieceCount: 1 }))];
	const number = 'N2';
	const withDetail = async (shipment: FoundShipment) => ({
		...shipment,
		pieces: shipment.pieces.map((piece) => ({ ...piece, number })),
	});
	const client = {
		mapParallel: async <Item>(items: Item[], work: (item: Item) => Promise<FoundShipment>) =>
			Promise.all(items.map(work)),
		list: async () => [],
	};
	const records = { find: async () => [withoutNumber], withDetail };
	const run = { client, records } as unknown as CreationRun;
	const details = { carrierCode: 'ANT', since: '2026-01-01' };
	expect(await findSinceRequest([orderWith('B')], details, run)).toMatchObject([
		{ pieces: [{ number }] },
	]);
	// Without its detail, A is complete all the same.
	expect(await readBack([shipmentWith(pieceOf(1, 'A', { pieceCount: 1 }))], 1)).toEqual([1]);
});

test('the batch of a shipment is found although the service writes IDs as text', async () => {
	const batch = { id: '7', labelsHash: 'h', packagesCount: '1', orders: [{ id: '1' }] };
	const client = {
		mapParallel: async <Item>(items: Item[], work: (item: Item) => Promise<FoundShipment>) =>
			Promise.all(items.map(work)),
		call: async (name: string) => ({
			result: name === 'findBatches' ? { data: [{ id: '7' }] } : batch,
		}),
	};
	const shipment = shipmentWith(pieceOf(1, 'A', { packageNumberCarrier: 'N1' }));
	const records = { find: async () => [shipment] };
	const details = { carrierCode: 'ANT', since: '2026-01-01' };
	const run = { client, records } as unknown as CreationRun;
	expect(await findSinceRequest([orderWith('A')], details, run)).toMatchObject([
		{ id: 1, batch: { labelsHash: 'h', packagesCount: 1 } },
	]);
});
