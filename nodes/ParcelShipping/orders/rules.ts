import type { INodeProperties } from 'n8n-workflow';

import { foldText, splitList } from '../lists';
import { isRecord } from '../records';
import { findCountryCode } from './countries';
import { captions } from './fields';
import {
	BOTH_CODES,
	invalid,
	type Problem,
	problemOf,
	type ServiceCodes,
	showValue,
	toCodes,
} from './order';
import type { Body } from './readFields';
import { isEmpty, readYesNo } from './values';

export interface CarrierChoice extends ServiceCodes {
	/** The rule that has chosen carrier and service, as *Dry Run* shows it. */
	rule?: string;
}

export interface OrderFacts {
	shippingMethod: unknown;
	/** The values of the order, as far as they could be read. */
	body: Pick<Body, 'recCountry' | 'weight' | 'price' | 'cod'>;
	/** The fields whose values could not be read. They are reported as such. */
	unreadable: ReadonlySet<string>;
}

type Asked = 'shippingMethod' | keyof OrderFacts['body'];

interface Condition {
	/** As messages and *Dry Run* name it. */
	described: string;
	asked: Asked;
	fits(facts: OrderFacts): boolean;
}

/** A further condition of a rule. */
interface MoreCondition {
	caption: string;
	asked: Asked;
	inForm: Pick<INodeProperties, 'type' | 'default' | 'placeholder' | 'description'>;
	/** Undefined if the value of the form cannot be read. */
	read(given: unknown): Pick<Condition, 'described' | 'fits'> | undefined;
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
		if (!Number.isFinite(wanted)) return undefined;
		const fits = ({ body }: OrderFacts) => (Number(body[asked]) - wanted) * sign >= 0;
		return { described: `${caption} ${wanted}`, fits };
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
			if (wanted === undefined) return undefined;
			const described = wanted ? 'Cash on Delivery' : 'no Cash on Delivery';
			return { described, fits: ({ body }) => (body.cod ?? false) === wanted };
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
			if (codes.length === 0 || codes.includes(undefined)) return undefined;
			const fits = ({ body }: OrderFacts) => codes.includes(body.recCountry);
			return { described: `Countries ${codes.join(', ')}`, fits };
		},
	},
	minValue: limit('Value From', 'price', 1, "The smallest 'Shipment Value' that fits"),
	maxValue: limit('Value Up To', 'price', -1, "The largest 'Shipment Value' that fits"),
	minWeight: limit('Weight From', 'weight', 1, 'The smallest weight that fits, in kilograms'),
	maxWeight: limit('Weight Up To', 'weight', -1, 'The largest weight that fits, in kilograms'),
};

export function listRules(form: unknown): Array<Record<string, unknown>> {
	return [isRecord(form) ? form.rule : undefined].flat().filter(isRecord);
}

/**
 * Chooses carrier and service by the first rule whose conditions all fit the order. `noneFits` is the
 * problem of an order that no rule fits, if it has no other service.
 */
export function chooseByRules(
	facts: OrderFacts,
	given: ReturnType<typeof listRules>,
): { choice?: CarrierChoice | undefined; problems: Problem[]; noneFits?: Problem } {
	const problems: Problem[] = [];
	const rules = given.map((rule, index) => readRule(rule, `Rule ${index + 1}`, problems));
	const { shippingMethod: method, body, unreadable } = facts;
	if (problems.length > 0) return { problems };

	const isUnknown = (field: Asked) => {
		if (field === 'shippingMethod') return isEmpty(method) || typeof method === 'object';
		return field === 'cod' ? unreadable.has(field) : body[field] === undefined;
	};
	for (const { name, conditions, choice } of rules) {
		if (conditions.some((each) => !isUnknown(each.asked) && !each.fits(facts))) continue;
		const unknown = new Set(conditions.map((each) => each.asked).filter(isUnknown));
		if (unknown.size === 0) return { choice, problems };
		// Another rule may only be tried if this one certainly does not fit.
		for (const field of unknown) {
			if (unreadable.has(field)) continue;
			const value = field === 'shippingMethod' ? method : undefined;
			const orDefault = field === 'weight' ? ", or the option 'Default Weight'" : '';
			const expected = `a value, because ${name} asks for it${orDefault}`;
			problems.push(invalid(field, value, expected));
		}
		return { problems };
	}
	const what = isUnknown('shippingMethod')
		? 'the order'
		: `the shipping method ${showValue(method)}`;
	const message = `No rule fits ${what}`;
	const expected = `a rule that fits it. There are: ${rules.map(({ described }) => described).join('; ')}. Change one, or choose '${captions.carrierService}' for all other orders`;
	return { problems, noneFits: problemOf('rules', message, expected) };
}

/** The rule with all of its conditions. Without a text, it is for any shipping method: it may only have a weight. */
function readRule(rule: Record<string, unknown>, name: string, problems: Problem[]) {
	const refuse = (what: string, expected: string) =>
		problems.push(problemOf('rules', `${name} has ${what}`, expected));
	const text = String(rule.text ?? '');
	const conditions: Condition[] = [];
	if (foldText(text) !== '') {
		conditions.push({
			asked: 'shippingMethod',
			described: `Contains ${showValue(text)}`,
			fits: ({ shippingMethod }) => foldText(String(shippingMethod)).includes(foldText(text)),
		});
	}
	for (const [key, { caption, asked, read }] of Object.entries(MORE_CONDITIONS)) {
		const value = isRecord(rule.more) ? rule.more[key] : undefined;
		if (value === undefined) continue;
		const condition = read(value);
		if (condition) conditions.push({ asked, ...condition });
		else
			refuse(
				`an invalid ${caption}: ${showValue(value)}`,
				'a number, countries such as CZ, or true or false',
			);
	}
	const codes = toCodes(rule.carrierService);
	if (!codes) refuse(`no ${captions.carrierService}`, BOTH_CODES);
	const all = conditions.map(({ described }) => described).join(', ') || 'Any Order';
	const described = `${name} (${all})`;
	return { name, described, conditions, choice: codes && { ...codes, rule: described } };
}
