import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { raw } from 'bwip-js';
import PDFDocument from 'pdfkit';
import type { LabelLayout } from '../domain/seed';
import type { Label } from './label';

// Embedded, because the standard PDF fonts have no č, ř, ł or Greek.
const font = readFileSync(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'));

const A6 = { width: 297.64, height: 419.53 };
const MARGIN = 16;
const INNER = A6.width - 2 * MARGIN;
/** Code 128 requires a quiet zone of ten modules on each side. */
const QUIET_MODULES = 10;
const MAX_MODULE_WIDTH = 1.4;

const sheets = {
	onePerPage: { size: 'A6', columns: 1, places: 1 },
	fourPerPage: { size: 'A4', columns: 2, places: 4 },
};

/** One label per A6 page or four per A4 page. `skip`: places left free on the first page. */
export async function renderPdf(labels: Label[], layout: LabelLayout, skip = 0): Promise<Buffer> {
	const { size, columns, places } = sheets[layout];
	const doc = new PDFDocument({ size, margin: 0, autoFirstPage: false });
	doc.registerFont('regular', font);
	for (const [index, label] of labels.entries()) {
		const place = (index + skip) % places;
		if (index === 0 || place === 0) doc.addPage();
		doc.save();
		doc.translate((place % columns) * A6.width, Math.floor(place / columns) * A6.height);
		drawLabel(doc, label);
		doc.restore();
	}
	doc.end();
	return await buffer(doc);
}

export async function renderLines(lines: string[]): Promise<Buffer> {
	const doc = new PDFDocument({ size: 'A4' });
	for (const line of lines) doc.text(line);
	doc.end();
	return await buffer(doc);
}

function drawLabel(doc: PDFKit.PDFDocument, { number, lines }: Label): void {
	doc.rect(8, 8, A6.width - 16, A6.height - 16).stroke();
	doc.font('regular').text('', MARGIN, MARGIN);
	for (const [size, text] of lines) doc.fontSize(size).text(text, { width: INNER });
	drawBarcode(doc, number, 290, 92);
	doc.fontSize(12).text(number, MARGIN, 385);
}

/** Draws the bars as vector shapes, so that they stay sharp at any printer resolution. */
function drawBarcode(doc: PDFKit.PDFDocument, text: string, y: number, height: number): void {
	const [symbol] = raw({ bcid: 'code128', text });
	// Widths of bar, space, bar, space…, in modules.
	const widths = symbol && 'sbs' in symbol ? symbol.sbs : [];
	const modules = widths.reduce((sum, width) => sum + width, 0);
	const module = Math.min(MAX_MODULE_WIDTH, INNER / (modules + 2 * QUIET_MODULES));
	let x = MARGIN + (INNER - modules * module) / 2;
	for (const [index, width] of widths.entries()) {
		if (index % 2 === 0) doc.rect(x, y, width * module, height);
		x += width * module;
	}
	doc.fill('black');
}

/** One ^XA…^XZ format per label, as UTF-8 (^CI28). */
export function renderZpl(labels: Label[]): Buffer {
	const formats = labels.map(({ number, lines }) => {
		const fields = lines.map(
			([size, text], line) => `^FO45,${45 + 60 * line}^A0N,${3 * size}${fieldData(text)}`,
		);
		const barcode = `^FO45,900^BY3^BCN,200,Y,N,N,A${fieldData(number)}`;
		return `${['^XA', '^CI28', ...fields, barcode, '^XZ'].join('\n')}\n`;
	});
	return Buffer.from(formats.join(''), 'utf8');
}

/** Escapes ^ and ~, which start a command anywhere. ^FH_ enables the escapes _5E and _7E. */
function fieldData(text: string): string {
	const escaped = text.replace(/[_^~]/g, (char) => `_${Buffer.from(char).toString('hex')}`);
	return `^FH_^FD${escaped}^FS`;
}
