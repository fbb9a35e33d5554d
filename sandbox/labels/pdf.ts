import { readFileSync } from 'node:fs';
import PDFDocument from 'pdfkit';
import { drawCode128 } from './code128';
import { describeCod, describePiece, type Label, listAddressLines, toPrintableText } from './label';

export type LabelLayout = 'onePerPage' | 'fourPerPage';

// Embedded, because the standard PDF fonts have no č, ř, ł or Greek.
const regularFont = readFileSync(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'));
const boldFont = readFileSync(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'));

const A6 = { width: 297.64, height: 419.53 };
const A4 = { width: 595.28, height: 841.89 };
const margin = 16;
const inner = A6.width - 2 * margin;

const sheets = {
	onePerPage: { size: [A6.width, A6.height] as [number, number], corners: [{ x: 0, y: 0 }] },
	fourPerPage: {
		size: [A4.width, A4.height] as [number, number],
		corners: [0, A4.height / 2].flatMap((y) => [0, A4.width / 2].map((x) => ({ x, y }))),
	},
};

/** Renders one label per A6 page or four per A4 page, in the given order. `skip`: places left free on the first page. */
export async function renderLabelsPdf(
	labels: Label[],
	layout: LabelLayout,
	skip = 0,
): Promise<Buffer> {
	if (labels.length === 0) {
		throw new Error('No labels to print: the list is empty.');
	}
	const { size, corners } = sheets[layout];
	const doc = new PDFDocument({ size, margin: 0, autoFirstPage: false, info: { Title: 'Labels' } });
	const chunks: Buffer[] = [];
	const finished = new Promise<Buffer>((resolve, reject) => {
		doc.on('data', (chunk: Buffer) => chunks.push(chunk));
		doc.on('end', () => resolve(Buffer.concat(chunks)));
		doc.on('error', reject);
	});
	doc.registerFont('regular', regularFont).registerFont('bold', boldFont);

	for (const [index, label] of labels.entries()) {
		const place = (index + skip) % corners.length;
		const corner = corners[place]!;
		if (index === 0 || place === 0) doc.addPage();
		doc.save().translate(corner.x, corner.y);
		drawLabel(doc, label);
		doc.restore();
	}
	doc.end();
	return await finished;
}

function drawLabel(doc: PDFKit.PDFDocument, label: Label): void {
	const right = A6.width - margin;
	doc
		.rect(8, 8, A6.width - 16, A6.height - 16)
		.lineWidth(0.75)
		.stroke();

	drawLine(doc, label.carrierName, { y: 16, font: 'bold', size: 16, width: 180 });
	drawLine(doc, describePiece(label), { y: 20, font: 'bold', size: 10, align: 'right' });
	drawLine(doc, label.serviceName, { y: 38, size: 10 });
	drawRule(doc, 58);

	if (label.sender) {
		const from = [...listAddressLines(label.sender), toPrintableText(label.sender.phone ?? '')];
		drawLine(doc, `From: ${from.filter(Boolean).join(', ')}`, { y: 64, size: 7.5 });
	}

	drawLine(doc, 'To', { y: 78, size: 8 });
	let y = 91;
	for (const [index, line] of listAddressLines(label.recipient).entries()) {
		drawLine(doc, line, { y, font: index === 0 ? 'bold' : 'regular', size: 16 });
		y += 23;
	}
	if (label.recipient.phone) drawLine(doc, label.recipient.phone, { y: y + 2, size: 10 });

	if (label.cod) {
		doc.rect(margin, 228, inner, 26).fill('black').fillColor('white');
		drawLine(doc, describeCod(label.cod), { y: 233, font: 'bold', size: 13, x: margin + 8 });
		doc.fillColor('black');
	}
	drawRule(doc, 264);

	drawCode128(doc, label.packageNumberCarrier, { x: margin, y: 276, width: inner, height: 92 });
	drawLine(doc, label.packageNumberCarrier, { y: 371, font: 'bold', size: 12, align: 'center' });
	drawLine(doc, `Ref. ${label.packageNumberCustom}`, { y: 390, size: 9, align: 'center' });

	function drawRule(page: PDFKit.PDFDocument, ruleY: number): void {
		page.moveTo(margin, ruleY).lineTo(right, ruleY).lineWidth(0.75).stroke();
	}
}

interface LineStyle {
	y: number;
	size: number;
	x?: number;
	width?: number;
	font?: 'regular' | 'bold';
	align?: 'left' | 'center' | 'right';
}

const minFontSize = 6;

/** Shrinks text that is too wide instead of cutting it, so that addresses stay complete. */
function drawLine(doc: PDFKit.PDFDocument, value: string, style: LineStyle): void {
	const text = toPrintableText(value);
	const { x = margin, align = 'left' } = style;
	const width = style.width ?? A6.width - margin - x;
	doc.font(style.font ?? 'regular').fontSize(style.size);
	const fullWidth = doc.widthOfString(text);
	const size = Math.max(minFontSize, style.size * Math.min(1, (width - 1) / fullWidth));
	doc.fontSize(size).text(text, x, style.y + (style.size - size) / 2, {
		width,
		align,
		height: size * 1.2,
		ellipsis: true,
	});
}
