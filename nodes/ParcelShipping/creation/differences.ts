import { creationFieldNames, creationFields, type CreationFieldName } from '../orders/fields';
import { foldText } from '../lists';
import type { PieceRecord } from '../transport/pieces';
import { type Difference } from './types';
import { type Order, pieceCountOf } from '../orders/order';

type Value = string | number | null;

/** A property of shipments. One that the order or the record leaves open is undefined. */
interface Property {
	field: CreationFieldName | 'carrierCode' | 'serviceType';
	/** Absent if it is the caption of the field. */
	caption?: string;
	ordered(order: Order): Value | undefined;
	existing(found: PieceRecord, order: Order): Value | undefined;
	/** Makes two ways of writing the same value equal. Absent if only the case of letters can differ. */
	normalize?(value: Value): unknown;
	isSame?(ordered: Value, existing: Value): boolean;
}

const asCode = (value: Value) => String(value ?? '').toUpperCase();
const asText = (value: Value) => foldText(String(value ?? '')).replace(/\s/g, '');
const asPostalCode = (value: Value) => asCode(value).replace(/[^0-9A-Z]/g, '');
const asPhone = (value: Value) =>
	String(value ?? '')
		.replace(/[^+\d]/g, '')
		.replace(/^00/, '+');

const MIN_PHONE_LENGTH = 6;

/** A record may have the number without the prefix of its country, which orders always have. */
function isSamePhone(ordered: Value, existing: Value): boolean {
	const national = asPhone(existing).replace(/^0/, '');
	return national.length >= MIN_PHONE_LENGTH && asPhone(ordered).endsWith(national);
}

/** Without cash on delivery, some services write an amount of 0 instead of null. */
function describeAmount(amount?: number | null, currency?: string | null): string | null {
	if (!amount) return null;
	return `${Number(amount).toFixed(2)} ${currency?.toUpperCase() ?? ''}`.trim();
}

const ADDRESSES = { rec: 'recAddress', sender: 'senderAddress', cover: 'maskAddress' } as const;

/** The parts of an address in a record: of its own in details, together in lists. */
function addressIn({ record }: PieceRecord, prefix: keyof typeof ADDRESSES) {
	const values = record as Readonly<Record<string, unknown>>;
	const listed = (values[ADDRESSES[prefix]] ?? {}) as Readonly<Record<string, unknown>>;
	/** Null if the record says that there is none. */
	return (part: string): string | null | undefined => {
		const own = values[`${prefix}${part}`];
		const value = own === undefined ? listed[part.toLowerCase()] : own;
		if (value === undefined) return undefined;
		return typeof value === 'string' && value.trim() !== '' ? value : null;
	};
}

function addressProperty(field: CreationFieldName): Property[] {
	const [, prefix, part = ''] = /^(rec|sender|cover)([A-Z]\w+)$/.exec(field) ?? [];
	if (prefix === undefined) return [];
	const isPlace = prefix === 'rec' && /Street|City|Zip|Country/.test(part);
	return [
		{
			field,
			// With a pickup point, some services write its address as the recipient's.
			ordered: ({ body }) =>
				isPlace && body.branchId !== undefined ? undefined : (body[field] as string | undefined),
			existing: (found) => {
				const address = addressIn(found, prefix as keyof typeof ADDRESSES);
				// Some services write null for an address that they do not keep.
				const isThere = [address('Street'), address('City'), address('Zip')].some(Boolean);
				const value = address(part);
				return value ?? (isThere ? value : undefined);
			},
			normalize: part === 'Zip' ? asPostalCode : asText,
			...(part === 'Phone' ? { isSame: isSamePhone } : {}),
		},
	];
}

const PROPERTIES: readonly Property[] = [
	{
		field: 'carrierCode',
		caption: 'Carrier',
		ordered: ({ carrierCode }) => carrierCode,
		existing: ({ carrierCode }) => carrierCode,
	},
	{
		field: 'serviceType',
		caption: 'Service',
		ordered: ({ body }) => body.serviceType,
		existing: ({ record }) => record.serviceType ?? record.serviceCode ?? undefined,
	},
	{
		field: 'cod',
		ordered: ({ body }) => (body.cod ? describeAmount(body.codPrice, body.codCurrency) : null),
		existing: ({ record: { codPrice, codCurrency } }, { body }) =>
			codPrice === undefined
				? undefined
				: describeAmount(codPrice, codCurrency ?? body.codCurrency),
	},
	{
		field: 'vs',
		ordered: ({ body }) => (body.cod ? body.vs : undefined),
		existing: ({ record }) => record.vs,
	},
	{
		field: 'price',
		ordered: ({ body }) => Number(body.price).toFixed(2),
		// Some services write 0 instead of a price that they do not keep.
		existing: ({ record: { price } }) => (price ? Number(price).toFixed(2) : undefined),
	},
	{
		field: 'branchId',
		ordered: ({ body }) => body.branchId ?? null,
		existing: ({ record }) => record.branchId,
	},
	{
		field: 'pieceCount',
		ordered: pieceCountOf,
		existing: ({ record }) => record.pieceCount ?? undefined,
	},
	...creationFieldNames.flatMap(addressProperty),
];

/**
 * What an existing shipment has otherwise than its order, and what the records of its pieces do not say. A
 * property is the same if any of the records agrees. Weight, note and additional services are not compared,
 * because carriers change them, and fields that only some carriers take, because the others do not keep them.
 */
export function compareWithOrder(
	order: Order,
	records: readonly PieceRecord[],
): { differences: Difference[]; uncompared: string[] } {
	const differences: Difference[] = [];
	const uncompared: string[] = [];
	for (const { field, ordered, existing, normalize = asCode, isSame, ...named } of PROPERTIES) {
		const caption = named.caption ?? creationFields[field as CreationFieldName].caption;
		const wanted = ordered(order);
		if (wanted === undefined) continue;
		const values = records
			.map((record) => existing(record, order))
			.filter((value) => value !== undefined);
		const [first] = values;
		if (first === undefined) {
			// The pieces of a shipment are records of their own.
			if (wanted !== null && field !== 'pieceCount') uncompared.push(caption);
		} else if (
			!values.some((value) => isSame?.(wanted, value) ?? normalize(value) === normalize(wanted))
		) {
			differences.push({ field, caption, ordered: wanted, existing: first });
		}
	}
	return { differences, uncompared };
}
