import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../records';
import type { ShipmentCreation } from '../transport/endpoints';
import { ItemError } from '../transport/errors';
import { captions } from './fields';
import { isEmpty, readText, type ValueFacts } from './values';

/** The options of *Create*, which hold for all items. */
export interface CreationOptions extends ValueFacts {
	ifShipped: 'returnUnchanged' | 'return' | 'fail';
	/** For orders without a weight, in kilograms. 0 leaves it out. */
	defaultWeight: number;
	dryRun: boolean;
	labels: 'none' | 'print' | 'attach';
}

/** What is sent for an order, as far as it could be read. */
export type Body = Partial<ShipmentCreation>;

/** One shipment to create, read from one input item. */
export interface Order {
	itemIndex: number;
	/** Other items with the same order: they get the same shipment. */
	sameItems?: number[];
	carrierCode: string;
	body: ShipmentCreation;
	/** The ID of the order in the shop, as the shop has it. */
	shopOrderId?: string | number | undefined;
	/** The rule that has chosen carrier and service, for the preview. */
	rule?: string | undefined;
}

export interface InvalidItem {
	itemIndex: number;
	failure: unknown;
}

export interface CarrierChoice {
	carrierCode: string;
	serviceType: string;
	/** The rule that has chosen them, as *Dry Run* shows it. */
	rule?: string;
}

/** From a text such as `ANT/ANT-HOME`. */
export function toCodes(given: unknown): CarrierChoice | undefined {
	const [carrierCode = '', ...service] = (readText(valueOf(given)) ?? '').split('/');
	const codes = { carrierCode: carrierCode.trim(), serviceType: service.join('/').trim() };
	return codes.carrierCode === '' || codes.serviceType === '' ? undefined : codes;
}

export const BOTH_CODES = 'one from the list, or both codes as in ANT/ANT-HOME';

/** A parameter may be a mapper or resource locator, or an expression that gives one or its value. */
export const valueOf = (given: unknown): unknown =>
	isRecord(given) && 'value' in given ? given.value : given;

/** The shop's own number of the order. */
export const referenceOf = ({ body }: Order) => String(body.packageNumberCustom);

export function itemsOf(orders: readonly Order[]): number[] {
	const items = orders.flatMap(({ itemIndex, sameItems = [] }) => [itemIndex, ...sameItems]);
	return items.sort((a, b) => a - b);
}

/** The smallest number of rows that a created order has in a response. */
export const pieceCountOf = ({ body }: Order) => body.pieceCount ?? 1;

/** The carrier creates a second shipment for each piece, which takes the old goods back. */
export const isExchange = ({ body }: Order) =>
	/^true$/i.test(String((body as { exchangeOrder?: unknown }).exchangeOrder));

/** Why an order cannot be sent. A `type`, so that it fits into the details of an error. */
export type Problem = {
	/** The name of the parameter, or the provider's own name of the field. */
	field: string;
	caption: string;
	message: string;
	expected: string;
};

type FieldName = keyof typeof captions;

export function problemOf(field: FieldName, message: string, expected: string): Problem {
	return { field, caption: captions[field], message, expected };
}

/** A value that cannot be sent, or that is missing. */
export function invalid(field: FieldName, value: unknown, expected: string): Problem {
	const caption = captions[field];
	const isMissing = isEmpty(value);
	const message = isMissing ? `${caption} is missing` : `Invalid ${caption}: ${showValue(value)}`;
	return problemOf(field, message, expected);
}

export function toItemError(problems: Problem[], reference?: string): ItemError {
	return new ItemError(
		problems.map(({ message }) => message).join('; '),
		problems.map(({ caption, expected }) => `${caption}: expected ${expected}.`).join(' '),
		{
			...(reference ? { packageNumberCustom: reference } : {}),
			problems: problems as IDataObject[],
		},
	);
}

const MAX_SHOWN_LENGTH = 80;

/** A value as messages show it: text in quotes, and at most one line. */
export function showValue(value: unknown): string {
	if (value === undefined || value === null || value === '') return 'missing';
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
	const shown = text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH - 1)}…` : text;
	return typeof value === 'string' ? JSON.stringify(shown) : shown;
}
