import type { INodeProperties } from 'n8n-workflow';

import { foldText } from '../lists';
import { isRecord } from '../records';
import { creationFields } from './fields';
import { CONDITIONS, formFields } from './form';
import { findCountryCode, isEmpty } from './kinds';
import { MISSING, type Problem, showValue } from './order';
import type { Wanted } from './offers';
import type { Body } from './readFields';

export interface CarrierChoice extends Wanted {
	/** The rule that has chosen carrier and service, as *Dry Run* shows it. */
	rule?: string;
}

/** What rules can ask for. */
export interface OrderFacts {
	shippingMethod: unknown;
	/** The values of the order, as far as they could be read. */
	body: Pick<Body, 'recCountry' | 'weight' | 'price' | 'cod'>;
	/** The fields whose values could not be read. They are reported as such. */
	unreadable: ReadonlySet<string>;
}

type Asked = keyof OrderFacts['body'];

/** A condition of a rule. */
interface Condition {
	/** As messages and *Dry Run* name it. */
	described: string;
	/** The field of the order that it asks for, if not its shipping method. */
	field?: Asked;
	holds(facts: OrderFacts): boolean;
}

interface Rule {
	name: string;
	described: string;
	conditions: Condition[];
	codes: CarrierChoice | undefined;
}

type InForm = Pick<INodeProperties, 'type' | 'default' | 'placeholder' | 'description'>;

const NUMBER = { type: 'number', default: 0 } as const;

/** The further conditions of a rule by their parameters, with the field that they ask for. */
export const MORE_CONDITIONS = {
	cashOnDelivery: {
		caption: 'Cash on Delivery',
		field: 'cod',
		inForm: {
			type: 'boolean',
			default: true,
			description: 'Whether the rule is for orders with cash on delivery, or for those without',
		},
	},
	countries: {
		caption: 'Countries',
		field: 'recCountry',
		inForm: {
			type: 'string',
			default: '',
			placeholder: 'e.g. CZ, SK',
			description: 'Countries of the recipient, separated by commas',
		},
	},
	minValue: {
		caption: 'Value From',
		field: 'price',
		inForm: { ...NUMBER, description: "The smallest 'Shipment Value' that fits" },
	},
	maxValue: {
		caption: 'Value Up To',
		field: 'price',
		inForm: { ...NUMBER, description: "The largest 'Shipment Value' that fits" },
	},
	minWeight: {
		caption: 'Weight From',
		field: 'weight',
		inForm: { ...NUMBER, description: 'The smallest weight that fits, in kilograms' },
	},
	maxWeight: {
		caption: 'Weight Up To',
		field: 'weight',
		inForm: { ...NUMBER, description: 'The largest weight that fits, in kilograms' },
	},
} as const satisfies Readonly<Record<string, { caption: string; field: Asked; inForm: InForm }>>;

type MoreCondition = keyof typeof MORE_CONDITIONS;

/** The rules of the form. */
export function listRules(form: unknown): Array<Record<string, unknown>> {
	return [isRecord(form) ? form.rule : undefined].flat().filter(isRecord);
}

/**
 * Chooses carrier and service by the first rule whose conditions all fit the order. `noneFits` is the
 * problem of an order that no rule fits, if it has no other service.
 */
export function chooseByRules(
	facts: OrderFacts,
	form: unknown,
	toCodes: (given: unknown) => CarrierChoice | undefined,
): { choice?: CarrierChoice; problems: Problem[]; noneFits?: Problem } {
	const problems: Problem[] = [];
	const refuse = (message: string, expected: string) =>
		problems.push({ ...formFields.rules, found: message, expected, message });
	const rules = listRules(form).map((rule, index) =>
		readRule(rule, `Rule ${index + 1}`, toCodes, refuse),
	);
	const { shippingMethod: method } = facts;
	const asksForMethod = rules.some(({ conditions }) => conditions.some(({ field }) => !field));
	if (asksForMethod && (isEmpty(method) || typeof method === 'object')) {
		const found = showValue(isEmpty(method) ? '' : method);
		const expected = 'the shipping method of the order as text. Drag it from the input';
		problems.push({ ...formFields.shippingMethod, found, expected });
	}
	if (problems.length > 0) return { problems };

	const isKnown = ({ field }: Condition) =>
		field === undefined ||
		(field === 'cod' ? !facts.unreadable.has(field) : facts.body[field] !== undefined);
	for (const { name, described, conditions, codes } of rules) {
		if (conditions.some((each) => isKnown(each) && !each.holds(facts))) continue;
		const unknown = new Set(conditions.filter((each) => !isKnown(each)).map(({ field }) => field));
		if (unknown.size === 0)
			return { ...(codes ? { choice: { ...codes, rule: described } } : {}), problems };
		// Another rule may only be tried if this one certainly does not fit.
		for (const field of unknown) {
			if (!field || facts.unreadable.has(field)) continue;
			const { caption } = creationFields[field];
			const advice = field === 'weight' ? ", or set the option 'Default Weight'" : '';
			const expected = `a value, because ${name} asks for it${advice}`;
			problems.push({ field, caption, found: MISSING, expected });
		}
		return { problems };
	}
	const message = `No rule fits ${describeFacts(facts, rules)}`;
	const expected = `a rule that fits it. There are: ${rules.map(({ described }) => described).join('; ')}. Change one, or choose '${formFields.carrierService.caption}' for all other orders`;
	return { problems, noneFits: { ...formFields.rules, found: message, expected, message } };
}

