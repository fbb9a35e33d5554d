export interface Address {
	name?: string | null | undefined;
	company?: string | null | undefined;
	street?: string | null | undefined;
	city?: string | null | undefined;
	zip?: string | null | undefined;
	country?: string | null | undefined;
	phone?: string | null | undefined;
}

export interface Label {
	carrierName: string;
	serviceName: string;
	packageNumberCarrier: string;
	packageNumberCustom: string;
	pieceIndex: number;
	pieceCount: number;
	recipient: Address;
	sender?: Address | undefined;
	cod?: { price: number; currency: string; vs?: string | undefined } | undefined;
}

/** Returns the printed lines of an address. Skips empty parts. */
export function listAddressLines(address: Address): string[] {
	const { name, company, street, zip, city, country } = address;
	return [name, company, street, [zip, city].filter(Boolean).join(' '), country]
		.map((line) => toPrintableText(line ?? ''))
		.filter((line) => line !== '');
}

/** Returns a single line of composed characters. The fonts have no glyphs for decomposed ones. */
export function toPrintableText(text: string): string {
	return text
		.normalize('NFC')
		.replace(/[\p{Cc}\s]+/gu, ' ')
		.trim();
}

export function describePiece(label: Label): string {
	return `Piece ${label.pieceIndex} of ${label.pieceCount}`;
}

export function describeCod({ price, currency, vs }: NonNullable<Label['cod']>): string {
	const amount = toPrintableText(`COD ${price.toFixed(2)} ${currency}`);
	return vs ? `${amount}, VS ${toPrintableText(vs)}` : amount;
}
