import type { Label } from '../../sandbox/labels/label';
import { renderLabelsPdf } from '../../sandbox/labels/pdf';
import { renderLabelsZpl } from '../../sandbox/labels/zpl';
import { type PdfPage, readLabelsPdf } from '../support/readLabelsPdf';
import { readZplCommands, readZplFields } from '../support/readZpl';

const plain: Label = {
	carrierName: 'Poštovní doručovatel',
	serviceName: 'Balík do ruky',
	packageNumberCarrier: 'DR0012345678CZ',
	packageNumberCustom: 'ORDER-0042',
	pieceIndex: 2,
	pieceCount: 3,
	recipient: {
		name: 'Žofie Příšerně Žluťoučká',
		company: 'Łódź & Κομοτηνή Kft. Győr',
		street: 'Nábřeží Ľudovíta Štúra 17',
		city: 'Ústí nad Labem',
		zip: '040 01',
		country: 'CZ',
		phone: '+420777123456',
	},
};

const withEverything: Label = {
	...plain,
	sender: {
		name: 'Warehouse Brno',
		street: 'Křenová 1',
		city: 'Brno',
		zip: '60200',
		country: 'CZ',
	},
	cod: { price: 1250.5, currency: 'CZK', vs: '0012345678' },
};

function createLabels(count: number): Label[] {
	return Array.from({ length: count }, (_, index) => ({
		...withEverything,
		packageNumberCarrier: `DR00${1000 + index}CZ`,
	}));
}

describe('PDF labels', () => {
	it('are printed one per A6 page, in the given order', async () => {
		const pages = readLabelsPdf(await renderLabelsPdf(createLabels(3), 'onePerPage'));

		expect(pages.map(readSize)).toEqual(['105 × 148 mm', '105 × 148 mm', '105 × 148 mm']);
		expect(pages.map((page) => page.lines.at(-2))).toEqual([
			'DR001000CZ',
			'DR001001CZ',
			'DR001002CZ',
		]);
	});

	it('are printed four per A4 page, and the fifth on the next page', async () => {
		const pages = readLabelsPdf(await renderLabelsPdf(createLabels(5), 'fourPerPage'));

		expect(pages.map(readSize)).toEqual(['210 × 297 mm', '210 × 297 mm']);
		expect(pages.map((page) => page.barcodes)).toEqual([
			['DR001000CZ', 'DR001001CZ', 'DR001002CZ', 'DR001003CZ'],
			['DR001004CZ'],
		]);
	});

	it('show recipient and piece, with all accents and alphabets', async () => {
		const [page] = readLabelsPdf(await renderLabelsPdf([withEverything], 'onePerPage'));

		expect(page?.lines).toEqual([
			'Poštovní doručovatel',
			'Piece 2 of 3',
			'Balík do ruky',
			'From: Warehouse Brno, Křenová 1, 60200 Brno, CZ',
			'To',
			'Žofie Příšerně Žluťoučká',
			'Łódź & Κομοτηνή Kft. Győr',
			'Nábřeží Ľudovíta Štúra 17',
			'040 01 Ústí nad Labem',
			'CZ',
			'+420777123456',
			'COD 1250.50 CZK, VS 0012345678',
			'DR0012345678CZ',
			'Ref. ORDER-0042',
		]);
	});

	it('show no cash on delivery and no sender if the shipment has none', async () => {
		const [page] = readLabelsPdf(await renderLabelsPdf([plain], 'onePerPage'));

		expect(page?.lines.join('\n')).not.toMatch(/COD|From/);
	});

	it('show a very long name in full', async () => {
		const name =
			'Společnost pro výzkum dlouhých jmen a ještě delších adresátů, z. s., pobočka Brno';
		const [page] = readLabelsPdf(
			await renderLabelsPdf([{ ...plain, recipient: { ...plain.recipient, name } }], 'onePerPage'),
		);

		expect(page?.lines).toContain(name);
	});

	it('show decomposed characters, which some systems send, as composed ones', async () => {
		const recipient = { name: plain.recipient.name?.normalize('NFD') };
		const [page] = readLabelsPdf(await renderLabelsPdf([{ ...plain, recipient }], 'onePerPage'));

		expect(page?.lines).toContain('Žofie Příšerně Žluťoučká');
	});

	it.each(['0000000017', 'Z1234567890', 'abc-DEF/42', '00340434161094042557', 'X'.repeat(35)])(
		'show %s as a barcode that a scanner reads at 203 dpi',
		async (packageNumberCarrier) => {
			const label = { ...withEverything, packageNumberCarrier };
			const [page] = readLabelsPdf(await renderLabelsPdf([label], 'onePerPage'));

			expect(page?.barcodes).toEqual([packageNumberCarrier]);
		},
	);

	it('reject a shipment number that cannot be encoded as a barcode', async () => {
		const label = { ...plain, packageNumberCarrier: 'ČÍSLO 1' };

		await expect(renderLabelsPdf([label], 'onePerPage')).rejects.toThrow('"ČÍSLO 1"');
		await expect(renderLabelsPdf([], 'onePerPage')).rejects.toThrow('No labels to print');
	});

	it('render with less than a second of CPU time for a hundred shipments', async () => {
		const before = process.cpuUsage();
		await renderLabelsPdf(createLabels(100), 'fourPerPage');

		const { user, system } = process.cpuUsage(before);
		expect((user + system) / 1000).toBeLessThan(1000);
	});
});