function readRule(
	rule: Record<string, unknown>,
	name: string,
	toCodes: (given: unknown) => CarrierChoice | undefined,
	refuse: (message: string, expected: string) => void,
): Rule {
	const { condition: kind = 'contains' } = rule;
	const text = String(rule.text ?? '');
	const conditions: Condition[] = [];
	if (!Object.hasOwn(CONDITIONS, String(kind))) {
		refuse(
			`${name} has the unknown condition ${showValue(kind)}`,
			`one of: ${Object.keys(CONDITIONS).join(', ')}`,
		);
	} else if (kind !== 'any' && foldText(text) === '') {
		refuse(
			`${name} has no Text`,
			`a text in ${name}, or the condition '${CONDITIONS.any}' for all other shipping methods`,
		);
	} else if (kind !== 'any') {
		conditions.push(methodCondition(String(kind), text));
	}
	for (const [key, { caption }] of Object.entries(MORE_CONDITIONS)) {
		const value = isRecord(rule.more) ? rule.more[key] : undefined;
		if (value === undefined) continue;
		const read = moreCondition(key as MoreCondition, value);
		if (read) conditions.push(read);
		else {
			const expected =
				key === 'countries' ? 'countries such as CZ, SK' : 'a number, or true or false';
			refuse(`${name} has an invalid ${caption}: ${showValue(value)}`, expected);
		}
	}
	const codes = toCodes(rule.carrierService);
	if (!codes) {
		refuse(
			`${name} has no Carrier and Service`,
			'one from the list, or both codes as in ANT/ANT-HOME',
		);
	}
	const all = conditions.map(({ described }) => described);
	return {
		name,
		conditions,
		codes,
		described: `${name} (${all.length > 0 ? all.join(', ') : CONDITIONS.any})`,
	};
}

function methodCondition(kind: string, text: string): Condition {
	const wanted = foldText(text);
	return {
		described: `${CONDITIONS[kind]} ${showValue(text)}`,
		holds: ({ shippingMethod }) => {
			const method = foldText(String(shippingMethod));
			return kind === 'equals' ? method === wanted : method.includes(wanted);
		},
	};
}

/** Undefined if the value of the form cannot be read. */
function moreCondition(key: MoreCondition, given: unknown): Condition | undefined {
	const { caption, field } = MORE_CONDITIONS[key];
	if (key === 'cashOnDelivery') {
		if (!['true', 'false'].includes(String(given))) return undefined;
		const wanted = String(given) === 'true';
		return {
			field,
			described: wanted ? caption : `no ${caption}`,
			holds: ({ body }) => (body.cod ?? false) === wanted,
		};
	}
	if (key === 'countries') {
		const names = String(given)
			.split(',')
			.filter((each) => !isEmpty(each));
		const codes = names.map((each) => findCountryCode(each));
		if (codes.length === 0 || codes.includes(undefined)) return undefined;
		return {
			field,
			described: `${caption} ${codes.join(', ')}`,
			holds: ({ body }) => codes.includes(body.recCountry),
		};
	}
	const limit = isEmpty(given) ? NaN : Number(given);
	if (!Number.isFinite(limit)) return undefined;
	return {
		field,
		described: `${caption} ${limit}`,
		holds: ({ body }) => {
			const value = Number(body[field]);
			return key.startsWith('min') ? value >= limit : value <= limit;
		},
	};
}

/** What the rules ask for, as the order has it. */
function describeFacts({ shippingMethod, body }: OrderFacts, rules: readonly Rule[]): string {
	const fields = new Set(rules.flatMap(({ conditions }) => conditions.map(({ field }) => field)));
	const facts = [
		fields.has(undefined) && `the shipping method ${showValue(shippingMethod)}`,
		fields.has('recCountry') && `the country ${body.recCountry}`,
		fields.has('weight') && `the weight ${body.weight}`,
		fields.has('price') && `the value ${body.price}`,
		fields.has('cod') && (body.cod ? 'cash on delivery' : 'no cash on delivery'),
	].filter((fact) => fact !== false);
	return facts.length > 1
		? `${facts.slice(0, -1).join(', ')} and ${facts.at(-1)}`
		: (facts[0] ?? 'the order');
}
