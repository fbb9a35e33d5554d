// Reads a PDF from standard input with independent libraries and prints the text and barcodes of
// each page. A separate script, because pdf.js is an ES module and Jest runs tests as CommonJS.
import { createCanvas } from '@napi-rs/canvas';
import { readFileSync } from 'node:fs';
import { stdin, stdout } from 'node:process';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

const dotsPerPoint = 203 / 72; // the resolution of a common label printer

// By default, the barcode reader fetches this file from the network.
const wasm = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));
prepareZXingModule({ overrides: { wasmBinary: readFileSync(wasm) } });

const data = new Uint8Array(await buffer(stdin));
const pdf = await getDocument({ data, verbosity: VerbosityLevel.ERRORS }).promise;
const pages = [];
for (let number = 1; number <= pdf.numPages; number += 1) {
	pages.push(await readPage(await pdf.getPage(number)));
}
stdout.write(JSON.stringify(pages));

async function readPage(page) {
	const { width, height } = page.getViewport({ scale: 1 });
	const { items } = await page.getTextContent();
	const lines = items.map(({ str }) => str).filter((line) => line.trim() !== '');
	return { width, height, lines, barcodes: await scanPage(page) };
}

/** Returns the barcodes row by row, left to right. The reader returns them unordered. */
async function scanPage(page) {
	const viewport = page.getViewport({ scale: dotsPerPoint });
	const canvas = createCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height));
	const context = canvas.getContext('2d');
	await page.render({ canvasContext: context, canvas, viewport }).promise;
	const image = context.getImageData(0, 0, canvas.width, canvas.height);

	const found = await readBarcodes(image, { formats: ['Code128'], maxNumberOfSymbols: 0 });
	const halfOf = (position) => Math.floor(position.topLeft.y / (canvas.height / 2));
	return found
		.sort(
			(a, b) =>
				halfOf(a.position) - halfOf(b.position) || a.position.topLeft.x - b.position.topLeft.x,
		)
		.map(({ text }) => text);
}
