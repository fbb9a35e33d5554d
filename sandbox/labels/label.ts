import type { Database, StoredShipment } from '../domain/database';
import { isCod } from '../domain/shipments';
import { usesAddress } from '../domain/validation';

/** What is printed: the number as a barcode, and lines with the size of their font in points. */
export interface Label {
	number: string;
	lines: Array<[size: number, text: string]>;
}

export function labelOf(shipment: StoredShipment, database: Database): Label {
	const { input, pieceIndex, pieceCount, packageNumberCarrier: number } = shipment;
	// A cover address replaces the sender on the label.
	const from = (['cover', 'sender'] as const).find((kind) => usesAddress(input, kind));
	const hasCod = isCod(shipment) && shipment.id === shipment.mainId;
	const lines: Array<[size: number, text: string | undefined | false]> = [
		[14, database.carrier(shipment.carrierCode)?.name],
		[10, database.service(shipment.serviceType)?.service.name],
		[10, `Piece ${pieceIndex + 1} of ${pieceCount}`],
		[8, from && `From: ${addressOf(shipment, from).join(', ')}`],
		...addressOf(shipment, 'rec').map((line): [number, string] => [14, line]),
		[14, hasCod && `COD ${(input.codPrice ?? 0).toFixed(2)} ${input.codCurrency}`],
		[10, hasCod && input.vs && `VS ${input.vs}`],
		[10, `Ref. ${input.packageNumberCustom}`],
	];
	return { number, lines: lines.flatMap(([size, text]) => (text ? [[size, oneLine(text)]] : [])) };
}

function addressOf({ input }: StoredShipment, kind: 'rec' | 'sender' | 'cover'): string[] {
	const values = input as unknown as Record<string, string | undefined>;
	const of = (part: string) => values[kind + part] ?? '';
	const place = `${of('Zip')} ${of('City')}`.trim();
	const lines = [of('Name'), of('Company'), of('Street'), place, of('Country'), of('Phone')];
	return lines.filter(Boolean);
}

/** With composed characters, because the fonts have no glyphs for decomposed ones. */
const oneLine = (text: string) =>
	text
		.normalize('NFC')
		.replace(/[\p{Cc}\s]+/gu, ' ')
		.trim();
