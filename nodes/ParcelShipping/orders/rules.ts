import type { INodeProperties } from 'n8n-workflow';

import { foldText, splitList } from '../lists';
import { isRecord } from '../records';
import { findCountryCode } from './countries';
import { captions } from './fields';
import {
	BOTH_CODES,
	type Body,
	type CarrierChoice,
	invalid,
	type Problem,
	problemOf,
	showValue,
	toCodes,
} from './order';
import { isEmpty, readYesNo } from './values';

type Asked = 'shippingMethod' | 'recCountry' | 'weight' | 'price' | 'cod';

type Fits = (value: unknown) => boolean;

/** A further condition of a rule. */
interface MoreCondition {
	caption: string;
	asked: Asked;
	inForm: Pick<INodeProperties, 'type' | 'default' | 'placeholder' | 'description'>;
	/** Whether a value of an order fits. Undefined if the value of the form cannot be read. */
	read(given: unknown): Fits | undefined;
}

/** The smallest value (1) or the largest one (-1). */
const limit = (
	caption: string,
	asked: 'price' | 'weight',
	sign: 1 | -1,
	description: string,
): MoreCondition => ({
	caption,
	asked,
	inForm: { type: 'number', default: 0, description },
	read(given) {
		const wanted = isEmpty(given) ? NaN : Number(given);
		return Number.isFinite(wanted) ? (value) => (Number(value) - wanted) * sign >= 0 : undefined;
	},
});

export const MORE_CONDITIONS: Readonly<Record<string, MoreCondition>> = {
	cashOnDelivery: {
		caption: 'Cash on Delivery',
		asked: 'cod',
		inForm: {
			type: 'boolean',
			default: true,
			description: 'Whether the rule is for orders with cash on delivery, or for those without',
		},
		read(given) {
			const wanted = readYesNo(given);
			return wanted === undefined ? undefined : (value) => value === wanted;
		},
	},
	countries: {
		caption: 'Countries',
		asked: 'recCountry',
		inForm: {
			type: 'string',
			default: '',
			placeholder: 'e.g. CZ, SK',
			description: 'Countries of the recipient, separated by commas',
		},
		read(given) {
			const codes = splitList(given).map(findCountryCode);
			const isInvalid = codes.length === 0 || codes.includes(undefined);
			return isInvalid ? undefined : (value) => codes.includes(String(value));
		},
	},
	minValue: limit('Value From', 'price', 1, "The smallest 'Shipment Value' that fits"),
	maxValue: limit('Value Up To', 'price', -1, "The largest 'Shipment Value' that fits"),
	minWeight: limit('Weight From', 'weight', 1, 'The smallest weight that fits, in kilograms'),
	maxWeight: limit('Weight Up To', 'weight', -1, 'The largest weight that fits, in kilograms'),
};

/**
 * Chooses carrier and service by the first rule whose conditions all fit the order, or else `otherwise`. `unreadable` are
 * fields that have a problem already. What keeps it from choosing is added to `problems`.
 */
export function chooseByRules(
	method: unknown,
	body: Body,
	unreadable: ReadonlySet<string>,
	given: ReadonlyArray<Record<string, unknown>>,
	problems: Problem[],
	otherwise?: () => CarrierChoice | undefined,
): CarrierChoice | undefined {
	const before = problems.length;
	const rules = given.map((rule, index) => readRule(rule, `Rule ${index + 1}`, problems));
	if (problems.length > before) return undefined;
	const { recCountry, weight, price, cod = unreadable.has('cod') ? undefined : false } = body;
	const shippingMethod = isEmpty(method) || typeof method === 'object' ? undefined : method;
	const values: Record<Asked, unknown> = { shippingMethod, recCountry, weight, price, cod };
	for (const { name, conditions, choice } of rules) {
		const isUnknown = ({ asked }: { asked: Asked }) => values[asked] === undefined;
		if (conditions.some((each) => !isUnknown(each) && !each.fits(values[each.asked]))) continue;
		const unknown = new Set(conditions.filter(isUnknown).map(({ asked }) => asked));
		if (unknown.size === 0) return choice;
		// Another rule may only be tried if this one certainly does not fit.
		for (const field of unknown) {
			if (unreadable.has(field)) continue;
			const orDefault = field === 'weight' ? ", or the option 'Default Weight'" : '';
			const expected = `a value, because ${name} asks for it${orDefault}`;
			problems.push(invalid(field, field === 'shippingMethod' ? method : undefined, expected));
		}
		return undefined;
	}
	if (otherwise) return otherwise();
	const what =
		shippingMethod === undefined ? 'the order' : `the shipping method ${showValue(method)}`;
	const expected = `a rule that fits it. There are: ${rules.map(({ described }) => described).join('; ')}. Change one, or choose '${captions.carrierService}' for all other orders`;
	problems.push(problemOf('rules', `No rule fits ${what}`, expected));
	return undefined;
}

/** The rule with all of its conditions. Without a text, it is for any shipping method: it may only have a weight. */
function readRule(rule: Record<string, unknown>, name: string, problems: Problem[]) {
	const refuse = (what: string, expected: string) =>
		problems.push(problemOf('rules', `${name} has ${what}`, expected));
	const conditions: Array<{ asked: Asked; fits: Fits }> = [];
	const text = foldText(String(rule.text ?? ''));
	if (text !== '')
		conditions.push({
			asked: 'shippingMethod',
			fits: (method) => foldText(String(method)).includes(text),
		});
	for (const [key, { caption, asked, read }] of Object.entries(MORE_CONDITIONS)) {
		const value = isRecord(rule.more) ? rule.more[key] : undefined;
		if (value === undefined) continue;
		const fits = read(value);
		const expected = 'a number, countries such as CZ, or true or false';
		if (fits) conditions.push({ asked, fits });
		else refuse(`an invalid ${caption}: ${showValue(value)}`, expected);
	}
	const codes = toCodes(rule.carrierService);
	if (!codes) refuse(`no ${captions.carrierService}`, BOTH_CODES);
	const described = text === '' ? name : `${name} (${showValue(String(rule.text))})`;
	return { name, described, conditions, choice: codes && { ...codes, rule: described } };
}
