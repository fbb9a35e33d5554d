import type { INodeProperties } from 'n8n-workflow';

import { foldText, splitList } from '../lists';
import { isRecord } from '../records';
import { findCountryCode } from './countries';
import { captions } from './fields';
import { invalid, type Problem, problemOf, type ServiceCodes, showValue, toCodes } from './order';
import type { Body } from './readFields';
import { isEmpty } from './values';

/** How a rule compares the shipping method with its text. */
export const CONDITIONS: Readonly<Record<string, string>> = {
	contains: 'Contains',
	equals: 'Equals',
	any: 'Is Anything',
};

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
	isFromShop?: boolean;
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
	expected: string;
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
	...{ caption, asked, expected: 'a number' },
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
		expected: 'true or false',
		read(given) {
			if (!['true', 'false'].includes(String(given))) return undefined;
			const wanted = String(given) === 'true';
			return {
				described: wanted ? 'Cash on Delivery' : 'no Cash on Delivery',
				fits: ({ body }) => (body.cod ?? false) === wanted,
			};
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
		expected: 'countries such as CZ, SK',
		read(given) {
			const codes = splitList(given).map(findCountryCode);
			if (codes.length === 0 || codes.includes(undefined)) return undefined;
			return {
				described: `Countries ${codes.join(', ')}`,
				fits: ({ body }) => codes.includes(body.recCountry),
			};
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

const adviceOnMissing = (field: Asked, isFromShop = false) => {
	if (field === 'weight') return ", or set the option 'Default Weight'";
	if (field !== 'shippingMethod') return '';
	return isFromShop
		? '. Add it in the shop, or leave the order out with a Filter node before this node'
		: '. Drag its text from the input';
};

/**
 * Chooses carrier and service by the first rule whose conditions all fit the order. `noneFits` is the
 * problem of an order that no rule fits, if it has no other service.
 */
export function chooseByRules(
	facts: OrderFacts,
	given: ReturnType<typeof listRules>,
): { choice?: CarrierChoice | undefined; problems: Problem[]; noneFits?: Problem } {
	const problems: Problem[] = [];
	const refuse = (message: string, expected: string) =>
		problems.push(problemOf('rules', message, expected));
	const rules = given.map((rule, index) => readRule(rule, `Rule ${index + 1}`, refuse));
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
			const expected = `a value, because ${name} asks for it${adviceOnMissing(field, facts.isFromShop)}`;
			problems.push(invalid(field, value, expected));
		}
		return { problems };
	}
	const asked = rules.flatMap(({ conditions }) => conditions.map((each) => each.asked));
	const known = new Set(asked.filter((field) => !isUnknown(field)));
	const message = `No rule fits ${describeFacts(facts, known)}`;
	const expected = `a rule that fits it. There are: ${rules.map(({ described }) => described).join('; ')}. Change one, or choose '${captions.carrierService}' for all other orders`;
	return { problems, noneFits: problemOf('rules', message, expected) };
}

function readRule(
	rule: Record<string, unknown>,
	name: string,
	refuse: (message: string, expected: string) => void,
) {
	const kind = String(rule.condition ?? 'contains');
	const text = String(rule.text ?? '');
	const wanted = foldText(text);
	const conditions: Condition[] = [];
	if (!Object.hasOwn(CONDITIONS, kind)) {
		const known = Object.keys(CONDITIONS).join(', ');
		refuse(`${name} has the unknown condition ${showValue(kind)}`, `one of: ${known}`);
		// Without a text, a rule is for any method: it may only have a weight.
	} else if (kind !== 'any' && wanted !== '') {
		conditions.push({
			asked: 'shippingMethod',
			described: `${CONDITIONS[kind]} ${showValue(text)}`,
			fits: ({ shippingMethod }) => {
				const method = foldText(String(shippingMethod));
				return kind === 'equals' ? method === wanted : method.includes(wanted);
			},
		});
	}
	for (const [key, { caption, asked, expected, read }] of Object.entries(MORE_CONDITIONS)) {
		const value = isRecord(rule.more) ? rule.more[key] : undefined;
		if (value === undefined) continue;
		const condition = read(value);
		if (condition) conditions.push({ asked, ...condition });
		else refuse(`${name} has an invalid ${caption}: ${showValue(value)}`, expected);
	}
	const codes = toCodes(rule.carrierService);
	if (!codes)
		refuse(
			`${name} has no Carrier and Service`,
			'one from the list, or both codes as in ANT/ANT-HOME',
		);
	const all = conditions.map(({ described }) => described).join(', ') || CONDITIONS.any;
	const described = `${name} (${all})`;
	return { name, described, conditions, choice: codes && { ...codes, rule: described } };
}

function describeFacts({ shippingMethod, body }: OrderFacts, fields: ReadonlySet<Asked>): string {
	const facts = [
		fields.has('shippingMethod') && `the shipping method ${showValue(shippingMethod)}`,
		fields.has('recCountry') && `the country ${body.recCountry}`,
		fields.has('weight') && `the weight ${body.weight}`,
		fields.has('price') && `the value ${body.price}`,
		fields.has('cod') && (body.cod ? 'cash on delivery' : 'no cash on delivery'),
	].filter((fact) => fact !== false);
	return new Intl.ListFormat('en-US').format(facts) || 'the order';
}
