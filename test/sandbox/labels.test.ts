import { createService } from '../../sandbox';
import { labelOf } from '../../sandbox/labels/label';
import { Database } from '../../sandbox/domain/database';
import { readSeed } from '../../sandbox/domain/seed';

test('a label has the recipient, the sender, cash on delivery once, and composed characters', () => {
	const service = createService();
	const recName = 'Žofie\n Žluťoučká'.normalize('NFD');
	const [main, second] = service.seedShipments(1, {
		...{ pieceCount: 2, packageNumberCustom: 'ORDER-0042' },
		...{ recName, senderName: 'Warehouse', senderCity: 'Brno' },
		...{ cod: true, codPrice: 1250.5, codCurrency: 'CZK', vs: '0012345678' },
	});
	const textsOf = (shipment: typeof main) =>
		shipment && labelOf(shipment, new Database(readSeed())).lines.map(([, text]) => text);
	const recipient = ['Žofie Žluťoučká', 'Dlouhá 12', '11000 Praha', 'CZ', '+420777123456'];
	const head = ['Ant Express', 'Ant to the door', 'Piece 1 of 2', 'From: Warehouse, Brno'];
	const cod = ['COD 1250.50 CZK', 'VS 0012345678'];
	expect(textsOf(main)).toEqual([...head, ...recipient, ...cod, 'Ref. ORDER-0042']);
	expect(textsOf(second)?.join()).not.toMatch(/COD|VS/);
});
