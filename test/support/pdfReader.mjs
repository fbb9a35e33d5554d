// Reads a PDF from standard input with an independent library and prints the text of each page.
// A separate script, because pdf.js is an ES module and Jest runs tests as CommonJS.
import { stdin, stdout } from 'node:process';
import { buffer } from 'node:stream/consumers';
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';

const data = new Uint8Array(await buffer(stdin));
const pdf = await getDocument({ data, verbosity: VerbosityLevel.ERRORS }).promise;
const pages = [];
for (let number = 1; number <= pdf.numPages; number += 1) {
	const page = await pdf.getPage(number);
	const { items } = await page.getTextContent();
	pages.push(items.map(({ str }) => str).filter((line) => line.trim() !== ''));
}
stdout.write(JSON.stringify(pages));
