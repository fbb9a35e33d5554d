import type { Database, StoredShipment } from '../domain/database';
import { isCod } from '../domain/shipments';
import { usesAddress } from '../domain/validation';

const addressParts = ['name', 'company', 'street', 'city', 'zip', 'country', 'phone'] as const;

type Address = { [Part in (typeof addressParts)[number]]?: string | null | undefined };

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

export function labelOf(shipment: StoredShipment, database: Database): Label {
	const { input, carrierCode, serviceType, packageNumberCarrier, pieceIndex, pieceCount } =
		shipment;
	const { codPrice = 0, codCurrency = '', vs } = input;
	// A cover address replaces the sender on the label.
	const from = (['cover', 'sender'] as const).find((kind) => usesAddress(input, kind));
	return {
		carrierName: database.carrier(carrierCode)?.name ?? '',
		serviceName: database.service(serviceType)?.service.name ?? '',
		packageNumberCarrier,
		packageNumberCustom: input.packageNumberCustom,
		pieceIndex: pieceIndex + 1,
		pieceCount,
		recipient: addressOf(shipment, 'rec'),
		sender: from && addressOf(shipment, from),
		cod:
			isCod(shipment) && shipment.id === shipment.mainId
				? { price: codPrice, currency: codCurrency, vs }
				: undefined,
	};
}

function addressOf({ input }: StoredShipment, kind: 'rec' | 'sender' | 'cover'): Address {
	const fieldOf = (part: string) => kind + part.replace(/^./, (first) => first.toUpperCase());
	const values = input as unknown as Record<string, string>;
	return Object.fromEntries(addressParts.map((part) => [part, values[fieldOf(part)]]));
}

/** What is printed, besides the barcode, with the size of the font in points. */
export function linesOf({ sender, recipient, cod, ...label }: Label) {
	const { carrierName, serviceName, packageNumberCustom, pieceIndex, pieceCount } = label;
	const amount = cod && `COD ${cod.price.toFixed(2)} ${cod.currency}`;
	const from =
		sender && `From: ${[...addressLines(sender), phoneOf(sender)].filter(Boolean).join(', ')}`;
	const inSize = (size: number, ...texts: Array<string | undefined>) =>
		texts.flatMap((text) => (text ? [{ text: toPrintableText(text), size }] : []));
	return [
		...inSize(14, carrierName),
		...inSize(10, serviceName, `Piece ${pieceIndex} of ${pieceCount}`),
		...inSize(8, from),
		...inSize(15, ...addressLines(recipient)),
		...inSize(10, phoneOf(recipient)),
		...inSize(14, amount && (cod.vs ? `${amount}, VS ${cod.vs}` : amount)),
		...inSize(10, `Ref. ${packageNumberCustom}`),
	];
}

function addressLines({ name, company, street, zip, city, country }: Address): string[] {
	const place = [zip, city].filter(Boolean).join(' ');
	return [name, company, street, place, country].flatMap((line) => line || []);
}

const phoneOf = ({ phone }: Address) => phone ?? undefined;

/** A single line of composed characters. The fonts have no glyphs for decomposed ones. */
function toPrintableText(text: string): string {
	return text
		.normalize('NFC')
		.replace(/[\p{Cc}\s]+/gu, ' ')
		.trim();
}
