import { omit } from 'lodash';
import type { Label } from '../../sandbox/labels/label';
import { renderLabelsPdf } from '../../sandbox/labels/pdf';
import { renderLabelsZpl } from '../../sandbox/labels/zpl';
import { readLabelsPdf } from '../support/readLabelsPdf';

const longName =
	'Společnost pro výzkum dlouhých jmen a ještě delších adresátů, z. s., pobočka Brno';
const label: Label = {
	carrierName: 'Poštovní doručovatel',
	serviceName: 'Balík do ruky',
	packageNumberCarrier: 'DR0012345678CZ',
	packageNumberCustom: 'ORDER-0042',
	pieceIndex: 2,
	pieceCount: 3,
	recipient: {
		// As some systems send it: the accents are characters of their own.
		name: 'Žofie Příšerně Žluťoučká'.normalize('NFD'),
		company: 'Łódź & Κομοτηνή Kft. Győr',
		street: longName,
		city: 'Ústí nad Labem',
		zip: '040 01',
		country: 'CZ',
		phone: '+420777123456',
	},
	sender: { name: 'Warehouse', street: 'Křenová 1', city: 'Brno', zip: '60200', country: 'CZ' },
	cod: { price: 1250.5, currency: 'CZK', vs: '0012345678' },
};
const printed = [
	'Poštovní doručovatel',
	'Balík do ruky',
	'Piece 2 of 3',
	'From: Warehouse, Křenová 1, 60200 Brno, CZ',
	'Žofie Příšerně Žluťoučká',
	'Łódź & Κομοτηνή Kft. Győr',
	longName,
	'040 01 Ústí nad Labem',
	'CZ',
	'+420777123456',
	'COD 1250.50 CZK, VS 0012345678',
	'Ref. ORDER-0042',
	'DR0012345678CZ',
];
const fiveLabels = [1, 2, 3, 4, 5].map((index) => ({
	...label,
	packageNumberCarrier: `DR${index}`,
}));

test.each([
	['onePerPage', '105 × 148', [['DR1'], ['DR2'], ['DR3'], ['DR4'], ['DR5']], 0],
	['fourPerPage', '210 × 297', [['DR1'], ['DR2', 'DR3', 'DR4', 'DR5']], 3],
] as const)('PDF labels %s are on pages of %s mm', async (layout, size, barcodes, skip) => {
	const pages = readLabelsPdf(await renderLabelsPdf(fiveLabels, layout, skip));
	const millimeters = (points: number) => Math.round((points / 72) * 25.4);
	const sizes = pages.map(({ width, height }) => `${millimeters(width)} × ${millimeters(height)}`);
	expect(new Set(sizes)).toEqual(new Set([size]));
	expect(pages.map((page) => page.barcodes)).toEqual(barcodes);
});

test('a PDF label has everything, with all accents and alphabets', async () => {
	const labels = [label, omit(label, 'sender', 'cod')];
	const [full, short] = readLabelsPdf(await renderLabelsPdf(labels, 'onePerPage'));
	expect(full?.lines.sort()).toEqual(printed.toSorted());
	expect(short?.lines.join('\n')).not.toMatch(/COD|From/);
});

test('a scanner reads every form of number from the barcode at 203 dpi', async () => {
	const long = 'X'.repeat(35);
	const numbers = ['0000000017', 'Z1234567890', 'abc-DEF/42', '00340434161094042557', long];
	const labels = numbers.map((packageNumberCarrier) => ({ ...label, packageNumberCarrier }));
	const pages = readLabelsPdf(await renderLabelsPdf(labels, 'onePerPage'));
	expect(pages.map(({ barcodes }) => barcodes)).toEqual(numbers.map((number) => [number]));
});

test('ZPL labels are complete UTF-8 formats, and print ^, ~ and _ in a name instead of executing them', () => {
	const name = 'Ann ^XZ ~JA _5E_ 100 % O’Neill';
	const recipient = { ...label.recipient, name, city: 'Brno\n^XA' };
	const zpl = renderLabelsZpl([label, { ...label, recipient }]).toString('utf8');
	const commands = zpl.split(/(?=[\^~])/).map((command) => command.trimEnd());
	const frame = commands.filter((command) => /^\^(XA|CI|BC|XZ)/.test(command));
	const each = [/^\^XA/, /^\^CI28/, /^\^BC/, /^\^XZ/].map((pattern) =>
		expect.stringMatching(pattern),
	);
	expect(frame).toEqual([...each, ...each]);
	// The fields have hexadecimal escapes of UTF-8 bytes.
	const fields = commands
		.filter((command) => command.startsWith('^FD'))
		.map((command) =>
			command
				.slice(3)
				.replaceAll('%', '%25')
				.replace(/_(?=[0-9A-F]{2})/g, '%'),
		)
		.map((escaped) => decodeURIComponent(escaped).normalize());
	expect(fields.slice(0, printed.length)).toEqual(printed);
	expect(fields).toEqual(expect.arrayContaining([name, '040 01 Brno ^XA']));
});
