import { type Label, linesOf } from './label';

// A6 at 203 dpi, the most common printer resolution.
const WIDTH = 840;
const HEIGHT = 1184;
const DOTS_PER_POINT = 203 / 72;
const MARGIN = 45;
const INNER = WIDTH - 2 * MARGIN;

/** One ^XA…^XZ format per label, as UTF-8. */
export function renderLabelsZpl(labels: Label[]): Buffer {
	return Buffer.from(labels.map(renderLabel).join(''), 'utf8');
}

function renderLabel(label: Label): string {
	const number = label.packageNumberCarrier;
	let y = MARGIN;
	const fields = linesOf(label).map(({ text, size }) => {
		// The built-in font is about half as wide as it is high. Long lines shrink to fit.
		const fitting = Math.floor(INNER / (0.55 * [...text].length));
		const dots = Math.max(16, Math.min(Math.round(size * DOTS_PER_POINT), fitting));
		const field = `^FO${MARGIN},${y}^A0N,${dots},${dots}${fieldData(text)}`;
		y += Math.round(1.3 * dots);
		return field;
	});
	const modules = 11 * (number.length + 3) + 2;
	const module = Math.max(1, Math.min(4, Math.floor(INNER / modules)));
	// Mode A lets the printer choose the shortest code set, like the PDF.
	const barcode = `^FO${MARGIN},800^BY${module}^BCN,260,Y,N,N,A${fieldData(number)}`;
	// ^CI28: the field data is UTF-8.
	const format = ['^XA', '^CI28', `^PW${WIDTH}`, `^LL${HEIGHT}`, ...fields, barcode, '^XZ'];
	return `${format.join('\n')}\n`;
}

/** Escapes ^ and ~, which start a command anywhere. ^FH_ enables the escapes _5E and _7E. */
function fieldData(text: string): string {
	const escaped = text.replace(
		/[_^~]/g,
		(char) => `_${char.charCodeAt(0).toString(16).toUpperCase()}`,
	);
	return `^FH_^FD${escaped}^FS`;
}
