import { type Label, textsOf } from './label';

// A6 at 203 dpi, the most common printer resolution.
const WIDTH = 840;
const HEIGHT = 1184;
const MARGIN = 45;
const INNER = WIDTH - 2 * MARGIN;

/** One ^XA…^XZ format per label, as UTF-8. */
export function renderLabelsZpl(labels: Label[]): Buffer {
	return Buffer.from(labels.map(renderLabel).join(''), 'utf8');
}

function renderLabel(label: Label): string {
	const { carrier, service, piece, from, to, phone, cod, reference } = textsOf(label);
	const commands = [
		// ^CI28: the field data is UTF-8.
		...['^XA', '^CI28', `^PW${WIDTH}`, `^LL${HEIGHT}`],
		textField(carrier, 45, 48),
		textField(service, 105, 30),
		textField(piece, 145, 30),
		rule(190),
		from && textField(from, 205, 24),
		...to.map((line, index) => textField(line, 260 + index * 62, 48)),
		phone && textField(phone, 575, 32),
		cod && textField(cod, 640, 44),
		rule(720),
		barcodeField(label.packageNumberCarrier, 760, 260),
		textField(reference, 1100, 30),
		'^XZ',
	];
	return `${commands.filter(Boolean).join('\n')}\n`;
}

function textField(text: string, y: number, height: number): string {
	// The built-in font is about half as wide as it is high. Long lines shrink to fit.
	const fitting = Math.floor(INNER / (0.55 * [...text].length));
	const size = Math.max(16, Math.min(height, fitting));
	return `^FO${MARGIN},${y}^A0N,${size},${size}^FH_^FD${escapeFieldData(text)}^FS`;
}

function barcodeField(text: string, y: number, height: number): string {
	const modules = 11 * (text.length + 3) + 2;
	const module = Math.max(1, Math.min(4, Math.floor(INNER / modules)));
	// Mode A lets the printer choose the shortest code set, like the PDF.
	return `^FO${MARGIN},${y}^BY${module}^BCN,${height},Y,N,N,A^FH_^FD${escapeFieldData(text)}^FS`;
}

const rule = (y: number) => `^FO${MARGIN},${y}^GB${INNER},3,3^FS`;

/** Escapes ^ and ~, which start a command anywhere. ^FH_ enables the escapes _5E and _7E. */
function escapeFieldData(text: string): string {
	return text.replace(/[_^~]/g, (char) => `_${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
