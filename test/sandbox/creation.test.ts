import type { CreationEnvelope, ShipmentCreation } from '../../contract/types.generated';
import { shipment, useSandbox } from './client';

const service = useSandbox();

async function create(...shipments: Array<Partial<ShipmentCreation>>): Promise<CreationEnvelope> {
	const response = await service.client.post('/Package/Create', shipments.map(shipment));
	expect(response.status).toBe(200);
	return response.data as CreationEnvelope;
}

test.each<[Partial<ShipmentCreation>, string]>([
	[{ serviceType: 'NOPE' }, 'Unknown service "NOPE"'],
	[{ serviceType: 'OWL-NIGHT' }, 'OWL is not activated'],
	[{ recName: '' }, 'recName or recCompany is missing'],
	[{ recPhone: '+420 777 123 456' }, 'recPhone must be a plus sign'],
	[{ recCountry: 'DE' }, 'ANT-HOME does not deliver to DE'],
	[{ senderName: 'Me' }, 'does not accept a sender address'],
	[{ cod: true, codCurrency: 'CZK' }, 'codPrice is missing'],
	[{ serviceType: 'ANT-POINT' }, 'branchId is missing'],
	[{ serviceType: 'ANT-POINT', branchId: 'X' }, 'Unknown pickup point'],
	[{ serviceType: 'BEAVER-PARCEL', pieceCount: 2 }, 'accepts one piece only'],
	[{ orderId: 9 }, 'Order 9 does not exist'],
])('a shipment with %j is refused: %s', async (fields, message) => {
	const [row] = (await create(fields)).result;
	expect(row).toMatchObject({ statusCode: 400, carrierErrors: expect.stringContaining(message) });
	expect(service.sandbox.database.shipments()).toEqual([]);
});

test('a response of the sandbox itself that violates the contract is an error', async () => {
	const [seeded] = service.sandbox.seedShipments(1, { price: 'a lot' as never });
	const { status, data } = await service.client.get(`/ANT/${seeded?.id}`);
	expect([status, data.message]).toEqual([500, expect.stringMatching(/violates the contract/)]);
});
