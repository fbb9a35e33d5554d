import { raw } from 'bwip-js';

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

// Code 128 requires a quiet zone of ten modules on each side.
const quietModules = 10;
const maxModuleWidth = 1.4;

/** Draws the bars as vector shapes, so that they stay sharp at any printer resolution. */
export function drawCode128(doc: PDFKit.PDFDocument, text: string, box: Box): void {
	const widths = encodeCode128(text);
	const modules = widths.reduce((sum, width) => sum + width, 0);
	const moduleWidth = Math.min(maxModuleWidth, box.width / (modules + 2 * quietModules));
	let x = box.x + (box.width - modules * moduleWidth) / 2;
	for (const [index, width] of widths.entries()) {
		const isBar = index % 2 === 0;
		if (isBar) doc.rect(x, box.y, width * moduleWidth, box.height);
		x += width * moduleWidth;
	}
	doc.fill('black');
}

/** Returns the widths of bar, space, bar, space… in modules. */
function encodeCode128(text: string): number[] {
	if (!/^[\x20-\x7e]+$/.test(text)) {
		throw new Error(
			`Cannot encode "${text}" as a Code 128 barcode. Use ASCII letters, digits and symbols only.`,
		);
	}
	const [symbol] = raw({ bcid: 'code128', text });
	if (!symbol || !('sbs' in symbol))
		throw new Error(`The barcode library returned no bars for "${text}".`);
	return symbol.sbs;
}
