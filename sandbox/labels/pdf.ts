import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { raw } from 'bwip-js';
import PDFDocument from 'pdfkit';
import type { LabelLayout } from '../domain/seed';
import { type Label, textsOf } from './label';

// Embedded, because the standard PDF fonts have no č, ř, ł or Greek.
const font = (name: string) => readFileSync(require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));
const fonts = {
	regular: font('DejaVuSansCondensed'),
	bold: font('DejaVuSansCondensed-Bold'),
};

const A6 = { width: 297.64, height: 419.53 };
const MARGIN = 16;
const INNER = A6.width - 2 * MARGIN;
const MIN_FONT_SIZE = 6;
/** Code 128 requires a quiet zone of ten modules on each side. */
const QUIET_MODULES = 10;
const MAX_MODULE_WIDTH = 1.4;

/** A4 has the size of four A6. */
const sheets = {
	onePerPage: { size: 'A6', columns: 1, places: 1 },
	fourPerPage: { size: 'A4', columns: 2, places: 4 },
};

/** One label per A6 page or four per A4 page. `skip`: places left free on the first page. */
export async function renderLabelsPdf(
	labels: Label[],
	layout: LabelLayout,
	skip = 0,
): Promise<Buffer> {
	const { size, columns, places } = sheets[layout];
	const doc = new PDFDocument({ size, margin: 0, autoFirstPage: false });
	doc.registerFont('regular', fonts.regular).registerFont('bold', fonts.bold);
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

/** A page of plain text. */
export async function renderLinesPdf(lines: string[]): Promise<Buffer> {
	const doc = new PDFDocument({ size: 'A4' });
	for (const line of lines) doc.text(line);
	doc.end();
	return await buffer(doc);
}

function drawLabel(doc: PDFKit.PDFDocument, label: Label): void {
	const { carrier, service, piece, from, to, phone, cod, reference } = textsOf(label);
	const { packageNumberCarrier: number } = label;
	doc.lineWidth(0.75).rect(8, 8, A6.width - 16, A6.height - 16);
	for (const y of [58, 264]) doc.moveTo(MARGIN, y).lineTo(A6.width - MARGIN, y);
	doc.stroke();
	drawLine(doc, carrier, 16, 16, { font: 'bold', width: 180 });
	drawLine(doc, piece, 20, 10, { font: 'bold', align: 'right' });
	drawLine(doc, service, 38, 10);
	if (from) drawLine(doc, from, 64, 7.5);
	drawLine(doc, 'To', 78, 8);
	for (const [index, line] of to.entries()) {
		drawLine(doc, line, 91 + 23 * index, 16, { font: index === 0 ? 'bold' : 'regular' });
	}
	if (phone) drawLine(doc, phone, 93 + 23 * to.length, 10);
	if (cod) {
		doc.rect(MARGIN, 228, INNER, 26).fill('black').fillColor('white');
		drawLine(doc, cod, 233, 13, { font: 'bold', align: 'center' });
		doc.fillColor('black');
	}
	drawBarcode(doc, number, 276, 92);
	drawLine(doc, number, 371, 12, { font: 'bold', align: 'center' });
	drawLine(doc, reference, 390, 9, { align: 'center' });
}

interface LineStyle {
	font?: keyof typeof fonts;
	width?: number;
	align?: 'center' | 'right';
}

/** Shrinks text that is too wide instead of cutting it, so that addresses stay complete. */
function drawLine(
	doc: PDFKit.PDFDocument,
	text: string,
	y: number,
	wantedSize: number,
	{ font: name = 'regular', width = INNER, align }: LineStyle = {},
): void {
	const fullWidth = doc.font(name).fontSize(wantedSize).widthOfString(text);
	const size = Math.max(MIN_FONT_SIZE, wantedSize * Math.min(1, (width - 1) / fullWidth));
	const style = { width, height: size * 1.2, ellipsis: true, ...(align ? { align } : {}) };
	doc.fontSize(size).text(text, MARGIN, y + (wantedSize - size) / 2, style);
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
