import { raw } from 'bwip-js';

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

// Without ten modules of white on either side a scanner does not find where the code begins.
const quietModules = 10;
const widestModule = 1.4;

/** Draws the bars as filled shapes, so that they stay sharp at any printer resolution. */
export function drawCode128(doc: PDFKit.PDFDocument, text: string, box: Box): void {
	const widths = encodeCode128(text);
	const modules = widths.reduce((sum, width) => sum + width, 0);
	const moduleWidth = Math.min(widestModule, box.width / (modules + 2 * quietModules));
	let x = box.x + (box.width - modules * moduleWidth) / 2;
	for (const [index, width] of widths.entries()) {
		const isBar = index % 2 === 0;
		if (isBar) doc.rect(x, box.y, width * moduleWidth, box.height);
		x += width * moduleWidth;
	}
	doc.fill('black');
}

/** The widths, in modules, of bar, space, bar, space… */
function encodeCode128(text: string): number[] {
	if (!/^[\x20-\x7e]+$/.test(text)) {
		throw new Error(
			`"${text}" cannot be drawn as a Code 128 barcode: a shipment number is made of plain letters, digits and signs.`,
		);
	}
	const [symbol] = raw({ bcid: 'code128', text });
	if (!symbol || !('sbs' in symbol)) throw new Error(`No bars came out for "${text}".`);
	return symbol.sbs;
}
