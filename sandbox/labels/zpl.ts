import { describeCod, describePiece, type Label, listAddressLines, toPrintableText } from './label';

// A6 at 203 dpi, the most common printer resolution.
const labelWidth = 840;
const labelHeight = 1184;
const margin = 45;
const inner = labelWidth - 2 * margin;

/** Renders one ^XA…^XZ format per label, in the given order, as UTF-8. */
export function renderLabelsZpl(labels: Label[]): Buffer {
	return Buffer.from(labels.map(renderLabel).join(''), 'utf8');
}

function renderLabel(label: Label): string {
	const { sender, recipient, cod } = label;
	const lines = [
		'^XA',
		'^CI28', // the field data is UTF-8
		`^PW${labelWidth}`,
		`^LL${labelHeight}`,
		textField(label.carrierName, 45, 48),
		textField(label.serviceName, 105, 30),
		textField(describePiece(label), 145, 30),
		rule(190),
	];
	if (sender) lines.push(textField(`From: ${listAddressLines(sender).join(', ')}`, 205, 24));
	for (const [index, line] of listAddressLines(recipient).entries()) {
		lines.push(textField(line, 260 + index * 62, 48));
	}
	if (recipient.phone) lines.push(textField(recipient.phone, 575, 32));
	if (cod) lines.push(textField(describeCod(cod), 640, 44));
	lines.push(
		rule(720),
		barcodeField(label.packageNumberCarrier, 760, 260),
		textField(`Ref. ${label.packageNumberCustom}`, 1100, 30),
		'^XZ',
	);
	return `${lines.join('\n')}\n`;
}

function textField(text: string, y: number, height: number): string {
	const printable = toPrintableText(text);
	// The built-in font is about half as wide as it is high. Long lines shrink to fit.
	const fitting = Math.floor(inner / (0.55 * Math.max(1, [...printable].length)));
	const size = Math.max(16, Math.min(height, fitting));
	return `^FO${margin},${y}^A0N,${size},${size}^FH_^FD${escapeFieldData(printable)}^FS`;
}

function barcodeField(text: string, y: number, height: number): string {
	const modules = 11 * (text.length + 3) + 2;
	const moduleWidth = Math.max(1, Math.min(4, Math.floor(inner / modules)));
	// Mode A lets the printer choose the shortest code set, like the PDF.
	return `^FO${margin},${y}^BY${moduleWidth}^BCN,${height},Y,N,N,A^FH_^FD${escapeFieldData(text)}^FS`;
}

function rule(y: number): string {
	return `^FO${margin},${y}^GB${inner},3,3^FS`;
}

/** Escapes ^ and ~, which start a command anywhere. ^FH_ enables the escapes _5E and _7E. */
function escapeFieldData(text: string): string {
	return text.replace(/[_^~]/g, (c) => `_${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
