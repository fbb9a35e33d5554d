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

/** What is printed, besides the barcode. */
export function textsOf({ sender, recipient, cod, ...label }: Label) {
	const amount = cod && `COD ${cod.price.toFixed(2)} ${cod.currency}`;
	return {
		carrier: toPrintableText(label.carrierName),
		service: toPrintableText(label.serviceName),
		piece: `Piece ${label.pieceIndex} of ${label.pieceCount}`,
		from:
			sender && `From: ${[...addressLines(sender), phoneOf(sender)].filter(Boolean).join(', ')}`,
		to: addressLines(recipient),
		phone: phoneOf(recipient),
		cod: amount && toPrintableText(cod.vs ? `${amount}, VS ${cod.vs}` : amount),
		reference: toPrintableText(`Ref. ${label.packageNumberCustom}`),
	};
}

function addressLines({ name, company, street, zip, city, country }: Address): string[] {
	return [name, company, street, [zip, city].filter(Boolean).join(' '), country]
		.map((line) => toPrintableText(line ?? ''))
		.filter((line) => line !== '');
}

const phoneOf = ({ phone }: Address) => toPrintableText(phone ?? '');

/** A single line of composed characters. The fonts have no glyphs for decomposed ones. */
function toPrintableText(text: string): string {
	return text
		.normalize('NFC')
		.replace(/[\p{Cc}\s]+/gu, ' ')
		.trim();
}
