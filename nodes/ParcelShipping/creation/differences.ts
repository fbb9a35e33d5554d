import { creationFields } from '../orders/fields';
import { type Difference, type FoundRecord } from './types';
import { type Order, pieceCountOf } from '../orders/order';

type Value = string | number | null;

/** A property of shipments. One that the order or the record leaves open is undefined. */
interface Property {
	field: string;
	caption: string;
	ordered(order: Order): Value | undefined;
	existing(found: FoundRecord, order: Order): Value | undefined;
	/** Makes two ways of writing the same value equal. */
	normalize(value: Value): unknown;
}

const asCode = (value: Value) => String(value ?? '').toUpperCase();
const asPostalCode = (value: Value) => asCode(value).replace(/[^0-9A-Z]/g, '');

/** Without cash on delivery, some services write an amount of 0 instead of null. */
function describeAmount(amount?: number | null, currency?: string | null): string | null {
	if (!amount) return null;
	return `${Math.round(amount * 100) / 100} ${currency?.toUpperCase() ?? ''}`.trim();
}

const PROPERTIES: readonly Property[] = [
	{
		field: 'carrierCode',
		caption: 'Carrier',
		ordered: ({ carrierCode }) => carrierCode,
		existing: ({ carrierCode }) => carrierCode,
		normalize: asCode,
	},
	{
		field: 'serviceType',
		caption: 'Service',
		ordered: ({ body }) => body.serviceType,
		existing: ({ record }) => record.serviceType ?? record.serviceCode ?? undefined,
		normalize: asCode,
	},
	{
		field: 'cod',
		caption: creationFields.cod.caption,
		ordered: ({ body }) => (body.cod ? describeAmount(body.codPrice, body.codCurrency) : null),
		existing: ({ record: { codPrice, codCurrency } }, { body }) =>
			codPrice === undefined
				? undefined
				: describeAmount(codPrice, codCurrency ?? body.codCurrency),
		normalize: asCode,
	},
	{
		field: 'branchId',
		caption: creationFields.branchId.caption,
		ordered: ({ body }) => body.branchId ?? null,
		existing: ({ record }) => record.branchId,
		normalize: asCode,
	},
	{
		field: 'pieceCount',
		caption: creationFields.pieceCount.caption,
		ordered: pieceCountOf,
		existing: ({ record }) => record.pieceCount ?? undefined,
		normalize: Number,
	},
	// With a pickup point, the service may write its address as the recipient's.
	{
		field: 'recCountry',
		caption: creationFields.recCountry.caption,
		ordered: ({ body }) => (body.branchId === undefined ? body.recCountry : undefined),
		existing: ({ record }) => record.recCountry ?? record.recAddress?.country ?? undefined,
		normalize: asCode,
	},
	{
		field: 'recZip',
		caption: creationFields.recZip.caption,
		ordered: ({ body }) => (body.branchId === undefined ? body.recZip : undefined),
		existing: ({ record }) => record.recZip ?? record.recAddress?.zip ?? undefined,
		normalize: asPostalCode,
	},
];

/**
 * What the existing shipments of an order have otherwise than the order. Only what the records
 * contain is compared, and a property is the same if any of them agrees.
 */
export function compareWithOrder(order: Order, records: readonly FoundRecord[]): Difference[] {
	return PROPERTIES.flatMap(({ field, caption, ordered, existing, normalize }) => {
		const wanted = ordered(order);
		if (wanted === undefined) return [];
		const values = records
			.map((record) => existing(record, order))
			.filter((value) => value !== undefined);
		const isSame = values.some((value) => normalize(value) === normalize(wanted));
		const [first] = values;
		if (first === undefined || isSame) return [];
		return [{ field, caption, ordered: wanted, existing: first }];
	});
}
