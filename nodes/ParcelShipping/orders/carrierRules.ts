import { foldText } from '../lists';
import { CONDITIONS, formFields } from './form';
import { type Problem, showValue } from './validate';

export interface CarrierChoice {
	carrierCode: string;
	serviceType: string;
	/** Which rule has chosen them, as *Dry Run* shows it. */
	rule: string;
}

interface Rule {
	condition: string;
	text: string;
	carrierCode: string;
	serviceType: string;
}

type Chosen = { choice: CarrierChoice } | { problems: Problem[] };

/** Chooses carrier and service by the first rule that fits the shipping method of an order. */
export function chooseByRules(shippingMethod: unknown, form: unknown): Chosen {
	const given = listOf(form);
	const rules = given.map(readRule);
	const problems = [...methodProblems(shippingMethod), ...ruleProblems(rules)];
	if (problems.length > 0) return { problems };

	const method = foldText(String(shippingMethod));
	const index = rules.findIndex((rule) => fits(rule, method));
	const rule = rules[index];
	if (!rule) return { problems: [noRuleProblem(shippingMethod, rules)] };
	const { carrierCode, serviceType } = rule;
	return { choice: { carrierCode, serviceType, rule: describeRule(rule, index) } };
}

function fits({ condition, text }: Rule, method: string): boolean {
	if (condition === 'any') return true;
	return condition === 'equals' ? method === foldText(text) : method.includes(foldText(text));
}

/** A workflow written by hand may contain the list itself. */
function listOf(form: unknown): Array<Record<string, unknown>> {
	const list = Array.isArray(form) ? form : (form as { rule?: unknown } | null)?.rule;
	return [list].flat().filter((rule) => typeof rule === 'object' && rule !== null) as never;
}

function readRule({ condition = 'contains', text, carrierService }: Record<string, unknown>): Rule {
	const locator = carrierService as { value?: unknown } | string | null | undefined;
	const codes = String((typeof locator === 'object' ? locator?.value : locator) ?? '');
	const [carrierCode = '', ...service] = codes.split('/');
	return {
		condition: String(condition),
		text: String(text ?? ''),
		carrierCode: carrierCode.trim(),
		serviceType: service.join('/').trim(),
	};
}

function methodProblems(method: unknown): Problem[] {
	const isEmpty = method === undefined || method === null || String(method).trim() === '';
	if (!isEmpty && typeof method !== 'object') return [];
	const expected = 'the shipping method of the order as text. Drag it from the input';
	const found = showValue(isEmpty ? '' : method);
	return [{ ...formFields.shippingMethod, found, expected }];
}

function ruleProblems(rules: readonly Rule[]): Problem[] {
	if (rules.length === 0) {
		return [toProblem('There are no rules', "a rule for each shipping method. Click 'Add Rule'")];
	}
	return rules.flatMap(({ condition, text, carrierCode, serviceType }, index) => {
		const name = `Rule ${index + 1}`;
		const isKnown = Object.hasOwn(CONDITIONS, condition);
		const isTextMissing = isKnown && condition !== 'any' && foldText(text) === '';
		return [
			!isKnown &&
				toProblem(
					`${name} has the unknown condition ${showValue(condition)}`,
					`one of: ${Object.keys(CONDITIONS).join(', ')}`,
				),
			isTextMissing &&
				toProblem(
					`${name} has no Text`,
					`a text in ${name}, or the condition '${CONDITIONS.any}' for all other shipping methods`,
				),
			(carrierCode === '' || serviceType === '') &&
				toProblem(
					`${name} has no Carrier and Service`,
					`one from the list in ${name}, or both codes as in ANT/ANT-HOME`,
				),
		].filter((problem) => problem !== false);
	});
}

function noRuleProblem(method: unknown, rules: readonly Rule[]): Problem {
	return toProblem(
		`No rule fits the shipping method ${showValue(method)}`,
		`a rule that fits it. There are: ${rules.map(describeRule).join('; ')}. Change one, or add one for ${showValue(method)} or with the condition '${CONDITIONS.any}'`,
	);
}

function toProblem(message: string, expected: string): Problem {
	return { ...formFields.rules, found: message, expected, message };
}

/** For example `Rule 2 (Contains "pickup")`. */
function describeRule({ condition, text }: Rule, index: number): string {
	const caption = CONDITIONS[condition];
	return `Rule ${index + 1} (${condition === 'any' ? caption : `${caption} ${showValue(text)}`})`;
}
