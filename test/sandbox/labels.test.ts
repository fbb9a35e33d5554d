import { createService } from '../../sandbox';
import { labelOf } from '../../sandbox/labels/label';
import { renderPdf, renderZpl } from '../../sandbox/labels/render';
import { Database } from '../../sandbox/domain/database';
import { readSeed } from '../../sandbox/domain/seed';
import { readLabelsPdf } from '../support/readLabelsPdf';

const lines: Array<[number, string]> = [
	[14, 'Žofie Příšerně Žluťoučká'],
	[14, 'Łódź & Κομοτηνή Kft. Győr'],
];
const fiveLabels = [1, 2, 3, 4, 5].map((index) => ({ number: `DR${index}`, lines }));

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

test.each([
	['onePerPage', '105 × 148', [['DR1'], ['DR2'], ['DR3'], ['DR4'], ['DR5']], 0],
	['fourPerPage', '210 × 297', [['DR1'], ['DR2', 'DR3', 'DR4', 'DR5']], 3],
] as const)('PDF labels %s are on pages of %s mm', async (layout, size, barcodes, skip) => {
	const pages = readLabelsPdf(await renderPdf(fiveLabels, layout, skip));
	const millimeters = (points: number) => Math.round((points / 72) * 25.4);
	const sizes = pages.map(({ width, height }) => `${millimeters(width)} × ${millimeters(height)}`);
	expect(new Set(sizes)).toEqual(new Set([size]));
	expect(pages.map((page) => page.barcodes)).toEqual(barcodes);
	const texts = lines.map(([, text]) => text);
	expect(pages.at(-1)?.lines).toEqual(expect.arrayContaining([...texts, 'DR5']));
});

test('a scanner reads every form of number from the barcode at 203 dpi', async () => {
	const long = 'X'.repeat(35);
	const numbers = ['0000000017', 'Z1234567890', 'abc-DEF/42', '00340434161094042557', long];
	const labels = numbers.map((number) => ({ number, lines }));
	const pages = readLabelsPdf(await renderPdf(labels, 'onePerPage'));
	expect(pages.map(({ barcodes }) => barcodes)).toEqual(numbers.map((number) => [number]));
});

test('ZPL labels are complete UTF-8 formats, and print ^, ~ and _ instead of executing them', () => {
	const label = { number: 'DR1', lines: [[14, 'Žofie ^XZ ~JA _5E_']] as Array<[number, string]> };
	const zpl = renderZpl([label, label]).toString('utf8');
	const one = [
		'^XA',
		'^CI28',
		'^FO45,45^A0N,42^FH_^FDŽofie _5eXZ _7eJA _5f5E_5f^FS',
		'^FO45,900^BY3^BCN,200,Y,N,N,A^FH_^FDDR1^FS',
		'^XZ',
	];
	expect(zpl.split('\n')).toEqual([...one, ...one, '']);
});