describe('ZPL labels', () => {
	it('are one complete UTF-8 format per label, in the given order', () => {
		const commands = readZplCommands(renderLabelsZpl(createLabels(3)).toString('utf8'));
		const names = commands.map(({ name }) => name);

		expect(names.filter((name) => name === '^XA' || name === '^XZ')).toEqual(
			[1, 2, 3].flatMap(() => ['^XA', '^XZ']),
		);
		expect(names.at(0)).toBe('^XA');
		expect(names.at(-1)).toBe('^XZ');
		expect(commands.filter(({ name }) => name === '^CI').map((c) => c.parameters)).toEqual([
			'28',
			'28',
			'28',
		]);
		expect(commands.filter(({ name }) => name === '^BC')).toHaveLength(3);
		expect(names.filter((name) => name === '^FD').length).toBe(
			names.filter((name) => name === '^FS').length - 6, // the two rules of each label have no field data
		);
	});

	it('show address, cash on delivery and piece as text, and the shipment number as Code 128', () => {
		const commands = readZplCommands(renderLabelsZpl([withEverything]).toString('utf8'));
		const barcode = commands.slice(commands.findIndex(({ name }) => name === '^BC'));

		expect(readZplFields(commands)).toEqual([
			'Poštovní doručovatel',
			'Balík do ruky',
			'Piece 2 of 3',
			'From: Warehouse Brno, Křenová 1, 60200 Brno, CZ',
			'Žofie Příšerně Žluťoučká',
			'Łódź & Κομοτηνή Kft. Győr',
			'Nábřeží Ľudovíta Štúra 17',
			'040 01 Ústí nad Labem',
			'CZ',
			'+420777123456',
			'COD 1250.50 CZK, VS 0012345678',
			'DR0012345678CZ',
			'Ref. ORDER-0042',
		]);
		expect(readZplFields(barcode)[0]).toBe('DR0012345678CZ');
	});

	it('print ^, ~ and _ in a name instead of executing them', () => {
		const name = 'Ann ^XZ ~JA _5E_ 100 % O’Neill';
		const malicious = { ...plain, recipient: { ...plain.recipient, name, city: 'Brno\n^XA' } };
		const commands = readZplCommands(renderLabelsZpl([malicious]).toString('utf8'));
		const expected = readZplCommands(renderLabelsZpl([plain]).toString('utf8'));

		expect(commands.map((c) => c.name)).toEqual(expected.map((c) => c.name));
		expect(readZplFields(commands)).toContain(name);
		expect(readZplFields(commands)).toContain('040 01 Brno ^XA');
	});
});

function readSize({ width, height }: PdfPage): string {
	const [wide, high] = [width, height].map((points) => Math.round((points / 72) * 25.4));
	return `${wide} × ${high} mm`;
}
