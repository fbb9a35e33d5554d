import type { ShipmentCreation } from '../transport/contract';

/**
 * What the form maps. The service has a field of its own, and as the shape of `services` isn't
 * known, they come as JSON in *Additional Fields*.
 */
export type CreationFieldName = Exclude<keyof ShipmentCreation, 'serviceType' | 'services'>;

export type SenderFieldName = Extract<CreationFieldName, `sender${string}`>;
export type CoverFieldName = Extract<CreationFieldName, `cover${string}`>;
export type RecipientFieldName = Extract<CreationFieldName, `rec${string}`>;
export type ShipmentFieldName = Exclude<
	CreationFieldName,
	SenderFieldName | CoverFieldName | RecipientFieldName
>;

type KindFor<Value> = Value extends boolean
	? 'yesNo'
	: Value extends number
		? 'amount' | 'count' | 'recordId'
		: 'text' | 'phone' | 'country' | 'currency' | 'email';

export type FieldKind = KindFor<boolean | number | string>;

export interface CreationField<Kind = FieldKind> {
	/** As the form and every message call it. */
	label: string;
	/** What is taken and how it is sent: `kinds.ts`. */
	kind: Kind;
	description: string;
	example: string;
	required?: true;
	/** Stands in the form from the start; the others are added by the user. */
	shownAtOnce?: true;
}

/** A table with exactly these fields, each of a kind that fits the contract's type. */
export type CreationFields<Name extends CreationFieldName> = {
	readonly [Field in Name]: CreationField<KindFor<NonNullable<ShipmentCreation[Field]>>>;
};
