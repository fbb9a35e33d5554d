import { planHandOver } from '../../nodes/ParcelShipping/changes/planHandOver';
import type { Client } from '../../nodes/ParcelShipping/transport/client';
import type { ListedShipment } from '../../nodes/ParcelShipping/transport/contract';
import { createMemoryClient } from '../support/creationClient';

const record = (id: number, more: Partial<ListedShipment> = {}) =>
	({
		id,
		carrierCode: 'ANT',
		packageNumberCarrier: `N${id}`,
		packageNumberOrder: 1,
		canceled: false,
		submittedCarrier: false,
		...more,
	}) as ListedShipment;

test('handing over all shipments leaves out those that are canceled or handed over already', async () => {
	const { client } = createMemoryClient([
		record(1),
		// A canceled shipment was not handed over either.
		record(2, { canceled: true }),
		record(3, { submittedCarrier: true }),
		record(4, { carrierCode: 'BEAVER' }),
		record(5),
	]);
	const items = [{ item: 0, carrierCode: 'ANT' }] as const;
	const { plans, failed } = await planHandOver(client as Client, items, 3);
	expect(failed).toEqual([]);
	expect(plans.map(({ toHandOver }) => toHandOver.map(({ id }) => id))).toEqual([[1, 5]]);
});
